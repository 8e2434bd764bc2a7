import CNetlink
import Trust
public import Wireless

/// An access point that the kernel has heard of lately.
public struct HeardAccessPoint: Equatable, Sendable {
    /// The station that heard it.
    public let interface: String
    public let bssid: BSSID
    /// The name of its network, or `nil` when it hides it or its frames cannot be read.
    public let ssid: SSID?
    /// The middle of its channel in MHz, or 0.
    public let frequency: UInt32
    /// How strong it was heard, in hundredths of dBm, or `nil` when the driver does not say.
    public let signal: Int32?
    public let offered: Set<Security>
}

/// What stations have heard: the scan results that the kernel keeps.
///
/// - Parameters:
///   - interface: the only station to ask, or `nil` for all.
///   - trigger: whether to scan first, which needs root and takes seconds.
public func surroundings(of interface: String? = nil, trigger: Bool) throws(NetlinkError) -> [HeardAccessPoint] {
    let kernel = LinuxKernel(deadline: .now + .seconds(trigger ? 15 : 2))
    var heard: [HeardAccessPoint] = []
    for reply in try kernel.dump(.getInterface, interface: nil) {
        guard let record = try InterfaceRecord(reply), record.type == .station,
            interface == nil || record.name == interface
        else { continue }
        if trigger { try kernel.scan(record.index) }
        for reply in try kernel.dump(.getScan, interface: record.index) {
            if let point = try HeardAccessPoint(reply, interface: record) { heard.append(point) }
        }
    }
    return heard
}

extension HeardAccessPoint {
    /// Reads one reply to `GET_SCAN`. What cannot be read of a stranger's frames is left out, and the rest counts.
    init?(_ reply: [UInt8], interface record: InterfaceRecord) throws(NetlinkError) {
        let attributes = try Attributes(reply)
        guard try attributes.uint32(NL80211_ATTR_IFINDEX.rawValue) == record.index,
            let bss = try attributes.nested(NL80211_ATTR_BSS.rawValue),
            let bssid = try? bss.bssid(NL80211_BSS_BSSID.rawValue)
        else { return nil }
        interface = record.name
        self.bssid = bssid
        frequency = try bss.uint32(NL80211_BSS_FREQUENCY.rawValue) ?? 0
        signal = try bss.uint32(NL80211_BSS_SIGNAL_MBM.rawValue).map { Int32(bitPattern: $0) }
        let privacy = try bss.uint16(NL80211_BSS_CAPABILITY.rawValue).map { $0 & 0x0010 != 0 } ?? false
        let frame = try bss.bytes(NL80211_BSS_INFORMATION_ELEMENTS.rawValue) ?? []
        let elements = try? informationElements(in: frame)
        ssid = (try? elements?.ssid()) ?? nil
        offered = elements?.offeredSecurity(privacy: privacy) ?? [.other]
    }
}

extension LinuxKernel {
    /// Scans all channels with one station, and waits for the results.
    func scan(_ interface: UInt32) throws(NetlinkError) {
        let events = try NetlinkSocket(deadline: deadline)
        let family = try Family(on: events)
        if let group = family.scanEvents { try events.join(group: group) }
        do throws(NetlinkError) {
            _ = unsafe try NetlinkSocket(deadline: deadline).request(
                family: family.number, command: UInt8(NL80211_CMD_TRIGGER_SCAN.rawValue)
            ) { unsafe nla_put_u32($0, CInt(NL80211_ATTR_IFINDEX.rawValue), interface) }
        } catch {
            // Somebody else scans already: their results are as good. What is down hears nothing.
            if error.code == networkDown { return }
            guard error.code == busy else { throw error }
        }
        // The first event says that a scan began, the next that it ended.
        if events.waitForEvent() { _ = events.waitForEvent() }
    }
}
