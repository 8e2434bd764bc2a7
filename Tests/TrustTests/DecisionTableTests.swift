import Testing
import Wireless

@testable import Trust

@Suite("The decision")
struct DecisionTableTests {
    static let rules: [Rule] = [
        Rule("on a listed network", .trustedNetwork) { _ in },

        // 1, handed on.
        Rule("a damaged policy, seen late", .policyInvalid) { $0.policy.fault = PolicyFault(.policyInvalid, "torn") },
        Rule("a policy that changed while it was read", .policyStale) {
            $0.policy.fault = PolicyFault(.policyStale, "corp.toml")
        },
        Rule("a policy that vanished", .policyMissing) { $0.policy.fault = PolicyFault(.policyMissing, "gone") },
        Rule("a policy that others can change", .policyInsecure) {
            $0.policy.fault = PolicyFault(.policyInsecure, "mode")
        },
        Rule("a list of access points that cannot be read", .policyInvalid) {
            $0.network.isPinned = true
            $0.policy.pinFault = PolicyFault(.policyInvalid, "torn")
        },
        Rule("a list that cannot be read, where any station would do", .policyInvalid) {
            $0.policy.rules.stations = .any
            $0.policy.networks.append(Network(name: "cafe", ssids: [.cafe], isPinned: true))
            $0.policy.pinFault = PolicyFault(.policyInvalid, "torn")
            $0.interfaces.append(.cafe)
        },

        // 2
        Rule("a user who is always asked", .userExcluded) { $0.policy.rules.alwaysRequire.users = ["root", "anna"] },
        Rule("a member of a group that is always asked", .userExcluded) {
            $0.policy.rules.alwaysRequire.groups = ["staff", "wheel"]
            $0.groups = ["wheel": true]
        },
        Rule("a group that cannot be looked up", .userExcluded) {
            $0.policy.rules.alwaysRequire.groups = ["wheel"]
            $0.groups = ["wheel": nil]
        },
        Rule("an unknown user, where some are always asked", .userExcluded) {
            $0.user = nil
            $0.policy.rules.alwaysRequire.users = ["root"]
        },
        Rule("an unknown user, where nobody is always asked", .trustedNetwork) { $0.user = nil },
        Rule("another user than the one always asked", .trustedNetwork) {
            $0.policy.rules.alwaysRequire.users = ["root", "Anna", "anna ", "ann"]
            $0.policy.rules.alwaysRequire.groups = ["wheel"]
        },
        Rule("a user whose name only looks like it", .trustedNetwork) {
            $0.user = "Cafe\u{301}"
            $0.policy.rules.alwaysRequire.users = ["Café"]
        },
        Rule("a service that always asks", .serviceExcluded) {
            $0.policy.rules.alwaysRequire.services = ["su", "sudo"]
        },
        Rule("an unknown service, where some always ask", .serviceExcluded) {
            $0.service = nil
            $0.policy.rules.alwaysRequire.services = ["su"]
        },
        Rule("an unknown service, where none always asks", .trustedNetwork) { $0.service = nil },
        Rule("another service than the one that always asks", .trustedNetwork) {
            $0.policy.rules.alwaysRequire.services = ["su", "sudo-i"]
        },

        // 3
        Rule("an asker at another machine", .remoteSession) { $0.whereabouts = .remote },
        Rule("an asker who may be anywhere", .sessionUnknown) { $0.whereabouts = .unknown },
        Rule("a remote asker, where that is allowed", .trustedNetwork) {
            $0.whereabouts = .remote
            $0.policy.rules.remoteSessions = .allow
        },
        Rule("an asker who may be anywhere, where that is allowed", .trustedNetwork) {
            $0.whereabouts = .unknown
            $0.policy.rules.remoteSessions = .allow
        },

        // 4
        Rule("consent is needed and nobody asked for it", .consentMissing) { $0.policy.rules.consent = .needed },
        Rule("consent is needed and refused", .consentDenied) {
            $0.policy.rules.consent = .needed
            $0.consent = .denied
        },
        Rule("consent is needed and given", .trustedNetwork) {
            $0.policy.rules.consent = .needed
            $0.consent = .granted
        },
        Rule("consent is refused and not needed", .trustedNetwork) { $0.consent = .denied },

        // 5
        Rule("no nl80211", .wifiUnavailable) { $0.unavailable = .wifiUnavailable },
        Rule("no permission", .wifiAccessDenied) { $0.unavailable = .wifiAccessDenied },
        Rule("too slow", .probeTimeout) { $0.unavailable = .probeTimeout },
        Rule("changed while read", .probeInconsistent) { $0.unavailable = .probeInconsistent },
        Rule("could not be read", .probeFailed) { $0.unavailable = .probeFailed },
        Rule("no adapter, said by the source", .noWifiInterface) { $0.unavailable = .noWifiInterface },
        Rule("no interface", .noWifiInterface) { $0.interfaces = [] },

        // 6
        Rule("not connected", .notConnected) { $0.station.state = .disconnected },
        Rule("switched off", .notConnected) { $0.station.state = .down },
        Rule("on its way", .associating) { $0.station.state = .associating },
        Rule("one on its way, one switched off", .associating) {
            $0.station.state = .down
            $0.interfaces.append(.cafe)
            $0.interfaces[1].state = .associating
        },
        Rule("one on its way beside a connected one", .trustedNetwork) {
            $0.interfaces.append(.cafe)
            $0.interfaces[1].state = .associating
        },

        // 7
        Rule("never to be trusted", .networkDenied) { $0.network.action = .require },
        Rule("never to be trusted at this access point", .networkDenied) {
            $0.network.action = .require
            $0.network.denied = [BSSID.second.only, BSSID.first.only]
        },
        Rule("never to be trusted, although that entry has expired", .networkDenied) {
            $0.network.action = .require
            $0.network.expires = Day(year: 2000, month: 1, day: 1)
        },
        Rule("never to be trusted, although that entry is for others", .networkDenied) {
            $0.network.action = .require
            $0.network.askers.users = ["bob"]
        },

        // 8
        Rule("another network", .networkNotListed) { $0.station.ssid = .cafe },
        Rule("a hidden name", .networkNotListed) { $0.station.ssid = nil },
        Rule("no entry at all", .networkNotListed) { $0.policy.networks = [] },
        Rule("an entry without a name", .networkNotListed) { $0.network.ssids = [] },
        Rule("the second name of an entry", .trustedNetwork) { $0.network.ssids = [.cafe, .corp] },
        Rule("never to be trusted at another access point, and not listed", .networkNotListed) {
            $0.network.action = .require
            $0.network.denied = [BSSID.second.only]
        },

        // 9
        Rule("on the day after the last", .entryExpired) {
            $0.network.expires = Day(year: 2026, month: 11, day: 29)
        },
        Rule("on the last day", .trustedNetwork) { $0.network.expires = $0.today },
        Rule("on the day before the last", .trustedNetwork) {
            $0.network.expires = Day(year: 2026, month: 12, day: 1)
        },
        Rule("an entry that expires and a clock of no use", .entryExpired) {
            $0.network.expires = Day(year: 9999, month: 12, day: 31)
            $0.today = nil
        },
        Rule("an entry that never expires and a clock of no use", .trustedNetwork) { $0.today = nil },
        Rule("not for this user", .notForUser) { $0.network.askers.users = ["bob", "Anna"] },
        Rule("not for this service", .notForUser) { $0.network.askers.services = ["gdm"] },
        Rule("an access point that is not listed", .bssidNotListed) {
            $0.network.isPinned = true
            $0.policy.pins = ["corp": [BSSID.second.only], "other": [BSSID.first.only]]
        },
        Rule("a listed access point", .trustedNetwork) {
            $0.network.isPinned = true
            $0.policy.pins = ["corp": [BSSID.second.only, BSSID.first.only]]
        },
        Rule("a pinned network without a list", .bssidNotListed) { $0.network.isPinned = true },
        Rule("an open network of the same name", .securityTooWeak) { $0.station.security = [.open] },
        Rule("a network with another security than listed", .securityTooWeak) {
            $0.network.security = [.wpa3Personal]
        },
        Rule("a network that has not proven its key", .notAuthorized) { $0.station.authorized = false },
        Rule("a network that has not proven its key, where a name would do", .notAuthorized) {
            $0.station.authorized = false
            $0.network.minimumEvidence = .claimed
        },
        Rule("a driver that does not say", .authorizationUnknown) { $0.station.authorized = nil },
        Rule("a driver that does not say, where proof is asked for", .authorizationUnknown) {
            $0.station.authorized = nil
            $0.network.minimumEvidence = .verified
        },
        Rule("a driver that does not say, where a name will do", .trustedNetwork) {
            $0.station.authorized = nil
            $0.network.minimumEvidence = .claimed
        },
        Rule("a key where proof of the operator is asked for", .evidenceTooWeak) {
            $0.network.minimumEvidence = .verified
        },
        Rule("an open network that the entry allows but its minimum does not", .evidenceTooWeak) {
            $0.station.security = [.open]
            $0.network.security = [.open]
        },
        Rule("an association without an access point", .evidenceTooWeak) { $0.station.links = [] },
    ]

    @Test("has one reason for each rule", arguments: rules)
    func table(rule: Rule) {
        let (decision, _) = Scene(rule.change).decide()
        #expect(decision.reason == rule.reason)
        #expect(decision.answer == rule.reason.answer)
        #expect((decision.answer == .notRequired) == (rule.reason == .trustedNetwork))
    }

    @Test("has a row for every reason")
    func isComplete() {
        #expect(Set(Self.rules.map(\.reason)) == Set(Reason.allCases))
    }

    @Test("about the network alone is the same from step 5 on", arguments: rules.filter { $0.reason.step >= 5 })
    func networkOnly(rule: Rule) {
        let scene = Scene(rule.change)
        let decision = decide(onNetwork: scene.evidence, policy: scene.policy, today: scene.today)
        #expect(decision.reason == (rule.reason == .notForUser ? .trustedNetwork : rule.reason))
    }

    @Test("about the network alone knows no asker", arguments: rules.filter { (2...4).contains($0.reason.step) })
    func networkOnlyHasNoAsker(rule: Rule) {
        let scene = Scene(rule.change)
        #expect(decide(onNetwork: scene.evidence, policy: scene.policy, today: scene.today).reason == .trustedNetwork)
    }

    @Test("says what it is about")
    func details() {
        let trusted = Scene {
            $0.network.site = "Berlin HQ"
            $0.station.links = [.first, .second]
            $0.station.mld = .mld
        }.decide().decision
        #expect(
            trusted
                == Decision(
                    .trustedNetwork, network: "corp", site: "Berlin HQ", evidence: .protected, interface: "wlan0",
                    ssid: .corp, bssids: [.first, .second]))

        let stranger = Scene { $0.interfaces = [.cafe] }.decide().decision
        #expect(
            stranger
                == Decision(
                    .networkNotListed, evidence: .claimed, interface: "wlan1", ssid: .cafe, bssids: [.second]))

        let excluded = Scene { $0.policy.rules.alwaysRequire.users = ["anna"] }.decide().decision
        #expect(excluded == Decision(.userExcluded))

        let fault = Scene { $0.policy.fault = PolicyFault(.policyInvalid, "line 7") }.decide().decision
        #expect(fault == Decision(.policyInvalid, detail: "line 7"))
    }

    @Test("never takes another reason for a failure to read Wi-Fi", arguments: Reason.allCases)
    func unavailableForAnyReason(reason: Reason) {
        let decision = Scene { $0.unavailable = reason }.decide().decision
        #expect(decision.answer == .undecided)
        #expect(decision.reason == (reason.isUnavailability ? reason : .probeFailed))
    }

    @Test("knows no interface that is not a station", arguments: Interface.Kind.allCases)
    func onlyStations(kind: Interface.Kind) {
        #expect(Scene { $0.station.type = kind }.reason == (kind == .station ? .trustedNetwork : .noWifiInterface))
        // Beside a station it is not looked at, wherever it is.
        guard kind != .station else { return }
        for rule in Rules.Stations.allCases {
            let beside = Scene {
                $0.policy.rules.stations = rule
                $0.interfaces = [.cafe, .corp]
                $0.interfaces[0].type = kind
                $0.interfaces[0].index = 1
            }
            #expect(beside.reason == .trustedNetwork)
            let alone = Scene {
                $0.policy.rules.stations = rule
                $0.interfaces = [.cafe, .corp]
                $0.interfaces[1].type = kind
            }
            #expect(alone.reason == .networkNotListed)
        }
    }

    @Test("knows no station that is not connected", arguments: Interface.State.allCases)
    func onlyConnected(state: Interface.State) {
        let expected: Reason =
            switch state {
            case .connected: .trustedNetwork
            case .associating: .associating
            case .down, .disconnected: .notConnected
            }
        #expect(Scene { $0.station.state = state }.reason == expected)
    }
}
