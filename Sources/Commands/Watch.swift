import CWatch
import Gate
import Glibc
import PolicyFiles
import PolicyStore
import ProtectedFiles
import Radio
import Trust
import Wireless

/// Looks at the network whenever something may have changed, and tells of changes. It sleeps in between.
struct Watch {
    private let tree: ProtectedTree
    /// Who watches.
    private let user = ownUserName() ?? ""
    private let monitor: Monitor
    private let command: String?
    private let format: (Verdict, Int) -> String
    /// Tells of signals, of midnight and of a clock that was set, and of the files of the policy.
    private let signals: CInt
    private let clock: CInt
    private let files: CInt

    private var changes: Changes<Verdict>
    /// When to look, by the clock that is never set, in milliseconds; `nil` while nothing has happened.
    private var nextLook: Int64? = 0
    private var lastLook: Int64 = 0
    /// How long after a look that showed nothing for certain the next one comes.
    private var patience = Self.shortest

    /// What is done when the machine leaves a trusted network.
    private var sessionLock: SessionLock?

    /// What is wrong with the policy or the probe by the last look, for administrators.
    private var detail: String?

    /// The newest state that was told of, and when.
    private var newest: (verdict: Verdict, moment: Int)?
    /// What the last line said, and what is still to be written of it.
    private var written: Verdict?
    private var line: [UInt8] = []
    /// What the last run of the command was told, and the process while it runs.
    private var commanded: Verdict?
    private var process: CInt = 0

    private static let shortest: Int64 = 1000, longest: Int64 = 60_000
    /// The least time between two looks, however many events there are.
    private static let pause: Int64 = 50

    /// Opens everything that is waited for. It lives as long as the process.
    init(
        in tree: ProtectedTree, monitor: Monitor, delay: Int64, command: String?, sessionLock: SessionLock?,
        format: @escaping (Verdict, Int) -> String
    ) throws(Failure) {
        self.tree = tree
        self.monitor = monitor
        self.command = command
        self.sessionLock = sessionLock
        self.format = format
        changes = Changes(delay: delay)
        signals = cwatch_signals()
        guard signals >= 0 else { throw Failure("cannot wait for signals: \(errorText())") }
        clock = cwatch_clock()
        guard clock >= 0 else { throw Failure("cannot wait for the clock: \(errorText())") }
        files = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard files >= 0 else { throw Failure("cannot wait for changes of the policy: \(errorText())") }
    }

    /// Watches until it is told to end.
    ///
    /// - Returns: the exit status.
    mutating func run() throws(Failure) -> Int32 {
        followFiles()
        guard followClock() else { throw Failure("cannot wait for the clock: \(errorText())") }
        while true {
            if let nextLook, nextLook <= now { look() }
            tell(changes.settle(at: now))
            let moment = now
            sessionLock?.act(at: moment)
            startCommand()
            beginLine()

            let others = [
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: clock, events: Int16(POLLIN), revents: 0),
                pollfd(fd: files, events: Int16(POLLIN), revents: 0),
                // That the reader went away is always told.
                pollfd(fd: 1, events: line.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
            ]
            var pollers = others + monitor.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&pollers, nfds_t(pollers.count), timeout) >= 0 else {
                if errno == EINTR { continue }
                throw Failure("cannot wait: \(errorText())")
            }
            let ready = pollers.map(\.revents)
            if ready[0] != 0, endsBySignal() { return 0 }
            if ready[1] != 0 {
                guard followClock() else { throw Failure("cannot wait for the clock: \(errorText())") }
                lookSoon()
            }
            if ready[2] != 0 {
                followFiles()
                lookSoon()
            }
            if ready[3] != 0, try !write(ready[3]) { return 0 }
            if ready.dropFirst(others.count).contains(where: { $0 != 0 }) {
                do { try monitor.read() } catch { throw Failure("cannot follow the network: \(error)") }
                lookSoon()
            }
        }
    }

    /// Milliseconds by a clock that is never set.
    private var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// How long `poll` may wait: for ever when there is nothing to do at a certain time.
    private var timeout: CInt {
        guard let next = [nextLook, changes.deadline, sessionLock?.deadline].compactMap(\.self).min() else { return -1 }
        return CInt(clamping: max(0, next - now))
    }

    // MARK: Looking

    private mutating func lookSoon() {
        nextLook = min(nextLook ?? .max, max(now, lastLook + Self.pause))
    }

    private mutating func look() {
        let finding = decide(.aboutNetwork(by: sessionLock == nil ? user : nil), in: tree)
        if let evidence = finding.evidence { monitor.keep(fitting: evidence) }
        let moment = now
        lastLook = moment
        sessionLock?.look(finding, at: moment)
        switch finding.decision.reason {
        case .probeTimeout, .probeInconsistent, .probeFailed:
            // No event has to follow by which the next look would come.
            nextLook = lastLook + patience
            patience = min(patience * 2, Self.longest)
        default:
            nextLook = nil
            patience = Self.shortest
        }
        detail = finding.decision.detail
        tell(changes.see(Verdict(finding.decision), at: lastLook))
    }

    /// Takes what is to be told of, which is what the last look showed.
    private mutating func tell(_ verdict: Verdict?) {
        guard let verdict else { return }
        newest = (verdict, time(nil))
        let moment = now
        sessionLock?.settle(verdict.reason, at: moment)
        if let detail { complain(detail) }
    }

    // MARK: Waiting

    /// Follows the directories that the policy is in, or the nearest ones above where they can come to be.
    private func followFiles() {
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        while unsafe read(files, &buffer, buffer.count) > 0 {}
        let sources = Configuration.directories.flatMap { [$0, $0 + "/networks.d"] }
        for directory in sources + ["/var/lib/onsite"] {
            var path = directory[...]
            var kinds = changesOfFiles
            while unsafe inotify_add_watch(files, tree.systemPath(String(path)), kinds) < 0,
                let slash = path.lastIndex(of: "/"), path.count > 1
            {
                path = slash == path.startIndex ? "/" : path[..<slash]
                kinds = newDirectories
            }
        }
    }

    /// Wakes up at midnight in UTC, when an entry of the allowlist may expire.
    private func followClock() -> Bool {
        cwatch_wake(clock, Int64(time(nil)) / 86_400 * 86_400 + 86_400)
    }

    private mutating func endsBySignal() -> Bool {
        while true {
            switch cwatch_next_signal(signals) {
            case 0: return false
            case SIGCHLD: reap()
            default: return true
            }
        }
    }

    // MARK: Telling

    /// Puts the newest state in a line, if the last one said something else and is written.
    private mutating func beginLine() {
        guard line.isEmpty, let newest, newest.verdict != written else { return }
        line = Array((format(newest.verdict, newest.moment) + "\n").utf8)
        written = newest.verdict
    }

    /// Writes as much of the line as does not have to wait for the reader.
    ///
    /// - Returns: whether there is still a reader.
    private mutating func write(_ state: Int16) throws(Failure) -> Bool {
        if !line.isEmpty, state & Int16(POLLOUT | POLLERR) != 0 {
            // A pipe that can be written takes as much as this at once.
            let count = unsafe line.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, min($0.count, 4096)) }
            if count < 0, errno == EPIPE { return false }
            guard count >= 0 || errno == EAGAIN || errno == EINTR else {
                throw Failure("cannot write to standard output: \(errorText())")
            }
            line.removeFirst(max(0, count))
            return true
        }
        return state & Int16(POLLERR | POLLHUP) == 0
    }

    /// Runs the command if it has not been told the newest state and does not run.
    private mutating func startCommand() {
        guard let command, process == 0, let newest, newest.verdict != commanded else { return }
        for (name, value) in newest.verdict.environment { unsafe setenv(name, value, 1) }
        commanded = newest.verdict
        process = unsafe cwatch_start(command)
        if process < 0 {
            complain("cannot run /bin/sh: \(errorText())")
            process = 0
        }
    }

    private mutating func reap() {
        var status: CInt = 0
        while true {
            let ended = unsafe cwatch_ended(&status)
            guard ended > 0 else { return }
            guard ended == process else { continue }
            process = 0
            // As the shell counts: a signal is 128 and its number.
            let code = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
            if code != 0 { complain("the command of --exec ended with status \(code)") }
        }
    }
}

/// What can happen to the files of a directory, and to the directory.
private let changesOfFiles = UInt32(
    IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
/// What is of interest above.
private let newDirectories = UInt32(IN_CREATE | IN_MOVED_TO)
