import FoundationEssentials
import Glibc
import PolicyFiles
import ProtectedFiles
import Testing
import Trust
import Wireless

@testable import Commands

/// What the tests of the built command cannot see on a machine without Wi-Fi.
@Suite("Names that are nearly the one that the machine is on")
struct LintTests {
    struct Pair: CustomTestStringConvertible, Sendable {
        let entry: String
        let here: String
        let isNear: Bool
        var testDescription: String { "\"\(entry)\" and \"\(here)\"" }

        init(_ entry: String, _ here: String, _ isNear: Bool) {
            (self.entry, self.here, self.isNear) = (entry, here, isNear)
        }
    }

    static let pairs = [
        Pair("skynet", "skynet ", true), Pair("skynet ", "skynet", true), Pair("Corp", "CORP", true),
        Pair("iBoy's Home", "iBoy\u{2019}s Home", true), Pair("\"x\"", "\u{201c}x\u{201d}", true),
        Pair("a\u{a0}b", "a b", true), Pair("Corp", "Corp", false), Pair("Corp", "Corp2", false),
        Pair("Corp", "Crop", false),
    ]

    @Test("are warned of, and what the machine is on is not told", arguments: pairs)
    func nearMiss(pair: Pair) throws {
        let root = "/tmp/onsite-lint-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(
            atPath: root + "/etc/onsite/networks.d", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        unsafe chmod(root, 0o755)
        let path = root + "/etc/onsite/networks.d/a.toml"
        try Data("ssid-hex = '\(hexadecimal(pair.entry.utf8))'".utf8).write(to: URL(filePath: path))
        unsafe chmod(path, 0o644)

        let station = Interface(
            name: "wlan0", index: 1, type: .station, state: .connected, ssid: SSID(bytes: Array(pair.here.utf8)))
        let configuration = try Configuration.load(from: ProtectedTree(root: root))
        let warnings = configuration.nearMisses(of: .interfaces([station], source: .nl80211)).map(\.description)
        #expect(warnings.count == (pair.isNear ? 1 : 0))
        #expect(warnings.allSatisfy { $0.contains("differs from the network that this machine is on") })
        #expect(warnings.allSatisfy { !$0.contains("\"\(pair.here)\"") })
        #expect(configuration.nearMisses(of: .unavailable(.probeFailed, source: .nl80211)) == [])
    }
}
