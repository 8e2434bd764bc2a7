import Testing
import Wireless

@testable import Trust

@Suite("The order of the steps")
struct OrderTests {
    /// One obstacle after the other, in the order in which they must be met. Any of them can be put before any later.
    static let obstacles: [Rule] = [
        Rule("an excluded user", .userExcluded) { $0.policy.rules.alwaysRequire.users = ["anna"] },
        Rule("an excluded service", .serviceExcluded) { $0.policy.rules.alwaysRequire.services = ["sudo"] },
        Rule("a remote asker", .remoteSession) { $0.whereabouts = .remote },
        Rule("a refused consent", .consentDenied) {
            $0.policy.rules.consent = .needed
            $0.consent = .denied
        },
        Rule("a probe that failed", .probeFailed) { $0.unavailable = .probeFailed },
        Rule("no station", .noWifiInterface) { $0.station.type = .monitor },
        Rule("no connection", .notConnected) { $0.station.state = .disconnected },
        Rule("a damaged policy", .policyInvalid) { $0.policy.fault = PolicyFault(.policyInvalid, "torn") },
        Rule("an entry that denies", .networkDenied) {
            $0.policy.networks.append(Network(name: "never", ssids: [.corp], action: .require))
        },
        Rule("no such name", .networkNotListed) { $0.network.ssids = [.cafe] },
        Rule("an expired entry", .entryExpired) { $0.network.expires = Day(year: 2026, month: 1, day: 1) },
        Rule("an entry for others", .notForUser) { $0.network.askers.users = ["bob"] },
        Rule("an unlisted access point", .bssidNotListed) { $0.network.isPinned = true },
        Rule("another security", .securityTooWeak) { $0.network.security = [.wpa3Personal] },
        Rule("an unfinished key exchange", .notAuthorized) { $0.station.authorized = false },
        Rule("too little evidence", .evidenceTooWeak) { $0.network.minimumEvidence = .verified },
    ]

    @Test("the first answer wins, whatever else is wrong", arguments: obstacles.indices)
    func firstWins(first: Int) {
        let rule = Self.obstacles[first]
        #expect(Scene(rule.change).reason == rule.reason)
        for later in Self.obstacles[(first + 1)...] {
            let scenes = [
                Scene {
                    rule.change(&$0)
                    later.change(&$0)
                },
                Scene {
                    later.change(&$0)
                    rule.change(&$0)
                },
            ]
            for scene in scenes { #expect(scene.reason == rule.reason, "with \(later.name)") }
        }
        let all = Scene { scene in Self.obstacles[first...].reversed().forEach { $0.change(&scene) } }
        #expect(all.reason == rule.reason)
    }

    struct Looks: CustomTestStringConvertible {
        let rule: Rule
        let calls: Scene.Calls
        var testDescription: String { rule.name }
    }

    static let looks = [
        Looks(
            rule: Rule("an excluded user", .userExcluded) { $0.policy.rules.alwaysRequire.users = ["anna"] },
            calls: Scene.Calls()),
        Looks(
            rule: Rule("a member of an excluded group", .userExcluded) {
                $0.policy.rules.alwaysRequire.groups = ["wheel"]
                $0.groups = ["wheel": true]
            }, calls: Scene.Calls()),
        Looks(
            rule: Rule("an excluded service", .serviceExcluded) { $0.policy.rules.alwaysRequire.services = ["sudo"] },
            calls: Scene.Calls()),
        Looks(
            rule: Rule("a remote asker", .remoteSession) {
                $0.whereabouts = .remote
                $0.policy.rules.consent = .needed
            }, calls: Scene.Calls(whereabouts: 1)),
        Looks(
            rule: Rule("an asker who may be anywhere", .sessionUnknown) { $0.whereabouts = .unknown },
            calls: Scene.Calls(whereabouts: 1)),
        Looks(
            rule: Rule("no consent", .consentMissing) { $0.policy.rules.consent = .needed },
            calls: Scene.Calls(whereabouts: 1, consent: 1)),
        Looks(
            rule: Rule("a refused consent", .consentDenied) {
                $0.policy.rules.consent = .needed
                $0.consent = .denied
            }, calls: Scene.Calls(whereabouts: 1, consent: 1)),
        Looks(
            rule: Rule("remote askers are allowed", .trustedNetwork) { $0.policy.rules.remoteSessions = .allow },
            calls: Scene.Calls(observe: 1)),
        Looks(
            rule: Rule("consent is not needed", .trustedNetwork) { _ in },
            calls: Scene.Calls(whereabouts: 1, observe: 1)),
        Looks(
            rule: Rule("consent is given", .trustedNetwork) {
                $0.policy.rules.consent = .needed
                $0.consent = .granted
            }, calls: Scene.Calls(whereabouts: 1, consent: 1, observe: 1)),
        Looks(
            rule: Rule("two stations and many entries", .networkNotListed) {
                $0.interfaces.append(.cafe)
                $0.policy.networks += (0..<5).map { Network(name: "corp\($0)", ssids: [.corp], isPinned: true) }
            }, calls: Scene.Calls(whereabouts: 1, observe: 1)),
    ]

    @Test("nothing is looked at that the answer does not depend on, and nothing twice", arguments: looks)
    func looksNoFurther(row: Looks) {
        let (decision, calls) = Scene(row.rule.change).decide()
        #expect(decision.reason == row.rule.reason)
        #expect(calls == row.calls)
    }
}
