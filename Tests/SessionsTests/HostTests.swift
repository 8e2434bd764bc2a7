import Testing
import Trust

@testable import Sessions

@Suite("The host that a login comes from")
struct HostTests {
    static let here = [
        "localhost", "LOCALHOST", "LocalHost", "::1", "127.0.0.1", "127.1.2.3", "127.0.0.0", "127.255.255.255",
        "::ffff:127.0.0.1", "::FFFF:127.0.0.1", "laptop", "LAPTOP",
    ]

    static let elsewhere = [
        "203.0.113.9", "evil.example", "127.0.0.1.evil.example", "127.0.0.256", "127.0.0", "127.1", "127", "127.0.0.",
        "127.0.0.1.", ".127.0.0.1", "127.0.0.1.1", "127..0.1", "127.0.0.0001", "127.0.0.1 ", " 127.0.0.1",
        "127.0.0.+1", "127.0.0.-1", "127.0.0.0x1", "0127.0.0.1", "128.0.0.1", "27.0.0.1", "0.0.0.0", "::", "::2",
        "::1%lo", "::11", "0:0:0:0:0:0:0:2", "::ffff:203.0.113.9", "::ffff:", "::ffff:localhost",
        "::ffff:::ffff:127.0.0.1", "1::ffff:127.0.0.1", "fe80::1", "localhost.evil.example", "localhost ",
        "localhost\n",
        " localhost", "xlocalhost", "laptop.evil.example", "laptopx", "laptop ", "lapto", "１２７.0.0.1", "127｡0｡0｡1",
        "loc\u{212a}lhost", "\u{1b}", "\u{1b}[2J", " ", "\t", "\u{200b}", "UNKNOWN", "?", "-", ":0", "tty1",
        String(repeating: "a", count: 300), String(repeating: "127.", count: 75) + "1",
        "127.99999999999999999999999.0.1",
    ]

    @Test("is this machine in every spelling of its own", arguments: here)
    func isHere(rhost: String) {
        #expect(isThisMachine(rhost, hostName: "Laptop"))
        #expect(locate(at: rhost).whereabouts == .local)
    }

    @Test("is another machine in every other spelling, whatever else is known", arguments: elsewhere)
    func isElsewhere(rhost: String) {
        #expect(!isThisMachine(rhost, hostName: "laptop"))
        let logins = FakeLogins()
        logins.session = .session(isRemote: false, hasSeat: true)
        logins.displays = [":0"]
        let location = Sessions.locate(
            Origin(rhost: rhost, service: "sudo", tty: "/dev/tty1", process: 4711), hostName: "laptop", logins: logins)
        #expect(location.whereabouts == .remote)
        // It is decided without asking anybody, and what it says holds no text from outside.
        #expect(logins.questions == 0)
        #expect(location.because.utf8.allSatisfy { (0x20...0x7e).contains($0) })
        #expect(!location.because.contains("evil"))
    }

    @Test("is not this machine for having no name", arguments: [nil, ""] as [String?])
    func noName(hostName: String?) {
        #expect(isThisMachine("localhost", hostName: hostName))
        #expect(!isThisMachine("laptop", hostName: hostName))
        #expect(!isThisMachine("", hostName: hostName))
    }

    @Test("is told from a name that only looks alike")
    func lookalike() {
        #expect(!isThisMachine("\u{212a}iste", hostName: "kiste"))
        #expect(!isThisMachine("cafe\u{301}", hostName: "café"))
    }

    @Test("that is empty says nothing")
    func empty() {
        #expect(locate(at: "").whereabouts == .local)
        let logins = FakeLogins()
        let origin = Origin(rhost: "", service: "sudo", tty: "", process: 4711)
        #expect(Sessions.locate(origin, hostName: "laptop", logins: logins).whereabouts == .unknown)
    }

    /// Where a login is from whose session is at this machine.
    private func locate(at rhost: String) -> Location {
        let logins = FakeLogins()
        logins.session = .session(isRemote: false, hasSeat: true)
        let origin = Origin(rhost: rhost, service: "sudo", tty: "", process: 4711)
        return Sessions.locate(origin, hostName: "laptop", logins: logins)
    }

    @Test("is judged by the real name of this machine as well")
    func ownName() throws {
        let name = try #require(ownHostName())
        #expect(!name.isEmpty)
        let other = locate(Origin(rhost: name + ".evil.example", service: "sudo", tty: "", process: 0))
        #expect(other.whereabouts == .remote)
        let own = locate(Origin(rhost: name, service: "sudo", tty: "tty1", process: 0))
        #expect(own.whereabouts != .remote)
    }

    private func locate(_ origin: Origin) -> Location { Sessions.locate(origin) }
}
