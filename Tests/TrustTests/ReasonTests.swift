import Testing

@testable import Trust

@Suite("Reasons")
struct ReasonTests {
    /// Scripts, logs and other programs know these.
    static let codes = [
        1: ["policy-missing", "policy-stale", "policy-insecure", "policy-invalid"],
        2: ["user-excluded", "service-excluded"],
        3: ["remote-session", "session-unknown"],
        4: ["consent-missing", "consent-denied"],
        5: [
            "wifi-unavailable", "wifi-access-denied", "no-wifi-interface", "probe-timeout", "probe-inconsistent",
            "probe-failed",
        ],
        6: ["associating", "not-connected"],
        7: ["network-denied"],
        8: ["network-not-listed"],
        9: [
            "entry-expired", "not-for-user", "bssid-not-listed", "security-too-weak", "not-authorized",
            "authorization-unknown", "evidence-too-weak",
        ],
        10: ["trusted-network"],
    ]

    @Test("the codes of each step are the published ones", arguments: 1...10)
    func codesOfStep(step: Int) {
        #expect(Reason.allCases.filter { $0.step == step }.map(\.rawValue) == Self.codes[step])
    }

    @Test("each stands in one step, with one answer", arguments: Reason.allCases)
    func answer(reason: Reason) {
        #expect((1...10).contains(reason.step))
        let expected: Answer =
            switch reason.step {
            case 10: .notRequired
            case 1, 5: .undecided
            default: .required
            }
        #expect(reason.answer == expected)
        #expect(reason.isUnavailability == (reason.step == 5))
        #expect(Decision(reason).answer == expected)
    }

    @Test("each says so in one line", arguments: Reason.allCases)
    func message(reason: Reason) {
        #expect(reason.rawValue.utf8.count < 32, "the verdict has room for 31 bytes")
        for text in [reason.message, reason.hint].compactMap({ $0 }) {
            #expect(!text.isEmpty)
            #expect(text.utf8.allSatisfy { (0x20...0x7e).contains($0) })
            #expect(text.last != ".")
            #expect(text.utf8.count < 200)
        }
    }

    @Test("no two are alike")
    func unique() {
        #expect(Set(Reason.allCases.map(\.rawValue)).count == Reason.allCases.count)
        #expect(Set(Reason.allCases.map(\.message)).count == Reason.allCases.count)
        #expect(Reason.allCases.filter { $0.answer == .notRequired } == [.trustedNetwork])
    }
}
