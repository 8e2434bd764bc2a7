import Testing
import Wireless

@testable import Trust

@Suite("The one way to not required")
struct PropertyTests {
    /// The whole of the rules once more, without reasons and without order: whether the second factor may be skipped.
    static func maySkip(_ scene: Scene) -> Bool {
        let rules = scene.policy.rules
        let always = rules.alwaysRequire
        func isMember(_ groups: [String], unknown: Bool) -> Bool {
            groups.contains { scene.groups[$0, default: false] ?? unknown }
        }
        let excluded =
            (!always.users.isEmpty && (scene.user == nil || always.users.contains(scene.user ?? "")))
            || isMember(always.groups, unknown: true)
            || (!always.services.isEmpty && (scene.service == nil || always.services.contains(scene.service ?? "")))
        let isHere = scene.whereabouts == .local || rules.remoteSessions == .allow
        let agrees = rules.consent == .notNeeded || scene.consent == .granted
        guard !excluded, isHere, agrees, scene.unavailable == nil else { return false }

        let stations = scene.interfaces.filter { $0.type == .station && $0.state == .connected }
        let isTrusted = stations.map { station in
            scene.policy.networks.contains { trusts($0, station, scene, isMember) }
        }
        let isDenied = stations.contains { station in
            scene.policy.networks.contains { network in
                network.action == .require && network.ssids.contains { $0 == station.ssid }
                    && (network.denied.isEmpty
                        || (station.links + [station.mld].compactMap { $0 }).contains { address in
                            network.denied.contains { $0.matches(address) }
                        })
            }
        }
        guard !stations.isEmpty, !isDenied else { return false }
        return rules.stations == .all ? !isTrusted.contains(false) : isTrusted.contains(true)
    }

    private static func trusts(
        _ network: Network, _ station: Interface, _ scene: Scene, _ isMember: ([String], Bool) -> Bool
    ) -> Bool {
        let isNamed = network.ssids.contains { $0 == station.ssid }
        let isValid = network.expires.map { last in scene.today.map { $0 <= last } ?? false } ?? true
        let askers = network.askers
        let isForUser =
            (askers.users.isEmpty && askers.groups.isEmpty)
            || (scene.user != nil && askers.users.contains(scene.user ?? "")) || isMember(askers.groups, false)
        let isForService = askers.services.isEmpty || (scene.service.map { askers.services.contains($0) } ?? false)
        let pins = scene.policy.pins[network.name] ?? []
        let isListed = { (address: BSSID) in pins.contains { $0.matches(address) } }
        let isPlaced =
            !network.isPinned || station.links.allSatisfy(isListed) || (station.mld.map(isListed) ?? false)

        let counts = station.negotiated.map { [$0] } ?? station.security
        let weak: Set<Security> = [.open, .owe, .wep, .wpa1, .other]
        let provesKey = !counts.isEmpty && counts.isDisjoint(with: weak) && station.authorized == true
        let suffices =
            switch network.minimumEvidence {
            case .none, .claimed: station.authorized != false
            case .protected: provesKey
            case .verified: provesKey && station.verified
            }
        let isOffered = network.security.isEmpty || (!counts.isEmpty && counts.isSubset(of: network.security))
        return network.action == .skip && isNamed && isValid && isForUser && isForService && isPlaced && isOffered
            && suffices && !station.links.isEmpty
    }

    @Test("is taken exactly when every rule allows it", arguments: 0..<4)
    func agreesWithTheRules(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var skipped = 0
        for round in 0..<3_000 {
            let scene = Scene.random(using: &random)
            let (decision, calls) = scene.decide()
            let expected = Self.maySkip(scene)
            if expected { skipped += 1 }
            if (decision.answer == .notRequired) != expected {
                Issue.record("seed \(seed), round \(round): \(decision) for \(scene)")
            }
            if calls.observe > 1 || calls.whereabouts > 1 || calls.consent > 1 || (expected && calls.observe != 1) {
                Issue.record("seed \(seed), round \(round): asked \(calls)")
            }
            if (2...4).contains(decision.reason.step), calls.observe != 0 {
                Issue.record("seed \(seed), round \(round): looked at Wi-Fi for \(decision.reason)")
            }
        }
        // A generator that never gets there would prove nothing.
        #expect(skipped > 200)
        #expect(skipped < 2_800)
    }
}

/// The numbers of `splitmix64`: the same on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}

extension Scene {
    /// A scene in which most things are in order, so that a fair share of all is.
    static func random(using random: inout SeededGenerator) -> Scene {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        func pick<Value>(_ values: [Value], _ usual: Value, _ percent: Int) -> Value {
            chance(percent) ? (values.randomElement(using: &random) ?? usual) : usual
        }
        func askers(_ percent: Int) -> Askers {
            Askers(
                users: pick([["bob"], ["anna"], ["anna", "bob"]], [], percent),
                groups: pick([["staff"], ["wheel"], ["staff", "wheel"]], [], percent),
                services: pick([["sudo"], ["gdm"]], [], percent))
        }
        let names = [SSID.corp, .cafe, .named("Other")]
        let addresses = [BSSID.first, .second, .mld, .ending(9)]

        var scene = Scene()
        scene.user = pick([nil, "bob"], "anna", 20)
        scene.service = pick([nil, "gdm"], "sudo", 20)
        scene.groups = ["staff": pick([true, nil], false, 40), "wheel": pick([true, nil], false, 30)]
        scene.whereabouts = pick([.remote, .unknown], .local, 15)
        scene.consent = pick([.denied, .granted], .notDetermined, 60)
        scene.unavailable = pick(Reason.allCases.map { $0 }, nil, 3)
        scene.today = pick([nil], scene.today, 10)

        scene.policy.rules.alwaysRequire = askers(6)
        scene.policy.rules.remoteSessions = pick([.allow], .require, 30)
        scene.policy.rules.consent = pick([.needed], .notNeeded, 20)
        scene.policy.rules.stations = pick([.any], .all, 40)

        scene.interfaces = (0..<pick([0, 2, 3], 1, 40)).map { number in
            Interface(
                name: "wlan\(number)", index: UInt32.random(in: 1...9, using: &random),
                type: pick(Interface.Kind.allCases, .station, 15),
                state: pick(Interface.State.allCases, .connected, 15), ssid: pick(names + [nil], .corp, 25),
                links: pick([[], [.second], [.first, .second]], [.first], 30), mld: pick([.mld, .ending(9)], nil, 25),
                authorized: pick([nil, false], true, 20), mfp: chance(50),
                security: pick(
                    [[], [.open], [.wpa2Personal, .wpa3Personal], [.wpa2Personal, .open], [.other], [.owe]],
                    [.wpa2Personal], 30),
                negotiated: pick([.wpa3Personal, .open, .wpa2Personal], nil, 20), verified: chance(30))
        }
        scene.policy.networks = (0..<pick([0, 2, 3, 4], 1, 50)).map { number in
            Network(
                name: "network\(number)", ssids: pick([[.cafe], names, []], [.corp], 25), isPinned: chance(30),
                denied: pick([[BSSID.second.only], [BSSID.mld.only]], [], 50),
                security: pick([[.wpa3Personal], [.wpa2Personal, .wpa3Personal], [.open], [.other]], [], 25),
                minimumEvidence: pick(EvidenceLevel.allCases, .protected, 40),
                action: pick([.require], .skip, 10), askers: askers(12),
                expires: pick(
                    [Day(year: 2026, month: 11, day: 29), scene.today, Day(year: 2030, month: 1, day: 1)], nil, 30))
        }
        for network in scene.policy.networks {
            scene.policy.pins[network.name] = addresses.filter { _ in chance(60) }.map(\.only)
        }
        return scene
    }
}
