import FoundationEssentials
import Glibc
import ProtectedFiles
import Testing
import Trust
import Wireless

@testable import Gate

@Suite("What a log calls a network")
struct IdentifierTests {
    static func ssid(_ bytes: [UInt8]) throws -> SSID { try #require(SSID(bytes: bytes)) }

    struct Vector: CustomTestStringConvertible {
        let ssid: [UInt8]
        let bssid: String
        let identifier: String
        var testDescription: String { identifier }
    }

    /// HMAC-SHA256 (RFC 2104) with the key 00 01 … 1f, made with another program.
    static let vectors = [
        Vector(ssid: Array("Corp-Staff".utf8), bssid: "02:00:00:00:00:01", identifier: "96072ef203790200"),
        Vector(ssid: Array("Corp-Staff".utf8), bssid: "02:00:00:00:00:02", identifier: "4c6aafdfb76f06d2"),
        Vector(
            ssid: Array(repeating: 0xff, count: 32), bssid: "fe:ff:ff:ff:ff:ff", identifier: "ad3b91d87f56b90c"),
    ]

    @Test("is a keyed hash of name and access point", arguments: vectors)
    func known(vector: Vector) throws {
        let key = try #require(PrivacyKey(bytes: Array(0..<32)))
        let ssid = try Self.ssid(vector.ssid)
        #expect(key.identifier(ssid: ssid, bssid: try BSSID(vector.bssid)) == vector.identifier)
        #expect(key.identifier(ssid: ssid, bssid: try BSSID(vector.bssid)) == vector.identifier)
        let other = try #require(PrivacyKey(bytes: Array(1...32)))
        #expect(other.identifier(ssid: ssid, bssid: try BSSID(vector.bssid)) != vector.identifier)
    }

    @Test("needs a key of 32 bytes", arguments: [0, 1, 31, 33, 64])
    func keyLength(length: Int) {
        #expect(PrivacyKey.length == 32)
        #expect(PrivacyKey(bytes: [UInt8](repeating: 1, count: length)) == nil)
    }

    private func finding(_ identifiers: Rules.Identifiers, _ ssid: [UInt8], bssids: [BSSID]) throws -> Finding {
        var rules = Rules()
        rules.identifiers = identifiers
        let decision = Decision(.trustedNetwork, ssid: try Self.ssid(ssid), bssids: bssids)
        return Finding(decision: decision, rules: rules)
    }

    @Test("is what the policy wants it to be")
    func policy() throws {
        let key = PrivacyKey(bytes: Array(0..<32))
        let corp = Array("Corp-Staff".utf8)
        let bssids = [try BSSID("02:00:00:00:00:01"), try BSSID("02:00:00:00:00:02")]
        #expect(identifier(of: try finding(.hashed, corp, bssids: bssids), key: key) == "96072ef203790200")
        #expect(identifier(of: try finding(.hashed, corp, bssids: bssids), key: nil).isEmpty)
        #expect(identifier(of: try finding(.none, corp, bssids: bssids), key: key).isEmpty)
        #expect(identifier(of: try finding(.clear, corp, bssids: bssids), key: nil) == "Corp-Staff@02:00:00:00:00:01")
        // Where no access point is listed, the name alone counts: printf Corp-Staff | openssl dgst -sha256 -mac HMAC …
        #expect(identifier(of: try finding(.hashed, corp, bssids: []), key: key) == "b8accbfbfb61db30")
        #expect(identifier(of: try finding(.clear, corp, bssids: []), key: nil) == "Corp-Staff")
        for identifiers in Rules.Identifiers.allCases {
            var unnamed = try finding(identifiers, corp, bssids: bssids)
            unnamed.decision.ssid = nil
            #expect(identifier(of: unnamed, key: key).isEmpty)
            var unruled = try finding(identifiers, corp, bssids: bssids)
            unruled.rules = nil
            #expect(identifier(of: unruled, key: key).isEmpty)
        }
    }

    @Test(
        "in clear cannot forge another field or another line",
        arguments: [
            Array("a b".utf8), Array("a=b".utf8), Array("a@b".utf8), Array("hex:41".utf8), [0x0a], [0x1b, 0x5b],
            [0x41, 0xba],
            Array("reason=trusted-network".utf8), Array(repeating: 0xff, count: 32), [0x22], [0x00],
        ])
    func clear(name: [UInt8]) throws {
        let bssid = try BSSID("02:00:00:00:00:01")
        let text = identifier(of: try finding(.clear, name, bssids: [bssid]), key: nil)
        #expect(text == "hex:" + hexadecimal(name) + "@" + bssid.description)
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:@-".utf8)
        #expect(text.utf8.allSatisfy { allowed.contains($0) })
        // The verdict has room for the longest one.
        #expect(text.utf8.count < 104)
    }

    @Test("depends on a key that is made once and is root's alone")
    func keyFile() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "onsite-key-\(UInt64.random(in: 0 ... .max))")
            .path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        unsafe chmod(root, 0o755)
        let tree = ProtectedTree(root: root)
        #expect(PrivacyKey(in: tree) == nil)
        try PrivacyKey.make(in: tree)
        let first = try #require(PrivacyKey(in: tree))
        #expect(Set(first.bytes).count > 8)
        try PrivacyKey.make(in: tree)
        #expect(PrivacyKey(in: tree)?.bytes == first.bytes)
        var status = stat()
        #expect(unsafe stat(root + PrivacyKey.path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(status.st_size == 32)

        try Data(first.bytes.dropLast()).write(to: URL(filePath: root + PrivacyKey.path))
        #expect(PrivacyKey(in: tree) == nil)
        try Data(first.bytes + [0]).write(to: URL(filePath: root + PrivacyKey.path))
        #expect(PrivacyKey(in: tree) == nil)
    }
}
