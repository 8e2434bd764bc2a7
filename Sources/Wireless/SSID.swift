/// The name of a wireless network.
///
/// An SSID is 1 to 32 bytes, not text: it may hold NUL, control characters and invalid UTF-8 (IEEE 802.11-2020,
/// 9.4.2.2). Two are equal only when their bytes are. Text exists for people alone: as a string, different names would
/// compare equal.
public struct SSID: Hashable, Sendable {
    /// The longest name that a beacon can carry, in bytes.
    public static let maximumLength = 32

    /// The name, 1 to 32 bytes.
    public let bytes: [UInt8]

    /// Creates a name from the bytes that the kernel or a file gave.
    ///
    /// - Returns: `nil` for an empty name, which stands for a hidden network, and for one that is too long.
    public init?(bytes: some Collection<UInt8>) {
        guard (1...Self.maximumLength).contains(bytes.count) else { return nil }
        self.bytes = Array(bytes)
    }

    /// The name as text, or `nil` when its bytes are not UTF-8.
    ///
    /// It may hold control characters. For a terminal or a log, use ``description``.
    public var text: String? {
        String(validating: bytes, as: UTF8.self)
    }
}

extension SSID: CustomStringConvertible {
    /// The name in printable ASCII, every other byte as `\xNN`.
    public var description: String {
        printable(bytes)
    }
}
