import Trust

/// A value and the line on which it stands.
struct Located<Value> {
    let value: Value
    let line: Int
}

/// Takes the values out of a table, key by key, and notes whatever is wrong with them.
///
/// Every getter answers with the default when a value is wrong, so that one reading finds every mistake.
struct TableReader {
    let file: String
    private let entries: [TOMLNode.Entry]
    /// What stands before the keys in messages, such as `decision.`.
    private let prefix: String
    private var known: [String] = []
    /// Whether the keys are the user's own.
    private var takesAnyKey = false
    private(set) var problems: [FileProblem] = []

    init(_ entries: [TOMLNode.Entry], file: String, prefix: String = "") {
        self.entries = entries
        self.file = file
        self.prefix = prefix
    }

    mutating func fail(_ line: Int?, _ problem: String, hint: String? = nil) {
        problems.append(FileProblem(file: file, line: line, problem, hint: hint))
    }

    /// Adds what a reader of a table inside this one found.
    mutating func adopt(_ others: [FileProblem]) {
        problems += others
    }

    /// The value of a key as it stands, or `nil` when the key is absent.
    mutating func node(_ key: String) -> TOMLNode? {
        known.append(key)
        return entries.first { $0.key == key }?.node
    }

    /// A table inside this one, empty when the key is absent.
    mutating func table(_ key: String) -> TableReader {
        guard let node = node(key) else { return TableReader([], file: file) }
        guard case .table(let entries) = node.value else {
            wrongType(key, node, "a table: write [\(prefix)\(key)]")
            return TableReader([], file: file)
        }
        return TableReader(entries, file: file, prefix: "\(prefix)\(key).")
    }

    /// The tables of an array of tables, each with the line that it begins on.
    mutating func tables(_ key: String) -> [(line: Int, reader: TableReader)] {
        guard let node = node(key) else { return [] }
        guard case .array(let elements) = node.value else {
            wrongType(key, node, "an array of tables: write [[\(prefix)\(key)]]")
            return []
        }
        return elements.compactMap { element in
            guard case .table(let entries) = element.value else {
                wrongType(key, element, "a table: write [[\(prefix)\(key)]]")
                return nil
            }
            return (element.line, TableReader(entries, file: file, prefix: "\(key)."))
        }
    }

    /// The tables inside a table, each with its key and the line that it begins on.
    mutating func namedTables(_ key: String) -> [(key: String, table: (line: Int, reader: TableReader))] {
        guard let node = node(key) else { return [] }
        guard case .table(let entries) = node.value else {
            wrongType(key, node, "tables: write [\(prefix)\(key).NAME]")
            return []
        }
        return entries.compactMap { entry in
            guard case .table(let inner) = entry.node.value else {
                wrongType("\(key).\(entry.key)", entry.node, "a table: write [\(prefix)\(key).NAME]")
                return nil
            }
            return (entry.key, (entry.line, TableReader(inner, file: file, prefix: "\(key).\(entry.key).")))
        }
    }

    /// Every key of this table with its text.
    mutating func allTexts() -> [(key: String, text: Located<String>)] {
        takesAnyKey = true
        return entries.compactMap { entry in text(entry.key, entry.node).map { (entry.key, $0) } }
    }

    mutating func string(_ key: String) -> Located<String>? {
        node(key).flatMap { text(key, $0) }
    }

    private mutating func text(_ key: String, _ node: TOMLNode) -> Located<String>? {
        guard case .string(let text) = node.value else {
            wrongType(key, node, "text in quotes")
            return nil
        }
        return Located(value: text, line: node.line)
    }

    /// Text or an array of texts; `nil` when the key is absent.
    mutating func strings(_ key: String) -> [Located<String>]? {
        guard let node = node(key) else { return nil }
        let nodes: [TOMLNode]
        switch node.value {
        case .string: nodes = [node]
        case .array(let all): nodes = all
        case .table, .integer, .boolean, .date, .other:
            wrongType(key, node, "text in quotes, or an array of them")
            return nil
        }
        var texts: [Located<String>] = []
        for node in nodes {
            if case .string(let text) = node.value {
                texts.append(Located(value: text, line: node.line))
            } else {
                wrongType(key, node, "text in quotes")
            }
        }
        return texts
    }

    mutating func boolean(_ key: String) -> Bool? {
        guard let node = node(key) else { return nil }
        guard case .boolean(let flag) = node.value else {
            wrongType(key, node, "true or false")
            return nil
        }
        return flag
    }

    mutating func integer(_ key: String) -> Located<Int64>? {
        guard let node = node(key) else { return nil }
        guard case .integer(let number) = node.value else {
            wrongType(key, node, "a whole number")
            return nil
        }
        return Located(value: number, line: node.line)
    }

    mutating func date(_ key: String) -> Day? {
        guard let node = node(key) else { return nil }
        guard case .date(let day) = node.value else {
            wrongType(key, node, "a date without quotes, such as 2027-01-31")
            return nil
        }
        if day == nil { fail(node.line, "\(prefix)\(key) must be in the years 1970 to 9999") }
        return day
    }

    /// One word out of a fixed list.
    mutating func choice<Choice>(_ key: String, _ choices: [Choice]) -> Choice?
    where Choice: RawRepresentable<String> {
        string(key).flatMap { choice(key, $0, choices) }
    }

    /// Several words out of a fixed list; `nil` when the key is absent.
    mutating func choices<Choice>(_ key: String, _ choices: [Choice]) -> [Choice]?
    where Choice: RawRepresentable<String> {
        strings(key)?.compactMap { choice(key, $0, choices) }
    }

    private mutating func choice<Choice>(_ key: String, _ text: Located<String>, _ choices: [Choice]) -> Choice?
    where Choice: RawRepresentable<String> {
        if let choice = choices.first(where: { $0.rawValue == text.value }) { return choice }
        fail(
            text.line, "\(prefix)\(key) cannot be \(quoted(text.value))",
            hint: "one of: \(choices.map(\.rawValue).joined(separator: ", "))")
        return nil
    }

    private mutating func wrongType(_ key: String, _ node: TOMLNode, _ wanted: String) {
        fail(node.line, "\(prefix)\(key) is \(node.kind)", hint: "it must be \(wanted)")
    }

    /// Notes every key that nobody asked for.
    mutating func finish() {
        if takesAnyKey { return }
        for entry in entries where !known.contains(entry.key) {
            let near = known.map { (key: $0, distance: distance($0, entry.key)) }
                .min { $0.distance < $1.distance }.flatMap { $0.distance <= 2 ? $0.key : nil }
            fail(
                entry.line, "unknown key \(quoted(prefix + entry.key))",
                hint: near.map { "did you mean \(prefix)\($0)?" } ?? "known keys: \(known.joined(separator: ", "))")
        }
    }
}

/// How many letters must be added, taken away or exchanged to make one word of another (Levenshtein). Words that are
/// too long for a key are far from everything.
private func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard right.count <= 64 else { return right.count }
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var next = [i + 1]
        for (j, b) in right.enumerated() {
            next.append(min(row[j] + (a == b ? 0 : 1), row[j + 1] + 1, next[j] + 1))
        }
        row = next
    }
    return row.last ?? left.count
}
