import CNetlink
import Trust
import Wireless

/// One reply to `GET_INTERFACE`.
struct InterfaceRecord: Equatable {
    let name: String
    let index: UInt32
    let type: Interface.Kind
    /// The name of the network that the driver knows of, if any.
    let ssid: SSID?

    /// Reads a reply.
    ///
    /// - Returns: `nil` for what has no network interface, such as a Wi-Fi Direct device.
    init?(_ reply: [UInt8]) throws(NetlinkError) {
        let attributes = try Attributes(reply)
        guard let index = try attributes.uint32(NL80211_ATTR_IFINDEX.rawValue), index > 0,
            let name = try attributes.text(NL80211_ATTR_IFNAME.rawValue)
        else { return nil }
        self.index = index
        self.name = name
        type = Interface.Kind(nl80211: try attributes.uint32(NL80211_ATTR_IFTYPE.rawValue))
        let bytes = try attributes.bytes(NL80211_ATTR_SSID.rawValue) ?? []
        guard bytes.count <= SSID.maximumLength else { throw NetlinkError(.parse) }
        ssid = bytes.contains { $0 != 0 } ? SSID(bytes: bytes) : nil
    }
}

extension Interface.Kind {
    /// The meaning of `NL80211_ATTR_IFTYPE`.
    init(nl80211 type: UInt32?) {
        switch type.map({ nl80211_iftype(rawValue: $0) }) {
        case NL80211_IFTYPE_STATION: self = .station
        case NL80211_IFTYPE_AP: self = .accessPoint
        case NL80211_IFTYPE_AP_VLAN: self = .accessPointVLAN
        case NL80211_IFTYPE_ADHOC: self = .ibss
        case NL80211_IFTYPE_MESH_POINT: self = .meshPoint
        case NL80211_IFTYPE_MONITOR: self = .monitor
        case NL80211_IFTYPE_P2P_CLIENT: self = .p2pClient
        case NL80211_IFTYPE_P2P_GO: self = .p2pGroupOwner
        case NL80211_IFTYPE_P2P_DEVICE: self = .p2pDevice
        default: self = .other
        }
    }
}

/// The access point in a reply to `GET_SCAN` that the interface is associated with.
struct AssociationRecord: Equatable {
    let bssid: BSSID
    /// The multi-link device that this is a link of.
    let mld: BSSID?
    /// The name in the access point's own frames, or `nil` when every frame hides it.
    let ssid: SSID?
    let offered: Set<Security>
    /// Whether its frames name two networks, or a device that it is no link of.
    let contradictsItself: Bool

    /// Reads a reply.
    ///
    /// - Returns: `nil` for every neighbour: only the associated record says where the machine is. Nothing else of a
    ///   neighbour is read, so its elements cannot disturb.
    init?(_ reply: [UInt8], interface: UInt32) throws(NetlinkError) {
        let attributes = try Attributes(reply)
        guard try attributes.uint32(NL80211_ATTR_IFINDEX.rawValue) == interface,
            let record = try attributes.nested(NL80211_ATTR_BSS.rawValue),
            try record.uint32(NL80211_BSS_STATUS.rawValue) == NL80211_BSS_STATUS_ASSOCIATED.rawValue
        else { return nil }
        guard let bssid = try record.bssid(NL80211_BSS_BSSID.rawValue) else { throw NetlinkError(.parse) }
        self.bssid = bssid
        mld = try record.bssid(NL80211_BSS_MLD_ADDR.rawValue)

        // WLAN_CAPABILITY_PRIVACY, IEEE 802.11-2020, 9.4.1.4.
        let privacy = try record.uint16(NL80211_BSS_CAPABILITY.rawValue).map { $0 & 0x0010 != 0 } ?? false
        // The first is from the last frame of either kind, the second from the last beacon, which may hide the name.
        let frames = [
            try record.bytes(NL80211_BSS_INFORMATION_ELEMENTS.rawValue),
            try record.bytes(NL80211_BSS_BEACON_IES.rawValue),
        ].compactMap { $0 }
        var names: Set<SSID> = []
        var devices: Set<BSSID> = []
        var offered: Set<Security> = []
        for frame in frames {
            do {
                let elements = try informationElements(in: frame)
                if let name = try elements.ssid() { names.insert(name) }
                devices.formUnion(elements.devices)
                offered.formUnion(elements.offeredSecurity(privacy: privacy))
            } catch {
                throw NetlinkError(.parse)
            }
        }
        ssid = names.count == 1 ? names.first : nil
        self.offered = offered
        contradictsItself = names.count > 1 || (mld.map { !devices.isSubset(of: [$0]) } ?? false)
    }
}

/// One reply to `GET_STATION`: what the driver knows of a peer.
struct StationRecord: Equatable {
    /// The address of the access point, or of its multi-link device.
    let address: BSSID
    /// Whether the key exchange has finished; `nil` when the driver does not say.
    let authorized: Bool?
    /// Whether management frames are protected; `nil` when the driver does not say.
    let mfp: Bool?
    /// Whether this is another station that frames go to directly, and no access point.
    let isDirectPeer: Bool
    /// When the association began, in nanoseconds of `CLOCK_BOOTTIME`; `nil` when the driver does not say.
    let began: UInt64?

    /// Reads a reply.
    ///
    /// - Returns: `nil` when it is not about this interface.
    init?(_ reply: [UInt8], interface: UInt32) throws(NetlinkError) {
        let attributes = try Attributes(reply)
        guard try attributes.uint32(NL80211_ATTR_IFINDEX.rawValue) == interface else { return nil }
        guard let address = try attributes.bssid(NL80211_ATTR_MAC.rawValue) else { throw NetlinkError(.parse) }
        self.address = address
        let information = try attributes.nested(NL80211_ATTR_STA_INFO.rawValue)
        let flags = try information?.flags(NL80211_STA_INFO_STA_FLAGS.rawValue) ?? (known: 0, set: 0)
        func flag(_ flag: nl80211_sta_flags) -> Bool? {
            let bit = UInt32(1) << flag.rawValue
            return flags.known & bit == 0 ? nil : flags.set & bit != 0
        }
        authorized = flag(NL80211_STA_FLAG_AUTHORIZED)
        mfp = flag(NL80211_STA_FLAG_MFP)
        isDirectPeer = flag(NL80211_STA_FLAG_TDLS_PEER) ?? false
        began = try information?.uint64(NL80211_STA_INFO_ASSOC_AT_BOOTTIME.rawValue)
    }
}
