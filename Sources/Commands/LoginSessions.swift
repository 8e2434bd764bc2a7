import CProcess
import Gate
import Glibc
import MessageBus
import Sessions

/// A login session, as logind has it.
struct LoginSession: Equatable {
    var name: String
    var user: UInt32
    /// The process that opened it, and when that one started; 0 and `nil` where that is not known.
    var leader: Int32 = 0
    var startTime: UInt64?
    var kind = "user"
    var isRemote = false

    /// Whether a user is in it, and at this machine.
    var canBeLocked: Bool { kind.hasPrefix("user") && !isRemote }

    /// Whether a process opened it. A time that is not known counts as equal.
    func isLed(by process: Int32, startedAt time: UInt64) -> Bool {
        leader == process && (time == Pass.unknownTime || startTime == nil || startTime == time)
    }
}

/// The sessions that passes have opened or unlocked, or may have.
///
/// - Parameter isUser: whether a name is that of a user's number; `nil` when that cannot be found out.
func sessions(
    _ sessions: [LoginSession], of passes: [Pass], isUser: (String, UInt32) -> Bool?
) -> [LoginSession] {
    sessions.filter { session in
        session.canBeLocked
            && passes.contains { pass in
                switch pass {
                case .session(let name): return session.name == name
                case .user(let user): return session.user == user
                case .unknown: return true
                case .process(let process, let time, let user):
                    if session.isLed(by: process, startedAt: time) { return true }
                    guard !sessions.contains(where: { $0.isLed(by: process, startedAt: time) }) else { return false }
                    return user == Pass.unknownUser || isUser(user, session.user) != false
                }
            }
    }
}

/// What became of locking sessions.
struct LockReport: Equatable {
    var locked: [String] = []
    /// What went wrong, if anything did.
    var failure: String?
}

/// Has logind lock the sessions of passes. Another process asks, for at most five seconds: neither the bus nor a directory
/// of users has to answer.
func lockSessions(of passes: [Pass]) -> LockReport {
    var passes = passes
    var answer = [UInt8](repeating: 0, count: 1 << 14)
    // The passes live until the call returns, and the other process has its own copy.
    let count = unsafe withUnsafeMutablePointer(to: &passes) { passes in
        unsafe cprocess_answer(5000, lockSessions, passes, &answer, answer.count)
    }
    return LockReport(answer.prefix(count)) ?? LockReport(failure: "logind did not answer in time")
}

private func lockSessions(descriptor: CInt, context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let passes = unsafe context.assumingMemoryBound(to: [Pass].self).pointee
    let bytes = LoginManager().map { $0.lock(passes).bytes } ?? LockReport(failure: "there is no logind").bytes
    _ = unsafe write(descriptor, bytes, bytes.count)
}

extension LockReport {
    /// Two lines: the names of the sessions, and what went wrong.
    init?(_ bytes: some Collection<UInt8>) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3 else { return nil }
        self.init(
            locked: lines[0].split(separator: " ").map(String.init),
            failure: lines[1].isEmpty ? nil : String(lines[1]))
    }

    var bytes: [UInt8] { Array("\(locked.joined(separator: " "))\n\(failure ?? "")\n".utf8) }
}

/// logind on the system bus. Its calls wait for as long as the other side does.
struct LoginManager {
    private static let name = "org.freedesktop.login1"
    private let bus: any Bus
    private let owner: String

    init?() {
        guard let bus = SystemBus() else { return nil }
        self.init(bus: bus)
    }

    init?(bus: any Bus) {
        guard let owner = bus.rootOwner(of: Self.name) else { return nil }
        self.bus = bus
        self.owner = owner
    }

    func lock(_ passes: [Pass]) -> LockReport {
        guard let all = list() else { return LockReport(failure: "logind does not list the sessions") }
        let directory = Directory(budget: .seconds(2))
        var report = LockReport()
        var left: [String] = []
        for session in sessions(all, of: passes, isUser: { directory.number(of: $0, is: $1) }) {
            if call("LockSession", .text(session.name)) != nil {
                report.locked.append(session.name)
            } else {
                left.append(session.name)
            }
        }
        if !left.isEmpty { report.failure = "logind does not lock session \(left.joined(separator: ", "))" }
        return report
    }

    /// The sessions, or `nil` when they are not known.
    func list() -> [LoginSession]? {
        // An array of structures: the name, the number and the name of the user, the seat, the path.
        guard let reply = call("ListSessions", .none) else { return nil }
        let indexes = Set(reply.keys.compactMap { $0.dropFirst().first })
        return indexes.sorted().compactMap { index in
            guard let name = reply[["0", index, "0"]], let user = reply[["0", index, "1"]].flatMap({ UInt32($0) }),
                let path = reply[["0", index, "4"]]
            else { return nil }
            var session = LoginSession(name: name, user: user)
            // One that has gone meanwhile has no properties, nor can it be locked.
            guard let facts = bus.properties(of: "\(Self.name).Session", owner, path) else { return session }
            session.leader = facts["Leader"].flatMap { Int32($0) } ?? 0
            session.startTime = startTime(of: session.leader)
            session.kind = facts["Class"] ?? session.kind
            session.isRemote = facts["Remote"] == "1"
            return session
        }
    }

    private func call(_ method: String, _ argument: Argument) -> [[String]: String]? {
        bus.call(
            Method(
                destination: owner, path: "/org/freedesktop/login1", interface: "\(Self.name).Manager", name: method),
            argument)
    }
}
