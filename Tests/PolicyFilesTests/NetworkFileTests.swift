import Testing
import Trust
import Wireless

@testable import PolicyFiles

@Suite("A network's file")
struct NetworkFileTests {
    @Test("every key is read")
    func everyKey() {
        let (file, problems) = parse(
            """
            # A network.
            ssid = ["Corp-Staff", "Corp-Guest"]
            ssid-hex = "436f7270FF"
            bssid = ["02:11:22:33:44:50/44", "02-11-22-33-45-00", "0211.2233.4501"]
            bssid-file = "hq.bssids"
            security = ["wpa2-enterprise", "wpa3-enterprise"]
            minimum-evidence = "verified"
            action = "require"
            site = "Berlin HQ"
            users = "alice"
            groups = ["staff", "admins"]
            services = ["sudo"]
            expires = 2027-01-31
            """)
        #expect(problems == [])
        var expected = Network(
            name: "corp",
            ssids: [ssid("Corp-Staff"), ssid("Corp-Guest"), ssid(bytes: Array("Corp".utf8) + [0xff])],
            isPinned: true, security: [.wpa2Enterprise, .wpa3Enterprise], minimumEvidence: .verified, action: .require,
            site: "Berlin HQ")
        expected.askers = Askers(users: ["alice"], groups: ["staff", "admins"], services: ["sudo"])
        expected.expires = Day(year: 2027, month: 1, day: 31)
        #expect(file.network == expected)
        #expect(file.pins == ["02:11:22:33:44:50/44", "02:11:22:33:45:00", "02:11:22:33:45:01"].map(pattern))
        #expect(file.pinFile == "hq.bssids")
    }

    @Test("a name is enough; the rest has its defaults", arguments: [EvidenceLevel.claimed, .protected, .verified])
    func defaults(minimumEvidence: EvidenceLevel) {
        let (file, problems) = NetworkFile.parse(
            Array("ssid = 'Corp'".utf8), name: "corp", file: "corp.toml", minimumEvidence: minimumEvidence)
        #expect(problems == [])
        let expected = Network(name: "corp", ssids: [ssid("Corp")], minimumEvidence: minimumEvidence, action: .skip)
        #expect(file == NetworkFile(network: expected))
    }

    static let names = [
        Mistake("", nil, "no ssid", "add ssid"),
        Mistake("# only a comment\n", nil, "no ssid"),
        Mistake("\n\nssid = \"\"", 3, "empty", "1 to 32 bytes"),
        Mistake("ssid = []", 1, "ssid is empty"),
        Mistake("ssid-hex = []", 1, "ssid-hex is empty"),
        Mistake("ssid-hex = \"\"", 1, "SSID is empty"),
        Mistake("ssid = [\n\"a\",\n\"\",\n]", 3, "empty"),
        Mistake("ssid = \"\(String(repeating: "a", count: 33))\"", 1, "33 bytes", "32 bytes"),
        Mistake("ssid = \"\(String(repeating: "a", count: 31))é\"", 1, "33 bytes", "32 bytes"),
        Mistake("ssid-hex = \"\(String(repeating: "00", count: 33))\"", 1, "33 bytes", "32 bytes"),
        Mistake("ssid-hex = \"436\"", 1, "ssid-hex", "436", "two hexadecimal digits"),
        Mistake("ssid-hex = \"zz\"", 1, "ssid-hex", "zz"),
        Mistake("ssid-hex = \"0x41\"", 1, "ssid-hex"),
        Mistake("ssid-hex = \"41 42\"", 1, "ssid-hex"),
        Mistake("ssid-hex = \"41\u{ff11}1\"", 1, "ssid-hex"),
        Mistake("ssid = \"a\"\nssid-hex = \"61\"", 2, "stands twice"),
        Mistake("ssid = [\"a\",\n\"a\"]", 2, "stands twice"),
        Mistake("ssid = 42", 1, "ssid is a number", "text in quotes"),
        Mistake("ssid = true", 1, "true or false"),
        Mistake("ssid = [\"a\",\n4.5]", 2, "a decimal number"),
        Mistake("ssid = [[\"a\"]]", 1, "an array"),
        Mistake("[ssid]\nx = 1", 1, "ssid is a table"),
        Mistake("ssid = \"C:\\xBIN\"", 1, "not TOML"),
        Mistake("ssid = \"a\nb\"", 1, "not TOML"),
        Mistake("ssid = \"a\"\nssid = \"b\"", 2, "not TOML"),
        Mistake("ssid = ", 1, "not TOML"),
    ]

    static let pins = [
        Mistake("bssid = []", 1, "bssid is empty", "leave the key out"),
        Mistake("bssid = \"\"", 1, "bssid"),
        Mistake("bssid = \"any\"", 1, "any", "not a BSSID"),
        Mistake("bssid = \"00:00:00:00:00:00\"", 1, "all zeros"),
        Mistake("bssid = \"ff:ff:ff:ff:ff:ff\"", 1, "broadcast"),
        Mistake("bssid = \"01:00:5e:00:00:01\"", 1, "multicast"),
        Mistake("bssid = [\"02:00:00:00:00:01\",\n\"03:00:00:00:00:01\"]", 2, "multicast"),
        Mistake("bssid = \"02:00:00:00:00:00/23\"", 1, "/24 to /48"),
        Mistake("bssid = \"02:00:00:00:00:00/49\"", 1, "/24 to /48"),
        Mistake("bssid = \"02:00:00:00:00:00/4\"", 1, "/24 to /48"),
        Mistake("bssid = \"02:00:00:00:00:00/\"", 1, "/24 to /48"),
        Mistake("bssid = \"02:00:00:00:00:00/-1\"", 1, "/24 to /48"),
        Mistake("bssid = \"02:00:00:00:00:00/+24\"", 1, "/24 to /48"),
        Mistake("bssid = \"02:00:00:00:00:00/24/24\"", 1, "/24 to /48"),
        Mistake("bssid = \"02:00:00:00:00:01/44\"", 1, "bits after /44"),
        Mistake("bssid = \"02:00:00:80:00:00/24\"", 1, "bits after /24"),
        Mistake("bssid = \"00:00:00:00:00:00/24\"", 1, "all zeros"),
        Mistake("bssid = \"2:0:0:0:0:1\"", 1, "not a BSSID"),
        Mistake("bssid = \"02ABcdEF0001\"", 1, "not a BSSID"),
        Mistake("bssid = \"02:ab-cd:ef:00:01\"", 1, "not a BSSID"),
        Mistake("bssid = \"02:ab:cd:ef:00:01 \"", 1, "not a BSSID"),
        Mistake("bssid = \"02:ab:cd:ef:00\"", 1, "not a BSSID"),
        Mistake("bssid = \"02:ab:cd:ef:00:01:02\"", 1, "not a BSSID"),
        Mistake("bssid = \"02:ab:cd:ef:00:\u{ff10}1\"", 1, "not a BSSID"),
        Mistake("bssid = \"02:ab:cd:ef:00:0g\"", 1, "not a BSSID"),
        Mistake("bssid = \"+2:ab:cd:ef:00:01\"", 1, "not a BSSID"),
        Mistake("bssid = [\"02:AB:cd:ef:00:01\",\n\"02ab.cdef.0001\"]", 2, "stands twice"),
        Mistake("bssid = 2", 1, "bssid is a number"),
        Mistake("bssid-file = \"\"", 1, "bssid-file"),
        Mistake("bssid-file = \"../hq.bssids\"", 1, "bssid-file", "same directory"),
        Mistake("bssid-file = \"/etc/hq.bssids\"", 1, "bssid-file"),
        Mistake("bssid-file = \"lists/hq\"", 1, "bssid-file"),
        Mistake("bssid-file = \"lists/\u{301}hq\"", 1, "bssid-file"),
        Mistake("bssid-file = \".hidden\"", 1, "bssid-file"),
        Mistake("bssid-file = \".\u{301}hidden\"", 1, "bssid-file"),
        Mistake("bssid-file = \"other.toml\"", 1, "bssid-file"),
        Mistake("bssid-file = \"a\\u0000b\"", 1, "bssid-file"),
        Mistake("bssid-file = [\"a\"]", 1, "an array"),
    ]

    static let rest = [
        Mistake("security = []", 1, "security is empty"),
        Mistake("security = [\n\"wpa2\"]", 2, "security cannot be \"wpa2\"", "wpa2-personal"),
        Mistake("security = \"WPA3-Personal\"", 1, "security"),
        Mistake("minimum-evidence = \"none\"", 1, "minimum-evidence", "claimed, protected, verified"),
        Mistake("minimum-evidence = \"\"", 1, "minimum-evidence"),
        Mistake("minimum-evidence = 2", 1, "a number"),
        Mistake("action = \"allow\"", 1, "action", "skip, require"),
        Mistake("action = false", 1, "action"),
        Mistake("site = \"\"", 1, "site", "1 to 128"),
        Mistake("site = \"\(String(repeating: "s", count: 129))\"", 1, "site", "1 to 128"),
        Mistake("site = \"a\\u001b[2Jb\"", 1, "site"),
        Mistake("site = \"a\\nb\"", 1, "site"),
        Mistake("site = \"a\\u202eb\"", 1, "site"),
        Mistake("users = [\"\"]", 1, "no name for users"),
        Mistake("users = [\"a b\"]", 1, "no name for users"),
        Mistake("groups = [\"a\\tb\"]", 1, "no name for groups"),
        Mistake("services = [\"a\\u007f\"]", 1, "no name for services"),
        Mistake("users = [1]", 1, "users is a number"),
        Mistake("expires = \"2027-01-31\"", 1, "expires is text", "without quotes"),
        Mistake("expires = 2027", 1, "expires is a number"),
        Mistake("expires = 2027-02-29", 1, "not TOML"),
        Mistake("expires = 1969-12-31", 1, "1970 to 9999"),
        Mistake("expires = 2027-01-31T00:00:00Z", 1, "a date with a time"),
        Mistake("expires = 12:00:00", 1, "a time of day"),
        Mistake("expire = 2027-01-31", 1, "unknown key \"expire\"", "did you mean expires?"),
        Mistake("minimum_evidence = \"verified\"", 1, "unknown key", "did you mean minimum-evidence?"),
        Mistake("bsssid = \"x\"", 1, "did you mean bssid?"),
        Mistake("ssid_hex = \"x\"", 1, "did you mean ssid-hex?"),
        Mistake("essid = \"x\"", 1, "did you mean ssid?"),
        Mistake("SSID = \"x\"", 1, "unknown key \"SSID\""),
        Mistake("passphrase = \"x\"", 1, "unknown key \"passphrase\"", "known keys: ssid, ssid-hex, bssid"),
        Mistake("\n\n[decision]\nstations = \"all\"", 3, "unknown key \"decision\""),
        Mistake("\"a\\u001bb\" = 1", 1, "unknown key"),
    ]

    @Test("a wrong name is named with its line", arguments: names)
    func wrongName(mistake: Mistake) {
        #expect(mistake.isMissing(in: parse(mistake.text).problems) == nil)
    }

    @Test("every other mistake is named with its line", arguments: pins + rest)
    func mistake(mistake: Mistake) {
        let after = Mistake("ssid = 'Corp'\n" + mistake.text, mistake.line.map { $0 + 1 })
        let problems = parse(after.text).problems
        let named = problems.contains { problem in
            problem.line == after.line && mistake.words.allSatisfy { "\(problem)".contains($0) }
        }
        #expect(named, "\(problems)")
    }

    @Test("a message is one line without control characters", arguments: names + pins + rest)
    func message(mistake: Mistake) {
        for problem in parse("ssid = 'a'\n" + mistake.text).problems + parse(mistake.text).problems {
            #expect(printable("\(problem)") == "\(problem)")
            #expect("\(problem)".hasPrefix("corp.toml"))
        }
    }

    @Test("one reading finds every mistake")
    func allMistakes() {
        let (_, problems) = parse("ssid = ''\nbssid = 'any'\nacton = 'skip'\nexpires = 'never'\n")
        #expect(problems.map(\.line) == [1, 2, 4, 3])
    }

    @Test("no cut of a file makes it trust what it did not trust")
    func everyPrefix() {
        let text = "bssid = ['02:00:00:00:00:01']\naction = 'require'\nssid = ['Corp', 'Other']\nexpires = 2027-01-31\n"
        for end in 0..<text.utf8.count {
            let (file, problems) = parse(String(decoding: text.utf8.prefix(end), as: UTF8.self))
            guard problems.isEmpty else { continue }
            #expect(file.network.isPinned && file.network.action == .require, "\(end) bytes")
        }
    }
}
