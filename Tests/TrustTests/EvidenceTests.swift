import Testing
import Wireless

@testable import Trust

@Suite("Evidence")
struct EvidenceTests {
    @Test("has four levels in order")
    func order() {
        #expect(EvidenceLevel.allCases.map(\.rawValue) == ["none", "claimed", "protected", "verified"])
        #expect(EvidenceLevel.allCases.sorted() == EvidenceLevel.allCases)
        for (index, level) in EvidenceLevel.allCases.enumerated() {
            for (other, otherLevel) in EvidenceLevel.allCases.enumerated() {
                #expect((level < otherLevel) == (index < other))
            }
        }
    }

    static let levels: [(String, EvidenceLevel, @Sendable (inout Interface) -> Void)] = [
        ("a key exchange with a secret", .protected, { _ in }),
        ("a proven operator", .verified, { $0.verified = true }),
        (
            "a proven operator without a key exchange", .claimed,
            {
                $0.verified = true; $0.authorized = false
            }
        ),
        (
            "a proven operator on an open network", .claimed,
            {
                $0.verified = true; $0.security = [.open]
            }
        ),
        ("an unfinished key exchange", .claimed, { $0.authorized = false }),
        ("a driver that does not say", .claimed, { $0.authorized = nil }),
        ("an open network", .claimed, { $0.security = [.open] }),
        ("a network that offers a secret or none", .claimed, { $0.security = [.wpa2Personal, .open] }),
        ("a network that also offers what nobody knows", .claimed, { $0.security = [.wpa3Enterprise, .other] }),
        ("a network of which nothing is known", .claimed, { $0.security = [] }),
        (
            "a secret was negotiated where none was offered too", .protected,
            {
                $0.security = [.wpa2Personal, .open]
                $0.negotiated = .wpa2Personal
            }
        ),
        (
            "a secret was negotiated, the offer is unknown", .protected,
            {
                $0.security = []
                $0.negotiated = .wpa3Personal
            }
        ),
        ("nothing was negotiated though a secret was offered", .claimed, { $0.negotiated = .open }),
        ("something unknown was negotiated", .claimed, { $0.negotiated = .other }),
        ("no name", .none, { $0.ssid = nil }),
        ("no access point", .none, { $0.links = [] }),
        ("not connected", .none, { $0.state = .disconnected }),
        ("on its way", .none, { $0.state = .associating }),
        ("no station", .none, { $0.type = .accessPoint }),
        ("ad-hoc", .none, { $0.type = .ibss }),
    ]

    @Test("is no more than the station has shown", arguments: levels.indices)
    func level(index: Int) {
        let (what, expected, change) = Self.levels[index]
        var station = Interface.corp
        change(&station)
        #expect(station.evidence == expected, "\(what)")
    }

    @Test("each security proves a key or does not, alone and beside others", arguments: Security.allCases)
    func security(security: Security) {
        for others in [[], [Security.wpa2Personal], [.wpa3Enterprise, .fils]] as [Set<Security>] {
            var station = Interface.corp
            station.security = others.union([security])
            #expect(station.evidence == (security.provesKey ? .protected : .claimed))
            station.negotiated = security
            station.security = others
            #expect(station.evidence == (security.provesKey ? .protected : .claimed))
        }
    }

    struct Minimum: CustomTestStringConvertible {
        let station: EvidenceLevel
        let minimum: EvidenceLevel
        let reason: Reason
        var testDescription: String { "\(station) where \(minimum) is asked for" }
    }

    static let minima = [
        Minimum(station: .claimed, minimum: .none, reason: .trustedNetwork),
        Minimum(station: .claimed, minimum: .claimed, reason: .trustedNetwork),
        Minimum(station: .claimed, minimum: .protected, reason: .securityTooWeak),
        Minimum(station: .claimed, minimum: .verified, reason: .securityTooWeak),
        Minimum(station: .protected, minimum: .claimed, reason: .trustedNetwork),
        Minimum(station: .protected, minimum: .protected, reason: .trustedNetwork),
        Minimum(station: .protected, minimum: .verified, reason: .evidenceTooWeak),
        Minimum(station: .verified, minimum: .claimed, reason: .trustedNetwork),
        Minimum(station: .verified, minimum: .protected, reason: .trustedNetwork),
        Minimum(station: .verified, minimum: .verified, reason: .trustedNetwork),
    ]

    @Test("must reach the minimum of the network", arguments: minima)
    func minimum(row: Minimum) {
        let scene = Scene {
            $0.network.minimumEvidence = row.minimum
            $0.station.verified = row.station == .verified
            if row.station == .claimed { $0.station.security = [.open] }
        }
        #expect(scene.station.evidence == row.station)
        #expect(scene.reason == row.reason)
    }

    struct List: CustomTestStringConvertible {
        let what: String
        let list: Set<Security>
        let offered: Set<Security>
        var negotiated: Security?
        let reason: Reason
        var testDescription: String { what }
    }

    static let lists = [
        List(what: "what is listed", list: [.wpa2Personal], offered: [.wpa2Personal], reason: .trustedNetwork),
        List(
            what: "less than is listed", list: [.wpa2Personal, .wpa3Personal], offered: [.wpa3Personal],
            reason: .trustedNetwork),
        List(
            what: "more than is listed", list: [.wpa3Personal], offered: [.wpa2Personal, .wpa3Personal],
            reason: .securityTooWeak),
        List(
            what: "more than is listed, but the listed one was negotiated", list: [.wpa3Personal],
            offered: [.wpa2Personal, .wpa3Personal], negotiated: .wpa3Personal, reason: .trustedNetwork),
        List(
            what: "all listed, but another was negotiated", list: [.wpa3Personal], offered: [.wpa3Personal],
            negotiated: .wpa2Personal, reason: .securityTooWeak),
        List(what: "nothing known", list: [.wpa2Personal], offered: [], reason: .securityTooWeak),
        List(what: "nothing known and nothing listed", list: [], offered: [], reason: .securityTooWeak),
        List(what: "a secret, nothing listed", list: [], offered: [.dpp], reason: .trustedNetwork),
        List(
            what: "a secret or none, nothing listed", list: [], offered: [.wpa2Personal, .open],
            reason: .securityTooWeak),
        List(
            what: "a secret or the first WPA, nothing listed", list: [], offered: [.wpa2Personal, .wpa1],
            reason: .securityTooWeak),
        List(what: "OWE, listed", list: [.owe], offered: [.owe], reason: .evidenceTooWeak),
        List(what: "what nobody knows, listed", list: [.other], offered: [.other], reason: .evidenceTooWeak),
    ]

    @Test("the security list pins what access points offer, unless it is known what was negotiated", arguments: lists)
    func list(row: List) {
        let reason = Scene {
            $0.network.security = row.list
            $0.station.security = row.offered
            $0.station.negotiated = row.negotiated
        }.reason
        #expect(reason == row.reason)
    }
}
