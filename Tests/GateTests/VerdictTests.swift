import Testing
import Trust
import Wireless

@testable import Gate

@Suite("A verdict on the wire")
struct VerdictTests {
    private func text(_ verdict: Verdict, _ field: String) throws -> String {
        let bytes = verdict.bytes[try ClientHeader().field("onsite_verdict", field)]
        let content = bytes.prefix { $0 != 0 }
        // Zeros to the end, and at least one.
        #expect(content.count < bytes.count)
        #expect(bytes.dropFirst(content.count).allSatisfy { $0 == 0 })
        return String(decoding: content, as: UTF8.self)
    }

    static func decision(_ reason: Reason) -> Decision {
        Decision(reason, network: "corp", site: "Berlin", evidence: .protected, interface: "wlan0")
    }

    @Test("is laid out as the client's header says", arguments: Reason.allCases)
    func layout(reason: Reason) throws {
        let header = try ClientHeader()
        let verdict = Verdict(Self.decision(reason), id: "0123456789abcdef")
        #expect(header.lengths["onsite_verdict"] == Verdict.length)
        #expect(verdict.bytes.count == Verdict.length)
        #expect(try text(verdict, "reason") == reason.rawValue)
        #expect(try text(verdict, "network") == "corp")
        #expect(try text(verdict, "evidence") == "protected")
        #expect(try text(verdict, "id") == "0123456789abcdef")

        let magic = try #require(header.texts["ONSITE_VERDICT_MAGIC"])
        #expect(Array(verdict.bytes[try header.field("onsite_verdict", "magic")]) == Array(magic.utf8))
        let name =
            switch reason.answer {
            case .notRequired: "ONSITE_NOT_REQUIRED"
            case .required: "ONSITE_REQUIRED"
            case .undecided: "ONSITE_UNDECIDED"
            }
        let word = number(try header.number(name))
        #expect(Array(verdict.bytes[try header.field("onsite_verdict", "answer")]) == word)
        #expect(Array(verdict.bytes[try header.field("onsite_verdict", "reserved")]) == [0, 0, 0, 0])
        let warning = number(UInt32(reason == .bssidNotListed ? 1 : 0))
        #expect(Array(verdict.bytes[try header.field("onsite_verdict", "warning")]) == warning)
    }

    @Test("has a message that is whole and true", arguments: Reason.allCases)
    func message(reason: Reason) throws {
        let message = try text(Verdict(Self.decision(reason), id: ""), "message")
        let need = reason == .trustedNetwork ? "No second factor is needed" : "A second factor is needed"
        #expect(message == "\(need): \(reason.message).")
        #expect(message.utf8.allSatisfy { (0x20...0x7e).contains($0) })
    }

    @Test("has room for every level of evidence", arguments: EvidenceLevel.allCases)
    func evidence(level: EvidenceLevel) throws {
        #expect(try text(Verdict(Decision(.notConnected, evidence: level), id: ""), "evidence") == level.rawValue)
    }

    @Test("has empty texts for what there is not")
    func empty() throws {
        let verdict = Verdict(Decision(.policyMissing), id: "")
        #expect(try text(verdict, "network").isEmpty)
        #expect(try text(verdict, "id").isEmpty)
        #expect(try text(verdict, "evidence") == "none")
    }

    @Test(
        "keeps its length and its ends for texts of any length", arguments: [0, 1, 62, 63, 64, 65, 103, 104, 512, 5000])
    func longTexts(length: Int) throws {
        let name = String(repeating: "n", count: length)
        var decision = Self.decision(.trustedNetwork)
        decision.network = name
        let verdict = Verdict(decision, id: name)
        #expect(verdict.bytes.count == Verdict.length)
        // The longest name of a network has 63 bytes.
        #expect(try text(verdict, "network") == String(name.prefix(63)))
        #expect(try text(verdict, "id") == String(name.prefix(103)))
        #expect(try text(verdict, "evidence") == "protected")
    }

    @Test("has details on one line, cut at a character", arguments: [0, 1, 46, 47, 48, 49, 5000])
    func details(length: Int) throws {
        let euros = String(repeating: "€", count: length)
        for (given, expected) in [(euros, String(euros.prefix(47))), (euros + "\n\u{1b}", nil), ("a" + euros, nil)] {
            let bytes = Verdict(Self.decision(.policyStale), id: "", detail: given).bytes
            let field = bytes[try ClientHeader().field("onsite_verdict", "detail")]
            let detail = try #require(String(validating: field.prefix { $0 != 0 }, as: UTF8.self))
            #expect(expected == nil || detail == expected)
            #expect(bytes.count == Verdict.length && field.last == 0 && !detail.contains { $0.isNewline })
        }
    }

    @Test("is announced by a record as the client's header says")
    func wait() throws {
        let header = try ClientHeader()
        let bytes = announcement(ofWaiting: 4711)
        #expect(bytes.count == header.lengths["onsite_wait"])
        #expect(Array(bytes[try header.field("onsite_wait", "magic")]) == Array("onsiteW1".utf8))
        #expect(Array("onsiteW1".utf8) == Array(try #require(header.texts["ONSITE_WAIT_MAGIC"]).utf8))
        #expect(Array(bytes[try header.field("onsite_wait", "wait_ms")]) == number(UInt32(4711)))
        #expect(Array(bytes[try header.field("onsite_wait", "reserved")]) == [0, 0, 0, 0])
    }

    @Test("has answers that no damage turns into each other")
    func distance() throws {
        let header = try ClientHeader()
        let words = try ["ONSITE_NOT_REQUIRED", "ONSITE_REQUIRED", "ONSITE_UNDECIDED"].map { try header.number($0) }
        for word in words {
            for other in words where other != word {
                #expect((word ^ other).nonzeroBitCount >= 29)
                // Nor does half of one word with half of another.
                for mask in [0xffff_ffff, 0xffff_ffff_0000_0000, 0x00ff_00ff_00ff_00ff] as [UInt64] {
                    #expect((((word & mask) | (other & ~mask)) ^ word).nonzeroBitCount >= 8)
                }
            }
            #expect(word.nonzeroBitCount >= 24)
            #expect((~word).nonzeroBitCount >= 24)
            #expect(!words.contains(word.byteSwapped))
        }
        #expect(Set(words).count == 3)
    }
}
