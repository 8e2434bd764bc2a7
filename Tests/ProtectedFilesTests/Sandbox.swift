import FoundationEssentials
import Glibc

@testable import ProtectedFiles

/// A directory that stands for `/` for as long as this lives. Only uid 0 may own what is believed in it.
final class Sandbox: Sendable {
    let root: String
    var tree: ProtectedTree { ProtectedTree(root: root, owner: 0) }

    init() throws {
        root = "/tmp/onsite-protected-\(UInt64.random(in: 0 ... .max))"
        try makeDirectory("")
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func makeDirectory(_ path: String, mode: mode_t = 0o755) throws {
        try FileManager.default.createDirectory(
            atPath: root + path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try setMode(path, mode)
    }

    func write(_ path: String, _ text: String = "text", mode: mode_t = 0o644) throws {
        let parent = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        if !FileManager.default.fileExists(atPath: root + parent) { try makeDirectory(parent) }
        try Data(text.utf8).write(to: URL(filePath: root + path))
        try setMode(path, mode)
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: target)
    }

    func setMode(_ path: String, _ mode: mode_t) throws {
        try succeed("chmod", unsafe chmod(root + path, mode))
    }

    /// Gives a file, or a symbolic link itself, to somebody else.
    func giveAway(_ path: String, to user: uid_t = 12345) throws {
        try succeed("lchown", unsafe lchown(root + path, user, user))
    }

    func makeNode(_ path: String, _ mode: mode_t, device: dev_t = 0) throws {
        try succeed("mknod", unsafe mknod(root + path, mode, device))
    }

    func status(_ path: String) throws -> stat {
        var status = stat()
        try succeed("lstat", unsafe lstat(root + path, &status))
        return status
    }

    func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: root + path).map { String(decoding: $0, as: UTF8.self) }
    }

    func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + path).sorted()
    }

    private func succeed(_ call: String, _ result: CInt) throws {
        if result != 0 { throw SystemError(call: call, code: errno) }
    }
}

/// The device of `/dev/null`.
let nullDevice: dev_t = 1 << 8 | 3
/// The device of `/dev/zero`, which never ends.
let zeroDevice: dev_t = 1 << 8 | 5
