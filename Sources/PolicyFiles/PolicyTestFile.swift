public import Trust
import Wireless

/// A file of policy tests: what is seen, who asks, and what the policy is expected to say.
public struct PolicyTestFile: Sendable {
    public let cases: [Case]

    /// One test.
    public struct Case: Sendable {
        public let name: String
        /// Where it begins in the file.
        public let line: Int
        public let evidence: Recording
        /// Who logs in, or `nil` when the question is about the network alone.
        public let asker: Asker?
        public let expected: Expectation
    }

    /// What the machine saw.
    public enum Recording: Sendable {
        case inline(Evidence)
        /// A file that `onsite status --json --precise` wrote; its path is relative to the file of tests.
        case file(String)
    }

    /// Who logs in.
    public struct Asker: Equatable, Sendable {
        public let user: String
        public let service: String
        public let rhost: String
        /// Whether the login session was opened from another machine; `nil`: what was recorded, or else no.
        public let isRemote: Bool?
    }

    /// What the policy is expected to say. What is `nil` may be anything.
    public struct Expectation: Equatable, Sendable {
        public let isRequired: Bool
        public let reason: Reason?
        public let network: String?
    }

    /// Reads a file of tests.
    ///
    /// - Parameter file: its path, for messages.
    public static func parse(_ bytes: [UInt8], file: String) throws(FileProblems) -> PolicyTestFile {
        let entries: [TOMLNode.Entry]
        do { entries = try TOMLNode.parse(bytes, file: file) } catch { throw FileProblems(all: [error]) }
        var reader = TableReader(entries, file: file)
        if let version = reader.integer("version"), version.value != 1 {
            reader.fail(version.line, "version \(version.value) is not known", hint: "this onsite reads version = 1")
        }
        var cases: [Case] = []
        for (number, table) in reader.tables("case").enumerated() {
            var table = table
            if let parsed = table.reader.policyTest(line: table.line, number: number + 1) { cases.append(parsed) }
            reader.adopt(table.reader.problems)
        }
        reader.finish()
        if cases.isEmpty, reader.problems.isEmpty {
            reader.fail(nil, "there is no test", hint: "begin one with [[case]]")
        }
        guard reader.problems.isEmpty else { throw FileProblems(all: reader.problems) }
        return PolicyTestFile(cases: cases)
    }
}

/// The two answers, in the words of `check --json`.
private enum SecondFactor: String, CaseIterable {
    case required
    case notRequired = "not-required"
}

extension TableReader {
    fileprivate mutating func policyTest(line: Int, number: Int) -> PolicyTestFile.Case? {
        let name = string("name")?.value ?? "case \(number)"
        let recording: PolicyTestFile.Recording?
        if let path = string("evidence-file") {
            recording = .file(path.value)
            if node("evidence") != nil { fail(path.line, "evidence-file goes without evidence") }
        } else {
            var evidence = table("evidence")
            recording = node("evidence") == nil ? nil : .inline(evidence.evidence())
            evidence.finish()
            adopt(evidence.problems)
        }
        if recording == nil { fail(line, "the test has no evidence", hint: "add evidence = { … } or evidence-file") }

        let isAboutNetwork = boolean("network-only") ?? false
        let (user, service, rhost) = (string("user"), string("service"), string("rhost"))
        let isRemote = boolean("remote")
        if isAboutNetwork, let text = user ?? service ?? rhost {
            fail(text.line, "network-only goes without user, service and rhost")
        }
        let asker = PolicyTestFile.Asker(
            user: user?.value ?? "anna", service: service?.value ?? "sudo", rhost: rhost?.value ?? "",
            isRemote: isRemote)

        var expect = table("expect")
        let factor = expect.choice("second_factor", SecondFactor.allCases)
        let reason = expect.choice("reason", Reason.allCases)
        let network = expect.string("network")?.value
        expect.finish()
        adopt(expect.problems)
        if factor == nil, reason == nil, expect.problems.isEmpty {
            fail(line, "the test expects nothing", hint: "add expect = { second_factor = \"required\" }")
        }
        let isRequired = factor.map { $0 == .required } ?? (reason?.answer != .notRequired)
        if let reason, (reason.answer != .notRequired) != isRequired {
            fail(line, "the test expects \(reason.rawValue) and contradicts it with second_factor")
        }
        finish()
        guard let recording else { return nil }
        return PolicyTestFile.Case(
            name: name, line: line, evidence: recording, asker: isAboutNetwork ? nil : asker,
            expected: PolicyTestFile.Expectation(isRequired: isRequired, reason: reason, network: network))
    }

    /// Evidence in short: one station, with what is not said as on a network that has proven its key.
    private mutating func evidence() -> Evidence {
        if let reason = choice("unavailable", Reason.allCases.filter(\.isUnavailability)) {
            return .unavailable(reason, source: .nl80211)
        }
        let names = ssids(required: false)
        var station = Interface(
            name: "wlan0", index: 1, type: .station, state: names.isEmpty ? .disconnected : .connected)
        station.ssid = names.first
        if names.count > 1 { fail(node("ssid")?.line, "a station is on one network") }
        station.state = choice("state", Interface.State.allCases) ?? station.state
        station.links = addresses("bssid")
        station.mld = addresses("mld").first
        station.authorized = boolean("authorized") ?? (station.state == .connected ? true : nil)
        if station.state == .connected, station.links.isEmpty {
            fail(node("ssid")?.line, "a connected station has an access point", hint: "add bssid")
        }
        station.security = Set(
            choices("security", Security.allCases) ?? (station.state == .connected ? [.wpa2Personal] : []))
        station.negotiated = choice("negotiated", Security.allCases)
        station.verified = boolean("verified") ?? false
        return .interfaces([station], source: .nl80211)
    }

    private mutating func addresses(_ key: String) -> [BSSID] {
        var found: [BSSID] = []
        for text in strings(key) ?? [] {
            do { found.append(try BSSID(text.value)) } catch {
                fail(text.line, "\(key) cannot be \(quoted(text.value))", hint: "\(error)")
            }
        }
        return found
    }
}
