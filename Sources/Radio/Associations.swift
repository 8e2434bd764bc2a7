import CNetlink
public import Trust
public import Wireless

/// What the kernel told of an association when it began. A later look shows no more what was negotiated.
public struct Association: Equatable, Sendable {
    /// The access point, or its multi-link device.
    let address: Fingerprint
    /// The access points of the device, where it is one.
    let links: Set<Fingerprint>
    /// The name that the station asked for.
    public let ssid: SSID
    /// The key management suite that was negotiated, or `nil` when it is not known or a broken cipher undoes it.
    public let suite: UInt32?
    /// When it was told of, in nanoseconds of `CLOCK_BOOTTIME`.
    public let told: UInt64

    /// Reads the event of a connection or of a roam.
    ///
    /// - Returns: `nil` when it failed, and when it does not say where the station is.
    init?(_ event: Attributes, isRoam: Bool, at moment: UInt64) throws(NetlinkError) {
        // Only a connection can fail. What failed without a status of the standard has the flag.
        guard try event.uint16(NL80211_ATTR_STATUS_CODE.rawValue) ?? (isRoam ? 0 : 1) == 0,
            try event.bytes(NL80211_ATTR_TIMED_OUT.rawValue) == nil,
            let address = try event.bssid(NL80211_ATTR_MAC.rawValue),
            let request = try event.bytes(NL80211_ATTR_REQ_IE.rawValue),
            let elements = try? informationElements(in: request), let ssid = (try? elements.ssid()) ?? nil
        else { return nil }
        var links: Set<Fingerprint> = []
        for link in try event.list(NL80211_ATTR_MLO_LINKS.rawValue)
        where try link.uint16(NL80211_ATTR_STATUS_CODE.rawValue) ?? 0 == 0 {
            if let bssid = try link.bssid(NL80211_ATTR_BSSID.rawValue) { links.insert(Fingerprint(bssid)) }
        }
        self.address = Fingerprint(address)
        self.links = links
        self.ssid = ssid
        suite = elements.requestedSuite
        told = moment
    }

    /// Whether a look at the kernel shows the station where this says.
    func fits(_ station: Interface) -> Bool {
        guard station.type == .station, station.state == .connected, station.ssid == ssid, !station.links.isEmpty,
            station.began.map(couldBegin) ?? true
        else { return false }
        let seen = station.links.map(Fingerprint.init)
        guard let mld = station.mld else { return links.isEmpty && seen == [address] }
        return Fingerprint(mld) == address && seen.allSatisfy(links.contains)
    }

    /// Whether what began then is what was told of: the driver notes the time first, and the event follows at once.
    private func couldBegin(_ began: UInt64) -> Bool {
        began <= told && told - began < 2_000_000_000
    }

    /// What this proves of a station that it fits.
    func proof(for station: Interface) -> Proof {
        guard let suite else { return Proof() }
        let name = station.security(ofSuite: suite)
        // All that an event shows of hash-to-element is a status in the access point's answer, which the keys do not
        // depend on.
        return Proof(negotiated: name, verified: name != nil && bindsNameToPassphrase(suite: suite))
    }
}

/// Stands for an access point in a memory that lasts: another one has another, and which it is cannot be told from it.
///
/// It is SipHash with a key that the process draws when it starts, and is used nowhere else.
struct Fingerprint: Hashable, Sendable {
    private let value: Int

    init(_ bssid: BSSID) {
        value = bssid.hashValue
    }
}

/// The associations that the kernel told of: at most one an interface.
public struct Associations: Equatable, Sendable {
    private var all: [UInt32: Association] = [:]

    public init() {}

    /// The association of the interface with this index, where one is known.
    public subscript(interface: UInt32) -> Association? { all[interface] }

    /// How many are known.
    public var count: Int { all.count }

    /// Takes in one event of nl80211. What cannot be read may be about any of them: then nothing is known any more.
    ///
    /// - Parameter moment: when it was told, in nanoseconds of `CLOCK_BOOTTIME`.
    mutating func take(_ command: UInt8, _ attributes: some Collection<UInt8>, at moment: UInt64) {
        do throws(NetlinkError) {
            let event = try Attributes(attributes)
            guard let interface = try event.uint32(NL80211_ATTR_IFINDEX.rawValue) else { return }
            switch nl80211_commands(rawValue: UInt32(command)) {
            case NL80211_CMD_CONNECT, NL80211_CMD_ROAM:
                let isRoam = UInt32(command) == NL80211_CMD_ROAM.rawValue
                all[interface] = try Association(event, isRoam: isRoam, at: moment)
            // That of the access point's answer comes before the one of the connection, which says how it went.
            case NL80211_CMD_ASSOCIATE, NL80211_CMD_DISCONNECT, NL80211_CMD_DEAUTHENTICATE, NL80211_CMD_DISASSOCIATE,
                NL80211_CMD_NEW_INTERFACE, NL80211_CMD_SET_INTERFACE, NL80211_CMD_DEL_INTERFACE:
                all[interface] = nil
            default: break
            }
        } catch {
            all = [:]
        }
    }

    /// Forgets what a look at the kernel does not show, or shows otherwise.
    public mutating func keep(fitting evidence: Evidence) {
        let stations = evidence.stations
        all = all.filter { index, association in
            stations.contains { $0.index == index && association.fits($0) }
        }
    }

    /// What a look showed, with what is known of how each association began.
    public func adding(to evidence: Evidence) -> Evidence {
        guard case .interfaces(let interfaces, let source) = evidence else { return evidence }
        return .interfaces(
            interfaces.map { station in
                guard let association = self[station.index], association.fits(station) else { return station }
                return station.adding(association.proof(for: station))
            }, source: source)
    }
}

extension Evidence {
    fileprivate var stations: [Interface] {
        guard case .interfaces(let interfaces, _) = self else { return [] }
        return interfaces
    }
}
