import FoundationEssentials
import Glibc
import PolicyFiles
import ProtectedFiles
import Trust
import Wireless

@testable import PolicyStore

/// A directory that stands for `/` for as long as this lives.
final class Sandbox: Sendable {
    let root: String
    var tree: ProtectedTree { ProtectedTree(root: root) }

    init(_ files: [String: String] = [:]) throws {
        root = "/tmp/onsite-store-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        unsafe chmod(root, 0o755)
        for (path, text) in files { try write(path, text) }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func write(_ path: String, _ text: String) throws { try write(path, Array(text.utf8)) }

    func write(_ path: String, _ bytes: [UInt8]) throws {
        try FileManager.default.createDirectory(
            atPath: root + path.split(separator: "/").dropLast().map { "/" + $0 }.joined(),
            withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try Data(bytes).write(to: URL(filePath: root + path))
        unsafe chmod(root + path, 0o644)
    }

    func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: root + path)))
    }

    /// Compiles what the files say.
    func apply() throws {
        let configuration = try Configuration.load(from: tree)
        try writePolicy(
            configuration.rules, configuration.networks.map { PinnedNetwork(network: $0.network, pins: $0.pins) },
            sources: configuration.sources, to: tree)
    }

    /// Compiles networks without files.
    func write(_ networks: [PinnedNetwork], rules: Rules = Rules()) throws {
        try writePolicy(rules, networks, sources: [], to: tree)
    }

    /// Why the policy cannot be relied on, or `nil` when it can.
    func fault() -> PolicyFault? {
        do throws(PolicyFault) {
            _ = try CompiledPolicy(in: tree)
            return nil
        } catch {
            return error
        }
    }

    /// What is decided on the network, as `check --network-only` does.
    func decision(_ evidence: Evidence) -> Decision {
        do throws(PolicyFault) {
            return decide(
                onNetwork: evidence, policy: try CompiledPolicy(in: tree), today: Day(year: 2026, month: 1, day: 1))
        } catch {
            return Decision(error.reason, detail: error.detail)
        }
    }
}

// A test that gets these wrong cannot go on.
// swift-format-ignore: NeverForceUnwrap, NeverUseForceTry
func ssid(_ text: String) -> SSID { SSID(bytes: Array(text.utf8))! }
// swift-format-ignore: NeverForceUnwrap, NeverUseForceTry
func bssid(_ text: String) -> BSSID { try! BSSID(text) }
// swift-format-ignore: NeverForceUnwrap, NeverUseForceTry
func pattern(_ text: String) -> BSSIDPattern { try! BSSIDPattern(text) }

/// What a machine sees that is on a network which proves its key.
func connected(_ name: String, _ address: String, security: Set<Security> = [.wpa3Personal]) -> Evidence {
    .interfaces(
        [
            Interface(
                name: "wlan0", index: 3, type: .station, state: .connected, ssid: ssid(name), links: [bssid(address)],
                authorized: true, mfp: true, security: security)
        ], source: .nl80211)
}
