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
            var text = EditableText(bytes, path: path)
            for key in ListKey.allCases {
                try text.set(key.rawValue, from: old.network.values(of: key), to: values(of: key))
            }
            func set<Value: Equatable>(
                _ key: String, _ value: (NetworkFile) -> Value, _ literal: (Value) -> String?
            ) throws(FileProblem) {
                if value(self) != value(old.network) { try text.set(key, literal(value(self))) }
            }
            try set("bssid-file", \.pinFile) { $0.map(tomlString) }
            try set("minimum-evidence", \.network.minimumEvidence) { tomlString($0.rawValue) }
            try set("action", \.network.action) { tomlString($0.rawValue) }
            try set("site", \.network.site) { $0.map(tomlString) }
            try set("expires", \.network.expires) { $0?.description }

            let result = read(text.bytes)
            if let problem = result.problems.first { throw problem }
            guard result.network.means(self) else {
                throw FileProblem(
                    file: path, "cannot be changed without changing more than was asked for",
                    hint: "edit it by hand, or write it anew with --replace")
            }
            return text.bytes
        } catch {
            throw FileProblems(all: [error])
        }
    }
}

/// The text of a document that is changed step by step. After every step it is parsed anew, so that a step never works
/// with places of the text before it.
private struct EditableText {
    private(set) var bytes: [UInt8]
    private let path: String

    init(_ bytes: [UInt8], path: String) {
        self.bytes = bytes
        self.path = path
    }

    /// Replaces the value of a key, or adds the key.
    mutating func set(_ key: String, _ literal: String?) throws(FileProblem) {
        // A whole line cannot be taken away without its comment. Reading the result back finds that it is still there.
        guard let literal else { return }
        if let node = try node(key) {
            replace(range(of: node), literal)
        } else {
            if let last = bytes.last, last != UInt8(ascii: "\n") { bytes += Array(lineBreak.utf8) }
            let lines = "\(key) = \(literal)".split(separator: "\n", omittingEmptySubsequences: false)
            bytes += Array((lines.joined(separator: lineBreak) + lineBreak).utf8)
        }
    }

    /// Adds values to a list, and takes values away.
    mutating func set(_ key: String, from old: [String], to new: [String]) throws(FileProblem) {
        // By their bytes: names that are equal for people can be two names.
        let (oldBytes, newBytes) = (Set(old.map { Array($0.utf8) }), Set(new.map { Array($0.utf8) }))
        let added = new.filter { !oldBytes.contains(Array($0.utf8)) }
        let removed = old.filter { !newBytes.contains(Array($0.utf8)) }
        if added.isEmpty, removed.isEmpty { return }
        guard try elements(of: key) != nil else {
            let isOne = new.count == 1 && key.hasPrefix("ssid")
            try set(key, isOne ? tomlString(new.first ?? "") : tomlArray(new.map(tomlString)))
            return
        }
        for value in removed {
            let elements = try elements(of: key) ?? []
            let index = elements.firstIndex { element in
                if case .string(let text) = element.value { sameValue(value, text) } else { false }
            }
            if let index { remove(index, of: elements) }
        }
        if added.isEmpty { return }
        if let last = try elements(of: key)?.last {
            append(added.map(tomlString), behind: last)
        } else {
            try set(key, tomlArray(added.map(tomlString)))
        }
    }

    private func node(_ key: String) throws(FileProblem) -> TOMLNode? {
        try TOMLNode.parse(bytes, file: path).first { $0.key == key }?.node
    }

    /// The elements of an array, or `nil` when the key is absent or no array.
    private func elements(of key: String) throws(FileProblem) -> [TOMLNode]? {
        guard case .array(let elements)? = try node(key)?.value else { return nil }
        return elements
    }

    private mutating func remove(_ index: Int, of elements: [TOMLNode]) {
        let place = range(of: elements[index])
        let comma = endOfComma(after: place.upperBound)
        let next = elements.dropFirst(index + 1).first.map { range(of: $0).lowerBound }
        let isLastOnLine = next.map { bytes[place.upperBound..<$0].contains(UInt8(ascii: "\n")) } ?? true

        if isLastOnLine, let indent = indentation(before: place.lowerBound) {
            // On a line of its own: the line goes, but not its comment.
            let end = bytes[comma...].firstIndex { !isBlank($0) } ?? bytes.count
            if let line = bytes[end...].firstIndex(of: UInt8(ascii: "\n")), bytes[end..<line].allSatisfy({ $0 == 0x0d })
            {
                replace((place.lowerBound - indent.utf8.count)..<(line + 1), "")
            } else {
                replace(place.lowerBound..<end, "")
            }
        } else if let next, !isLastOnLine {
            replace(place.lowerBound..<next, "")
        } else if index > 0, !isLastOnLine || next == nil {
            // The last one goes with the comma before it.
            replace(range(of: elements[index - 1]).upperBound..<place.upperBound, "")
        } else {
            replace(place.lowerBound..<comma, "")
        }
    }

    /// Adds elements behind the last one in its manner: on its line, or on lines of their own with the same indent.
    private mutating func append(_ literals: [String], behind last: TOMLNode) {
        let place = range(of: last)
        let comma = endOfComma(after: place.upperBound)
        let hasComma = comma > place.upperBound
        var rest = bytes[comma...].prefix { $0 != UInt8(ascii: "\n") }
        if rest.last == 0x0d { rest = rest.dropLast() }
        let isLastOnLine = rest.first { !isBlank($0) }.map { $0 == UInt8(ascii: "#") } ?? true

        if isLastOnLine, let indent = indentation(before: place.lowerBound) {
            let lines = literals.map { lineBreak + indent + $0 }.joined(separator: ",")
            // The comment of the last one stays on its line.
            replace(rest.endIndex..<rest.endIndex, hasComma ? lines + "," : lines)
            if !hasComma { replace(comma..<comma, ",") }
        } else {
            replace(place.upperBound..<place.upperBound, literals.map { ", " + $0 }.joined())
        }
    }

    private mutating func replace(_ range: Range<Int>, _ text: String) {
        bytes.replaceSubrange(range, with: text.utf8)
    }

    /// How lines end in this text.
    private var lineBreak: String {
        bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 > 0 && bytes[$0 - 1] == 0x0d } ?? false ? "\r\n" : "\n"
    }

    private func range(of node: TOMLNode) -> Range<Int> {
        let start = offset(of: node.region.start)
        return start..<max(start, offset(of: node.region.end))
    }

    /// The byte at a line and a column of Unicode scalars, at most the end of the text.
    private func offset(of position: TOMLNode.Position) -> Int {
        var line = 1
        // A byte order mark is in no column.
        var index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        while line < position.line, index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
        var column = 1
        while column < position.column, index < bytes.count {
            index += 1
            while index < bytes.count, bytes[index] & 0xc0 == 0x80 { index += 1 }
            column += 1
        }
        return index
    }

    /// The place after a comma that follows, where only blanks stand before it.
    private func endOfComma(after index: Int) -> Int {
        let end = bytes[index...].firstIndex { !isBlank($0) } ?? bytes.count
        return end < bytes.count && bytes[end] == UInt8(ascii: ",") ? end + 1 : index
    }

    /// The blanks before an element that begins its line, or `nil` when something else stands before it.
    private func indentation(before index: Int) -> String? {
        let line = bytes.prefix(index).reversed().prefix { $0 != UInt8(ascii: "\n") }
        guard line.allSatisfy(isBlank), line.count < index else { return nil }
        return String(decoding: line.reversed(), as: UTF8.self)
    }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// Whether a value of a file says the same as one of ours, which is written in one form only.
private func sameValue(_ ours: String, _ written: String) -> Bool {
    if ours.utf8.elementsEqual(written.utf8) { return true }
    guard let pattern = try? BSSIDPattern(written) else { return false }
    return pattern.description == ours
}
