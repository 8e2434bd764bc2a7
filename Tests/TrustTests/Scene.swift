import Testing
import Wireless

@testable import Trust

/// A policy in memory.
struct Allowlist: Policy {
    var rules = Rules()
    var networks: [Network] = []
    /// The access points of each pinned network, by its name.
    var pins: [String: [BSSIDPattern]] = [:]
    var fault: PolicyFault?
    var pinFault: PolicyFault?

    func networks(named ssid: SSID) throws(PolicyFault) -> [Network] {
        if let fault { throw fault }
        return networks.filter { $0.ssids.contains(ssid) }
    }

    func lists(_ bssid: BSSID, in network: Network) throws(PolicyFault) -> Bool {
        if let pinFault { throw pinFault }
        return pins[network.name, default: []].contains { $0.matches(bssid) }
    }
}

/// A login with all that the decision depends on. As made, the second factor is not required.
struct Scene {
    var user: String? = "anna"
    var service: String? = "sudo"
    /// What is known of the user's membership in groups; a group that is missing has other members only.
    var groups: [String: Bool?] = [:]
    var whereabouts = Whereabouts.local
    var consent = ConsentState.notDetermined
    var policy = Allowlist(networks: [Network(name: "corp", ssids: [.corp])])
    var interfaces = [Interface.corp]
    /// Why Wi-Fi cannot be read, or `nil` when it can.
    var unavailable: Reason?
    var today = Day(year: 2026, month: 11, day: 30)

    init(_ change: (inout Scene) -> Void = { _ in }) {
        change(&self)
    }

    /// The first network and the first interface, which most rules are about.
    var network: Network {
        get { policy.networks.first ?? Network(name: "none", ssids: []) }
        set { policy.networks = [newValue] + policy.networks.dropFirst() }
    }
    var station: Interface {
        get { interfaces.first ?? .corp }
        set { interfaces = [newValue] + interfaces.dropFirst() }
    }

    var evidence: Evidence {
        unavailable.map { .unavailable($0, source: .nl80211) } ?? .interfaces(interfaces, source: .nl80211)
    }

    /// How often each thing was asked for.
    struct Calls: Equatable {
        var whereabouts = 0
        var consent = 0
        var observe = 0
    }

    func decide() -> (decision: Decision, calls: Calls) {
        var calls = Calls()
        let asker = Asker(
            user: user, service: service, isMember: { $0.map { groups[$0, default: false] } },
            whereabouts: {
                calls.whereabouts += 1
                return whereabouts
            },
            consent: {
                calls.consent += 1
                return consent
            })
        let decision = Trust.decide(for: asker, policy: policy, today: today) {
            calls.observe += 1
            return evidence
        }
        return (decision, calls)
    }

    var reason: Reason { decide().decision.reason }
}

/// One rule of the decision, and a scene that it applies to.
struct Rule: CustomTestStringConvertible, Sendable {
    let name: String
    let reason: Reason
    let change: @Sendable (inout Scene) -> Void
    var testDescription: String { "\(name): \(reason.rawValue)" }

    init(_ name: String, _ reason: Reason, _ change: @escaping @Sendable (inout Scene) -> Void) {
        self.name = name
        self.reason = reason
        self.change = change
    }
}

extension SSID {
    static let corp = named("Corp-Staff")
    static let cafe = named("CoffeeShop")

    static func named(_ text: String) -> SSID {
        guard let ssid = SSID(bytes: text.utf8) else { fatalError("a test names a network by \(text)") }
        return ssid
    }
}

extension BSSID {
    static let first = BSSID.ending(1)
    static let second = BSSID.ending(2)
    static let mld = BSSID.ending(0xaa)

    static func ending(_ last: UInt8) -> BSSID {
        guard let bssid = try? BSSID(bytes: [2, 0, 0, 0, 0, last]) else { fatalError("a test names no access point") }
        return bssid
    }

    var only: BSSIDPattern {
        guard let pattern = try? BSSIDPattern(address: self) else { fatalError("an address is a pattern") }
        return pattern
    }
}

extension Interface {
    /// On the company's network, with the key proven.
    static let corp = Interface(
        name: "wlan0", index: 3, type: .station, state: .connected, ssid: .corp, links: [.first], authorized: true,
        mfp: true, security: [.wpa2Personal])
    /// On a network that nobody listed.
    static let cafe = Interface(
        name: "wlan1", index: 4, type: .station, state: .connected, ssid: .cafe, links: [.second], authorized: true,
        mfp: false, security: [.open])
}
