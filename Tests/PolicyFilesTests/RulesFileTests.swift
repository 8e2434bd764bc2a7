import Testing
import Trust

@testable import PolicyFiles

@Suite("policy.toml")
struct RulesFileTests {
    private func read(_ text: String) -> (rules: Rules, problems: [FileProblem]) {
        Rules.parse(Array(text.utf8), file: "policy.toml")
    }

    /// The file of the manual that writes out every default.
    static let manual = """
        version = 1

        [decision]
        minimum-evidence = "protected"   # claimed | protected | verified
        stations = "all"
        remote-sessions = "require"
        wait = "0s"

        [always-require]
        users = []
        groups = []
        services = []

        [leave]
        lock-sessions = false

        [privacy]
        log-identifiers = "hashed"
        consent = "not-needed"

        [privacy.purposes]
        enrolment = "Adding the network that this machine is on to the allowlist"
        """

    @Test("what the manual calls defaults are the defaults", arguments: ["", "version = 1", "[decision]", manual])
    func defaults(text: String) {
        let (rules, problems) = read(text)
        #expect(problems == [])
        #expect(rules == Rules())
        #expect(rules.minimumEvidence == .protected && rules.stations == .all && rules.remoteSessions == .require)
        #expect(rules.wait == 0 && rules.alwaysRequire == Askers())
        #expect(rules.identifiers == .hashed && rules.consent == .notNeeded && !rules.locksSessions)
        #expect(
            rules.purposes == [
                Purpose(key: "enrolment", sentence: "Adding the network that this machine is on to the allowlist")
            ])
    }

    @Test("every key is read")
    func everyKey() {
        let (rules, problems) = read(
            """
            [decision]
            minimum-evidence = "verified"
            stations = "any"
            remote-sessions = "allow"
            wait = "2500ms"
            [always-require]
            users = ["root", "eve"]
            groups = "wheel"
            services = ["sshd"]
            [leave]
            lock-sessions = true
            [privacy]
            log-identifiers = "none"
            consent = "needed"
            purposes = { support = "Answering a question of yours", x-1 = "é" }
            """)
        #expect(problems == [])
        #expect(rules.minimumEvidence == .verified && rules.stations == .any && rules.remoteSessions == .allow)
        #expect(rules.wait == 2500)
        #expect(rules.alwaysRequire == Askers(users: ["root", "eve"], groups: ["wheel"], services: ["sshd"]))
        #expect(rules.identifiers == .none && rules.consent == .needed && rules.locksSessions)
        #expect(
            rules.purposes == [
                Purpose(key: "support", sentence: "Answering a question of yours"), Purpose(key: "x-1", sentence: "é"),
            ])
    }

    static let mistakes = [
        Mistake("version = 2", 1, "version 2", "version = 1"),
        Mistake("version = \"1\"", 1, "version is text"),
        Mistake("version = 1.0", 1, "a decimal number"),
        Mistake("verison = 1", 1, "unknown key", "did you mean version?"),
        Mistake("stations = \"all\"", 1, "unknown key \"stations\""),
        Mistake("decision = 1", 1, "decision is a number", "[decision]"),
        Mistake("[[decision]]\nstations = \"all\"", 1, "decision is an array", "[decision]"),
        Mistake("[decision]\nminimum-evidence = \"none\"", 2, "decision.minimum-evidence", "claimed"),
        Mistake("[decision]\nstations = \"some\"", 2, "decision.stations", "all, any"),
        Mistake("[decision]\nstations = [\"all\"]", 2, "an array"),
        Mistake("[decision]\nremote-sessions = \"deny\"", 2, "require, allow"),
        Mistake("[decision]\nremote_sessions = \"require\"", 2, "did you mean decision.remote-sessions?"),
        Mistake("[decision]\nwait = \"11s\"", 2, "decision.wait", "10s"),
        Mistake("[decision]\nwait = \"10001ms\"", 2, "decision.wait"),
        Mistake("[decision]\nwait = \"-1s\"", 2, "decision.wait"),
        Mistake("[decision]\nwait = \"1\"", 2, "decision.wait"),
        Mistake("[decision]\nwait = \"1.5s\"", 2, "decision.wait"),
        Mistake("[decision]\nwait = \"1 s\"", 2, "decision.wait"),
        Mistake("[decision]\nwait = \"\"", 2, "decision.wait"),
        Mistake("[decision]\nwait = \"99999999999999999999s\"", 2, "decision.wait"),
        Mistake("[decision]\nwait = 5", 2, "a number"),
        Mistake("[always-require]\nuser = [\"root\"]", 2, "did you mean always-require.users?"),
        Mistake("[always-require]\nusers = [\"\"]", 2, "no name for users"),
        Mistake("[always-require]\nusers = [\"a\",\n\"b c\"]", 3, "no name for users"),
        Mistake("[always-require]\nhosts = []", 2, "unknown key", "known keys: users, groups, services"),
        Mistake("[privacy]\nlog-identifiers = \"full\"", 2, "hashed, none, clear"),
        Mistake("[privacy]\nconsent = \"maybe\"", 2, "not-needed, needed"),
        Mistake("[privacy]\nconsent = true", 2, "true or false"),
        Mistake("[leave]\nlock-sessions = \"yes\"", 2, "true or false"),
        Mistake("[privacy.purposes]\nBAD = \"x\"", 2, "\"BAD\" cannot be a purpose"),
        Mistake("[privacy.purposes]\n\"a b\" = \"x\"", 2, "cannot be a purpose"),
        Mistake("[privacy.purposes]\nx = \"\"", 2, "says nothing"),
        Mistake("[privacy.purposes]\nx = \"  \"", 2, "says nothing"),
        Mistake("[privacy.purposes]\nx = 1", 2, "a number"),
        Mistake("[privacy]\npurposes = \"x\"", 2, "[privacy.purposes]"),
        Mistake("[gate]\nx = 1", 1, "unknown key \"gate\""),
        Mistake("a", 1, "not TOML"),
        Mistake("[decision]\n[decision]", 2, "not TOML"),
        Mistake("\u{0}", 1, "not TOML"),
    ]

    @Test("every mistake is named with its line", arguments: mistakes)
    func mistake(mistake: Mistake) {
        #expect(mistake.isMissing(in: read(mistake.text).problems) == nil)
    }

    static let times: [(String, UInt32?)] = [
        ("0s", 0), ("10s", 10_000), ("500ms", 500), ("0ms", 0), ("007s", 7000), ("86400s", 86_400_000),
        ("86401s", nil), ("s", nil), ("ms", nil), ("5", nil), ("5m", nil), ("٣s", nil), ("5s ", nil), ("5S", nil),
        ("+5s", nil), ("999999999s", nil),
    ]

    @Test("a time is a number and a unit", arguments: times)
    func time(text: String, expected: UInt32?) {
        #expect(milliseconds(text) == expected)
    }

    static let networkNames: [(String, Bool)] = [
        ("a", true), ("0", true), ("corp-hq-2", true), (String(repeating: "a", count: 63), true),
        ("", false), (String(repeating: "a", count: 64), false), ("-a", false), ("A", false), ("a_b", false),
        ("a.b", false), ("a/b", false), ("é", false), ("a\u{301}", false), ("a b", false), ("a\n", false),
    ]

    @Test("a name is a-z, 0-9 and -, at most 63, not - first", arguments: networkNames)
    func name(text: String, isOne: Bool) {
        #expect(isName(text) == isOne)
    }
}
