import CNetlink
import Glibc

/// A netlink socket of the library. Every request ends at the deadline.
@safe final class NetlinkSocket {
    private let socket: OpaquePointer
    var deadline: ContinuousClock.Instant

    init(deadline: ContinuousClock.Instant, protocol number: CInt = NETLINK_GENERIC) throws(NetlinkError) {
        guard let socket = unsafe nl_socket_alloc() else { throw NetlinkError(.open, code: ENOMEM) }
        unsafe self.socket = socket
        self.deadline = deadline
        guard unsafe nl_connect(socket, number) == 0 else { throw NetlinkError(.open, code: errno) }
        // Larger than any reply of a dump: the kernel fills the reader's buffer, but no more than 32 KiB.
        guard unsafe nl_socket_set_msg_buf_size(socket, 1 << 16) == 0 else { throw NetlinkError(.open, code: ENOMEM) }
    }

    deinit {
        unsafe nl_socket_free(socket)
    }

    /// The descriptor, for `poll`. It is valid for as long as the socket lives.
    var descriptor: CInt { unsafe nl_socket_get_fd(socket) }

    /// Sends one request and collects the replies.
    ///
    /// After an error the socket may hold replies that nobody waits for: open another one.
    ///
    /// - Parameters:
    ///   - family: the number of the generic netlink family.
    ///   - flags: `NLM_F_DUMP` for a table, 0 for one reply.
    ///   - body: adds the attributes.
    /// - Returns: the attributes of each reply.
    func request(
        family: UInt16, command: UInt8, flags: CInt = 0, body: (OpaquePointer) -> CInt = { _ in 0 }
    ) throws(NetlinkError) -> [[UInt8]] {
        guard let message = unsafe nlmsg_alloc() else { throw NetlinkError(.send, code: ENOMEM) }
        defer { unsafe nlmsg_free(message) }
        guard unsafe genlmsg_put(message, 0, 0, CInt(family), 0, flags, command, 0) != nil,
            unsafe body(message) == 0
        else { throw NetlinkError(.send, code: ENOMEM) }
        try limitWaiting()
        guard unsafe nl_send_auto(socket, message) >= 0 else { throw NetlinkError(.send, code: errno) }
        return try receive()
    }

    private func receive() throws(NetlinkError) -> [[UInt8]] {
        var replies = ReplyCollector()
        let status = unsafe withUnsafeMutablePointer(to: &replies) { collector in
            unsafe nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_CUSTOM, collectReply, collector)
            unsafe nl_socket_modify_cb(socket, NL_CB_FINISH, NL_CB_CUSTOM, collectEnd, collector)
            unsafe nl_socket_modify_cb(socket, NL_CB_ACK, NL_CB_CUSTOM, collectEnd, collector)
            unsafe nl_socket_modify_err_cb(socket, NL_CB_CUSTOM, collectFailure, collector)
            defer {
                // The callbacks hold a pointer to this frame. Take it away before the frame ends.
                for kind in [NL_CB_VALID, NL_CB_FINISH, NL_CB_ACK] {
                    unsafe nl_socket_modify_cb(socket, kind, NL_CB_DEFAULT, nil, nil)
                }
                unsafe nl_socket_modify_err_cb(socket, NL_CB_DEFAULT, nil, nil)
            }
            var status: CInt = 0
            while status >= 0, unsafe !collector.pointee.isComplete {
                if ContinuousClock.now >= deadline { return -NLE_AGAIN }
                status = unsafe nl_recvmsgs_default(socket)
            }
            return status
        }
        if let failure = replies.failure { throw failure }
        switch -status {
        case ...0: return replies.payloads
        case NLE_AGAIN: throw NetlinkError(.timeOut)
        case NLE_DUMP_INTR: throw NetlinkError(.interrupted)
        default: throw NetlinkError(.receive)
        }
    }

    /// Follows a multicast group from now on; ``waitForEvent()`` then waits for its messages.
    func join(group: UInt32) throws(NetlinkError) {
        unsafe nl_socket_disable_seq_check(socket)
        guard unsafe nl_socket_add_membership(socket, CInt(bitPattern: group)) == 0 else {
            throw NetlinkError(.open, code: errno)
        }
    }

    /// Waits until a message of a group has come, and forgets what there is.
    ///
    /// - Returns: `false` when the deadline passed first.
    func waitForEvent() -> Bool {
        guard waitToRead([descriptor], until: deadline) else { return false }
        // What the messages say does not matter. ENOBUFS says that there were more.
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while unsafe recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)) > 0 {}
        return true
    }

    /// Makes every receive end at the deadline, also when the kernel does not answer.
    private func limitWaiting() throws(NetlinkError) {
        let left = millisecondsLeft(until: deadline)
        guard left > 0 else { throw NetlinkError(.timeOut) }
        var limit = timeval(tv_sec: Int(left) / 1000, tv_usec: Int(left) % 1000 * 1000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0 else {
            throw NetlinkError(.open, code: errno)
        }
    }
}

/// What the callbacks saw during one request.
private struct ReplyCollector {
    /// More replies than any machine has interfaces, access points or peers. A broken driver must not exhaust memory.
    static let maximumCount = 4096

    var payloads: [[UInt8]] = []
    var failure: NetlinkError?
    var isAtEnd = false

    var isComplete: Bool { isAtEnd || failure != nil }
}

// The functions below run on a frame of the library. They must not trap and cannot throw: every failure is stored in
// the collector, and `receive` throws it after the library has returned.

/// Copies the attributes of one reply into the collector.
private func collectReply(message: OpaquePointer?, context: UnsafeMutableRawPointer?) -> CInt {
    guard let context = unsafe context else { return CInt(NL_STOP.rawValue) }
    let replies = unsafe context.assumingMemoryBound(to: ReplyCollector.self)
    guard unsafe replies.pointee.payloads.count < ReplyCollector.maximumCount,
        let message = unsafe message, let header = unsafe nlmsg_hdr(message),
        unsafe genlmsg_valid_hdr(header, 0) != 0, let generic = unsafe genlmsg_hdr(header)
    else {
        unsafe replies.pointee.failure = NetlinkError(.parse)
        return CInt(NL_STOP.rawValue)
    }
    let length = Int(unsafe genlmsg_attrlen(generic, 0))
    let start = unsafe genlmsg_attrdata(generic, 0).map { UnsafeRawPointer($0) }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : max(0, length))
    unsafe replies.pointee.payloads.append(Array(bytes))
    return CInt(NL_OK.rawValue)
}

/// Notes that the last reply of a table, or the acknowledgement of a single one, has come.
///
/// Either begins with a status. A table that the kernel gives up ends with the error there, and is not whole.
private func collectEnd(message: OpaquePointer?, context: UnsafeMutableRawPointer?) -> CInt {
    guard let context = unsafe context else { return CInt(NL_STOP.rawValue) }
    let replies = unsafe context.assumingMemoryBound(to: ReplyCollector.self)
    unsafe replies.pointee.isAtEnd = true
    guard let message = unsafe message, let header = unsafe nlmsg_hdr(message),
        unsafe nlmsg_datalen(header) >= MemoryLayout<CInt>.size, let start = unsafe nlmsg_data(header)
    else {
        unsafe replies.pointee.failure = NetlinkError(.parse)
        return CInt(NL_STOP.rawValue)
    }
    // The library has seen to it that the message holds as many bytes as its header says.
    let status = unsafe start.loadUnaligned(as: CInt.self)
    if status < 0 { unsafe replies.pointee.failure = NetlinkError(.receive, code: 0 &- status) }
    return CInt(NL_STOP.rawValue)
}

/// Notes the error that the kernel answered with.
private func collectFailure(
    address: UnsafeMutablePointer<sockaddr_nl>?, error: UnsafeMutablePointer<nlmsgerr>?,
    context: UnsafeMutableRawPointer?
) -> CInt {
    guard let context = unsafe context else { return CInt(NL_STOP.rawValue) }
    let code = unsafe error.map { unsafe -$0.pointee.error } ?? 0
    unsafe context.assumingMemoryBound(to: ReplyCollector.self).pointee.failure = NetlinkError(.receive, code: code)
    return CInt(NL_STOP.rawValue)
}

/// Waits until one of these descriptors can be read.
///
/// - Returns: `false` when the deadline passed first.
func waitToRead(_ descriptors: [CInt], until deadline: ContinuousClock.Instant) -> Bool {
    var pollers = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
        let left = millisecondsLeft(until: deadline)
        // Also when there is something: a stream of events must not hold up a login for ever.
        guard left > 0 else { return false }
        let ready = unsafe poll(&pollers, nfds_t(pollers.count), left)
        if ready >= 0 || errno != EINTR { return ready > 0 }
    }
}

private func millisecondsLeft(until deadline: ContinuousClock.Instant) -> CInt {
    let left = (deadline - ContinuousClock.now).components
    return CInt(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
}
