import Testing
import Trust
import Wireless

@testable import PolicyFiles

@Suite("What is written is read back")
struct RoundTripTests {
    /// Names that other programs stumble over.
    static let names: [[UInt8]] =
        [
            "#x", "x #y", "a=b", "a\"b", "'a'", "a\\", "a,b", "a:b", "a;b", "[a]", "]", "!a", "Corp*", "a?", "a|b",
            "''", "'''",
            "\"\"\"", "a\nb", "a\tb", "a\r", "\r\n", "\0", "\u{1b}[2J", "\u{7f}", "\u{9b}2J", "\u{202e}abc", "\u{2028}",
            "\u{feff}a", "\u{a0}a", "skynet ", " skynet", "iBoy\u{2019}s Home ", "iBoy's Home ", "C:\\xBIN\\x9",
            "Caf\\xc3\\xa9", "Caf\u{e9}", "Cafe\u{301}", "\\u0041", "\\", "😀", "\u{e000}", "(null)", "--", "0x41",
            "<hidden>", "off/any", "unknown", "true", "2027-01-31", "nan", "\u{1f1e9}\u{1f1ea}", "${HOME}", "$(id)",
            "%s%n", "\u{fffd}",
        ].map { Array($0.utf8) }
        + [
            [0xff], [0xff, 0xfe], [0xed, 0xa0, 0x80], [0x43, 0x6f, 0x72, 0x70, 0xff], [0x41, 0xba], [0x41, 0xfd],
            [0, 1, 0x1f], Array(repeating: 0, count: 32), Array(repeating: 0xff, count: 32),
            Array(repeating: 0x61, count: 32), Array(repeating: 0x61, count: 31) + [0xc3], [0xc0, 0x80],
        ]

    /// Byte strings of 1 to 32 bytes, the same at every run.
    static let random: [[UInt8]] = {
        var generator = Generator(state: 0x9e37_79b9_7f4a_7c15)
        return (0..<2000).map { number in (0...(number % 32)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
    }()

    private func roundTrip(_ names: [[UInt8]]) throws {
        let network = Network(name: "corp", ssids: names.compactMap { SSID(bytes: $0) })
        try #require(network.ssids.count == names.count)
        let toml = NetworkFile(network: network).toml
        let (file, problems) = parse(toml)
        #expect(problems == [], "\(toml)")
        #expect(Set(file.network.ssids) == Set(network.ssids))
        #expect(file.toml == toml)
        #expect(toml.unicodeScalars.allSatisfy { $0 == "\n" || printable(String($0)) == String($0) })
    }

    @Test("a name of special characters", arguments: names)
    func special(name: [UInt8]) throws { try roundTrip([name]) }

    @Test("two thousand names of any bytes")
    func anyBytes() throws {
        for name in Self.random { try roundTrip([name]) }
    }

    @Test("all of them in one file")
    func together() throws { try roundTrip(Array(Set(Self.names + Self.random.prefix(200)))) }

    @Test("every single byte")
    func everyByte() throws {
        for byte in UInt8.min...UInt8.max { try roundTrip([[byte], [byte, byte]]) }
    }

    @Test("a name that is added to a file", arguments: names)
    func edited(name: [UInt8]) throws {
        let text = Array("ssid = ['first'] # one\n".utf8)
        var (file, _) = NetworkFile.parse(text, name: "corp", file: "corp.toml", minimumEvidence: .protected)
        file.network.ssids.append(try #require(SSID(bytes: name)))
        let bytes = try file.edited(text, path: "corp.toml", minimumEvidence: .protected)
        let (read, problems) = NetworkFile.parse(bytes, name: "corp", file: "corp.toml", minimumEvidence: .protected)
        #expect(problems == [])
        #expect(read == file)
        #expect(bytes.contains(UInt8(ascii: "#")))
    }

    @Test("a network with everything")
    func everything() {
        var network = Network(
            name: "corp", ssids: [ssid("a"), ssid("b")], isPinned: true, security: [.fils, .wpa3Personal],
            minimumEvidence: .verified, action: .require, site: "a \"b\" \\ é",
            expires: Day(year: 9999, month: 12, day: 31))
        network.askers = Askers(users: ["é", "e\u{301}"], groups: ["\"", "#"], services: ["\\"])
        let pins = ["02:00:00:00:00:00/24", "02:00:00:00:00:01", "02:00:00:00:01:00/40", "fe:ff:ff:ff:ff:ff"]
        let file = NetworkFile(network: network, pins: pins.map(pattern), pinFile: "a b.list")
        let (read, problems) = parse(file.toml)
        #expect(problems == [])
        #expect(read == file)
        #expect(read.network.askers.users.map { $0.utf8.count } == [2, 3])
    }
}

/// A generator of numbers that repeat themselves (Sebastiano Vigna's SplitMix64).
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
