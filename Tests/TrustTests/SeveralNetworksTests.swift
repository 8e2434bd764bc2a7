import Testing
import Wireless

@testable import Trust

@Suite("Several networks with one name")
struct SeveralNetworksTests {
    /// An entry that a station passes only so far, when its key exchange has finished.
    static func entry(_ reason: Reason) -> Network {
        var network = Network(name: reason.rawValue, ssids: [.corp])
        switch reason {
        case .entryExpired: network.expires = Day(year: 2026, month: 1, day: 1)
        case .notForUser: network.askers.users = ["bob"]
        case .bssidNotListed: network.isPinned = true
        case .securityTooWeak: network.security = [.wpa3Personal]
        case .evidenceTooWeak: network.minimumEvidence = .verified
        default: break
        }
        return network
    }

    struct Ladder: CustomTestStringConvertible {
        let what: String
        let authorized: Bool?
        /// The reasons in the order of how far they are.
        let reasons: [Reason]
        var testDescription: String { what }
    }

    static let ladders = [
        Ladder(
            what: "the key exchange has finished", authorized: true,
            reasons: [
                .entryExpired, .notForUser, .bssidNotListed, .securityTooWeak, .evidenceTooWeak, .trustedNetwork,
            ]),
        Ladder(
            what: "the key exchange has not finished", authorized: false,
            reasons: [.entryExpired, .notForUser, .bssidNotListed, .securityTooWeak, .notAuthorized]),
        Ladder(
            what: "the driver does not say", authorized: nil,
            reasons: [.entryExpired, .notForUser, .bssidNotListed, .securityTooWeak, .authorizationUnknown]),
    ]

    @Test("the reason is that of the one that came furthest, in every order", arguments: ladders)
    func furthest(ladder: Ladder) {
        for order in permutations(of: ladder.reasons) {
            // Every beginning of the order is a list of its own.
            for count in 1...order.count {
                let some = order.prefix(count)
                let expected = ladder.reasons.last { some.contains($0) }
                let decision = Scene {
                    $0.station.authorized = ladder.authorized
                    $0.policy.networks = some.map(Self.entry)
                }.decide().decision
                #expect(decision.reason == expected)
                #expect(decision.network == expected?.rawValue)
            }
        }
    }

    @Test("of several that came equally far, the first is named")
    func equallyFar() {
        for reason in [Reason.entryExpired, .securityTooWeak, .trustedNetwork] {
            let networks = ["a", "b", "c"].map { name in
                var network = Self.entry(reason)
                network.name = name
                return network
            }
            let decision = Scene { $0.policy.networks = networks }.decide().decision
            #expect(decision.reason == reason)
            #expect(decision.network == "a")
        }
    }

    @Test("an entry never to trust wins over every other, in every place")
    func requireWins() {
        let never = Network(name: "never", ssids: [.corp, .cafe], action: .require)
        for place in 0...2 {
            for rule in Rules.Stations.allCases {
                var networks = [Network(name: "a", ssids: [.corp]), Network(name: "b", ssids: [.corp])]
                networks.insert(never, at: place)
                let decision = Scene {
                    $0.policy.rules.stations = rule
                    $0.policy.networks = networks
                }.decide().decision
                #expect(decision.reason == .networkDenied)
                #expect(decision.network == "never")
            }
        }
    }

    struct Denial: CustomTestStringConvertible {
        let what: String
        let denied: [BSSIDPattern]
        var links: [BSSID] = [.first]
        var mld: BSSID?
        let reason: Reason
        var testDescription: String { what }
    }

    static let denials = [
        Denial(what: "everywhere", denied: [], reason: .networkDenied),
        Denial(what: "at this access point", denied: [BSSID.first.only], reason: .networkDenied),
        Denial(what: "at another access point", denied: [BSSID.second.only], reason: .trustedNetwork),
        Denial(
            what: "at one of two links", denied: [BSSID.second.only], links: [.first, .second], mld: .mld,
            reason: .networkDenied),
        Denial(
            what: "at the device of the links", denied: [BSSID.mld.only], links: [.first, .second], mld: .mld,
            reason: .networkDenied),
        Denial(
            what: "at no link", denied: [BSSID.ending(9).only], links: [.first, .second], mld: .mld,
            reason: .trustedNetwork),
    ]

    @Test("an entry never to trust fits where any of its access points is in use", arguments: denials)
    func denies(row: Denial) {
        let reason = Scene {
            $0.policy.networks.append(
                Network(name: "never", ssids: [.corp], denied: row.denied, action: .require))
            $0.station.links = row.links
            $0.station.mld = row.mld
        }.reason
        #expect(reason == row.reason)
    }
}

/// Every order of some values.
func permutations<Value>(of values: [Value]) -> [[Value]] {
    guard let first = values.first else { return [[]] }
    return permutations(of: Array(values.dropFirst())).flatMap { rest in
        (0...rest.count).map { place in
            var order = rest
            order.insert(first, at: place)
            return order
        }
    }
}
