import ProtectedFiles
import Testing
import Trust
import Wireless

@testable import PolicyFiles

@Suite("An edit changes what it says and nothing else")
struct EditTests {
    /// A file, a change of what it says, and the text that it must become.
    struct Edit: CustomTestStringConvertible, Sendable {
        let name: String
        let before: String
        let change: @Sendable (inout NetworkFile) -> Void
        let after: String
        var testDescription: String { name }

        init(
            _ name: String, _ before: String, _ after: String, _ change: @escaping @Sendable (inout NetworkFile) -> Void
        ) {
            (self.name, self.before, self.after, self.change) = (name, before, after, change)
        }
    }

    static let one = "02:00:00:00:00:01"
    static let two = "02:00:00:00:00:02"
    static let three = "02:00:00:00:00:03"

    static func add(_ pins: String...) -> @Sendable (inout NetworkFile) -> Void {
        {
            $0.pins += pins.map(pattern)
            $0.network.isPinned = true
        }
    }

    static func remove(_ pin: String) -> @Sendable (inout NetworkFile) -> Void {
        { file in file.pins.removeAll { $0 == pattern(pin) } }
    }

    static let additions = [
        Edit(
            "to one line", "ssid = \"a\" # name\nbssid = [\"\(one)\"] # pins\n",
            "ssid = \"a\" # name\nbssid = [\"\(one)\", \"\(two)\"] # pins\n", add(two)),
        Edit(
            "two to one line with blanks", "ssid='a'\nbssid   =   [ '\(one)' ]   \n",
            "ssid='a'\nbssid   =   [ '\(one)', \"\(two)\", \"\(three)\" ]   \n", add(two, three)),
        Edit(
            "to one line with a comma at its end", "ssid='a'\nbssid = ['\(one)',]\n",
            "ssid='a'\nbssid = ['\(one)', \"\(two)\",]\n", add(two)),
        Edit(
            "to many lines", "ssid='a'\nbssid = [\n    \"\(one)\",\n]\naction = 'skip'\n",
            "ssid='a'\nbssid = [\n    \"\(one)\",\n    \"\(two)\",\n]\naction = 'skip'\n", add(two)),
        Edit(
            "to many lines without a comma at the end", "ssid='a'\nbssid = [\n\t'\(one)'\n]\n",
            "ssid='a'\nbssid = [\n\t'\(one)',\n\t\"\(two)\"\n]\n", add(two)),
        Edit(
            "behind the comment of the last one",
            "ssid='a'\nbssid = [\n  '\(one)', # lobby\n  '\(two)'  # lab\n  # the end\n]\n",
            "ssid='a'\nbssid = [\n  '\(one)', # lobby\n  '\(two)',  # lab\n  \"\(three)\"\n  # the end\n]\n",
            add(three)),
        Edit(
            "behind the comment of the last one and its comma",
            "ssid='a'\nbssid = [\n  '\(one)', # lobby, left\n]\n",
            "ssid='a'\nbssid = [\n  '\(one)', # lobby, left\n  \"\(two)\",\n]\n", add(two)),
        Edit(
            "to a value that is one text", "# top\nssid='a'\nbssid = \"\(one)\"   # lobby\n",
            "# top\nssid='a'\nbssid = [\"\(one)\", \"\(two)\"]   # lobby\n", add(two)),
        Edit(
            "where there is no such key", "ssid='a'\n# the end", "ssid='a'\n# the end\nbssid = [\"\(one)\"]\n",
            add(one)),
        Edit(
            "four where there is no such key", "ssid='a'",
            "ssid='a'\nbssid = [\n    \"\(one)\",\n    \"\(two)\",\n    \"\(three)\",\n    \"02:00:00:00:00:04\",\n]\n",
            add(one, two, three, "02:00:00:00:00:04")),
        Edit("a second name", "ssid = \"a\" # x\n", "ssid = [\"a\", \"b\"] # x\n") {
            $0.network.ssids.append(ssid("b"))
        },
        Edit(
            "a name that differs by its encoding alone", "ssid = ['Caf\u{e9}']\n",
            "ssid = ['Caf\u{e9}', \"Cafe\u{301}\"]\n"
        ) { $0.network.ssids.append(ssid("Cafe\u{301}")) },
        Edit("a name that is no text", "ssid = \"a\"\n", "ssid = \"a\"\nssid-hex = \"ff00\"\n") {
            $0.network.ssids.append(ssid(bytes: [0xff, 0]))
        },
        Edit("a user to an empty list", "ssid='a'\nusers = []  # none\n", "ssid='a'\nusers = [\"eve\"]  # none\n") {
            $0.network.askers.users = ["eve"]
        },
        Edit(
            "a security between others", "ssid='a'\nsecurity = [\"wpa3-personal\"]\n",
            "ssid='a'\nsecurity = [\"wpa3-personal\", \"fils\"]\n"
        ) { $0.network.security.insert(.fils) },
    ]

    static let changes = [
        Edit("a label", "ssid='a'\nsite = 'Old' # HQ\n", "ssid='a'\nsite = \"New \\\"HQ\\\"\" # HQ\n") {
            $0.network.site = "New \"HQ\""
        },
        Edit("a label that is new", "ssid='a'\n", "ssid='a'\nsite = \"Café\"\n") { $0.network.site = "Café" },
        Edit("a label over many lines", "ssid='a'\nsite = '''\nOld'''\n# end\n", "ssid='a'\nsite = \"New\"\n# end\n") {
            $0.network.site = "New"
        },
        Edit("a day", "ssid='a'\nexpires = 2027-01-31 # end\n", "ssid='a'\nexpires = 2028-02-29 # end\n") {
            $0.network.expires = Day(year: 2028, month: 2, day: 29)
        },
        Edit("an action", "action='skip'# x\nssid='a'\n", "action=\"require\"# x\nssid='a'\n") {
            $0.network.action = .require
        },
        Edit("a minimum", "ssid='a'\n", "ssid='a'\nminimum-evidence = \"verified\"\n") {
            $0.network.minimumEvidence = .verified
        },
        Edit("nothing", "ssid  =  'a' # as it is", "ssid  =  'a' # as it is") { _ in },
        Edit("behind letters of more than one byte", "ssid='é€😀' # ü\nsite='é😀'#x\n", "ssid='é€😀' # ü\nsite=\"b\"#x\n")
        {
            $0.network.site = "b"
        },
        Edit("behind a byte order mark", "\u{feff}ssid=['a']#x\n", "\u{feff}ssid=['a', \"b\"]#x\n") {
            $0.network.ssids.append(ssid("b"))
        },
        Edit("with CRLF", "ssid='a'\r\nsite='b'\r\n", "ssid='a'\r\nsite=\"c\"\r\n") { $0.network.site = "c" },
        Edit(
            "with CRLF, a new line", "ssid='a'\r\nbssid=[\r\n  '\(one)'\r\n]\r\n",
            "ssid='a'\r\nbssid=[\r\n  '\(one)',\r\n  \"\(two)\"\r\n]\r\nsite = \"c\"\r\n"
        ) {
            $0.network.site = "c"
            $0.pins.append(pattern(two))
        },
        Edit(
            "several at once", "ssid='a'\nbssid=['\(one)']\nsite='x'\n",
            "ssid='a'\nbssid=['\(one)', \"\(two)\"]\nsite=\"y\"\nexpires = 2030-01-01\n"
        ) {
            $0.pins.append(pattern(two))
            $0.network.site = "y"
            $0.network.expires = Day(year: 2030, month: 1, day: 1)
        },
    ]

    static let removals = [
        Edit(
            "the first", "ssid='a'\nbssid = ['\(one)', '\(two)', '\(three)'] # x\n",
            "ssid='a'\nbssid = ['\(two)', '\(three)'] # x\n", remove(one)),
        Edit(
            "the one between", "ssid='a'\nbssid = ['\(one)', '\(two)', '\(three)']\n",
            "ssid='a'\nbssid = ['\(one)', '\(three)']\n", remove(two)),
        Edit(
            "the last", "ssid='a'\nbssid = ['\(one)', '\(two)']\n", "ssid='a'\nbssid = ['\(one)']\n", remove(two)),
        Edit(
            "the last with a comma behind it", "ssid='a'\nbssid = ['\(one)', '\(two)',]\n",
            "ssid='a'\nbssid = ['\(one)',]\n", remove(two)),
        Edit(
            "in another notation", "ssid='a'\nbssid = ['02-00-00-00-00-01', '0200.0000.0002']\n",
            "ssid='a'\nbssid = ['02-00-00-00-00-01']\n", remove(two)),
        Edit(
            "a line", "ssid='a'\nbssid = [\n  '\(one)',\n  '\(two)',\n]\n", "ssid='a'\nbssid = [\n  '\(two)',\n]\n",
            remove(one)),
        Edit(
            "the last line", "ssid='a'\nbssid = [\n  '\(one)',\n  '\(two)'\n]\n",
            "ssid='a'\nbssid = [\n  '\(one)',\n]\n",
            remove(two)),
        Edit(
            "a line with a comment, which stays", "ssid='a'\nbssid = [\n  '\(one)', # lobby\n  '\(two)', # lab\n]\n",
            "ssid='a'\nbssid = [\n  # lobby\n  '\(two)', # lab\n]\n", remove(one)),
    ]

    @Test("adding", arguments: additions)
    func addition(edit: Edit) throws { try make(edit) }

    @Test("changing", arguments: changes)
    func change(edit: Edit) throws { try make(edit) }

    @Test("removing", arguments: removals)
    func removal(edit: Edit) throws { try make(edit) }

    private func make(_ edit: Edit) throws {
        var (file, problems) = parse(edit.before)
        try #require(problems == [])
        edit.change(&file)
        let bytes = try file.edited(Array(edit.before.utf8), path: "corp.toml", minimumEvidence: .protected)
        #expect(
            String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(edit.after.utf8),
            "\(quoted(String(decoding: bytes, as: UTF8.self)))")
    }

    static let refusals: [(name: String, text: String, change: @Sendable (inout NetworkFile) -> Void)] = [
        ("to take a whole key away", "ssid='a'\nsite='x'\n", { $0.network.site = nil }),
        ("to take a date away", "ssid='a'\nexpires=2027-01-01\n", { $0.network.expires = nil }),
        (
            "to take the last of a list away where the list may not be empty", "ssid='a'\nbssid=['\(one)']\n",
            {
                $0.pins = []
                $0.network.isPinned = false
            }
        ),
        (
            "to take a name in other digits away", "ssid='a'\nssid-hex=['FF','FE']\n",
            {
                $0.network.ssids.removeLast()
            }
        ),
        ("to take a list away", "ssid='a'\nbssid-file='one'\n", { $0.pinFile = nil }),
    ]

    @Test("is refused where more would have to change", arguments: refusals)
    func refusal(name: String, text: String, change: @Sendable (inout NetworkFile) -> Void) {
        var (file, problems) = parse(text)
        #expect(problems == [])
        change(&file)
        #expect(throws: FileProblems.self) {
            _ = try file.edited(Array(text.utf8), path: "corp.toml", minimumEvidence: .protected)
        }
    }

    @Test("is refused in a file that has a mistake")
    func mistake() {
        let (file, _) = parse("ssid='a'\n")
        #expect(throws: FileProblems.self) {
            _ = try file.edited(Array("ssid='a'\nbogus=1\n".utf8), path: "corp.toml", minimumEvidence: .protected)
        }
    }
}
