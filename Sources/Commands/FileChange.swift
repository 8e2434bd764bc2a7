import ProtectedFiles
import Wireless

/// A file as it is and as it is to be.
struct FileChange {
    /// The path in the tree.
    let path: String
    let old: [UInt8]
    let new: [UInt8]

    /// Above this, finding the least difference takes too long, and nobody would read it.
    private static let longestDiff = 20_000

    /// Prints a unified diff, as `diff -u` does.
    func printDiff(to output: Output, _ tree: ProtectedTree) {
        guard old != new else { return }
        let (oldLines, newLines) = (lines(of: old), lines(of: new))
        output.print("--- \(old.isEmpty ? "/dev/null" : tree.systemPath(path))")
        output.print("+++ \(tree.systemPath(path))")
        guard oldLines.count + newLines.count <= Self.longestDiff else {
            output.print("@@ \(oldLines.count) lines before, \(newLines.count) lines after @@")
            return
        }
        for hunk in hunks(of: Script(from: oldLines, to: newLines)) {
            output.print(output.styled(hunk.header, .faint))
            for line in hunk.lines {
                let text = "\(line.mark)\(printable(line.text))"
                output.print(
                    line.mark == "+" ? output.styled(text, .good) : line.mark == "-" ? output.styled(text, .bad) : text)
            }
        }
    }

    private func lines(of bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

/// Lines with what happens to each: a blank stays, `-` goes, `+` comes.
private struct Script {
    struct Line {
        let mark: Character
        let text: String
    }

    var lines: [Line] = []

    init(from old: [String], to new: [String]) {
        let difference = new.difference(from: old)
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if i < old.count, removed.contains(i) {
                lines.append(Line(mark: "-", text: old[i]))
                i += 1
            } else if j < new.count, inserted.contains(j) {
                lines.append(Line(mark: "+", text: new[j]))
                j += 1
            } else {
                lines.append(Line(mark: " ", text: new[j]))
                i += 1
                j += 1
            }
        }
    }
}

/// The parts of a script with changes, each with up to three lines around it.
private func hunks(of script: Script) -> [(header: String, lines: ArraySlice<Script.Line>)] {
    let context = 3
    var hunks: [(header: String, lines: ArraySlice<Script.Line>)] = []
    var ranges: [Range<Int>] = []
    for (index, line) in script.lines.enumerated() where line.mark != " " {
        let range = max(0, index - context)..<min(script.lines.count, index + context + 1)
        if let last = ranges.last, last.upperBound >= range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }
    for range in ranges {
        let before = script.lines[..<range.lowerBound]
        func place(_ other: Character) -> String {
            let start = before.filter { $0.mark != other }.count
            let count = script.lines[range].filter { $0.mark != other }.count
            return "\(count == 0 ? start : start + 1),\(count)"
        }
        hunks.append(("@@ -\(place("+")) +\(place("-")) @@", script.lines[range]))
    }
    return hunks
}
