import Testing
import Trust
import Wireless

@testable import Commands

@Suite("Recorded evidence")
struct EvidenceFileTests {
    static let session = #""session": { "remote": false }, "#
    static let start = #"{ "format": 1, "source": "nl80211", "unavailable": null, "#
    /// The example of the manual.
    static let example =
        start + session
        + #""interfaces": [ { "name": "wlan0", "index": 3, "type": "station", "state": "connected", "#
        + #""ssid_hex": "436f72702d5374616666", "links": [ { "bssid": "02:11:22:33:44:55" } ], "mld": null, "#
        + #""authorized": true, "mfp": true, "security": ["wpa3-personal"], "negotiated": null, "verified": false } ] }"#

    private func read(_ text: String) -> Result<EvidenceFile, EvidenceFile.Problem> {
        do throws(EvidenceFile.Problem) { return .success(try EvidenceFile(parsing: Array(text.utf8))) } catch {
            return .failure(error)
        }
    }

    static let station = Interface(
        name: "wlan0", index: 3, type: .station, state: .connected, ssid: SSID(bytes: Array("Corp-Staff".utf8)),
        links: [(try? BSSID("02:11:22:33:44:55"))].compactMap(\.self), authorized: true, mfp: true,
        security: [.wpa3Personal])

    @Test("the example of the manual is read")
    func manual() throws {
        let file = try read(Self.example).get()
        #expect(file.evidence == .interfaces([Self.station], source: .nl80211))
        #expect(file.whereabouts == .local)
    }

    /// The example with one thing changed, and where the mistake is said to be.
    struct Change: CustomTestStringConvertible, Sendable {
        let from: String
        let to: String
        let place: String
        var testDescription: String { "\(from) → \(to)" }

        init(_ from: String, _ to: String, _ place: String) { (self.from, self.to, self.place) = (from, to, place) }
    }

    static let wrongValues = [
        Change(#""format": 1"#, #""format": 2"#, "format"),
        Change(#""format": 1"#, #""format": "1""#, "format"),
        Change(#""format": 1"#, #""format": 1.5"#, "format"),
        Change(#""format": 1"#, #""format": null"#, "format"),
        Change(#""nl80211""#, #""netlink""#, "source"),
        Change(#""nl80211""#, #"null"#, "source"),
        Change(#""unavailable": null"#, #""unavailable": "not-connected""#, "unavailable"),
        Change(#""unavailable": null"#, #""unavailable": "trusted-network""#, "unavailable"),
        Change(#""unavailable": null"#, #""unavailable": false"#, "unavailable"),
        Change(#""unavailable": null"#, #""unavailable": "probe-failed""#, "interfaces"),
        Change(#""session": { "remote": false }"#, #""session": { }"#, "session.remote"),
        Change(#""session": { "remote": false }"#, #""session": null"#, "session"),
        Change(#""remote": false"#, #""remote": 0"#, "session.remote"),
        Change(#""remote": false"#, #""remote": false, "user": "x""#, "session.user"),
        Change(#""interfaces": ["#, #""interfaces": [ 1, "#, "interfaces[0]"),
        Change(#""wlan0""#, #""""#, "interfaces[0].name"),
        Change(#""wlan0""#, #"0"#, "interfaces[0].name"),
        Change(#""index": 3"#, #""index": 0"#, "interfaces[0].index"),
        Change(#""index": 3"#, #""index": -1"#, "interfaces[0].index"),
        Change(#""index": 3"#, #""index": 4294967296"#, "interfaces[0].index"),
        Change(#""index": 3"#, #""index": 3.5"#, "interfaces[0].index"),
        Change(#""index": 3"#, #""index": "3""#, "interfaces[0].index"),
        Change(#""station""#, #""Station""#, "interfaces[0].type"),
        Change(#""connected""#, #""up""#, "interfaces[0].state"),
        Change(#""connected""#, #""disconnected""#, "interfaces[0].state"),
        Change(#""connected""#, #""down""#, "interfaces[0].state"),
        Change(#""connected""#, #""associating""#, "interfaces[0].state"),
        Change(#""436f72702d5374616666""#, #""""#, "interfaces[0].ssid_hex"),
        Change(#""436f72702d5374616666""#, #""436""#, "interfaces[0].ssid_hex"),
        Change(#""436f72702d5374616666""#, #""Corp""#, "interfaces[0].ssid_hex"),
        Change(#""436f72702d5374616666""#, "\"\(String(repeating: "ff", count: 33))\"", "interfaces[0].ssid_hex"),
        Change(#""436f72702d5374616666""#, #"43"#, "interfaces[0].ssid_hex"),
        Change(#"02:11:22:33:44:55"#, #"00:00:00:00:00:00"#, "interfaces[0].links.bssid"),
        Change(#"02:11:22:33:44:55"#, #"ff:ff:ff:ff:ff:ff"#, "interfaces[0].links.bssid"),
        Change(#"02:11:22:33:44:55"#, #"02:11:22:33:44:50/44"#, "interfaces[0].links.bssid"),
        Change(#"02:11:22:33:44:55"#, #"any"#, "interfaces[0].links.bssid"),
        Change(#""02:11:22:33:44:55""#, #"null"#, "interfaces[0].links.bssid"),
        Change(#"{ "bssid": "02:11:22:33:44:55" }"#, #""02:11:22:33:44:55""#, "interfaces[0].links"),
        Change(#"{ "bssid": "02:11:22:33:44:55" }"#, #"{ }"#, "interfaces[0].links.bssid"),
        Change(#""02:11:22:33:44:55" }"#, #""02:11:22:33:44:55", "id": 1 }"#, "interfaces[0].links.id"),
        Change(
            #"{ "bssid": "02:11:22:33:44:55" }"#,
            #"{ "bssid": "02:11:22:33:44:55" }, { "bssid": "02-11-22-33-44-55" }"#, "interfaces[0].links"),
        Change(#""mld": null"#, #""mld": "00:00:00:00:00:00""#, "interfaces[0].mld"),
        Change(#""mld": null"#, #""mld": false"#, "interfaces[0].mld"),
        Change(#""authorized": true"#, #""authorized": "yes""#, "interfaces[0].authorized"),
        Change(#""authorized": true"#, #""authorized": 1"#, "interfaces[0].authorized"),
        Change(#""mfp": true"#, #""mfp": "true""#, "interfaces[0].mfp"),
        Change(#"["wpa3-personal"]"#, #"["wpa3"]"#, "interfaces[0].security"),
        Change(#"["wpa3-personal"]"#, #""wpa3-personal""#, "interfaces[0].security"),
        Change(#"["wpa3-personal"]"#, #"[null]"#, "interfaces[0].security"),
        Change(#""negotiated": null"#, #""negotiated": "none""#, "interfaces[0].negotiated"),
        Change(#""negotiated": null"#, #""negotiated": []"#, "interfaces[0].negotiated"),
        Change(#""verified": false"#, #""verified": null"#, "interfaces[0].verified"),
        Change(#""verified": false"#, #""verified": false, "signal": -40"#, "interfaces[0].signal"),
        Change(#"{ "format""#, #"{ "comment": "x", "format""#, "comment"),
        Change(#"{ "format""#, #"{ "a\u001b[2J": "x", "format""#, "a\\u{1b}[2J"),
    ]

    @Test("a value that cannot be is refused and its place named", arguments: wrongValues)
    func wrongValue(change: Change) throws {
        let parts = Self.example.split(separator: change.from, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        guard case .failure(let problem) = read(parts.joined(separator: change.to)) else {
            Issue.record("accepted")
            return
        }
        #expect(problem.place == change.place)
        #expect(printable("\(problem)") == "\(problem)")
    }

    @Test("every key must be there", arguments: ["format", "source", "unavailable", "interfaces"])
    func missing(key: String) {
        guard case .object(var object)? = (try? JSON(parsing: Array(Self.example.utf8))) else { return }
        object[key] = nil
        #expect(read(JSON.object(object).text) == .failure(.init(place: key, problem: "is missing")))
    }

    static let interfaceKeys = [
        "name", "index", "type", "state", "ssid_hex", "links", "mld", "authorized", "mfp", "security", "negotiated",
        "verified",
    ]

    @Test("so must every key of an interface", arguments: interfaceKeys)
    func missingInInterface(key: String) {
        guard case .object(var object)? = (try? JSON(parsing: Array(Self.example.utf8))),
            case .array(let interfaces)? = object["interfaces"], case .object(var interface)? = interfaces.first
        else {
            Issue.record("the example is no object")
            return
        }
        #expect(Set(interface.keys) == Set(Self.interfaceKeys))
        interface[key] = nil
        object["interfaces"] = .array([.object(interface)])
        #expect(read(JSON.object(object).text) == .failure(.init(place: "interfaces[0].\(key)", problem: "is missing")))
    }

    static let otherTexts = [
        "", " ", "null", "[]", "1", "\"x\"", "{", "{}", example + "x", example + example, String(example.dropLast()),
        "{ 'format': 1 }", "{ format: 1 }", "// comment\n" + example, example.replacing("null", with: "NULL"),
        example.replacing("false", with: "False"),
    ]

    @Test("anything else is refused", arguments: otherTexts)
    func otherText(text: String) {
        if case .success = read(text) { Issue.record("accepted") }
    }

    @Test("no beginning of the example is accepted")
    func everyPrefix() {
        for end in 0..<Self.example.utf8.count {
            if case .success = read(String(decoding: Self.example.utf8.prefix(end), as: UTF8.self)) {
                Issue.record("\(end) bytes")
            }
        }
    }

    @Test("an interface that stands twice is refused")
    func twice() throws {
        let interfaces: [Interface] = [Self.station, Self.station]
        let text = EvidenceFile(evidence: .interfaces(interfaces, source: .wext), whereabouts: nil).json(precise: true)
            .text
        #expect(read(text) == .failure(.init(place: "interfaces[1].index", problem: "stands twice")))
    }

    @Test("the session may be left out")
    func noSession() throws {
        #expect(try read(Self.example.replacing(Self.session, with: "")).get().whereabouts == nil)
        #expect(
            try read(Self.example.replacing("\"remote\": false", with: "\"remote\": true")).get().whereabouts == .remote
        )
    }

    static let reasons = Reason.allCases.filter { $0.step == 5 }

    @Test("why Wi-Fi could not be read is one of the reasons of step 5", arguments: reasons)
    func unavailable(reason: Reason) throws {
        let text =
            #"{"format":1,"source":"wext","unavailable":""# + reason.rawValue + #"","interfaces":[]}"#
        #expect(try read(text).get().evidence == .unavailable(reason, source: .wext))
    }
}

@Suite("Evidence that is written is read back")
struct EvidenceRoundTripTests {
    static let interfaces: [Interface] = {
        var all: [Interface] = []
        for (number, type) in Interface.Kind.allCases.enumerated() {
            all.append(
                Interface(name: "if\u{e9}\(number)", index: UInt32(number + 1), type: type, state: .disconnected))
        }
        var multi = EvidenceFileTests.station
        multi.index = .max
        multi.ssid = SSID(bytes: [0, 0xff, 0x22, 0x5c])
        multi.links += ["02:11:22:33:44:56", "fe:ff:ff:ff:ff:ff"].compactMap { try? BSSID($0) }
        multi.mld = try? BSSID("02:11:22:33:44:00")
        (multi.authorized, multi.mfp) = (nil, nil)
        multi.security = Set(Security.allCases)
        multi.negotiated = .fils
        multi.verified = true
        all.append(multi)
        for (number, state) in Interface.State.allCases.enumerated() {
            all.append(
                Interface(
                    name: "s\(number)", index: UInt32(100 + number), type: .station, state: state, authorized: false,
                    mfp: false))
        }
        return all
    }()

    static let files = [
        EvidenceFile(evidence: .interfaces(interfaces, source: .nl80211), whereabouts: .local),
        EvidenceFile(evidence: .interfaces([], source: .wext), whereabouts: .remote),
        EvidenceFile(evidence: .unavailable(.probeTimeout, source: .nl80211), whereabouts: nil),
    ]

    @Test("when it is precise", arguments: files)
    func precise(file: EvidenceFile) throws {
        #expect(try EvidenceFile(parsing: Array(file.json(precise: true).text.utf8)) == file)
    }

    @Test("without SSID and BSSID when it is not", arguments: files)
    func imprecise(file: EvidenceFile) throws {
        let text = file.json(precise: false).text
        #expect(!text.contains("02:11:22") && !text.contains("436f7270"))
        let read = try EvidenceFile(parsing: Array(text.utf8))
        if case .interfaces(let interfaces, _) = read.evidence {
            #expect(interfaces.allSatisfy { $0.ssid == nil && $0.links.isEmpty && $0.mld == nil })
        }
    }
}
