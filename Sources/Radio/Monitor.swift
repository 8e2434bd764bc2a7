import CNetlink
import Glibc
public import Trust

/// What the kernel tells by itself of the machine's Wi-Fi, for a program that waits.
///
/// Nobody has to trust an event: each is a reason to look again. Only how an association began is kept of it.
public final class Monitor {
    /// The associations that began since the monitor did, or since it lost sight of them.
    public private(set) var associations = Associations()
    private var sockets: Sockets
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var clocks = Clocks()
    /// The connection for looks, as long as it works.
    private var kernel: LinuxKernel?
    /// Whether something was told that no look has taken in.
    private var hasNews = false

    /// Follows events from now on.
    ///
    /// - Throws: ``NetlinkError`` when there are none to be had. A system without Wi-Fi tells of its other interfaces.
    public init() throws(NetlinkError) {
        sockets = try Sockets()
    }

    /// The descriptors to wait on. They are others after a ``read()``.
    public var descriptors: [Int32] { [sockets.wifi, sockets.links].compactMap { $0?.descriptor } }

    /// Waits until something is told, which the next look takes in.
    ///
    /// - Returns: `false` when the deadline passed first.
    func waitForEvent(until deadline: ContinuousClock.Instant) -> Bool {
        hasNews && .now < deadline || waitToRead(descriptors, until: deadline)
    }

    /// Reads all that was told, and does not wait.
    ///
    /// Events that were lost, and drivers that were loaded anew, are no error: new sockets follow from then on, and
    /// nothing is known any more of the associations.
    public func read() throws(NetlinkError) {
        // While the machine sleeps, an access point can forget it.
        let before = clocks
        clocks = Clocks()
        if !clocks.agree(with: before) { associations = Associations() }
        do throws(NetlinkError) {
            while try sockets.links.nextEvents(&buffer) != nil { hasNews = true }
            while let datagram = try sockets.wifi?.nextEvents(&buffer) {
                hasNews = true
                for event in try Event.all(in: datagram) {
                    if event.isAboutFamily { throw NetlinkError(.resolve) }
                    guard event.family == sockets.family else { continue }
                    associations.take(event.command, event.attributes, at: Clocks().sinceBoot)
                }
            }
        } catch {
            associations = Associations()
            hasNews = true
            kernel = nil
            sockets = try Sockets()
        }
    }

    /// Looks at every Wi-Fi interface, and adds what is known of how its association began.
    ///
    /// - Parameter limit: how long each look may take, in milliseconds.
    public func observe(within limit: UInt32 = probeLimit) -> Evidence {
        var evidence = Evidence.unavailable(.probeFailed, source: .nl80211)
        // What begins while it looks may be what it saw, or not. Then it looks again, and the second time that is all.
        for _ in 0..<2 {
            do throws(NetlinkError) {
                try read()
                let before = associations
                hasNews = false
                evidence = look(limit)
                try read()
                guard associations == before else { continue }
                keep(fitting: evidence)
                return associations.adding(to: evidence)
            } catch {
                return look(limit)
            }
        }
        return evidence
    }

    private func look(_ limit: UInt32) -> Evidence {
        let deadline = ContinuousClock.now + .milliseconds(Int(limit))
        if let kernel {
            kernel.deadline = deadline
            let evidence = Probe(kernel: kernel).evidence()
            if case .interfaces = evidence { return evidence }
            // It may be the connection that is of no use any more.
            self.kernel = nil
        }
        let fresh = LinuxKernel(deadline: deadline)
        let evidence = Probe(kernel: fresh).evidence()
        if case .interfaces = evidence { kernel = fresh }
        return evidence
    }

    /// Forgets what a look at the kernel does not show, or shows otherwise.
    public func keep(fitting evidence: Evidence) { associations.keep(fitting: evidence) }
}

/// The machine's clocks at one moment, in nanoseconds.
private struct Clocks {
    /// How long ago the machine was started.
    let sinceBoot = time(of: CLOCK_BOOTTIME)
    private let awake = time(of: CLOCK_MONOTONIC)
    private let ofTheDay = time(of: CLOCK_REALTIME)

    /// Whether the machine did not sleep since another moment, and its clock was not set.
    func agree(with other: Self) -> Bool {
        let passed = sinceBoot &- other.sinceBoot
        return distance(passed, awake &- other.awake) < 100_000_000
            && distance(passed, ofTheDay &- other.ofTheDay) < 1_000_000_000
    }

    private func distance(_ one: UInt64, _ other: UInt64) -> UInt64 {
        min(one &- other, other &- one)
    }

    private static func time(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

private struct Sockets {
    /// Tells of families, and of what nl80211 tells where there is nl80211. `nil` on a kernel that has no families.
    let wifi: NetlinkSocket?
    /// Tells of network interfaces. The supplicant brings one into operation when the keys are in place.
    let links: NetlinkSocket
    /// The number of nl80211, or `nil` where there is none.
    let family: UInt16?

    init() throws(NetlinkError) {
        let deadline = ContinuousClock.now + .seconds(2)
        links = try NetlinkSocket(deadline: deadline, protocol: NETLINK_ROUTE)
        try links.join(group: UInt32(RTNLGRP_LINK.rawValue))
        var wifi: NetlinkSocket?
        var family: Family?
        do throws(NetlinkError) {
            let socket = try NetlinkSocket(deadline: deadline)
            // First of all: nl80211 may come or go meanwhile. The group "notify" of the controller has its number.
            try socket.join(group: UInt32(Event.controller))
            wifi = socket
            family = try Family(on: NetlinkSocket(deadline: deadline))
        } catch {
            guard error.reason == .wifiUnavailable else { throw error }
        }
        for group in [family?.associationEvents, family?.configurationEvents] {
            if let group { try wifi?.join(group: group) }
        }
        self.wifi = wifi
        self.family = family?.number
    }
}

/// One message that the kernel sent to a generic netlink socket by itself.
struct Event: Equatable {
    let family: UInt16
    let command: UInt8
    let attributes: ArraySlice<UInt8>

    /// `GENL_ID_CTRL`, which tells of the other families.
    static let controller: UInt16 = 16

    /// Splits what was received at once.
    static func all(in datagram: some Collection<UInt8>) throws(NetlinkError) -> [Event] {
        var rest = ArraySlice(datagram)
        var events: [Event] = []
        while !rest.isEmpty {
            // The length with its own four bytes, the type, then flags, number and sender, which do not matter.
            let length = Int(Attributes.integer(rest.prefix(4)))
            guard rest.count >= 16, length >= 16, length <= rest.count else { throw NetlinkError(.parse) }
            let type = UInt16(truncatingIfNeeded: Attributes.integer(rest.dropFirst(4).prefix(2)))
            // The command, the version and two bytes of nothing. The message of an overrun has none, for one.
            let body = rest.prefix(length).dropFirst(16)
            if let command = body.first, body.count >= 4 {
                events.append(Event(family: type, command: command, attributes: body.dropFirst(4)))
            }
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return events
    }

    /// Whether nl80211 came or went.
    var isAboutFamily: Bool {
        guard family == Self.controller, let attributes = try? Attributes(attributes) else { return false }
        return (try? attributes.text(UInt32(CTRL_ATTR_FAMILY_NAME))) == "nl80211"
    }
}

extension NetlinkSocket {
    /// Receives what the kernel sent by itself, if there is something.
    ///
    /// - Throws: ``NetlinkError`` when messages were lost, with `ENOBUFS`, or one was too long.
    fileprivate func nextEvents(_ buffer: inout [UInt8]) throws(NetlinkError) -> ArraySlice<UInt8>? {
        while true {
            var sender = sockaddr_nl()
            var size = socklen_t(MemoryLayout<sockaddr_nl>.size)
            let room = buffer.count
            // Both pointers are good for the call.
            let count = unsafe withUnsafeMutablePointer(to: &sender) { sender in
                unsafe sender.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe recvfrom(descriptor, &buffer, room, CInt(MSG_DONTWAIT | MSG_TRUNC), $0, &size)
                }
            }
            guard count >= 0 else {
                switch errno {
                case EINTR: continue
                case EAGAIN: return nil
                default: throw NetlinkError(.receive, code: errno)
                }
            }
            guard count <= room else { throw NetlinkError(.parse) }
            // What another program sends is not the kernel's word.
            guard sender.nl_pid == 0 else { continue }
            return buffer.prefix(count)
        }
    }
}
