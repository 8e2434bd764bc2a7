import Glibc
import Testing

@testable import ProtectedFiles

private let file = "/etc/onsite/policy.toml"

/// A file that must not be believed, and the error that says why.
struct Refusal: CustomTestStringConvertible, Sendable {
    let name: String
    let prepare: @Sendable (Sandbox) throws -> Void
    let expected: @Sendable (_ path: String) -> ProtectedFileError
    var testDescription: String { name }

    init(
        _ name: String, _ expected: @escaping @Sendable (_ path: String) -> ProtectedFileError,
        _ prepare: @escaping @Sendable (Sandbox) throws -> Void
    ) {
        (self.name, self.expected, self.prepare) = (name, expected, prepare)
    }
}

@Suite("A file that others could have written is not read")
struct RefusalTests {
    static func system(_ code: Int32) -> @Sendable (String) -> ProtectedFileError {
        { .system(path: $0, SystemError(call: "openat", code: code)) }
    }

    static let owners = [
        Refusal("another owner", { .wrongOwner(path: $0, owner: 12345) }) {
            try $0.write(file)
            try $0.giveAway(file)
        },
        Refusal("its directory has another owner", { .wrongOwner(path: $0, owner: 12345) }) {
            try $0.write(file)
            try $0.giveAway("/etc/onsite")
        },
        Refusal("the directory above its directory has another owner", { .wrongOwner(path: $0, owner: 12345) }) {
            try $0.write(file)
            try $0.giveAway("/etc")
        },
        Refusal("the root has another owner", { .wrongOwner(path: String($0.dropLast(file.count)), owner: 12345) }) {
            try $0.write(file)
            try $0.giveAway("")
        },
        Refusal("the group may write", { .writableByOthers(path: $0, mode: 0o664) }) {
            try $0.write(file, mode: 0o664)
        },
        Refusal("everybody may write", { .writableByOthers(path: $0, mode: 0o646) }) {
            try $0.write(file, mode: 0o646)
        },
        Refusal("the group may write to its directory", { .writableByOthers(path: $0, mode: 0o775) }) {
            try $0.write(file)
            try $0.setMode("/etc/onsite", 0o775)
        },
        Refusal("a sticky directory above", { .writableByOthers(path: $0, mode: 0o1777) }) {
            try $0.write(file)
            try $0.setMode("/etc", 0o1777)
        },
        Refusal(
            "everybody may write to the root",
            { .writableByOthers(path: String($0.dropLast(file.count)), mode: 0o777) }
        ) {
            try $0.write(file)
            try $0.setMode("", 0o777)
        },
    ]

    static let kinds = [
        Refusal("nothing there", system(ENOENT)) { try $0.makeDirectory("/etc/onsite") },
        Refusal("no directory there", system(ENOENT)) { _ in },
        Refusal("a FIFO, which would block", { .notRegular(path: $0) }) {
            try $0.makeDirectory("/etc/onsite")
            try $0.makeNode(file, S_IFIFO | 0o644)
        },
        Refusal("a socket", { .notRegular(path: $0) }) {
            try $0.makeDirectory("/etc/onsite")
            try $0.makeNode(file, S_IFSOCK | 0o644)
        },
        Refusal("a directory", { .notRegular(path: $0) }) { try $0.makeDirectory(file) },
        Refusal("an endless device", { .notRegular(path: $0) }) {
            try $0.makeDirectory("/etc/onsite")
            try $0.makeNode(file, S_IFCHR | 0o666, device: zeroDevice)
        },
        Refusal("a link to the null device", { .notRegular(path: $0) }) {
            try $0.makeDirectory("/etc/onsite")
            try $0.link(file, to: "/dev/null")
        },
        Refusal("a file in the place of a directory", { .notDirectory(path: $0) }) { try $0.write("/etc/onsite") },
    ]

    static let links = [
        Refusal("a link of somebody else to root's file", { .wrongOwner(path: $0, owner: 12345) }) {
            try $0.write("/etc/onsite/real")
            try $0.link(file, to: "real")
            try $0.giveAway(file)
        },
        Refusal("a link of somebody else in the place of a directory", { .wrongOwner(path: $0, owner: 12345) }) {
            try $0.write("/srv/policy.toml")
            try $0.makeDirectory("/etc")
            try $0.link("/etc/onsite", to: "../srv")
            try $0.giveAway("/etc/onsite")
        },
        Refusal("root's link to a file of somebody else", { .wrongOwner(path: $0, owner: 12345) }) {
            try $0.write("/home/policy.toml")
            try $0.makeDirectory("/etc/onsite")
            try $0.link(file, to: "/home/policy.toml")
            try $0.giveAway("/home/policy.toml")
        },
        Refusal("root's link into a directory where all may write", { .writableByOthers(path: $0, mode: 0o1777) }) {
            try $0.write("/tmp/policy.toml")
            try $0.setMode("/tmp", 0o1777)
            try $0.makeDirectory("/etc/onsite")
            try $0.link(file, to: "/tmp/policy.toml")
        },
        Refusal("a link to itself", { .tooManyLinks(path: $0) }) {
            try $0.makeDirectory("/etc/onsite")
            try $0.link(file, to: "policy.toml")
        },
        Refusal("two links that point at each other", { .tooManyLinks(path: $0) }) {
            try $0.makeDirectory("/etc/onsite")
            try $0.link(file, to: "other")
            try $0.link("/etc/onsite/other", to: "policy.toml")
        },
        Refusal("a link to nothing", { .brokenLink(path: $0) }) {
            try $0.makeDirectory("/etc/onsite")
            try $0.link(file, to: "gone")
        },
        Refusal("a directory that is a link to nothing", { .brokenLink(path: $0) }) {
            try $0.makeDirectory("/etc")
            try $0.link("/etc/onsite", to: "/srv/gone")
        },
        Refusal("a link to a link to nothing", { .brokenLink(path: $0) }) {
            try $0.makeDirectory("/etc/onsite")
            try $0.link(file, to: "other")
            try $0.link("/etc/onsite/other", to: "gone")
        },
        Refusal("nothing in a directory that is a link", system(ENOENT)) {
            try $0.makeDirectory("/etc")
            try $0.makeDirectory("/srv")
            try $0.link("/etc/onsite", to: "/srv")
        },
        Refusal("a link that leads nowhere but to the root", { .notRegular(path: $0) }) {
            try $0.makeDirectory("/etc/onsite")
            try $0.link(file, to: "/")
        },
    ]

    @Test("a file is refused by its owner, its mode, its kind and the links to it", arguments: owners + kinds + links)
    func refusal(refusal: Refusal) throws {
        let sandbox = try Sandbox()
        try refusal.prepare(sandbox)
        #expect(throws: refusal.expected(sandbox.root + file)) {
            _ = try sandbox.tree.contents(of: file, limit: 100)
        }
    }

    @Test("what stands for its insecurity are owner, mode, kind and loops alone", arguments: owners + kinds + links)
    func insecurity(refusal: Refusal) {
        let error = refusal.expected(file)
        let isHarmless =
            switch error {
            case .system, .notDirectory, .brokenLink: true
            default: false
            }
        #expect(error.isInsecure == !isHarmless)
        #expect("\(error)".split(whereSeparator: \.isNewline).count == 1)
    }
}

@Suite("A file of root is read")
struct AcceptanceTests {
    /// A layout in which the file holds "text".
    struct Layout: CustomTestStringConvertible, Sendable {
        let name: String
        let prepare: @Sendable (Sandbox) throws -> Void
        var testDescription: String { name }
    }

    static let layouts = [
        Layout(name: "a plain file") { try $0.write(file) },
        Layout(name: "readable by root alone") { try $0.write(file, mode: 0o600) },
        Layout(name: "in a directory of root's own") {
            try $0.write(file)
            try $0.setMode("/etc/onsite", 0o700)
        },
        Layout(name: "a link beside it") {
            try $0.write("/etc/onsite/real")
            try $0.link(file, to: "./real")
        },
        Layout(name: "a link by an absolute path, which begins at the tree's root") {
            try $0.write("/srv/real")
            try $0.makeDirectory("/etc/onsite")
            try $0.link(file, to: "/srv/real")
        },
        Layout(name: "a directory that is a link") {
            try $0.write("/srv/onsite/policy.toml")
            try $0.makeDirectory("/etc")
            try $0.link("/etc/onsite", to: "../srv/onsite")
        },
        Layout(name: "a link that climbs above the root and stays in it") {
            try $0.write("/srv/real")
            try $0.makeDirectory("/etc/onsite")
            try $0.link(file, to: "../../../../../../srv/../srv/real")
        },
        Layout(name: "forty links in a row") { sandbox in
            try sandbox.write("/etc/onsite/link0")
            for number in 1..<40 { try sandbox.link("/etc/onsite/link\(number)", to: "link\(number - 1)") }
            try sandbox.link(file, to: "link39")
        },
    ]

    @Test("through directories and links that root owns", arguments: layouts)
    func acceptance(layout: Layout) throws {
        let sandbox = try Sandbox()
        try layout.prepare(sandbox)
        #expect(try sandbox.tree.contents(of: file, limit: 4).bytes == Array("text".utf8))
        #expect(try sandbox.tree.contents(of: "//etc/./onsite/policy.toml", limit: 4).bytes.count == 4)
    }

    @Test("the caller may own the files of another root")
    func ownerOfAnotherRoot() throws {
        let sandbox = try Sandbox()
        try sandbox.write(file)
        #expect(try ProtectedTree(root: sandbox.root + "/").contents(of: file, limit: 4).bytes.count == 4)
        #expect(ProtectedTree(root: sandbox.root + "//").systemPath(file) == sandbox.root + file)
    }

    @Test("a path that does not begin at the root is refused")
    func relativePath() throws {
        let sandbox = try Sandbox()
        #expect(throws: ProtectedFileError.notAbsolute(path: sandbox.root + "etc")) {
            _ = try ProtectedTree(root: sandbox.root).contents(of: "etc", limit: 1)
        }
    }

    @Test("a file of the limit is read, one byte more is not, and a gigabyte is not even begun")
    func limit() throws {
        let sandbox = try Sandbox()
        let tree = ProtectedTree(root: sandbox.root)
        try sandbox.write(file, "0123456789")
        #expect(try tree.contents(of: file, limit: 10).bytes.count == 10)
        let tooLarge = ProtectedFileError.tooLarge(path: sandbox.root + file, limit: 9)
        #expect(throws: tooLarge) { _ = try tree.contents(of: file, limit: 9) }

        unsafe truncate(sandbox.root + file, 1 << 30)
        let elapsed = ContinuousClock().measure {
            #expect(throws: tooLarge) { _ = try tree.contents(of: file, limit: 9) }
        }
        #expect(elapsed < .seconds(1))
    }

    @Test("the identity changes with the contents, the time and the file")
    func identity() throws {
        let sandbox = try Sandbox()
        let tree = ProtectedTree(root: sandbox.root)
        func identity() throws -> FileIdentity { try tree.contents(of: file, limit: 100).identity }
        try sandbox.write(file, "one")
        let first = try identity()
        #expect(try identity() == first)
        #expect(try tree.entry(at: file)?.identity == first)

        try sandbox.write("/etc/onsite/other", "one")
        unsafe rename(sandbox.root + "/etc/onsite/other", sandbox.root + file)
        let second = try identity()
        #expect(second.inode != first.inode)
        unsafe truncate(sandbox.root + file, 2)
        #expect(try identity().size == 2)
        let times = [timespec(tv_sec: 5, tv_nsec: 1), timespec(tv_sec: 5, tv_nsec: 1)]
        unsafe utimensat(AT_FDCWD, sandbox.root + file, times, 0)
        #expect(try identity().modified == 5_000_000_001)
    }
}
