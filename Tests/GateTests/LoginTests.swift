import FoundationEssentials
import Glibc
import PolicyStore
import ProtectedFiles
import Testing
import Sessions
import Trust
import Wireless

@testable import Gate

@Suite("One question, all steps")
struct LoginTests {
    struct OneNetwork: Policy {
        var rules = Rules()
        var network: Network

        func networks(named ssid: SSID) throws(PolicyFault) -> [Network] {
            network.ssids.contains(ssid) ? [network] : []
        }
        func lists(_ bssid: BSSID, in network: Network) throws(PolicyFault) -> Bool { false }
    }

    private func corp() throws -> SSID { try #require(SSID(bytes: "Corp-Staff".utf8)) }

    private func policy(
        isPinned: Bool = false, _ change: (inout Rules) -> Void = { _ in }
    ) throws -> OneNetwork {
        var policy = OneNetwork(network: Network(name: "corp", ssids: [try corp()], isPinned: isPinned))
        change(&policy.rules)
        return policy
    }

    private func connected() throws -> Evidence {
        .interfaces(
            [
                Interface(
                    name: "wlan0", index: 3, type: .station, state: .connected, ssid: try corp(),
                    links: [try BSSID("02:00:00:00:00:01")], authorized: true, mfp: true, security: [.wpa2Personal])
            ], source: .nl80211)
    }

    static let login = Login(user: "root", service: "sudo", rhost: "", tty: "", process: 1)

    @Test("is answered by the recorded evidence and the known place")
    func good() throws {
        let evidence = try connected()
        let inquiry = Inquiry(login: Self.login, session: .local, evidence: evidence)
        let finding = decide(inquiry, policy: try policy())
        #expect(finding.decision.reason == .trustedNetwork)
        #expect(finding.decision.network == "corp")
        #expect(finding.evidence == evidence)
        #expect(finding.location?.because == "the recorded session says so")
        #expect(finding.rules == Rules())
    }

    @Test("about the network alone asks for nobody")
    func networkOnly() throws {
        let finding = decide(
            Inquiry(login: nil, session: .remote, evidence: try connected()),
            policy: try policy { $0.alwaysRequire.services = ["sudo"] })
        #expect(finding.decision.reason == .trustedNetwork)
        #expect(finding.location?.because == nil)
    }

    @Test(
        "of a remote asker is answered without a look at Wi-Fi", arguments: ["203.0.113.9", "evil.example", "\u{1b}"])
    func remote(rhost: String) throws {
        var login = Self.login
        login.rhost = rhost
        let finding = decide(Inquiry(login: login, evidence: try connected()), policy: try policy())
        #expect(finding.decision.reason == .remoteSession)
        #expect(finding.location?.because != nil)
        #expect(finding.evidence == nil)
    }

    @Test("of a remote asker is about the network where the policy allows it")
    func remoteAllowed() throws {
        var login = Self.login
        login.rhost = "203.0.113.9"
        let policy = try policy { $0.remoteSessions = .allow }
        let finding = decide(Inquiry(login: login, evidence: try connected()), policy: policy)
        #expect(finding.decision.reason == .trustedNetwork)
        #expect(finding.location?.because == nil)
    }

    struct Excluded: CustomTestStringConvertible {
        let what: String
        let user: String?
        let always: Askers
        let reason: Reason
        var testDescription: String { what }
    }

    static let excluded = [
        Excluded(what: "by name", user: "root", always: Askers(users: ["root"]), reason: .userExcluded),
        Excluded(what: "by group", user: "root", always: Askers(groups: ["root"]), reason: .userExcluded),
        Excluded(
            what: "not by another group", user: "nobody", always: Askers(groups: ["root"]), reason: .trustedNetwork),
        Excluded(
            what: "not by a group that does not exist", user: "root", always: Askers(groups: ["no-such-group"]),
            reason: .trustedNetwork),
        Excluded(
            what: "for having no account", user: "no-such-user", always: Askers(groups: ["root"]), reason: .userExcluded
        ),
        Excluded(what: "for having no name", user: nil, always: Askers(groups: ["root"]), reason: .userExcluded),
        Excluded(what: "by service", user: "root", always: Askers(services: ["sudo"]), reason: .serviceExcluded),
    ]

    @Test("of an asker who is always asked is answered so", arguments: excluded)
    func alwaysAsked(row: Excluded) throws {
        var login = Self.login
        login.user = row.user
        let inquiry = Inquiry(login: login, session: .local, evidence: try connected())
        let finding = decide(inquiry, policy: try policy { $0.alwaysRequire = row.always })
        #expect(finding.decision.reason == row.reason)
        #expect((finding.evidence == nil) == (row.reason != .trustedNetwork))
    }

    @Test("of whom nothing is known is answered all the same")
    func nothingKnown() throws {
        let nobody = Login(user: nil, service: nil, rhost: "", tty: "", process: -1)
        let finding = decide(Inquiry(login: nobody, evidence: try connected()), policy: try policy())
        #expect(finding.decision.reason == .sessionUnknown)
        let known = decide(
            Inquiry(login: nobody, session: .local, evidence: try connected()), policy: try policy())
        #expect(known.decision.reason == .trustedNetwork)
    }

    struct Consent: CustomTestStringConvertible {
        let word: String
        var locksSessions = false
        let reason: Reason
        var testDescription: String { "\(word)\(locksSessions ? ", sessions are locked" : "")" }
    }

    @Test(
        "depends on the user's consent where that is needed, before Wi-Fi is looked at",
        arguments: [
            Consent(word: "", reason: .consentMissing), Consent(word: "denied\n", reason: .consentDenied),
            Consent(word: "granted\n", reason: .trustedNetwork),
            Consent(word: "granted-always\n", reason: .trustedNetwork),
            Consent(word: "granted\n", locksSessions: true, reason: .consentMissing),
            Consent(word: "granted-always\n", locksSessions: true, reason: .trustedNetwork),
            // Anything else is no decision.
            Consent(word: "granted", reason: .consentMissing), Consent(word: "Granted\n", reason: .consentMissing),
            Consent(word: "granted\n\n", reason: .consentMissing),
            Consent(word: "not-determined\n", reason: .consentMissing),
            Consent(word: String(repeating: "granted\n", count: 20), reason: .consentMissing),
        ])
    func consent(row: Consent) throws {
        let (tree, root) = try temporaryTree()
        defer { try? FileManager.default.removeItem(atPath: root) }
        let user = try #require(Self.login.user)
        try Consents(in: tree).store(.granted, of: user)
        try Data(row.word.utf8).write(to: URL(filePath: root + "/var/lib/onsite/consent/\(user)"))
        let finding = decide(
            Inquiry(login: Self.login, session: .local, evidence: try connected()),
            policy: try policy {
                $0.consent = .needed
                $0.locksSessions = row.locksSessions
            }, leave: Leave(consents: Consents(in: tree)))
        #expect(finding.decision.reason == row.reason)
        #expect((finding.evidence == nil) == (row.reason != .trustedNetwork))
    }

    @Test("is watched in the background only by who has agreed to that", arguments: ConsentState.allCases)
    func watcher(state: ConsentState) throws {
        let (tree, root) = try temporaryTree()
        defer { try? FileManager.default.removeItem(atPath: root) }
        try Consents(in: tree).store(state, of: "alice")
        for (watcher, isAllowed) in [("alice", state == .grantedAlways), ("bob", false), (nil, true)] {
            let inquiry = Inquiry(login: nil, evidence: try connected(), watcher: watcher)
            let leave = Leave(consents: Consents(in: tree))
            let finding = decide(inquiry, policy: try policy { $0.consent = .needed }, leave: leave)
            #expect((finding.decision.reason == .trustedNetwork) == isAllowed)
            #expect((finding.evidence != nil) == isAllowed)
            #expect(decide(inquiry, policy: try policy(), leave: leave).decision.reason == .trustedNetwork)
        }
    }

    @Test("keeps access points only where a network of that name lists some, or they are asked for")
    func precision() throws {
        for (isPinned, isPrecise) in [(false, false), (true, false), (false, true)] {
            var inquiry = Inquiry(login: nil, evidence: try connected())
            inquiry.isPrecise = isPrecise
            let finding = decide(inquiry, policy: try policy(isPinned: isPinned))
            #expect(finding.decision.reason == (isPinned ? .bssidNotListed : .trustedNetwork))
            #expect(finding.decision.bssids.isEmpty == !(isPinned || isPrecise))
        }
    }

    @Test("is about the day that it is")
    func expires() throws {
        var policy = try policy()
        let inquiry = Inquiry(login: Self.login, session: .local, evidence: try connected())
        policy.network.expires = Day(year: 2020, month: 1, day: 1)
        #expect(decide(inquiry, policy: policy).decision.reason == .entryExpired)
        policy.network.expires = Day(year: 9999, month: 12, day: 31)
        #expect(decide(inquiry, policy: policy).decision.reason == .trustedNetwork)
    }

    @Test("is answered by the compiled policy of a tree, and undecided without one")
    func compiled() throws {
        let root = FileManager.default.temporaryDirectory.appending(
            path: "onsite-gate-\(UInt64.random(in: 0 ... .max))"
        )
        .path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        unsafe chmod(root, 0o755)
        let tree = ProtectedTree(root: root)
        let inquiry = Inquiry(login: Self.login, session: .local, evidence: try connected())

        let missing = decide(inquiry, in: tree)
        #expect(missing.decision.reason == .policyMissing)
        #expect(missing.decision.answer == .undecided)
        #expect(missing.rules == nil)
        #expect(missing.evidence == nil)
        #expect(decide(inquiry, in: ProtectedTree(root: root + "/nowhere")).decision.reason == .policyMissing)

        let pinned = PinnedNetwork(network: Network(name: "corp", ssids: [try corp()]), pins: [])
        try writePolicy(Rules(), [pinned], sources: [], to: tree)
        let present = decide(inquiry, in: tree)
        #expect(present.decision.reason == .trustedNetwork)
        #expect(present.decision.network == "corp")
        #expect(present.rules == Rules())
    }

    @Test("says what it would have needed where it may not wait, or is confined")
    func lack() throws {
        let evidence = try connected()
        func lack(_ leave: Leave, seen: Evidence? = nil, _ policy: OneNetwork) -> Lack? {
            var leave = leave
            leave.evidence = { seen ?? evidence }
            return decide(Inquiry(login: Self.login, session: .local), policy: policy, leave: leave).lack
        }
        let hasty = Leave(mayWait: false), confined = Leave(isConfined: true)
        let plain = try policy()
        #expect(lack(hasty, plain) == nil)
        #expect(lack(confined, plain) == nil)

        // A directory of groups may take long, and may be out of reach.
        let groups = try policy { $0.alwaysRequire.groups = ["no-such-group"] }
        #expect(lack(hasty, groups) == .time)
        #expect(lack(confined, groups) == nil)
        var names = try policy { $0.alwaysRequire.users = ["somebody\0"] }
        #expect(lack(hasty, names) == .time)
        #expect(lack(confined, names) == .reach)
        names.rules.alwaysRequire.users = ["root"]
        #expect(lack(hasty, names) == nil)

        // A network that is being joined may be worth a wait, if the policy says so.
        var joining = try #require(evidence.all.first)
        joining.authorized = false
        let onTheWay = Evidence.interfaces([joining], source: .nl80211)
        #expect(lack(hasty, seen: onTheWay, plain) == nil)
        #expect(lack(hasty, seen: onTheWay, try policy { $0.wait = 1000 }) == .time)

        // A supplicant does not talk to everybody, and a sandbox may shut the kernel out.
        var verified = plain
        verified.network.minimumEvidence = .verified
        #expect(lack(confined, verified) == .proof)
        #expect(lack(Leave(), verified) == nil)
        let denied = Evidence.unavailable(.wifiAccessDenied, source: .nl80211)
        #expect(lack(confined, seen: denied, plain) == .reach)
        #expect(lack(hasty, seen: denied, plain) == nil)
    }
}

extension Evidence {
    fileprivate var all: [Interface] {
        if case .interfaces(let interfaces, _) = self { return interfaces }
        return []
    }
}
