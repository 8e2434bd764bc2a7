import CSodium
import Glibc
public import ProtectedFiles
public import Wireless

/// The secret that turns a network into an identifier for logs: the same on one machine, useless elsewhere.
public struct PrivacyKey: Sendable {
    /// Where it is kept: root's alone.
    public static let path = "/var/lib/onsite/privacy.key"
    /// Its length in bytes.
    public static let length = Int(crypto_auth_hmacsha256_KEYBYTES)

    let bytes: [UInt8]

    /// A key that is known elsewhere, such as one of a whole fleet: `nil` unless it has ``length`` bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Reads the key, or `nil` when there is none or the caller may not read it. A log then has no identifier.
    public init?(in tree: ProtectedTree) {
        guard let contents = try? tree.contents(of: Self.path, limit: Self.length) else { return nil }
        self.init(bytes: contents.bytes)
    }

    /// Reads the key that systemd hands to the service, which may not read root's files.
    static func credential() -> PrivacyKey? {
        guard let file = unsafe fopen("/run/credentials/onsite-gate.service/privacy.key", "re") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: length + 1)
        return PrivacyKey(bytes: Array(bytes.prefix(unsafe fread(&bytes, 1, bytes.count, file))))
    }

    /// Makes a key unless there is one.
    public static func make(in tree: ProtectedTree) throws(ProtectedFileError) {
        guard try tree.entry(at: path) == nil else { return }
        try PrivacyKey().store(in: tree)
    }

    /// A key that nobody has had before.
    public init() {
        var bytes = [UInt8](repeating: 0, count: Self.length)
        unsafe randombytes_buf(&bytes, bytes.count)
        self.bytes = bytes
    }

    /// Puts the key in the place of the one before. The caller holds the lock of the configuration.
    public func store(in tree: ProtectedTree) throws(ProtectedFileError) {
        try tree.makeDirectory("/var/lib/onsite")
        try tree.replace(Self.path, attributes: .fresh(mode: 0o600)) { (file) throws(SystemError) in
            try file.writeAll(bytes)
        }
    }

    /// The identifier of a network, or of one at an access point where that matters: HMAC-SHA256 over the name and the
    /// address, shortened to 16 hexadecimal digits.
    public func identifier(ssid: SSID, bssid: BSSID?) -> String {
        let message = ssid.bytes + (bssid.map { octets(of: $0.rawValue) } ?? [])
        var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
        // All three are arrays that outlive the call; the key has the length that the function reads.
        unsafe crypto_auth_hmacsha256(&code, message, UInt64(message.count), bytes)
        return hexadecimal(code.prefix(8))
    }
}
