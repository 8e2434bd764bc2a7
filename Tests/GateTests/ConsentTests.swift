import FoundationEssentials
import Glibc
import ProtectedFiles
import Testing
import Trust

@testable import Gate

/// An empty tree that stands for `/`, and where it is.
func temporaryTree() throws -> (tree: ProtectedTree, root: String) {
    let root = FileManager.default.temporaryDirectory.appending(path: "onsite-gate-\(UInt64.random(in: 0 ... .max))")
        .path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    unsafe chmod(root, 0o755)
    return (ProtectedTree(root: root), root)
}

@Suite("What users decided")
struct ConsentTests {
    @Test("is kept, replaced and forgotten, each user's for themselves")
    func states() throws {
        let (tree, root) = try temporaryTree()
        defer { try? FileManager.default.removeItem(atPath: root) }
        let consents = Consents(in: tree)
        #expect(consents.state(of: "alice") == .notDetermined)
        for state in ConsentState.allCases + ConsentState.allCases.reversed() {
            try consents.store(state, of: "alice")
            #expect(try consents.read(of: "alice") == state)
            #expect(consents.state(of: "bob") == .notDetermined)
        }
        try consents.store(.granted, of: "alice")
        var status = stat()
        #expect(unsafe stat(root + "/var/lib/onsite/consent/alice", &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o644)
        #expect(unsafe stat(root + "/var/lib/onsite/consent", &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o755)
    }

    @Test("is of no account if somebody else could have written it")
    func forged() throws {
        let (tree, root) = try temporaryTree()
        defer { try? FileManager.default.removeItem(atPath: root) }
        let consents = Consents(in: tree)
        let file = root + "/var/lib/onsite/consent/alice"
        func spoil(_ body: () -> Void) throws {
            try consents.store(.granted, of: "alice")
            #expect(consents.state(of: "alice") == .granted)
            body()
            #expect(consents.state(of: "alice") == .notDetermined)
            #expect(throws: ProtectedFileError.self) { try consents.read(of: "alice") }
            unsafe unlink(file)
        }
        try spoil { unsafe chown(file, 1234, 1234) }
        try spoil { unsafe chmod(file, 0o664) }
        try spoil { unsafe chmod(file, 0o646) }
        try spoil {
            unsafe unlink(file)
            unsafe mkfifo(file, 0o644)
        }
        try spoil { unsafe chown(root + "/var/lib/onsite/consent", 1234, 1234) }
        unsafe chown(root + "/var/lib/onsite/consent", 0, 0)
        unsafe chmod(root + "/var/lib/onsite/consent", 0o777)
        #expect(throws: ProtectedFileError.self) { try consents.store(.granted, of: "alice") }
    }

    @Test(
        "is never another file than the user's",
        arguments: [
            "", ".", "..", ".lock", "../privacy.key", "a/b", "/etc/passwd", "a\nb", "a b", "\u{7f}", "a\0b",
            String(repeating: "a", count: 129),
        ])
    func names(user: String) throws {
        let (tree, root) = try temporaryTree()
        defer { try? FileManager.default.removeItem(atPath: root) }
        #expect(throws: ProtectedFileError.self) { try Consents(in: tree).store(.granted, of: user) }
        #expect(Consents(in: tree).state(of: user) == .notDetermined)
    }

    @Test("lacks nothing but what was not agreed to")
    func lacks() {
        #expect(
            ConsentState.allCases.map { $0.lack(forWatching: false) } == [.consentMissing, .consentDenied, nil, nil])
        #expect(
            ConsentState.allCases.map { $0.lack(forWatching: true) }
                == [.consentMissing, .consentDenied, .consentMissing, nil])
    }
}
