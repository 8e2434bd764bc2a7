public import Trust
import Wireless

extension NetworkFile {
    /// Changes the text of a network's file so that it says what this file says, and leaves the rest alone: comments,
    /// order, layout.
    ///
    /// The result is read back. It is given out only if it means exactly this file.
    ///
    /// - Parameters:
    ///   - bytes: the text as it is.
    ///   - path: its path, for messages.
    ///   - minimumEvidence: what counts when the file says nothing.
    public func edited(
        _ bytes: [UInt8], path: String, minimumEvidence: EvidenceLevel
    ) throws(FileProblems) -> [UInt8] {
        func read(_ bytes: [UInt8]) -> (network: NetworkFile, problems: [FileProblem]) {
            Self.parse(bytes, name: network.name, file: path, minimumEvidence: minimumEvidence)
        }
        let old = read(bytes)
        guard old.problems.isEmpty else { throw FileProblems(all: old.problems) }
        do throws(FileProblem) {
            var text = EditableText(bytes, entries: try TOMLNode.parse(bytes, file: path))
            for key in ListKey.allCases {
                text.set(key.rawValue, from: old.network.values(of: key), to: values(of: key))
            }
            func set<Value: Equatable>(_ key: String, _ value: (NetworkFile) -> Value, _ literal: (Value) -> String?) {
                if value(self) != value(old.network) { text.set(key, literal(value(self))) }
            }
            set("minimum-evidence", \.network.minimumEvidence) { tomlString($0.rawValue) }
            set("action", \.network.action) { tomlString($0.rawValue) }
            set("site", \.network.site) { $0.map(tomlString) }
            set("expires", \.network.expires) { $0?.description }

            let new = text.bytes
            guard read(new).problems.isEmpty, read(new).network.means(self) else {
                throw FileProblem(
                    file: path, "cannot be changed without changing more than was asked for",
                    hint: "edit it by hand, or write it anew with --replace")
            }
            return new
        } catch {
            throw FileProblems(all: [error])
        }
    }
}

/// The text of a document and the changes to be made to it.
private struct EditableText {
    private let original: [UInt8]
    private let entries: [TOMLNode.Entry]
    private var changes: [(range: Range<Int>, replacement: String)] = []
    private var appended = ""

    init(_ bytes: [UInt8], entries: [TOMLNode.Entry]) {
        original = bytes
        self.entries = entries
    }

    /// Replaces the value of a key, or adds the key.
    mutating func set(_ key: String, _ literal: String?) {
        let node = entries.first { $0.key == key }?.node
        switch (node, literal) {
        case (let node?, let literal?): changes.append((range(of: node), literal))
        case (nil, let literal?): appended += "\(key) = \(literal)\n"
        // A whole line cannot be taken away without its comment. Reading the result back finds that it is still there.
        case (_, nil): break
        }
    }

    /// Adds values to a list, and takes values away.
    mutating func set(_ key: String, from old: [String], to new: [String]) {
        let added = new.filter { !old.contains($0) }
        let removed = old.filter { !new.contains($0) }
        if added.isEmpty, removed.isEmpty { return }
        guard let node = entries.first(where: { $0.key == key })?.node, case .array(let elements) = node.value else {
            set(
                key,
                new.count == 1 && key.hasPrefix("ssid") ? tomlString(new.first ?? "") : tomlArray(new.map(tomlString)))
            return
        }
        for (element, next) in zip(elements, elements.dropFirst().map(Optional.some) + [nil]) {
            guard case .string(let text) = element.value, removed.contains(where: { sameValue($0, text) }) else {
                continue
            }
            // With the comma and the blanks up to the next element, or up to its own comma.
            let end = next.map { range(of: $0).lowerBound } ?? endOfComma(after: range(of: element).upperBound)
            let isOnOneLine = !original[range(of: element).upperBound..<end].contains(UInt8(ascii: "\n"))
            changes.append(
                (
                    range(of: element)
                        .lowerBound..<(isOnOneLine ? end : endOfComma(after: range(of: element).upperBound)), ""
                ))
        }
        guard !added.isEmpty else { return }
        guard let last = elements.last else {
            changes.append((range(of: node), tomlArray(added.map(tomlString))))
            return
        }
        // After the last element, in its manner: on its line, or on a line of its own with the same indent.
        let place = range(of: last).upperBound
        let indent = indentation(before: range(of: last).lowerBound)
        let separator = indent.map { ",\n\($0)" } ?? ", "
        changes.append((place..<place, added.map { separator + tomlString($0) }.joined()))
    }

    /// The text with every change made.
    var bytes: [UInt8] {
        var result = original
        for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            result.replaceSubrange(change.range, with: change.replacement.utf8)
        }
        if !appended.isEmpty {
            if let last = result.last, last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
            result += Array(appended.utf8)
        }
        return result
    }

    private func range(of node: TOMLNode) -> Range<Int> {
        let start = offset(of: node.region.start)
        return start..<max(start, offset(of: node.region.end))
    }

    /// The byte at a line and a column of Unicode scalars, at most the end of the text.
    private func offset(of position: TOMLNode.Position) -> Int {
        var line = 1
        var index = 0
        while line < position.line, index < original.count {
            if original[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
        var column = 1
        while column < position.column, index < original.count {
            index += 1
            while index < original.count, original[index] & 0xc0 == 0x80 { index += 1 }
            column += 1
        }
        return index
    }

    /// The place after a comma that follows, where only blanks stand before it.
    private func endOfComma(after index: Int) -> Int {
        var end = index
        while end < original.count, original[end] == 0x20 || original[end] == 0x09 { end += 1 }
        return end < original.count && original[end] == UInt8(ascii: ",") ? end + 1 : index
    }

    /// The blanks before an element that begins its line, or `nil` when something else stands before it.
    private func indentation(before index: Int) -> String? {
        let line = original.prefix(index).reversed().prefix { $0 != UInt8(ascii: "\n") }
        guard line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }), line.count < index else { return nil }
        return String(decoding: line.reversed(), as: UTF8.self)
    }
}

/// Whether a value of a file says the same as one of ours, which is written in one form only.
private func sameValue(_ ours: String, _ written: String) -> Bool {
    if ours == written { return true }
    guard let pattern = try? BSSIDPattern(written) else { return false }
    return pattern.description == ours
}
