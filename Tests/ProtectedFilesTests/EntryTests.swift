import Glibc
import Testing

@testable import ProtectedFiles

@Suite("What the file system has at a path")
struct EntryTests {
    struct Look: CustomTestStringConvertible, Sendable {
        let name: String
        let isMask: Bool
        var isDirectory = false
        let prepare: @Sendable (Sandbox) throws -> Void
        var testDescription: String { name }
    }

    static let looks = [
        Look(name: "a file", isMask: false) { try $0.write("/x") },
        Look(name: "an empty file masks", isMask: true) { try $0.write("/x", "") },
        Look(name: "a directory", isMask: false, isDirectory: true) { try $0.makeDirectory("/x") },
        Look(name: "a link to /dev/null masks in a tree without devices", isMask: true) {
            try $0.link("/x", to: "/dev/null")
        },
        Look(name: "a link to the tree's own /dev/null masks, and leads no higher than the tree", isMask: true) {
            try $0.makeDirectory("/dev")
            try $0.makeNode("/dev/null", S_IFCHR | 0o666, device: nullDevice)
            try $0.link("/x", to: "../../../dev/null")
        },
        Look(name: "a link to another device masks nothing", isMask: false) {
            try $0.makeNode("/zero", S_IFCHR | 0o666, device: zeroDevice)
            try $0.link("/x", to: "zero")
        },
        Look(name: "a FIFO masks nothing", isMask: false) { try $0.makeNode("/x", S_IFIFO | 0o644) },
    ]

    @Test("is a mask, a directory or neither", arguments: looks)
    func look(look: Look) throws {
        let sandbox = try Sandbox()
        try look.prepare(sandbox)
        let entry = try #require(try sandbox.tree.entry(at: "/x"))
        #expect(entry.isMask == look.isMask)
        #expect(entry.isDirectory == look.isDirectory)
    }

    @Test("nothing is nothing, but a link to nothing is a mistake")
    func nothing() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.tree.entry(at: "/x") == nil)
        #expect(try sandbox.tree.entry(at: "/x/y") == nil)
        try sandbox.link("/x", to: "gone")
        #expect(throws: ProtectedFileError.brokenLink(path: sandbox.root + "/x")) { try sandbox.tree.entry(at: "/x") }
    }

    @Test("a mask is the same mask after the devices were made anew at boot")
    func maskAfterBoot() throws {
        let sandbox = try Sandbox()
        try sandbox.makeDirectory("/dev")
        try sandbox.makeNode("/dev/null", S_IFCHR | 0o666, device: nullDevice)
        try sandbox.link("/x", to: "dev/null")
        let before = try sandbox.tree.entry(at: "/x")
        #expect(unsafe unlink(sandbox.root + "/dev/null") == 0)
        try sandbox.write("/dev/takes-its-inode")
        try sandbox.makeNode("/dev/null", S_IFCHR | 0o666, device: nullDevice)
        #expect(try sandbox.tree.entry(at: "/x")?.identity == before?.identity)
    }

    @Test("names are in the order of their bytes, without the hidden ones")
    func names() throws {
        let sandbox = try Sandbox()
        for name in ["b", "a", "Z", "\u{e9}", ".hidden"] { try sandbox.write("/d/\(name)") }
        #expect(try sandbox.tree.names(in: "/d") == ["Z", "a", "b", "\u{e9}"])
        #expect(try sandbox.tree.names(in: "/none") == nil)
        #expect(throws: ProtectedFileError.notDirectory(path: sandbox.root + "/d/a")) {
            _ = try sandbox.tree.names(in: "/d/a")
        }
    }

    @Test("a letter with a mark does not hide the slash before it")
    func combiningCharacter() throws {
        let sandbox = try Sandbox()
        // One character for Swift, two bytes and more for the kernel.
        try sandbox.makeDirectory("/d")
        try sandbox.write("/d/plain")
        #expect(unsafe rename(sandbox.root + "/d/plain", sandbox.root + "/d/\u{301}x") == 0)
        try sandbox.giveAway("/d")
        #expect(throws: ProtectedFileError.wrongOwner(path: sandbox.root + "/d/\u{301}x", owner: 12345)) {
            _ = try sandbox.tree.contents(of: "/d/\u{301}x", limit: 10)
        }
    }
}
