/// Returns a byte as two lower-case hexadecimal digits.
public func hexPair(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
}

/// Returns bytes as lower-case hexadecimal digits, two a byte.
public func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map(hexPair).joined()
}

/// Parses hexadecimal digits, two a byte, in either case.
///
/// - Returns: `nil` for an odd count and for anything that is not a digit: a sign, a blank, a `0x`.
public func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
    var result: [UInt8] = []
    var high: UInt8?
    for digit in text.utf8 {
        guard let value = hexDigitValue(digit) else { return nil }
        if let first = high {
            result.append(first << 4 | value)
            high = nil
        } else {
            high = value
        }
    }
    return high == nil ? result : nil
}

/// Returns the value of one hexadecimal digit, 0 to 15.
func hexDigitValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character &- UInt8(ascii: "A") &+ 10
    default: nil
    }
}
