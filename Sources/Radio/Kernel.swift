/// What the probe asks of the kernel. The seam is bytes, so that recorded replies test everything above it.
protocol Kernel: AnyObject {
    /// Sends one dump request of nl80211.
    ///
    /// - Parameter interface: the interface's index, or `nil` for all.
    /// - Returns: the attributes of each reply, without the netlink and the generic netlink header.
    func dump(_ command: Command, interface: UInt32?) throws(NetlinkError) -> [[UInt8]]

    /// Whether an interface is up, or `nil` when that cannot be found out.
    func isUp(_ name: String) -> Bool?
}

/// The requests that the probe makes. Each only reads, and needs no privilege.
enum Command: UInt8, Sendable {
    /// `NL80211_CMD_GET_INTERFACE`.
    case getInterface = 5
    /// `NL80211_CMD_GET_STATION`.
    case getStation = 17
    /// `NL80211_CMD_GET_SCAN`.
    case getScan = 32
}
