import Gate
import MessageBus
import Testing
import Trust

@testable import Commands

@Suite("Locking sessions when the machine leaves")
struct SessionLockTests {
    static let all = [
        LoginSession(name: "1", user: 1000, leader: 10, startTime: 100),
        LoginSession(name: "2", user: 1000, leader: 20, startTime: 200),
        LoginSession(name: "3", user: 1001, leader: 30, startTime: nil),
        LoginSession(name: "4", user: 1000, leader: 40, startTime: 400, isRemote: true),
        LoginSession(name: "5", user: 900, leader: 50, startTime: 500, kind: "greeter"),
        LoginSession(name: "6", user: 1000, leader: 60, startTime: 600, kind: "user-light"),
        LoginSession(name: "7", user: 1000, leader: 70, startTime: 700, kind: "manager"),
    ]

    struct Row: CustomTestStringConvertible {
        let what: String
        let pass: Pass
        let locked: [String]
        var testDescription: String { what }
    }

    static let rows = [
        Row(what: "a session", pass: .session("2"), locked: ["2"]),
        Row(what: "a session that has gone", pass: .session("9"), locked: []),
        Row(what: "a remote one", pass: .session("4"), locked: []),
        Row(what: "a greeter's", pass: .session("5"), locked: []),
        Row(what: "its leader", pass: .process(10, startTime: 100, user: "alice"), locked: ["1"]),
        Row(what: "another user's leader by now", pass: .process(30, startTime: 1, user: "alice"), locked: ["3"]),
        Row(what: "a leader whose start is not known", pass: .process(10, startTime: 0, user: "bob"), locked: ["1"]),
        Row(what: "the leader of a remote session", pass: .process(40, startTime: 400, user: "alice"), locked: []),
        Row(
            what: "a process whose number another has now", pass: .process(10, startTime: 99, user: "alice"),
            locked: ["1", "2", "6"]),
        Row(what: "no leader", pass: .process(99, startTime: 1, user: "bob"), locked: ["3"]),
        Row(what: "no leader, and no such user", pass: .process(99, startTime: 1, user: "eve"), locked: []),
        Row(
            what: "no leader, and a directory that is away", pass: .process(99, startTime: 1, user: "far"),
            locked: ["1", "2", "3", "6"]),
        Row(
            what: "no leader, and no name", pass: .process(99, startTime: 1, user: Pass.unknownUser),
            locked: ["1", "2", "3", "6"]),
        Row(what: "a user", pass: .user(1000), locked: ["1", "2", "6"]),
        Row(what: "nobody knows", pass: .unknown, locked: ["1", "2", "3", "6"]),
    ]

    static func isUser(name: String, number: UInt32) -> Bool? {
        switch name {
        case "far": nil
        case "alice": number == 1000
        case "bob": number == 1001
        default: false
        }
    }

    @Test("which sessions a pass may have opened or unlocked", arguments: rows)
    func matches(row: Row) {
        #expect(sessions(Self.all, of: [row.pass], isUser: Self.isUser).map(\.name) == row.locked)
        #expect(sessions(Self.all, of: [.session("9"), row.pass], isUser: Self.isUser).map(\.name) == row.locked)
    }

    @Test("without a pass no session is locked")
    func noPass() {
        #expect(sessions(Self.all, of: [], isUser: Self.isUser).isEmpty)
    }

    @Test("a report is read as it was written, and no part of one is")
    func report() {
        for report in [
            LockReport(), LockReport(locked: ["1", "c2"]), LockReport(locked: ["1"], failure: "it does not"),
        ] {
            #expect(LockReport(report.bytes) == report)
            for length in 0..<report.bytes.count { #expect(LockReport(report.bytes.prefix(length)) == nil) }
        }
    }

    /// logind with two sessions, one of which it does not lock.
    static func logind(_ changes: [String: [[String]: String]?] = [:]) -> FakeLogind {
        let bus = FakeLogind()
        bus.replies = [
            "GetNameOwner org.freedesktop.login1": [["0"]: ":1.1"], "GetConnectionUnixUser :1.1": [["0"]: "0"],
            "ListSessions": [
                ["0", "0", "0"]: "c1", ["0", "0", "1"]: "1000", ["0", "0", "4"]: "/s/1",
                ["0", "1", "0"]: "c2", ["0", "1", "1"]: "1001", ["0", "1", "4"]: "/s/2",
            ],
            "GetAll /s/1": [["0", "Leader"]: "1", ["0", "Class"]: "user", ["0", "Remote"]: "0"],
            "GetAll /s/2": [["0", "Leader"]: "1", ["0", "Class"]: "user", ["0", "Remote"]: "1"],
            "LockSession c1": [:],
        ]
        for (call, reply) in changes { bus.replies[call] = reply }
        return bus
    }

    @Test("logind is asked to lock what has to be locked")
    func locks() throws {
        let manager = try #require(LoginManager(bus: Self.logind()))
        #expect(manager.lock([.unknown]) == LockReport(locked: ["c1"]))
        #expect(manager.lock([.session("c2")]) == LockReport())
    }

    @Test("what logind does not do is a failure")
    func failures() throws {
        let refuses = try #require(LoginManager(bus: Self.logind(["LockSession c1": nil])))
        #expect(refuses.lock([.unknown]) == LockReport(failure: "logind does not lock session c1"))
        let silent = try #require(LoginManager(bus: Self.logind(["ListSessions": nil])))
        #expect(silent.lock([.unknown]).failure != nil)
        // A session of which nothing is known is locked all the same.
        let vague = try #require(LoginManager(bus: Self.logind(["GetAll /s/2": nil, "LockSession c2": [:]])))
        #expect(vague.lock([.unknown]).locked == ["c1", "c2"])
        #expect(LoginManager(bus: Self.logind(["GetConnectionUnixUser :1.1": [["0"]: "1000"]])) == nil)
    }

    @Test("it is a departure when what was trusted, or not known, is not")
    func departure() {
        var departure = Departure()
        departure.settle(.notConnected, at: 5)
        #expect(departure.due == 5)
        departure.end(isDone: true, at: 6)
        departure.settle(.networkNotListed, at: 7)
        #expect(departure.due == nil)
        departure.settle(.trustedNetwork, at: 8)
        #expect(departure.due == nil)
        departure.settle(.probeFailed, at: 9)
        #expect(departure.due == 9)
        departure.settle(.trustedNetwork, at: 10)
        #expect(departure.due == nil)
    }

    @Test("so is a moment on the network that does not last, if somebody passed in it")
    func moment() {
        var departure = Departure()
        departure.look(.notConnected, hasNewPasses: true, at: 1)
        #expect(departure.due == nil)
        departure.settle(.notConnected, at: 2)
        departure.end(isDone: true, at: 2)
        departure.look(.trustedNetwork, hasNewPasses: true, at: 3)
        departure.look(.policyStale, hasNewPasses: true, at: 4)
        departure.look(.notConnected, hasNewPasses: false, at: 5)
        #expect(departure.due == nil)
        departure.look(.notConnected, hasNewPasses: true, at: 6)
        #expect(departure.due == 6)
    }

    @Test("a fault of the policy is none", arguments: Reason.allCases.filter { $0.step == 1 })
    func policyFaults(reason: Reason) {
        var departure = Departure()
        departure.settle(reason, at: 0)
        #expect(departure.due == nil)
        departure.settle(.trustedNetwork, at: 1)
        departure.settle(reason, at: 2)
        #expect(departure.due == nil)
        departure.settle(.wifiUnavailable, at: 3)
        #expect(departure.due == 3)
        departure.settle(reason, at: 4)
        #expect(departure.due == 3)
    }

    @Test("what fails is tried again, later and later, once a minute in the end")
    func retries() {
        var departure = Departure()
        departure.settle(.notConnected, at: 0)
        var now: Int64 = 0
        var pauses: [Int64] = []
        for _ in 0..<8 {
            departure.end(isDone: false, at: now)
            pauses.append((departure.due ?? 0) - now)
            now = departure.due ?? 0
        }
        #expect(pauses == [1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000])
    }
}

/// A bus with one program on it.
final class FakeLogind: Bus {
    /// By the method and its argument, or for properties the path.
    var replies: [String: [[String]: String]] = [:]

    func call(_ method: Method, _ argument: Argument) -> [[String]: String]? {
        if method.name == "GetAll" { return replies["GetAll \(method.path)"] }
        switch argument {
        case .none: return replies[method.name]
        case .text(let text): return replies["\(method.name) \(text)"]
        case .number(let number): return replies["\(method.name) \(number)"]
        }
    }
}
