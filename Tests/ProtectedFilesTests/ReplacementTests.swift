import Glibc
import Testing

@testable import ProtectedFiles

private let file = "/etc/onsite/policy.toml"

@Suite("A file is replaced whole")
struct ReplacementTests {
    let sandbox: Sandbox
    var tree: ProtectedTree { ProtectedTree(root: sandbox.root) }

    init() throws {
        sandbox = try Sandbox()
        try sandbox.makeDirectory("/etc/onsite")
    }

    private func replace(_ attributes: FileAttributes = .kept(orMode: 0o644)) throws(ProtectedFileError) {
        try tree.replace(file, attributes: attributes) { (file) throws(SystemError) in
            try file.writeAll(Array("new".utf8))
        }
    }

    private func mode() throws -> mode_t { try sandbox.status(file).st_mode & 0o7777 }

    @Test(
        "a new file has the mode that was asked for, whatever the umask", arguments: [0o644, 0o600, 0o666] as [mode_t])
    func newFile(mode: mode_t) throws {
        try replace(.kept(orMode: mode))
        #expect(sandbox.text(file) == "new")
        #expect(try self.mode() == mode)
        #expect(try sandbox.status(file).st_uid == geteuid())
        #expect(try sandbox.names("/etc/onsite") == ["policy.toml"])
    }

    @Test(
        "owner and mode of the old file are kept",
        arguments: [0o640, 0o600, 0o604] as [mode_t])
    func attributesKept(mode: mode_t) throws {
        try sandbox.write(file, "old")
        try sandbox.giveAway(file, to: 4321)
        try sandbox.setMode(file, mode)
        try ProtectedTree(root: sandbox.root, owner: 4321).replace(file) { (file) throws(SystemError) in
            try file.writeAll(Array("new".utf8))
        }
        let status = try sandbox.status(file)
        #expect(sandbox.text(file) == "new")
        #expect(status.st_mode & 0o7777 == mode)
        #expect((status.st_uid, status.st_gid) == (4321, 4321))
    }

    @Test("a fresh file has its own owner and mode, whatever the old one was")
    func fresh() throws {
        try sandbox.write(file, "old", mode: 0o666)
        try sandbox.giveAway(file)
        try replace(.fresh(mode: 0o640))
        #expect(try mode() == 0o640)
        #expect(try sandbox.status(file).st_uid == geteuid())
    }

    @Test("the file of somebody else is not replaced")
    func strangersFile() throws {
        try sandbox.write(file, "old")
        try sandbox.giveAway(file)
        #expect(throws: ProtectedFileError.wrongOwner(path: sandbox.root + file, owner: 12345)) { try replace() }
        #expect(sandbox.text(file) == "old")
    }

    @Test("something that is no file is not replaced")
    func notRegular() throws {
        try sandbox.makeDirectory(file)
        #expect(throws: ProtectedFileError.notRegular(path: sandbox.root + file)) { try replace() }
    }

    @Test("what an interrupted replacement left behind is removed")
    func interrupted() throws {
        try sandbox.write("/etc/onsite/.policy.toml.onsite-new", "half", mode: 0o600)
        try replace()
        #expect(sandbox.text(file) == "new")
        #expect(try sandbox.names("/etc/onsite") == ["policy.toml"])
    }

    @Test("a link in the place of the temporary file is not followed")
    func temporaryLink() throws {
        try sandbox.write("/victim", "untouched")
        try sandbox.link("/etc/onsite/.policy.toml.onsite-new", to: "../../victim")
        try replace()
        #expect(sandbox.text("/victim") == "untouched")
        #expect(sandbox.text(file) == "new")
    }

    @Test("a failure leaves the old file and nothing else")
    func failure() throws {
        try sandbox.write(file, "old")
        let failure = SystemError(call: "write", code: ENOSPC)
        #expect(throws: ProtectedFileError.system(path: sandbox.root + file, failure)) {
            try tree.replace(file) { (file) throws(SystemError) in
                try file.writeAll(Array("half".utf8))
                throw failure
            }
        }
        #expect(sandbox.text(file) == "old")
        #expect(try sandbox.names("/etc/onsite") == ["policy.toml"])
    }

    @Test("the way to a file may be links of the tree, which begin at its root")
    func linkedDirectory() throws {
        try sandbox.makeDirectory("/srv")
        try sandbox.link("/etc/linked", to: "/srv")
        let linked = "/etc/linked/file"
        try tree.replace(linked) { (file) throws(SystemError) in try file.writeAll(Array("new".utf8)) }
        try tree.makeDirectory("/etc/linked/a/b")
        _ = try tree.lock("/etc/linked/a/lock")
        #expect(sandbox.text("/srv/file") == "new")
        #expect(try tree.names(in: "/etc/linked") == ["a", "file"])
        #expect(try sandbox.names("/srv/a") == ["b", "lock"])
        try tree.remove(linked)
        #expect(try sandbox.names("/srv") == ["a"])
    }

    @Test("nothing is written to a directory of somebody else")
    func strangersDirectory() throws {
        try sandbox.giveAway("/etc/onsite")
        let error = ProtectedFileError.wrongOwner(path: sandbox.root + "/etc/onsite", owner: 12345)
        #expect(throws: error) { try sandbox.tree.replace(file, attributes: .fresh(mode: 0o644)) { _ in } }
        #expect(throws: ProtectedFileError.self) { try sandbox.tree.makeDirectory("/etc/onsite/networks.d") }
        #expect(throws: error) { _ = try sandbox.tree.lock("/etc/onsite/lock") }
    }

    @Test("without its directory there is an error")
    func noDirectory() throws {
        #expect(throws: ProtectedFileError.self) {
            try tree.replace("/none/file") { (_) throws(SystemError) in }
        }
    }

    @Test("removing takes the file itself, not what a link points at")
    func remove() throws {
        try sandbox.write(file, "here")
        try sandbox.write("/srv/shared.toml", "there")
        try sandbox.link("/etc/onsite/link.toml", to: "/srv/shared.toml")
        try tree.remove("/etc/onsite/link.toml")
        #expect(try sandbox.names("/etc/onsite") == ["policy.toml"])
        #expect(sandbox.text("/srv/shared.toml") == "there")
        try tree.remove(file)
        #expect(try sandbox.names("/etc/onsite") == [])
        #expect(throws: ProtectedFileError.self) { try tree.remove(file) }
    }

    @Test("directories are made with all those above, mode 0755, and one that is there stays as it is")
    func makeDirectory() throws {
        try sandbox.makeDirectory("/var", mode: 0o700)
        try tree.makeDirectory("/var/lib/onsite")
        #expect(try sandbox.status("/var/lib/onsite").st_mode == S_IFDIR | 0o755)
        #expect(try sandbox.status("/var/lib").st_mode == S_IFDIR | 0o755)
        #expect(try sandbox.status("/var").st_mode == S_IFDIR | 0o700)
    }

    @Test("the lock excludes others for as long as it lives")
    func lock() throws {
        func isFree() -> Bool {
            let descriptor = unsafe open(sandbox.root + "/etc/onsite/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            return flock(descriptor, LOCK_EX | LOCK_NB) == 0
        }
        #expect(isFree())
        let lock = try tree.lock("/etc/onsite/lock")
        #expect(!isFree())
        _ = consume lock
        #expect(isFree())
        // Whoever can open a file can hold its lock.
        #expect(try sandbox.status("/etc/onsite/lock").st_mode == S_IFREG | 0o600)
    }
}
