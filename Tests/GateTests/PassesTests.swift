import Glibc
import ProtectedFiles
import Testing
import Trust

@testable import Gate

@Suite("The record of logins that no second factor was asked of")
struct PassesTests {
    struct Line: CustomTestStringConvertible {
        let text: String
        let pass: Pass
        var testDescription: String { text }
    }

    static let lines = [
        Line(text: "session c1", pass: .session("c1")),
        Line(text: "process 633 2386 alice", pass: .process(633, startTime: 2386, user: "alice")),
        Line(text: "process 1 0 -", pass: .process(1, startTime: Pass.unknownTime, user: Pass.unknownUser)),
        Line(text: "user 1000", pass: .user(1000)),
        Line(text: "unknown", pass: .unknown),
    ]

    @Test("a line is read as it was written", arguments: lines)
    func roundTrip(line: Line) {
        #expect(line.pass.line == line.text)
        #expect(Pass(Array(line.text.utf8)[...]) == line.pass)
    }

    @Test(
        "what cannot be read may have been anybody's",
        arguments: [
            "session", "session ", "session  1", "session 1 2", "process 1 2", "process 1 2 ", "process x 2 a",
            "user -1",
            "user x", "done", "done x", "done 99999999", "done -1", "\u{0}", "process 633 2386 alicesession c1",
        ])
    func damage(text: String) {
        let pass = Pass(Array(text.utf8)[...])
        switch pass {
        case .unknown: break
        case .process(_, _, let user): #expect(user.isEmpty || user == "alicesession", "reads as \(pass)")
        default: Issue.record("reads as \(pass)")
        }
        #expect(PassRecord(Array("\(text)\n".utf8)).open.count == 1)
    }

    struct Record: CustomTestStringConvertible {
        let what: String
        let text: String
        let open: [Pass]
        let newest: [Pass]
        var testDescription: String { what }
    }

    static let one = Pass.session("1"), two = Pass.session("2")
    // Each line of a session takes ten bytes.
    static let records = [
        Record(what: "nothing", text: "", open: [], newest: []),
        Record(what: "two passes", text: "session 1\nsession 2\n", open: [one, two], newest: [one, two]),
        Record(what: "all locked", text: "session 1\nsession 2\ndone 20\n", open: [], newest: []),
        Record(what: "one locked", text: "session 1\nsession 2\ndone 10\n", open: [two], newest: []),
        Record(
            what: "a pass while sessions were locked", text: "session 1\ndone 0\nsession 1\ndone 10\n", open: [one],
            newest: []),
        Record(what: "a pass since", text: "session 1\ndone 10\nsession 1\n", open: [one], newest: [one]),
        Record(what: "an older mark takes nothing back", text: "session 1\ndone 10\ndone 0\n", open: [], newest: []),
        Record(
            what: "a mark ahead of itself is none", text: "done 10\nsession 1\n", open: [.unknown, one],
            newest: [.unknown, one]),
        Record(what: "a line without an end", text: "session 1", open: [one], newest: [one]),
    ]

    @Test("which passes are open", arguments: records)
    func open(record: Record) {
        let read = PassRecord(Array(record.text.utf8))
        #expect(read.open == record.open)
        #expect(read.newest == record.newest)
        #expect(read.length == record.text.utf8.count)
    }

    /// A tree of its own, which goes with the test.
    final class Sandbox {
        let root: String
        let tree: ProtectedTree

        init() throws {
            var template = Array("/tmp/onsite-passes-XXXXXX".utf8CString)
            let made = unsafe mkdtemp(&template).map { unsafe String(cString: $0) }
            root = try #require(made)
            tree = ProtectedTree(root: root)
        }

        deinit {
            for path in ["/run/onsite/passes", "/run/onsite/other"] { unsafe unlink(root + path) }
            for path in ["/run/onsite", "/run", ""] { unsafe rmdir(root + path) }
        }

        var path: String { root + Passes.path }
    }

    @Test("a pass is added once, and again when sessions are locked")
    func note() throws {
        let sandbox = try Sandbox()
        let passes = try Passes.make(in: sandbox.tree)
        #expect(passes.note(Self.one) && passes.note(Self.two) && passes.note(Self.one))
        let record = try passes.read()
        #expect(record.open == [Self.one, Self.two])
        #expect(passes.begin(after: record) && passes.note(Self.one) && passes.finish(record))
        #expect(try passes.read().open == [Self.one])
        // It is made once.
        #expect(try Passes.make(in: sandbox.tree).read() == passes.read())
    }

    @Test("a pass is not on record unless the file that is open is the one that is there")
    func others() throws {
        let sandbox = try Sandbox()
        let passes = try Passes.make(in: sandbox.tree)
        #expect(unsafe rename(sandbox.path, sandbox.root + "/run/onsite/other") == 0)
        #expect(!passes.note(Self.one))
        _ = try Passes.make(in: sandbox.tree)
        #expect(!passes.note(Self.one))
    }

    @Test("nor if somebody else could have written it", arguments: [0o646, 0o664] as [mode_t])
    func writable(mode: mode_t) throws {
        let sandbox = try Sandbox()
        let passes = try Passes.make(in: sandbox.tree)
        #expect(unsafe chmod(sandbox.path, mode) == 0)
        #expect(!passes.note(Self.one))
    }

    @Test("nor if it cannot be written, or is full")
    func full() throws {
        let sandbox = try Sandbox()
        let passes = try Passes.make(in: sandbox.tree)
        let reading = unsafe Glibc.open(sandbox.path, O_RDONLY)
        defer { close(reading) }
        #expect(!Passes(descriptor: reading, tree: sandbox.tree).note(Self.one))
        #expect(unsafe truncate(sandbox.path, off_t(Passes.longest)) == 0)
        #expect(!passes.note(Self.one))
    }

    struct Asker: CustomTestStringConvertible {
        let service: String?
        let reason: Reason
        let locks: Bool
        let expected: Reason
        var testDescription: String { "\(service ?? "-"), \(reason), \(locks)" }
    }

    static let askers = [
        Asker(service: "login", reason: .trustedNetwork, locks: true, expected: .sessionUnknown),
        Asker(service: "vlock", reason: .trustedNetwork, locks: true, expected: .sessionUnknown),
        Asker(service: nil, reason: .trustedNetwork, locks: true, expected: .sessionUnknown),
        Asker(service: "login", reason: .trustedNetwork, locks: false, expected: .trustedNetwork),
        Asker(service: "sudo", reason: .trustedNetwork, locks: true, expected: .trustedNetwork),
        Asker(service: "login", reason: .notConnected, locks: true, expected: .notConnected),
    ]

    @Test("without a record the second factor is required where a session would be locked", arguments: askers)
    func required(asker: Asker) throws {
        var rules = Rules()
        rules.locksSessions = asker.locks
        let login = Login(user: "alice", service: asker.service, rhost: "", tty: "", process: getpid())
        let finding = Finding(decision: Decision(asker.reason), rules: rules)
        let recorded = finding.recorded(login, by: 0, in: nil)
        #expect(recorded.decision.reason == asker.expected)
        #expect((recorded.lack == nil) == (asker.expected == asker.reason))

        let sandbox = try Sandbox()
        let passes = try Passes.make(in: sandbox.tree)
        #expect(finding.recorded(login, by: 0, in: passes).decision.reason == asker.reason)
        #expect(try passes.read().open.isEmpty == (asker.expected == asker.reason))
    }

    @Test("the detail of a login that cannot be put on record reaches the module whole")
    func detail() {
        var rules = Rules()
        rules.locksSessions = true
        let login = Login(user: nil, service: nil, rhost: "", tty: "", process: getpid())
        let finding = Finding(decision: Decision(.trustedNetwork), rules: rules).recorded(login, by: 0, in: nil)
        #expect((60..<144).contains(finding.detail.utf8.count))
    }
}
