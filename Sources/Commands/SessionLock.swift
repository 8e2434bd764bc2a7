import Gate
import Glibc
import ProtectedFiles
import Trust
import Wireless

/// Whether the machine has left a trusted network and something is still to be done about that.
///
/// Times are in milliseconds, by a clock that is never set.
struct Departure {
    private var isAway = false
    /// When to do it, or `nil` when nothing is to be done.
    private(set) var due: Int64?
    private var patience = Self.shortest

    private static let shortest: Int64 = 1000, longest: Int64 = 60_000

    /// Takes in a state that lasted. The first one counts as left if it is not trusted.
    mutating func settle(_ reason: Reason, at now: Int64) {
        // The policy, not the network: somebody edits it. What was before holds until the network is judged again.
        guard reason.step != 1 else { return }
        if reason.answer == .notRequired {
            (isAway, due) = (false, nil)
        } else if !isAway {
            isAway = true
            begin(at: now)
        }
    }

    /// Takes in what a look showed, while that need not last. The machine may have been back for a moment, long enough for
    /// a pass.
    mutating func look(_ reason: Reason, hasNewPasses: Bool, at now: Int64) {
        guard isAway, due == nil, hasNewPasses, reason.step != 1, reason.answer != .notRequired else { return }
        begin(at: now)
    }

    private mutating func begin(at now: Int64) {
        due = now
        patience = Self.shortest
    }

    /// Takes in whether it is done. If not, it is tried again later and later.
    mutating func end(isDone: Bool, at now: Int64) {
        due = isDone ? nil : now + patience
        patience = min(patience * 2, Self.longest)
    }
}

/// Locks the login sessions that were opened or unlocked without a second factor when the machine leaves a trusted network.
struct SessionLock {
    private let passes: Passes
    private var departure = Departure()
    /// What the policy says, by the last one that could be read.
    private var isWanted = false
    /// How long the record was when all of its sessions were locked.
    private var lockedLength = 0

    init(in tree: ProtectedTree) throws(Failure) {
        guard geteuid() == 0 else { throw Failure("--lock-sessions: only root can lock sessions (run it as root)") }
        do { passes = try Passes.make(in: tree) } catch { throw Failure(error) }
    }

    /// When to act at the latest, or `nil` when there is nothing to do.
    var deadline: Int64? { isWanted ? departure.due : nil }

    /// Takes in what a look showed.
    mutating func look(_ finding: Finding, at now: Int64) {
        if let rules = finding.rules { isWanted = rules.locksSessions }
        departure.look(finding.decision.reason, hasNewPasses: passes.length != lockedLength, at: now)
    }

    /// Takes in a state that lasted.
    mutating func settle(_ reason: Reason, at now: Int64) {
        departure.settle(reason, at: now)
    }

    /// Locks what is to be locked by now.
    mutating func act(at now: Int64) {
        guard let deadline, deadline <= now else { return }
        let failure = lock()
        if let failure { complain("cannot lock sessions: \(failure)") }
        departure.end(isDone: failure == nil, at: now)
        if failure == nil { lockedLength = passes.length }
    }

    /// - Returns: what went wrong, or `nil` when all is done.
    private func lock() -> String? {
        do throws(ProtectedFileError) {
            guard passes.begin(after: try passes.read()) else { return "\(Passes.path) cannot be written" }
            let record = try passes.read()
            guard !record.open.isEmpty else { return nil }
            let report = lockSessions(of: record.open)
            if !report.locked.isEmpty {
                complain(
                    "locked session \(printable(report.locked.joined(separator: ", "))): opened or unlocked without a "
                        + "second factor, and the machine is not on a trusted network")
            }
            if let failure = report.failure { return printable(failure) }
            return passes.finish(record) ? nil : "\(Passes.path) cannot be written"
        } catch {
            return printable("\(error)")
        }
    }
}
