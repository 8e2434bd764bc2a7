/// Returns bytes as printable ASCII, with a backslash doubled and every other byte written as `\xNN`.
///
/// The result is one line without terminal escapes, and can be turned back into the bytes. Text from the air, from a
/// user or from the network passes through here before it reaches a terminal or a log.
public func printable(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        switch byte {
        case UInt8(ascii: "\\"): "\\\\"
        case 0x20...0x7e: String(UnicodeScalar(byte))
        default: "\\x" + hexPair(byte)
        }
    }.joined()
}

/// Returns text for people with everything that could steer a terminal or forge a line written as `\u{N}`.
///
/// Letters of every script stay. Control characters, line and paragraph separators, and formatting characters such as
/// the ones that reverse the direction of writing do not.
public func printable(_ text: some StringProtocol) -> String {
    let whole = String(text)
    // Most text is plain, and then this is all.
    if whole.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return whole }
    var result = String.UnicodeScalarView()
    for scalar in whole.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
            result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
        default:
            result.append(scalar)
        }
    }
    return String(result)
}
