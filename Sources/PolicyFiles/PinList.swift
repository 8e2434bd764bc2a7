import Wireless

/// A list of access points: one BSSID, or BSSID/prefix, a line; `#` begins a comment.
public enum PinList {
    /// The largest list that is read, in bytes: over a million lines.
    static let sizeLimit = 64 << 20
    /// How many mistakes are reported before the rest is counted.
    private static let problemLimit = 20

    /// Reads a list.
    ///
    /// - Parameter file: its path, for messages.
    static func parse(_ bytes: [UInt8], file: String) -> (pins: [BSSIDPattern], problems: [FileProblem]) {
        var pins: [BSSIDPattern] = []
        var problems: [FileProblem] = []
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            return ([], [FileProblem(file: file, "the file is UTF-16", hint: "save it as UTF-8")])
        }
        forEachLine(of: bytes) { number, _, entry in
            if entry.isEmpty { return }
            do throws(BSSIDError) {
                pins.append(try BSSIDPattern(ascii: bytes.span.extracting(entry)))
            } catch {
                if problems.count < problemLimit {
                    let shown = printable(bytes[entry].prefix(32)) + (entry.count > 32 ? "…" : "")
                    problems.append(FileProblem(file: file, line: number, "cannot read \"\(shown)\"", hint: "\(error)"))
                }
            }
        }
        if pins.isEmpty, problems.isEmpty {
            problems.append(
                FileProblem(file: file, "the list is empty", hint: "a pinned network needs an access point"))
        }
        return (pins, problems)
    }

    /// Calls `body` for each line, with its number, where it stands with what ends it, and where what it says stands:
    /// without blanks, comment and byte order mark; empty for a line that says nothing.
    public static func forEachLine(of bytes: [UInt8], _ body: (Int, Range<Int>, Range<Int>) -> Void) {
        var number = 0
        var start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        while start < bytes.count {
            number += 1
            // What the line says begins at its first and ends behind its last character that is no blank.
            var (first, last) = (start, start)
            var isComment = false
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
                let byte = bytes[end]
                end += 1
                if byte == UInt8(ascii: "#") { isComment = true }
                if isComment || byte == 0x20 || byte == 0x09 || byte == 0x0d { continue }
                if first == last { first = end - 1 }
                last = end
            }
            end = min(end + 1, bytes.count)
            body(number, start..<end, first..<last)
            start = end
        }
    }
}
