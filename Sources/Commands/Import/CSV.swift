/// Reads comma-separated values (RFC 4180) row by row, without a copy of what needs none.
///
/// The separator is a comma, a semicolon or a tab: whichever stands most often in the first row.
struct CSVReader {
    /// One field of a row: where it stands.
    struct Field {
        fileprivate let range: Range<Int>
        /// Whether quotes inside it are doubled.
        fileprivate let isEscaped: Bool
    }

    private let bytes: [UInt8]
    private var index: Int
    private let separator: UInt8
    /// The line on which the last row began, from 1.
    private(set) var line = 0
    private var nextLine = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        let header = bytes[index...].prefix { $0 != lineFeed && $0 != carriageReturn }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let counts = candidates.map { candidate in header.lazy.filter { $0 == candidate }.count }
        separator = zip(candidates, counts).max { $0.1 < $1.1 }?.0 ?? UInt8(ascii: ",")
    }

    /// How much has been read, 0 to 1.
    var progress: Double { bytes.isEmpty ? 1 : Double(index) / Double(bytes.count) }

    /// Reads one row into `fields`, and passes over empty lines.
    ///
    /// - Returns: `false` at the end.
    mutating func readRow(into fields: inout [Field]) -> Bool {
        while index < bytes.count, bytes[index] == lineFeed || bytes[index] == carriageReturn {
            if bytes[index] == lineFeed { nextLine += 1 }
            index += 1
        }
        fields.removeAll(keepingCapacity: true)
        guard index < bytes.count else { return false }
        line = nextLine
        while true {
            fields.append(readField())
            guard index < bytes.count, bytes[index] == separator else { break }
            index += 1
        }
        return true
    }

    /// Reads one field and stops at what ends it.
    private mutating func readField() -> Field {
        guard index < bytes.count, bytes[index] == quote else {
            let start = index
            while index < bytes.count, bytes[index] != separator, bytes[index] != lineFeed,
                bytes[index] != carriageReturn
            {
                index += 1
            }
            return Field(range: start..<index, isEscaped: false)
        }
        index += 1
        let start = index
        var isEscaped = false
        while index < bytes.count {
            if bytes[index] == quote {
                guard index + 1 < bytes.count, bytes[index + 1] == quote else { break }
                isEscaped = true
                index += 1
            } else if bytes[index] == lineFeed {
                nextLine += 1
            }
            index += 1
        }
        let end = index
        // Whatever stands between the closing quote and the separator is not the sender's meaning.
        while index < bytes.count, bytes[index] != separator, bytes[index] != lineFeed, bytes[index] != carriageReturn {
            index += 1
        }
        return Field(range: start..<end, isEscaped: isEscaped)
    }

    /// What a field says.
    func content(of field: Field) -> ArraySlice<UInt8> {
        let raw = bytes[field.range]
        guard field.isEscaped else { return raw }
        var result: [UInt8] = []
        var isSecond = false
        for byte in raw {
            isSecond = byte == quote && !isSecond
            if !isSecond { result.append(byte) }
        }
        return result[...]
    }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
private let quote = UInt8(ascii: "\"")

/// A row of comma-separated values, quoted where it has to be.
func csvRow(_ fields: [String]) -> String {
    fields.map { field in
        let isPlain = !field.utf8.contains { $0 == 0x2c || $0 == 0x3b || $0 == 0x22 || $0 < 0x20 }
        return isPlain
            ? field
            : "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }.joined(separator: ",")
}
