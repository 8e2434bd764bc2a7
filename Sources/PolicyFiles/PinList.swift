import Wireless

/// A list of access points: one BSSID, or BSSID/prefix, a line; `#` begins a comment.
enum PinList {
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
        let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        var number = 0
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let entry = line.prefix { $0 != UInt8(ascii: "#") }.trimmingBlanks()
            if entry.isEmpty { continue }
            do throws(BSSIDError) {
                pins.append(try BSSIDPattern(ascii: entry))
            } catch {
                if problems.count < problemLimit {
                    let shown = printable(entry.prefix(32)) + (entry.count > 32 ? "…" : "")
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
}

extension ArraySlice<UInt8> {
    /// The bytes without blanks, tabs and a carriage return at either end.
    fileprivate func trimmingBlanks() -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return []
        }
        return self[first...last]
    }
}
