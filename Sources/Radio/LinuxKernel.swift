import CNetlink
import Glibc

/// The running kernel, asked through nl80211.
final class LinuxKernel: Kernel {
    /// When to have answered everything.
    var deadline: ContinuousClock.Instant {
        didSet { connection?.socket.deadline = deadline }
    }
    private var connection: (socket: NetlinkSocket, family: Family)?
    /// A socket for questions about interfaces where there is no connection, or -1.
    private var plainSocket: CInt = -1

    init(deadline: ContinuousClock.Instant) {
        self.deadline = deadline
    }

    deinit {
        if plainSocket >= 0 { close(plainSocket) }
    }

    func dump(_ command: Command, interface: UInt32?) throws(NetlinkError) -> [[UInt8]] {
        var lastError = NetlinkError(.interrupted)
        for _ in 0..<Self.attempts {
            do throws(NetlinkError) {
                let (socket, family) = try connect()
                return unsafe try socket.request(family: family.number, command: command.rawValue, flags: dumpFlags) {
                    message in
                    guard let interface else { return 0 }
                    return unsafe nla_put_u32(message, CInt(NL80211_ATTR_IFINDEX.rawValue), interface)
                }
            } catch {
                connection = nil
                guard error.isPassing else { throw error }
                lastError = error
            }
        }
        throw lastError
    }

    /// How often a table is asked for that changed while it was read, or that was busy.
    private static let attempts = 3

    func isUp(_ name: String) -> Bool? {
        let flags = unsafe cnetlink_interface_flags(descriptor, name)
        return flags < 0 ? nil : flags & CInt(IFF_UP) != 0
    }

    /// A descriptor for questions about an interface by its name, or -1. It is valid until the next dump.
    var descriptor: CInt {
        if let connection { return connection.socket.descriptor }
        if plainSocket < 0 { plainSocket = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
        return plainSocket
    }

    private func connect() throws(NetlinkError) -> (socket: NetlinkSocket, family: Family) {
        if let connection { return connection }
        let socket = try NetlinkSocket(deadline: deadline)
        let opened = (socket, try Family(on: socket))
        connection = opened
        return opened
    }
}

/// `NLM_F_DUMP`.
private let dumpFlags = CInt(NLM_F_ROOT | NLM_F_MATCH)

extension NetlinkError {
    /// Whether another attempt may succeed.
    fileprivate var isPassing: Bool {
        step == .interrupted || (step == .receive && (code == busy || code == tryAgain))
    }
}

/// The generic netlink family `nl80211` of the running kernel.
struct Family {
    let number: UInt16
    /// The multicast group that tells of associations, if there is one.
    let associationEvents: UInt32?
    /// The multicast group that tells of interfaces that come and go, if there is one.
    let configurationEvents: UInt32?
    /// The multicast group that tells of scans, if there is one.
    let scanEvents: UInt32?

    init(on socket: NetlinkSocket) throws(NetlinkError) {
        let replies: [[UInt8]]
        do {
            // GENL_ID_CTRL and CTRL_CMD_GETFAMILY of linux/genetlink.h.
            replies = unsafe try socket.request(family: 16, command: UInt8(CTRL_CMD_GETFAMILY)) { message in
                unsafe nla_put_string(message, CInt(CTRL_ATTR_FAMILY_NAME), "nl80211")
            }
        } catch {
            throw error.step == .receive ? NetlinkError(.resolve, code: error.code) : error
        }
        guard let reply = replies.first, let number = try Attributes(reply).uint16(UInt32(CTRL_ATTR_FAMILY_ID)) else {
            throw NetlinkError(.parse)
        }
        self.number = number
        var groups: [(name: String, number: UInt32)] = []
        for group in try Attributes(reply).list(UInt32(CTRL_ATTR_MCAST_GROUPS)) {
            if let name = try group.text(UInt32(CTRL_ATTR_MCAST_GRP_NAME)),
                let number = try group.uint32(UInt32(CTRL_ATTR_MCAST_GRP_ID))
            {
                groups.append((name, number))
            }
        }
        associationEvents = groups.first { $0.name == "mlme" }?.number
        configurationEvents = groups.first { $0.name == "config" }?.number
        scanEvents = groups.first { $0.name == "scan" }?.number
    }
}
