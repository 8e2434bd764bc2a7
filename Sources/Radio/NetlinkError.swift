import CNetlink

/// A request to the kernel that failed.
public struct NetlinkError: Error, Equatable, Sendable {
    /// What was being done.
    public let step: Step
    /// The kernel's or the C library's `errno`, or 0 where there is none.
    public let code: Int32

    /// The parts of a request.
    public enum Step: String, Sendable {
        case open = "opening a netlink socket"
        case resolve = "looking for nl80211"
        case send = "sending a request"
        case receive = "receiving a reply"
        /// The deadline has passed.
        case timeOut = "waiting for a reply"
        /// The table changed while it was read, every time it was read.
        case interrupted = "reading a table that keeps changing"
        /// A reply that is not well formed.
        case parse = "reading a reply"
    }

    public init(_ step: Step, code: Int32 = 0) {
        self.step = step
        self.code = code
    }
}

extension NetlinkError: CustomStringConvertible {
    public var description: String {
        code == 0 ? "\(step.rawValue) failed" : "\(step.rawValue) failed with error \(code)"
    }
}
