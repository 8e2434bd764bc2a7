import Glibc
import ProtectedFiles
import Wireless

/// Standard output, and what a terminal can do with it.
///
/// Results are collected and written at the end, so that a failed write is noticed and nothing is half written.
final class Output {
    private var text = ""
    /// Whether results go to a terminal that shows colour.
    let isColourful: Bool
    /// Whether results go to a terminal at all.
    let isTerminal: Bool

    init() {
        isTerminal = isatty(1) == 1
        let plain = unsafe getenv("NO_COLOR").map { unsafe $0.pointee != 0 } ?? false
        let dumb = unsafe getenv("TERM").map { unsafe String(cString: $0) == "dumb" } ?? true
        isColourful = isTerminal && !plain && !dumb
    }

    func print(_ line: String, terminator: String = "\n") {
        text += line + terminator
    }

    /// Writes what was collected.
    ///
    /// - Throws: ``Failure`` when not all of it could be written.
    func flush() throws(Failure) {
        let bytes = Array(text.utf8)
        text = ""
        do { try writeAll(bytes, to: 1) } catch { throw Failure("cannot write to standard output: \(error)") }
    }

    /// Text in a colour, where colours are shown.
    func styled(_ text: String, _ style: Style) -> String {
        isColourful ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// What a colour says, as the number of its control sequence (ECMA-48, SGR).
    enum Style: String {
        case good = "32"
        case bad = "31"
        case careful = "33"
        case heading = "1"
        case faint = "2"
    }

    /// Prints rows as columns, each as wide as its widest cell.
    func printTable(_ rows: [[String]]) {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { width($0.dropFirst(column).first ?? "") }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 + 2 - width($0)) }
            print(cells.joined().trimmingTrailingBlanks())
        }
    }
}

/// How many places text takes on a terminal: control sequences take none.
private func width(_ text: String) -> Int {
    text.split(separator: "\u{1b}[", omittingEmptySubsequences: false).enumerated()
        .map { $0.offset == 0 ? $0.element.count : $0.element.drop { $0 != "m" }.dropFirst().count }
        .reduce(0, +)
}

/// Writes one line to standard error, behind the name of the program, and nothing in it that could steer a terminal.
func complain(_ line: String) {
    let bytes = Array("onsite: \(printable(line))\n".utf8)
    // There is nobody to tell when this fails.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}

/// What `errno` says.
func errorText() -> String {
    "\(SystemError(call: "", code: errno))"
}

extension String {
    fileprivate func trimmingTrailingBlanks() -> String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
