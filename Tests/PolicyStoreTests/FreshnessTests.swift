import FoundationEssentials
import Glibc
import ProtectedFiles
import Testing
import Trust

@testable import PolicyStore

private let etc = "/etc/onsite"
private let networks = "/etc/onsite/networks.d"

@Suite("A policy counts for the files that it was compiled from")
struct FreshnessTests {
    /// Something that happens after the policy was compiled.
    struct Change: CustomTestStringConvertible, Sendable {
        let name: String
        let reason: Reason?
        let make: @Sendable (Sandbox) throws -> Void
        var testDescription: String { name }

        init(_ name: String, _ reason: Reason?, _ make: @escaping @Sendable (Sandbox) throws -> Void) {
            (self.name, self.reason, self.make) = (name, reason, make)
        }
    }

    static let changes = [
        Change("nothing", nil) { _ in },
        Change("reading a file", nil) { _ = try $0.bytes("\(networks)/a.toml") },
        Change("a hidden file that an editor made and removed", nil) {
            try $0.write("\(networks)/.a.toml.swp", "")
            #expect(unsafe unlink($0.root + "\(networks)/.a.toml.swp") == 0)
        },
        Change("a file elsewhere", nil) { try $0.write("/etc/other", "x") },
        Change("its contents", .policyStale) { try $0.write("\(networks)/a.toml", "ssid = 'changed'") },
        Change("its contents in place, at the old time, of another size", .policyStale) {
            let before = try status($0, "\(networks)/a.toml")
            #expect(unsafe truncate($0.root + "\(networks)/a.toml", 3) == 0)
            try setTime($0, "\(networks)/a.toml", before.st_mtim)
        },
        Change("its time", .policyStale) {
            try setTime($0, "\(networks)/a.toml", timespec(tv_sec: 1_700_000_000, tv_nsec: 0))
        },
        Change("its time by a nanosecond", .policyStale) {
            var time = try status($0, "\(networks)/a.toml").st_mtim
            time.tv_nsec = time.tv_nsec == 0 ? 1 : time.tv_nsec - 1
            try setTime($0, "\(networks)/a.toml", time)
        },
        Change("another file of the same contents, size and time in its place", .policyStale) {
            let path = $0.root + "\(networks)/a.toml"
            let before = try status($0, "\(networks)/a.toml")
            try $0.write("/etc/copy", try $0.bytes("\(networks)/a.toml"))
            try setTime($0, "/etc/copy", before.st_mtim)
            #expect(unsafe rename($0.root + "/etc/copy", path) == 0)
        },
        Change("a new network", .policyStale) { try $0.write("\(networks)/b.toml", "ssid = 'b'") },
        Change("a mask for a network of a package", .policyStale) { try $0.write("\(networks)/lib.toml", "") },
        Change("a removed network", .policyStale) {
            #expect(unsafe unlink($0.root + "\(networks)/a.toml") == 0)
        },
        Change("a removed list", .policyStale) { #expect(unsafe unlink($0.root + "\(networks)/list") == 0) },
        Change("a changed list", .policyStale) { try $0.write("\(networks)/list", "02:00:00:00:00:09") },
        Change("a link to nothing in the place of a network", .policyStale) {
            #expect(unsafe unlink($0.root + "\(networks)/a.toml") == 0)
            #expect(unsafe symlink("gone", $0.root + "\(networks)/a.toml") == 0)
        },
        Change("a policy.toml that was not there", .policyStale) { try $0.write("\(etc)/policy.toml", "version = 1") },
        Change("a policy.toml of a package that was not there", .policyStale) {
            try $0.write("/usr/lib/onsite/policy.toml", "version = 1")
        },
        Change("a directory that was not there", .policyStale) { try $0.write("/run/onsite/networks.d/c.toml", "") },
        Change("a new network of a package", .policyStale) {
            try $0.write("/usr/lib/onsite/networks.d/d.toml", "ssid = 'd'")
        },
        Change("no directory any more", .policyStale) { try FileManager.default.removeItem(atPath: $0.root + etc) },
        Change("a file that the group may write", .policyInsecure) {
            unsafe chmod($0.root + "\(networks)/a.toml", 0o664)
        },
        Change("a list that everybody may write", .policyInsecure) {
            unsafe chmod($0.root + "\(networks)/list", 0o666)
        },
        Change("a directory that everybody may write", .policyInsecure) { unsafe chmod($0.root + networks, 0o777) },
        Change("a directory above that everybody may write", .policyInsecure) {
            unsafe chmod($0.root + "/etc", 0o1777)
        },
        Change("a network that loops", .policyInsecure) {
            #expect(unsafe unlink($0.root + "\(networks)/a.toml") == 0)
            #expect(unsafe symlink("a.toml", $0.root + "\(networks)/a.toml") == 0)
        },
        Change("no compiled policy", .policyMissing) { #expect(unsafe unlink($0.root + compiledPolicyPath) == 0) },
        Change("no directory of the compiled policy", .policyMissing) {
            try FileManager.default.removeItem(atPath: $0.root + "/var")
        },
        Change("a compiled policy that the group may write", .policyInsecure) {
            unsafe chmod($0.root + compiledPolicyPath, 0o664)
        },
        Change("a directory of the compiled policy that others may write", .policyInsecure) {
            unsafe chmod($0.root + "/var/lib", 0o757)
        },
        Change("a FIFO in the place of the compiled policy", .policyInsecure) {
            #expect(unsafe unlink($0.root + compiledPolicyPath) == 0)
            #expect(unsafe mkfifo($0.root + compiledPolicyPath, 0o644) == 0)
        },
        Change("a directory in the place of the compiled policy", .policyInsecure) {
            #expect(unsafe unlink($0.root + compiledPolicyPath) == 0)
            #expect(unsafe mkdir($0.root + compiledPolicyPath, 0o755) == 0)
        },
        Change("an empty compiled policy", .policyInvalid) { try $0.write(compiledPolicyPath, "") },
        Change("text in the place of the compiled policy", .policyInvalid) {
            try $0.write(compiledPolicyPath, String(repeating: "text ", count: 1000))
        },
        Change("zeros in the place of the compiled policy", .policyInvalid) {
            try $0.write(compiledPolicyPath, [UInt8](repeating: 0, count: 4096))
        },
        Change("a sparse gigabyte in its place", .policyInvalid) {
            try $0.write(compiledPolicyPath, "")
            #expect(unsafe truncate($0.root + compiledPolicyPath, 1 << 30) == 0)
        },
    ]

    static let owners = [
        Change("a network of somebody else", .policyInsecure) {
            unsafe chown($0.root + "\(networks)/a.toml", 12345, 0)
        },
        Change("a directory of somebody else", .policyInsecure) { unsafe chown($0.root + networks, 12345, 0) },
        Change("a compiled policy of somebody else", .policyInsecure) {
            unsafe chown($0.root + compiledPolicyPath, 12345, 0)
        },
    ]

    private static func status(_ sandbox: Sandbox, _ path: String) throws -> stat {
        var status = stat()
        try #require(unsafe stat(sandbox.root + path, &status) == 0)
        return status
    }

    private static func setTime(_ sandbox: Sandbox, _ path: String, _ time: timespec) throws {
        try #require(unsafe utimensat(AT_FDCWD, sandbox.root + path, [time, time], 0) == 0)
    }

    static func sandbox() throws -> Sandbox {
        try Sandbox([
            "\(networks)/a.toml": "ssid = 'Corp'\nbssid-file = 'list'", "\(networks)/list": "02:00:00:00:00:01",
            "/usr/lib/onsite/networks.d/lib.toml": "ssid = 'Lib'",
        ])
    }

    @Test("every change has its reason", arguments: changes)
    func change(change: Change) throws { try see(change) }

    @Test(
        "so has every owner", .enabled(if: unsafe geteuid() == 0 || getenv("CI") != nil, "needs root"),
        arguments: owners)
    func owner(change: Change) throws { try see(change) }

    private func see(_ change: Change) throws {
        let sandbox = try Self.sandbox()
        try sandbox.apply()
        let evidence = connected("Corp", "02:00:00:00:00:01")
        #expect(sandbox.decision(evidence).reason == .trustedNetwork)
        try change.make(sandbox)
        let fault = sandbox.fault()
        #expect(fault?.reason == change.reason)
        #expect(fault?.detail.hasPrefix(sandbox.root) ?? true)
        #expect(sandbox.decision(evidence).reason == change.reason ?? .trustedNetwork)
    }

    @Test("compiling again makes it good", arguments: [Reason.policyStale, .policyMissing, .policyInvalid])
    func again(reason: Reason) throws {
        for change in Self.changes
        where change.reason == reason && !change.name.contains("list") && !change.name.contains("nothing") {
            let sandbox = try Self.sandbox()
            try sandbox.apply()
            try change.make(sandbox)
            if (try? sandbox.apply()) != nil { #expect(sandbox.fault() == nil, "\(change.name)") }
        }
    }
}
