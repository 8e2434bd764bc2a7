import Glibc
import ProtectedFiles
import Testing
import Trust
import Wireless

@testable import PolicyFiles

private let etc = "/etc/onsite/networks.d"
private let run = "/run/onsite/networks.d"
private let lib = "/usr/lib/onsite/networks.d"

@Suite("The configuration of three directories")
struct ConfigurationTests {
    /// Files and links, and the networks that count, each as `NAME=SSID`.
    struct Layout: CustomTestStringConvertible, Sendable {
        let name: String
        let files: [String: String]
        var links: [String: String] = [:]
        let networks: [String]
        var testDescription: String { name }
    }

    static let layouts = [
        Layout(name: "no directory at all", files: [:], networks: []),
        Layout(
            name: "one network in each",
            files: ["\(etc)/a.toml": "ssid='A'", "\(run)/b.toml": "ssid='B'", "\(lib)/c.toml": "ssid='C'"],
            networks: ["a=A", "b=B", "c=C"]),
        Layout(
            name: "/etc hides /run and /usr/lib",
            files: ["\(etc)/a.toml": "ssid='E'", "\(run)/a.toml": "ssid='R'", "\(lib)/a.toml": "ssid='L'"],
            networks: ["a=E"]),
        Layout(
            name: "/run hides /usr/lib", files: ["\(run)/a.toml": "ssid='R'", "\(lib)/a.toml": "ssid='L'"],
            networks: ["a=R"]),
        Layout(
            name: "an empty file masks", files: ["\(etc)/a.toml": "", "\(lib)/a.toml": "ssid='L'"], networks: []),
        Layout(
            name: "a link to /dev/null masks", files: ["\(etc)/b.toml": "ssid='B'", "\(lib)/a.toml": "ssid='L'"],
            links: ["\(etc)/a.toml": "/dev/null"], networks: ["b=B"]),
        Layout(
            name: "a mask in /run does not mask /etc",
            files: ["\(etc)/a.toml": "ssid='E'", "\(run)/a.toml": "", "\(lib)/a.toml": "ssid='L'"], networks: ["a=E"]),
        Layout(
            name: "other files do not count",
            files: [
                "\(etc)/a.toml": "ssid='A'", "\(etc)/README": "not = a network", "\(etc)/.b.toml": "x",
                "\(etc)/c.toml.dpkg-new": "x", "\(etc)/d.toml~": "x", "\(etc)/.a.toml.onsite-new": "x",
            ], networks: ["a=A"]),
        Layout(
            name: "a directory that is a link", files: ["/srv/networks.d/a.toml": "ssid='A'"],
            links: ["/etc/onsite": "/srv"], networks: ["a=A"]),
    ]

    @Test("an earlier one hides a later one, and a mask hides all", arguments: layouts)
    func hiding(layout: Layout) throws {
        let sandbox = try Sandbox(layout.files)
        unsafe mkdir(sandbox.root + "/etc", 0o755)
        for (path, target) in layout.links { try sandbox.link(path, to: target) }
        let configuration = try Configuration.load(from: sandbox.tree)
        #expect(configuration.networks.map { "\($0.network.name)=\($0.network.ssids[0])" } == layout.networks)
    }

    static let ruleFiles: [(files: [String: String], links: [String: String], wait: UInt32)] = [
        (["/usr/lib/onsite/policy.toml": wait(1)], [:], 1000),
        (["/usr/lib/onsite/policy.toml": wait(1), "/run/onsite/policy.toml": wait(2)], [:], 2000),
        (["/usr/lib/onsite/policy.toml": wait(1), "/etc/onsite/policy.toml": wait(3)], [:], 3000),
        (["/usr/lib/onsite/policy.toml": wait(1), "/etc/onsite/policy.toml": ""], [:], 0),
        (["/usr/lib/onsite/policy.toml": wait(1), "/etc/onsite/x": ""], ["/etc/onsite/policy.toml": "/dev/null"], 0),
    ]

    static func wait(_ seconds: Int) -> String { "[decision]\nwait = \"\(seconds)s\"" }

    @Test("policy.toml is hidden and masked in the same way", arguments: ruleFiles)
    func rules(files: [String: String], links: [String: String], wait: UInt32) throws {
        let sandbox = try Sandbox(files)
        for (path, target) in links { try sandbox.link(path, to: target) }
        #expect(try Configuration.load(from: sandbox.tree).rules.wait == wait)
    }

    @Test("the minimum of evidence of the machine counts where a network has none")
    func minimumEvidence() throws {
        let sandbox = try Sandbox([
            "/etc/onsite/policy.toml": "[decision]\nminimum-evidence = 'verified'", "\(etc)/a.toml": "ssid='A'",
            "\(etc)/b.toml": "ssid='B'\nminimum-evidence = 'claimed'",
        ])
        let networks = try Configuration.load(from: sandbox.tree).networks
        #expect(networks.map(\.network.minimumEvidence) == [.verified, .claimed])
    }

    @Test("the pins of the file and of the list count, and for a network to deny stand in it")
    func pins() throws {
        let text = "bssid='02:00:00:00:00:01'\nbssid-file='list'\n"
        let sandbox = try Sandbox([
            "\(etc)/a.toml": "ssid='A'\n" + text, "\(etc)/b.toml": "ssid='B'\naction='require'\n" + text,
            "\(etc)/list": "02:00:00:00:00:02\n",
        ])
        let networks = try Configuration.load(from: sandbox.tree).networks
        let pins = ["02:00:00:00:00:01", "02:00:00:00:00:02"].map(pattern)
        #expect(networks.map(\.pins) == [pins, []])
        #expect(networks.map(\.network.denied) == [[], pins])
        #expect(networks.map(\.network.isPinned) == [true, false])
    }

    @Test("a list is looked for beside its network, not in another directory")
    func listBesideNetwork() throws {
        let sandbox = try Sandbox([
            "\(lib)/a.toml": "ssid='A'\nbssid-file='list'", "\(etc)/list": "02:00:00:00:00:02",
        ])
        #expect(sandbox.problems().map(\.description) == ["\(sandbox.root)\(lib)/list: there is no such file"])
    }

    static let mistakes: [(files: [String: String], links: [String: String], message: String)] = [
        (["\(etc)/Corp.toml": "ssid='A'"], [:], "\(etc)/Corp.toml: \"Corp\" cannot name a network (use a-z"),
        (["\(etc)/a b.toml": "ssid='A'"], [:], "cannot name a network"),
        (["\(etc)/.toml": "x", "\(etc)/-a.toml": "ssid='A'"], [:], "\"-a\" cannot name a network"),
        (["\(etc)/\(String(repeating: "a", count: 64)).toml": "ssid='A'"], [:], "at most 63"),
        (["\(etc)/é.toml": "ssid='A'"], [:], "cannot name a network"),
        (["\(etc)/\u{1b}[2J.toml": "ssid='A'"], [:], "\\u{1b}[2J.toml: \"\\u{1b}[2J\" cannot name a network"),
        (["\(etc)/a.toml/x": ""], [:], "\(etc)/a.toml: not a regular file"),
        ([etc: "text"], [:], "\(etc): not a directory"),
        (["\(etc)/a.toml": "ssid='A'\nbssid-file='list'", "\(etc)/list": ""], [:], "\(etc)/list: the list is empty"),
        (["\(etc)/a.toml": "ssid='A'\nbssid-file='list'", "\(etc)/list": "x"], [:], "\(etc)/list:1: cannot read"),
        (["\(etc)/b.toml": "ssid='B'"], ["\(etc)/a.toml": "gone"], "\(etc)/a.toml: it, or a directory above it, is a"),
        (["\(etc)/b.toml": "ssid='B'"], ["\(etc)/a.toml": "a.toml"], "\(etc)/a.toml: too many symbolic links"),
        (["/etc/onsite/x": ""], ["/etc/onsite/policy.toml": "gone"], "policy.toml: it, or a directory above it, is a"),
        (["\(etc)/a.toml": String(repeating: "#", count: 1 << 20 | 1)], [:], "larger than 1048576 bytes"),
    ]

    @Test("a file that cannot be taken makes the whole fail, named in one line", arguments: mistakes)
    func mistake(files: [String: String], links: [String: String], message: String) throws {
        let sandbox = try Sandbox(files)
        for (path, target) in links { try sandbox.link(path, to: target) }
        let problems = sandbox.problems().map(\.description)
        #expect(problems.contains { $0.contains(message) }, "\(problems)")
        #expect(problems.allSatisfy { printable($0) == $0 })
    }

    @Test("every mistake of every file is found at once")
    func allMistakes() throws {
        let sandbox = try Sandbox([
            "/etc/onsite/policy.toml": "version = 3", "\(etc)/a.toml": "x = 1", "\(lib)/b.toml": "ssid = ''",
        ])
        #expect(Set(sandbox.problems().map { String($0.file.dropFirst(sandbox.root.count)) }).count == 3)
    }

    @Test("everything that the configuration depends on is a source, also what is not there")
    func sources() throws {
        let sandbox = try Sandbox([
            "/run/onsite/policy.toml": "", "\(etc)/a.toml": "ssid='A'\nbssid-file='list'",
            "\(etc)/list": "02:00:00:00:00:02", "\(lib)/a.toml": "ssid='L'",
        ])
        let sources = try Configuration.load(from: sandbox.tree).sources
        #expect(
            sources.filter { $0.identity != nil }.map(\.path)
                == ["/run/onsite/policy.toml", etc, "\(etc)/a.toml", "\(etc)/list", lib])
        #expect(sources.filter { $0.identity == nil }.map(\.path) == ["/etc/onsite/policy.toml", run])
        for source in sources { #expect(try sandbox.tree.entry(at: source.path)?.identity == source.identity) }
    }

    @Test("names that look alike are different names, and none is a pattern")
    func exactNames() throws {
        let names = ["Corp", "corp", "Corp ", " Corp", "Corp*", "Caf\u{e9}", "Cafe\u{301}", "(null)", "any", "--"]
        var files: [String: String] = [:]
        for (number, name) in names.enumerated() { files["\(etc)/n\(number).toml"] = "ssid = \(tomlString(name))" }
        let sandbox = try Sandbox(files)
        let configuration = try Configuration.load(from: sandbox.tree)
        for (number, name) in names.enumerated() {
            #expect(configuration.networks(named: ssid(name)).map(\.name) == ["n\(number)"])
        }
        for name in ["CORP", "CorpX", "Corp\u{0}", "unknown", "\u{a0}Corp"] {
            #expect(configuration.networks(named: ssid(name)) == [])
        }
    }
}
