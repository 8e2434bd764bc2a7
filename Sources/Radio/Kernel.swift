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

/// What the probe asks where nl80211 does not know an interface: the Wireless Extensions (linux/wireless.h).
protocol WirelessExtensions: AnyObject {
    /// The names of all interfaces of this network namespace, of whatever kind.
    func interfaceNames() throws(NetlinkError) -> [String]

    /// Asks a driver.
    ///
    /// - Throws: ``NetlinkError/Step/receive`` with the error of the driver, or of the kernel where it has no answer.
    func ask(_ question: Question, about name: String) throws(NetlinkError) -> Answer
}

/// The questions to a driver. Each only reads, and needs no privilege.
enum Question: UInt, Sendable {
    /// `SIOCGIFINDEX`.
    case index = 0x8933
    /// `SIOCGIWNAME`, which every driver with these extensions answers and no other.
    case protocolName = 0x8b01
    /// `SIOCGIWMODE`.
    case mode = 0x8b07
    /// `SIOCGIWAP`.
    case accessPoint = 0x8b15
    /// `SIOCGIWESSID`.
    case ssid = 0x8b1b
}

/// What a driver answers.
struct Answer: Equatable, Sendable {
    /// The index, the mode, or the flags of the name.
    var value: UInt32 = 0
    /// The address, or the name.
    var bytes: [UInt8] = []
}
