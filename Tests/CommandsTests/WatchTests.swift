import Testing
import Trust

@testable import Commands

@Suite("What watch tells of")
struct WatchTests {
    /// Looks, each with its time in milliseconds and its state, and what is told when.
    struct Row: CustomTestStringConvertible, Sendable {
        let what: String
        var delay: Int64 = 3000
        let looks: [(at: Int64, state: String)]
        let told: [(at: Int64, state: String)]
        var testDescription: String { what }
    }

    static let rows = [
        Row(what: "the first state at once", looks: [(0, "hq")], told: [(0, "hq")]),
        Row(what: "nothing that stays", looks: [(0, "hq"), (10, "hq"), (9000, "hq")], told: [(0, "hq")]),
        Row(what: "a change that lasts", looks: [(0, "hq"), (10, "-")], told: [(0, "hq"), (3010, "-")]),
        Row(what: "no short gap", looks: [(0, "hq"), (10, "-"), (3009, "hq")], told: [(0, "hq")]),
        Row(
            what: "no two short gaps", looks: [(0, "hq"), (10, "-"), (20, "hq"), (30, "-"), (3020, "hq")],
            told: [(0, "hq")]),
        Row(
            what: "the newest state, no later for having changed again", looks: [(0, "hq"), (10, "-"), (3000, "café")],
            told: [(0, "hq"), (3010, "café")]),
        Row(
            what: "every change without a delay", delay: 0, looks: [(0, "hq"), (10, "-"), (10, "hq")],
            told: [(0, "hq"), (10, "-"), (10, "hq")]),
    ]

    @Test("is what lasts", arguments: rows)
    func changes(row: Row) {
        var changes = Changes<String>(delay: row.delay)
        var told: [(at: Int64, state: String)] = []
        var looks = row.looks[...]
        // What happens next is a look or the deadline, as in the loop that waits for both.
        while let next = [looks.first?.at, changes.deadline].compactMap(\.self).min() {
            if let state = changes.settle(at: next) { told.append((next, state)) }
            while let look = looks.first, look.at == next {
                looks.removeFirst()
                if let state = changes.see(look.state, at: next) { told.append((next, state)) }
            }
        }
        #expect(told.map(\.state) == row.told.map(\.state))
        #expect(told.map(\.at) == row.told.map(\.at))
    }

    @Test("is the same at another access point of the network")
    func roam() {
        let hq = Decision(.trustedNetwork, network: "hq", site: "Berlin", evidence: .protected, interface: "wlan0")
        var moved = hq
        (moved.evidence, moved.ssid) = (.verified, nil)
        #expect(Verdict(hq) == Verdict(moved))
        for change: (inout Decision) -> Void in [
            { $0.reason = .bssidNotListed }, { $0.network = "annex" }, { $0.site = nil }, { $0.interface = "wlan1" },
        ] {
            var other = hq
            change(&other)
            #expect(Verdict(hq) != Verdict(other))
        }
    }

    @Test("has a time of ISO 8601")
    func times() {
        #expect(timestamp(0) == "1970-01-01T00:00:00Z")
        #expect(timestamp(1_796_083_199) == "2026-11-30T23:59:59Z")
        #expect(timestamp(-1) == "1970-01-01T00:00:00Z")
    }

    @Test("is the same in a line, in JSON and in the environment")
    func forms() {
        let verdict = Verdict(Decision(.trustedNetwork, network: "hq", site: "Berlin", interface: "wlan0"))
        #expect(
            verdict.json(at: 0).text
                == #"{"interface":"wlan0","network":"hq","reason":"trusted-network","second_factor":"not-required","#
                + #""site":"Berlin","time":"1970-01-01T00:00:00Z","trusted":true}"#)
        #expect(verdict.environment.map(\.value) == ["yes", "trusted-network", "hq", "Berlin", "wlan0"])
        let nowhere = Verdict(Decision(.notConnected))
        #expect(
            nowhere.json(at: 0).text
                == #"{"interface":null,"network":null,"reason":"not-connected","second_factor":"required","site":null,"#
                + #""time":"1970-01-01T00:00:00Z","trusted":false}"#)
        #expect(nowhere.environment.map(\.value) == ["no", "not-connected", "", "", ""])
        #expect(
            nowhere.line(at: 0, Output()).split(separator: " ")
                == ["1970-01-01T00:00:00Z", "not-trusted", "not-connected", "-", "-"])
    }
}
