import Gate
import Glibc
import PolicyFiles
import ProtectedFiles
import Radio
import Trust
import Wireless

extension Command {
    static let watch = Command(
        "watch",
        """
        Prints whether the network is trusted, now and whenever that changes.

        One line a change: the time, trusted or not-trusted, the reason, the network of the allowlist and the
        interface; "-" where there is none. The verdict is that of check --network-only. With --json: one object a
        line, with time, trusted, second_factor, reason, network, site and interface.

        The command of --exec finds ONSITE_TRUSTED (yes or no), ONSITE_REASON, ONSITE_NETWORK, ONSITE_SITE and
        ONSITE_INTERFACE in its environment. It is run once at the start and then at changes, one at a time; what
        changes while it runs is not lost: it is run again with the newest state.

        With --lock-sessions, and lock-sessions = true in policy.toml, login sessions that were opened or unlocked
        without a second factor are locked when the network is no longer trusted, and at the start when it is not. It
        needs root and logind; onsite-watch.service does it.

        Ends by SIGTERM or SIGINT, or when nobody reads any more.

        Exit status: 0 ended so, 1 cannot go on, 2 wrong command line.
        """,
        options: [
            .json,
            Option("--exec", "CMD", "run CMD with /bin/sh at each change"),
            Option("--lock-sessions", nil, "lock sessions when the machine leaves a trusted network"),
            Option("--debounce", "D", "tell only of what lasts so long (default: 3s; 0s: of all)"),
        ]
    ) { (invocation) throws(Failure) in
        let text = try invocation.value("--debounce") ?? "3s"
        guard let delay = milliseconds(text), delay <= 3_600_000 else {
            throw .usage("--debounce cannot be \"\(printable(text))\" (0s to 3600s, or milliseconds such as 500ms)")
        }
        let command = try invocation.value("--exec")
        guard command?.isEmpty != true else { throw .usage("--exec is empty") }
        let tree = try invocation.tree()
        try keepStandardDescriptors()
        let sessionLock = invocation.has("--lock-sessions") ? try SessionLock(in: tree) : nil
        let output = invocation.output
        let isJSON = invocation.has("--json")
        let format: (Verdict, Int) -> String = { isJSON ? $0.json(at: $1).text : $0.line(at: $1, output) }
        let monitor: Monitor
        do { monitor = try Monitor() } catch {
            let decision = decide(.aboutNetwork(by: sessionLock == nil ? ownUserName() ?? "" : nil), in: tree).decision
            output.print(format(Verdict(decision), time(nil)))
            try output.flush()
            throw Failure("cannot follow the network: \(error)")
        }
        var watch = try Watch(
            in: tree, monitor: monitor, delay: Int64(delay), command: command, sessionLock: sessionLock, format: format)
        return try watch.run()
    }

    /// Sees to it that no file or socket that is opened is taken for standard input, output or error.
    private static func keepStandardDescriptors() throws(Failure) {
        guard fcntl(1, F_GETFD) >= 0 else { throw Failure("cannot write to standard output: \(errorText())") }
        for descriptor: CInt in [0, 2] where fcntl(descriptor, F_GETFD) < 0 {
            // It takes the lowest number that is free. The first of the two is in place before the second is looked at.
            guard unsafe open("/dev/null", O_RDWR) >= 0 else { throw Failure("/dev/null: \(errorText())") }
        }
    }
}

extension Inquiry {
    /// What `check --network-only --wait 0s` asks: whoever watches does not wait for a look.
    ///
    /// - Parameter watcher: who watches, and has to have agreed where consent is needed; `nil` for the administrator who
    ///   has sessions locked: everyone whose session can be locked has agreed.
    static func aboutNetwork(by watcher: String?) -> Inquiry { Inquiry(login: nil, wait: 0, watcher: watcher) }
}

/// What `watch` tells of. Two places where all of it is the same are no change.
struct Verdict: Equatable {
    let reason: Reason
    let network: String?
    let site: String?
    let interface: String?

    init(_ decision: Decision) {
        reason = decision.reason
        network = decision.network
        site = decision.site
        interface = decision.interface
    }

    var isTrusted: Bool { reason.answer == .notRequired }

    func json(at moment: Int) -> JSON {
        .object([
            "time": .string(timestamp(moment)), "trusted": .bool(isTrusted),
            "second_factor": .string(isTrusted ? "not-required" : "required"), "reason": .string(reason.rawValue),
            "network": .optional(network), "site": .optional(site), "interface": .optional(interface),
        ])
    }

    func line(at moment: Int, _ output: Output) -> String {
        let answer = (isTrusted ? "trusted" : "not-trusted").padded(to: 12)
        return timestamp(moment) + "  " + output.styled(answer, isTrusted ? .good : .bad)
            + " \(reason.rawValue.padded(to: 22)) \(printable(network ?? "-"))  \(printable(interface ?? "-"))"
    }

    /// What a command finds in its environment.
    var environment: [(name: String, value: String)] {
        [
            ("ONSITE_TRUSTED", isTrusted ? "yes" : "no"), ("ONSITE_REASON", reason.rawValue),
            ("ONSITE_NETWORK", network ?? ""), ("ONSITE_SITE", site ?? ""), ("ONSITE_INTERFACE", interface ?? ""),
        ]
    }
}

/// A moment in UTC (ISO 8601), given in seconds since 1970.
func timestamp(_ moment: Int) -> String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let second = max(0, moment) % 86_400
    let day = Day(secondsSince1970: moment).map { "\($0)" } ?? "1970-01-01"
    return "\(day)T\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))Z"
}
