import Trust

extension Rules {
    /// Reads `policy.toml`.
    ///
    /// - Parameters:
    ///   - bytes: the contents, UTF-8.
    ///   - file: its path, for messages.
    static func parse(_ bytes: [UInt8], file: String) -> (rules: Rules, problems: [FileProblem]) {
        var rules = Rules()
        let entries: [TOMLNode.Entry]
        do { entries = try TOMLNode.parse(bytes, file: file) } catch { return (rules, [error]) }
        var reader = TableReader(entries, file: file)

        if let version = reader.integer("version"), version.value != 1 {
            reader.fail(version.line, "version \(version.value) is not known", hint: "this onsite reads version = 1")
        }

        var decision = reader.table("decision")
        rules.minimumEvidence =
            decision.choice("minimum-evidence", EvidenceLevel.demandable) ?? rules.minimumEvidence
        rules.stations = decision.choice("stations", Stations.allCases) ?? rules.stations
        rules.remoteSessions = decision.choice("remote-sessions", RemoteSessions.allCases) ?? rules.remoteSessions
        if let wait = decision.string("wait") {
            if let milliseconds = milliseconds(wait.value), milliseconds <= 10_000 {
                rules.wait = milliseconds
            } else {
                decision.fail(
                    wait.line, "decision.wait cannot be \(quoted(wait.value))",
                    hint: "\"0s\" to \"10s\", or milliseconds such as \"500ms\"")
            }
        }
        decision.finish()
        reader.adopt(decision.problems)

        var always = reader.table("always-require")
        rules.alwaysRequire = always.askers()
        always.finish()
        reader.adopt(always.problems)

        var leave = reader.table("leave")
        rules.locksSessions = leave.boolean("lock-sessions") ?? rules.locksSessions
        leave.finish()
        reader.adopt(leave.problems)

        var privacy = reader.table("privacy")
        rules.identifiers = privacy.choice("log-identifiers", Identifiers.allCases) ?? rules.identifiers
        rules.consent = privacy.choice("consent", Consent.allCases) ?? rules.consent
        let hasPurposes = privacy.node("purposes") != nil
        var purposes = privacy.table("purposes")
        if hasPurposes {
            rules.purposes = []
            for (key, sentence) in purposes.allTexts() {
                rules.purposes.append(Purpose(key: key, sentence: sentence.value))
                if !isName(key) {
                    purposes.fail(
                        sentence.line, "\(quoted(key)) cannot be a purpose", hint: "use a-z, 0-9 and -, at most 63")
                }
                if sentence.value.allSatisfy(\.isWhitespace) {
                    purposes.fail(
                        sentence.line, "the purpose \(quoted(key)) says nothing",
                        hint: "write the sentence that people are shown")
                }
            }
        }
        purposes.finish()
        privacy.adopt(purposes.problems)
        privacy.finish()
        reader.adopt(privacy.problems)

        reader.finish()
        return (rules, reader.problems)
    }
}

extension EvidenceLevel {
    /// The levels that a configuration can ask for. To ask for none would be to trust without a connection.
    static let demandable = allCases.filter { $0 > .none }
}

extension TableReader {
    /// The users, groups and services of a table.
    mutating func askers() -> Askers {
        func names(_ key: String, _ texts: [Located<String>]?) -> [String] {
            (texts ?? []).map { text in
                if text.value.isEmpty || text.value.utf8.contains(where: { $0 < 0x21 || $0 == 0x7f }) {
                    fail(text.line, "\(quoted(text.value)) is no name for \(key)", hint: "a name without blanks")
                }
                return text.value
            }
        }
        let (users, groups, services) = (strings("users"), strings("groups"), strings("services"))
        return Askers(
            users: names("users", users), groups: names("groups", groups), services: names("services", services))
    }
}

/// Parses a time such as `5s` or `500ms`.
///
/// - Returns: milliseconds, or `nil` for anything else and for more than a day.
public func milliseconds(_ text: String) -> UInt32? {
    let (digits, factor): (Substring, UInt32) =
        text.hasSuffix("ms") ? (text.dropLast(2), 1) : text.hasSuffix("s") ? (text.dropLast(), 1000) : ("", 0)
    guard (1...8).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = UInt32(digits), number <= 86_400_000 / factor
    else { return nil }
    return number * factor
}

/// Whether text can name a network, a purpose: `[a-z0-9][a-z0-9-]{0,62}`.
public func isName(_ text: String) -> Bool {
    (1...63).contains(text.utf8.count) && !text.hasPrefix("-")
        && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
}
