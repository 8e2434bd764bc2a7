import CProcess
import Glibc
import PolicyStore
import ProtectedFiles
import Radio
import Sessions
import Trust

/// Whether descriptor 0 is a socket that callers connect to, and not a caller.
public func isListening() -> Bool { cprocess_listen(Resident.listener) }

/// Answers callers on the listening socket that descriptor 0 is, one request and one verdict a connection, and ends when
/// nobody has called for a minute.
///
/// One process looks at the Wi-Fi once for all who asked before it looked. What takes time, such as a directory of
/// groups, is left to a process of its own. A caller who gets no verdict starts a gate of its own, so whenever in doubt
/// the connection is closed.
///
/// While it is there it follows the network, so it knows of each association that begins what was negotiated. Once a
/// decision depended on that, it stays.
///
/// - Returns: the exit status, 0 when all was well.
public func answerCallers() -> Int32 {
    let key = PrivacyKey(in: .system) ?? PrivacyKey.credential()
    guard dropPrivileges() else { return 1 }
    return Resident(key: key).run()
}

/// A caller who is gone must not end the service.
private let noSignal = CInt(MSG_NOSIGNAL)

private final class Resident {
    /// Where systemd puts the socket of a service with `StandardInput=socket`.
    static let listener: CInt = 0
    /// How many may be connected at once: in all, without root's, whose place nobody can take, and of one user. Another
    /// process answers users, and a third asks a directory for it: all of theirs are fewer than the service may have.
    static let mostCallers = 512
    static let mostCallersOfUsers = 24
    static let mostCallersOfUser = 8
    /// How long a caller may take to ask, in milliseconds, and another process to answer, in seconds.
    static let timeToAsk = 2_000
    static let timeToAnswer: UInt32 = 45
    /// How long nobody has to call for the service to end.
    static let idleLimit = Duration.seconds(60)

    private struct Caller {
        let user: UInt32
        let process: Int32
        let deadline: ContinuousClock.Instant
        /// Whether another process answers. The descriptor is then the one that tells of its end.
        var isHandedOver = false
    }

    private typealias Question = (descriptor: CInt, request: Request)

    private let key: PrivacyKey?
    private let policy = PolicyInForce(in: .system)
    /// What follows the network, or `nil` where that cannot be followed.
    private var monitor = try? Monitor()
    /// Whether a decision would have needed to know how an association began.
    private var hasToRemember = false
    private var lastCall = ContinuousClock.now
    private let passes = Passes.standardOutput()
    private var callers: [CInt: Caller] = [:]

    init(key: PrivacyKey?) {
        self.key = key
    }

    func run() -> Int32 {
        while true {
            let fixed = [Self.listener] + (monitor?.descriptors ?? [])
            var pollers = fixed.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // Of a process that answers only the end is awaited.
            for (descriptor, caller) in callers {
                pollers.append(
                    pollfd(fd: descriptor, events: caller.isHandedOver ? 0 : Int16(POLLIN), revents: 0))
            }
            let ready = unsafe poll(&pollers, nfds_t(pollers.count), timeout())
            if ready < 0, errno != EINTR { return 1 }
            var questions: [Question] = []
            for poller in pollers.dropFirst(fixed.count) where poller.revents != 0 {
                if let request = receive(from: poller.fd) { questions.append((poller.fd, request)) }
            }
            if pollers[0].revents != 0 { questions += acceptCallers() }
            let now = ContinuousClock.now
            for (descriptor, caller) in callers where caller.deadline <= now { hangUp(on: descriptor) }
            if let end, end <= now { return 0 }
            if pollers[..<fixed.count].dropFirst().contains(where: { $0.revents != 0 }) { follow() }
            answer(questions)
        }
    }

    /// Takes in what the kernel told.
    private func follow() {
        do { try monitor?.read() } catch { monitor = try? Monitor() }
    }

    /// When to end, or `nil` as long as somebody is here or something is to be remembered.
    private var end: ContinuousClock.Instant? {
        callers.isEmpty && !(hasToRemember && monitor != nil) ? lastCall + Self.idleLimit : nil
    }

    private func timeout() -> CInt {
        guard let next = callers.values.map(\.deadline).min() ?? end else { return -1 }
        let left = (next - ContinuousClock.now).components
        return CInt(clamping: max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1))
    }

    /// Lets callers in, most of whom have asked by then.
    private func acceptCallers() -> [Question] {
        var questions: [Question] = []
        // A bounded number, so that those who are connected have their turn.
        for _ in 0..<64 {
            var user: UInt32 = 0
            var process: Int32 = 0
            let descriptor = unsafe cprocess_accept(Self.listener, &user, &process)
            guard descriptor >= 0 else { break }
            guard callers.count < Self.mostCallers, user == 0 || hasPlace(for: user), process > 0 else {
                close(descriptor)
                continue
            }
            lastCall = .now
            callers[descriptor] = Caller(
                user: user, process: process, deadline: lastCall + .milliseconds(Self.timeToAsk))
            if let request = receive(from: descriptor) { questions.append((descriptor, request)) }
        }
        return questions
    }

    private func hasPlace(for user: UInt32) -> Bool {
        callers.values.count { $0.user != 0 } < Self.mostCallersOfUsers
            && callers.values.count { $0.user == user } < Self.mostCallersOfUser
    }

    private func hangUp(on descriptor: CInt) {
        callers[descriptor] = nil
        close(descriptor)
    }

    /// Receives the request of a caller, or hangs up on one who sent something else.
    private func receive(from descriptor: CInt) -> Request? {
        guard let caller = callers[descriptor], !caller.isHandedOver else {
            hangUp(on: descriptor)
            return nil
        }
        var isThere = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Request.longest + 1) { bytes, count in
            // Descriptors that are sent along stay with the kernel, as there is no room for them.
            let received = unsafe recv(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT))
            isThere = received >= 0 || (errno != EAGAIN && errno != EINTR)
            count = max(0, received)
        }
        guard isThere else { return nil }
        guard let request = Request(bytes, fromRoot: caller.user == 0) else {
            hangUp(on: descriptor)
            return nil
        }
        return request
    }

    private func answer(_ questions: [Question]) {
        guard !questions.isEmpty else { return }
        let policy: Result<CompiledPolicy, PolicyFault>
        do throws(PolicyFault) { policy = .success(try self.policy.policy()) } catch { policy = .failure(error) }
        // Nobody agreed that the network is followed while no login asks.
        if case .success(let policy) = policy, policy.rules.consent == .needed { monitor = nil }
        // One look for all of these questions, which came before it.
        var seen: Evidence?
        let leave = Leave(mayWait: false, isConfined: true) {
            if let seen { return seen }
            let evidence = self.monitor?.observe() ?? observe()
            seen = evidence
            return evidence
        }
        for (descriptor, request) in questions {
            guard let caller = callers[descriptor] else { continue }
            // Who is not root may ask about itself only, which a directory has to tell.
            guard caller.user == 0 else {
                handOver(descriptor, request)
                continue
            }
            let login = request.login(of: caller.process)
            let finding =
                switch policy {
                case .success(let policy):
                    decide(Inquiry(login: login), policy: policy, leave: leave).recorded(login, by: 0, in: passes)
                case .failure(let fault): Finding(decision: Decision(fault))
                }
            switch finding.lack {
            case .time: handOver(descriptor, request)
            case .reach: hangUp(on: descriptor)
            case .proof:
                hasToRemember = true
                hangUp(on: descriptor)
            case nil:
                send(finding, to: descriptor)
                hangUp(on: descriptor)
            }
        }
    }

    private func send(_ finding: Finding, to descriptor: CInt) {
        let verdict = Verdict(finding.decision, id: identifier(of: finding, key: key), detail: finding.detail)
        _ = unsafe Glibc.send(descriptor, verdict.bytes, verdict.bytes.count, CInt(MSG_DONTWAIT) | noSignal)
    }

    /// Has another process answer, which may wait.
    private func handOver(_ descriptor: CInt, _ request: Request) {
        guard let caller = callers[descriptor] else { return }
        var ended: CInt = -1
        let child = unsafe cprocess_fork(Self.timeToAnswer, &ended)
        guard child == 0 else {
            hangUp(on: descriptor)
            guard child > 0 else { return }
            // As long as it is there, it takes the caller's place, who may have left.
            callers[ended] = Caller(
                user: caller.user, process: caller.process, deadline: .now + .seconds(Int(Self.timeToAnswer)),
                isHandedOver: true)
            return
        }
        // Nobody but this caller can be spoken to from here. One that asks a directory for it may have the connection
        // open as well: without an answer, its end has to be told.
        close(Self.listener)
        for other in callers.keys where other != descriptor { close(other) }
        if let finding = decideAtLeisure(request, caller, descriptor), finding.lack == nil {
            send(finding, to: descriptor)
        }
        shutdown(descriptor, CInt(SHUT_RDWR))
        exit(0)
    }

    /// Decides with all the time that it takes, or `nil` for a caller who may not ask this.
    private func decideAtLeisure(_ request: Request, _ caller: Caller, _ descriptor: CInt) -> Finding? {
        let login = request.login(of: caller.process)
        if caller.user != 0 {
            guard let user = login.user, Directory().number(of: user, is: caller.user) == true else { return nil }
        }
        return decide(Inquiry(login: login), in: .system, leave: Leave(isConfined: true)) {
            let record = announcement(ofWaiting: $0)
            _ = unsafe Glibc.send(descriptor, record, record.count, noSignal)
        }.recorded(login, by: caller.user, in: passes)
    }
}
