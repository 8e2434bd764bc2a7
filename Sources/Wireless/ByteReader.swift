/// Reads a byte buffer from front to back and never past its end.
///
/// Every read returns `nil` when the buffer is too short, and then consumes nothing. No read can trap.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) {
        rest = ArraySlice(bytes)
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func readByte() -> UInt8? {
        rest.popFirst()
    }

    mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func readRest() -> ArraySlice<UInt8> {
        defer { rest = [] }
        return rest
    }

    /// Reads a 16-bit integer in the byte order of IEEE 802.11, which is little-endian.
    mutating func readLittleEndianUInt16() -> UInt16? {
        guard let bytes = readBytes(2), let low = bytes.first, let high = bytes.last else { return nil }
        return UInt16(low) | UInt16(high) << 8
    }
}
