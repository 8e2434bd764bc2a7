import Glibc
import PolicyStore
public import ProtectedFiles
import Radio
public import Sessions
public import Supplicants
public import Trust

/// Who asks whether a second factor is needed, and from where.
public struct Login: Equatable, Sendable {
    /// The account, or `nil` when it is not known.
    public var user: String?
    /// The program that asks, or `nil` when it is not known.
    public var service: String?
    /// The host that the request comes from; empty when there is none.
    public var rhost: String
    /// The terminal; empty when there is none.
    public var tty: String
    /// The process that the login is for.
    public var process: Int32
    /// The process that asks in its place, or `nil` when it asks itself.
    public var proxy: Int32?

    public init(user: String?, service: String?, rhost: String, tty: String, process: Int32, proxy: Int32? = nil) {
        self.user = user
        self.service = service
        self.rhost = rhost
        self.tty = tty
        self.process = process
        self.proxy = proxy
    }
}

/// One question to the decision.
public struct Inquiry: Sendable {
    /// Who asks, or `nil` when the question is about the network alone.
    public var login: Login?
    /// Where the asker's login session is, when that was recorded.
    public var session: Whereabouts?
    /// What was seen, when that was recorded.
    public var evidence: Evidence?
    /// How long to wait for an association, in milliseconds, instead of what the policy says.
    public var wait: UInt32?
    /// Whether the access points are to be told, whatever the answer depends on.
    public var isPrecise = false
    /// Who watches the network in the background, or `nil` when nobody does, or who locks sessions for all.
    public var watcher: String?

    public init(
        login: Login?, session: Whereabouts? = nil, evidence: Evidence? = nil, wait: UInt32? = nil,
        watcher: String? = nil
    ) {
        self.login = login
        self.session = session
        self.evidence = evidence
        self.wait = wait
        self.watcher = watcher
    }
}

/// A decision and what it was made from, as far as it was looked at.
public struct Finding: Sendable {
    public var decision: Decision
    /// The rules of the policy, or `nil` when there is none to rely on.
    public var rules: Rules?
    /// Where the asker is, and which fact showed it.
    public var location: Location?
    public var evidence: Evidence?
    /// The programs whose word on the network was asked for and given.
    public var witnesses: [Supplicant] = []
    /// What the answer would have needed that the decision was not allowed. Then it is none to rely on.
    var lack: Lack?

    public init(decision: Decision, rules: Rules? = nil) {
        self.decision = decision
        self.rules = rules
    }

    /// The fact that decided, for administrators: what is wrong with the policy, or where the asker is and why.
    public var detail: String {
        decision.detail ?? location.map { "\($0.whereabouts.rawValue): \($0.because)" } ?? ""
    }
}

/// What a decision was not allowed.
enum Lack {
    /// To wait: for a directory of groups, or for a network that is being joined.
    case time
    /// To look where a sandbox does not let it: a gate of the asker's own may find out more.
    case reach
    /// To ask the programs that run the machine's Wi-Fi, which a sandbox does not let it either. Who was there when the
    /// association began would not have had to.
    case proof
}

/// What a decision may do besides reading.
struct Leave {
    var mayWait = true
    /// Whether a sandbox keeps it from what others may ask: supplicants, directories across the network.
    var isConfined = false
    /// What was seen after the question came, if somebody looked already.
    var evidence: (() -> Evidence)?
    /// Where users' consents are kept.
    var consents = Consents(in: .system)
}

/// Decides with the compiled policy of a tree: all ten steps.
///
/// - Parameter announce: is told, once, for how many milliseconds at most the answer may wait for a network.
public func decide(
    _ inquiry: Inquiry, in tree: ProtectedTree, announce: (UInt32) -> Void = { _ in }
) -> Finding {
    decide(inquiry, in: tree, leave: Leave(), announce: announce)
}

func decide(
    _ inquiry: Inquiry, in tree: ProtectedTree, leave: Leave, announce: (UInt32) -> Void
) -> Finding {
    var leave = leave
    leave.consents = Consents(in: tree)
    do {
        return decide(inquiry, policy: try CompiledPolicy(in: tree), leave: leave, announce: announce)
    } catch {
        return Finding(decision: Decision(error))
    }
}

/// Decides with a policy that can be relied on: steps 2 to 10.
public func decide(
    _ inquiry: Inquiry, policy: some Policy, announce: (UInt32) -> Void = { _ in }
) -> Finding {
    decide(inquiry, policy: policy, leave: Leave(), announce: announce)
}

func decide(
    _ inquiry: Inquiry, policy: some Policy, leave: Leave, announce: (UInt32) -> Void = { _ in }
) -> Finding {
    var finding = find(inquiry, policy: policy, leave: leave, announce: announce)
    // What the answer did not depend on is not kept.
    if !inquiry.isPrecise, !finding.decision.dependsOnAccessPoint { finding.decision.bssids = [] }
    return finding
}

private func find(
    _ inquiry: Inquiry, policy: some Policy, leave: Leave, announce: (UInt32) -> Void
) -> Finding {
    var finding = Finding(decision: Decision(.probeFailed), rules: policy.rules)
    func look() -> Evidence {
        let wait = inquiry.wait ?? policy.rules.wait
        let evidence =
            inquiry.evidence ?? leave.evidence?() ?? observe(waiting: leave.mayWait ? wait : 0, announce: announce)
        if !leave.mayWait, wait > 0, evidence.isJoining { finding.lack = .time }
        if leave.isConfined, case .unavailable(.wifiAccessDenied, _) = evidence { finding.lack = .reach }
        finding.evidence = evidence
        return evidence
    }
    let supplicants = Supplicants()
    func prove(_ station: Interface) -> Proof? {
        // What was recorded is all that there is.
        guard inquiry.evidence == nil else { return nil }
        guard !leave.isConfined else {
            finding.lack = .proof
            return nil
        }
        guard let testimony = supplicants.ask(about: station) else { return nil }
        finding.witnesses = testimony.witnesses
        return testimony.proof
    }
    let today = Day(secondsSince1970: time(nil))
    guard let login = inquiry.login else {
        if let watcher = inquiry.watcher, policy.rules.consent == .needed,
            let reason = leave.consents.state(of: watcher).lack(forWatching: true)
        {
            finding.decision = Decision(reason)
            return finding
        }
        finding.decision = decide(onNetwork: look(), policy: policy, today: today, prove: prove)
        return finding
    }
    let directory = Directory()
    func lookUp(_ names: [String], _ question: (Directory, String) -> [Bool?]) -> [Bool?] {
        guard let user = login.user else { return names.map { _ in nil } }
        guard leave.mayWait else {
            finding.lack = .time
            return names.map { _ in nil }
        }
        let answers = question(directory, user)
        if leave.isConfined, answers.contains(nil) { finding.lack = .reach }
        return answers
    }
    let asker = Asker(
        user: login.user, service: login.service,
        isMember: { groups in lookUp(groups) { $0.isMember($1, of: groups) } },
        whereabouts: {
            let location = locate(
                Origin(
                    rhost: login.rhost, service: login.service ?? "", tty: login.tty, process: login.process,
                    proxy: login.proxy),
                session: inquiry.session)
            finding.location = location
            return location.whereabouts
        },
        consent: { login.user.map(leave.consents.state) ?? .notDetermined },
        isAlias: { names in lookUp(names) { $0.isSameUser($1, as: names) } })
    finding.decision = decide(for: asker, policy: policy, today: today, prove: prove, observe: look)
    return finding
}
