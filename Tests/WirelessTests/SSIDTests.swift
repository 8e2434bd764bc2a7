import Testing
import Wireless

@Suite("SSID")
struct SSIDTests {
    struct Name: CustomTestStringConvertible {
        let what: String
        let bytes: [UInt8]
        let text: String?
        let printed: String
        var testDescription: String { what }
    }

    static let names = [
        Name(what: "one byte", bytes: [0x61], text: "a", printed: "a"),
        Name(
            what: "31 letters", bytes: Array(repeating: 0x61, count: 31), text: String(repeating: "a", count: 31),
            printed: String(repeating: "a", count: 31)),
        Name(
            what: "32 letters", bytes: Array(repeating: 0x61, count: 32), text: String(repeating: "a", count: 32),
            printed: String(repeating: "a", count: 32)),
        Name(
            what: "32 bytes that are never UTF-8", bytes: Array(repeating: 0xff, count: 32), text: nil,
            printed: String(repeating: #"\xff"#, count: 32)),
        Name(what: "one NUL", bytes: [0], text: "\0", printed: #"\x00"#),
        Name(
            what: "NUL in the middle", bytes: Array("Corp\0Evil".utf8), text: "Corp\0Evil", printed: #"Corp\x00Evil"#),
        Name(what: "an invalid byte at the end", bytes: Array("Corp".utf8) + [0xff], text: nil, printed: #"Corp\xff"#),
        Name(what: "Latin-1", bytes: [0x41, 0xba], text: nil, printed: #"A\xba"#),
        Name(
            what: "cut inside a character", bytes: Array(repeating: 0x61, count: 31) + [0xc3], text: nil,
            printed: String(repeating: "a", count: 31) + #"\xc3"#),
        Name(
            what: "a path of Windows, which only looks escaped",
            bytes: [0x43, 0x3a, 0x5c, 0x78, 0x42, 0x49, 0x4e, 0x5c, 0x78, 0x39], text: #"C:\xBIN\x9"#,
            printed: #"C:\\xBIN\\x9"#),
        Name(what: "a blank at the end", bytes: Array("skynet ".utf8), text: "skynet ", printed: "skynet "),
        Name(
            what: "a curly apostrophe", bytes: Array("iBoy’s".utf8), text: "iBoy’s", printed: #"iBoy\xe2\x80\x99s"#),
        Name(
            what: "an escape sequence and a forged line", bytes: Array("\u{1b}[2J\n2026 check: ok".utf8),
            text: "\u{1b}[2J\n2026 check: ok", printed: #"\x1b[2J\x0a2026 check: ok"#),
        Name(
            what: "writing turned round", bytes: Array("a\u{202e}b".utf8), text: "a\u{202e}b",
            printed: #"a\xe2\x80\xaeb"#),
        Name(what: "a surrogate", bytes: [0xed, 0xa0, 0x80], text: nil, printed: #"\xed\xa0\x80"#),
    ]

    @Test("S01: keeps every byte of a name of 1 to 32 bytes", arguments: names)
    func keepsBytes(name: Name) throws {
        let ssid = try #require(SSID(bytes: name.bytes))
        #expect(ssid.bytes == name.bytes)
        #expect(ssid.text == name.text)
        #expect(ssid.description == name.printed)
    }

    @Test("S01, S09: is no name with any other length", arguments: [0, 33, 34, 64, 255, 256, 288])
    func refusesLength(length: Int) {
        #expect(SSID(bytes: [UInt8](repeating: 0x61, count: length)) == nil)
    }

    @Test("S07: counts bytes, not characters")
    func countsBytes() {
        let text = String(repeating: "a", count: 31) + "é"
        #expect(text.count == 32)
        #expect(SSID(bytes: text.utf8) == nil)
    }

    struct Pair: CustomTestStringConvertible {
        let what: String
        let one: [UInt8]
        let other: [UInt8]
        var testDescription: String { what }
    }

    static let pairs = [
        Pair(what: "composed and decomposed", one: Array("Café".utf8), other: Array("Cafe\u{301}".utf8)),
        Pair(what: "the letter K and the sign for kelvin", one: Array("K".utf8), other: Array("\u{212a}".utf8)),
        Pair(what: "two invalid bytes", one: [0x41, 0xba], other: [0x41, 0xfd]),
        Pair(what: "an invalid byte and its replacement", one: [0xff], other: Array("\u{fffd}".utf8)),
        Pair(what: "a name and one with an invalid byte", one: Array("Corp".utf8), other: Array("Corp".utf8) + [0xff]),
        Pair(what: "a name and one with a NUL", one: Array("Corp".utf8), other: Array("Corp\0".utf8)),
        Pair(what: "a name and one with a blank after it", one: Array("skynet".utf8), other: Array("skynet ".utf8)),
        Pair(what: "a name and one with a blank before it", one: Array("skynet".utf8), other: Array(" skynet".utf8)),
        Pair(what: "straight and curly apostrophe", one: Array("iBoy's".utf8), other: Array("iBoy’s".utf8)),
        Pair(what: "upper and lower case", one: Array("CORP".utf8), other: Array("corp".utf8)),
        Pair(what: "a star and what it would stand for", one: Array("Corp*".utf8), other: Array("CorpX".utf8)),
    ]

    @Test("S06: is another name as soon as one byte differs", arguments: pairs)
    func distinguishes(pair: Pair) throws {
        let one = try #require(SSID(bytes: pair.one))
        let other = try #require(SSID(bytes: pair.other))
        #expect(one != other)
        #expect(Set([one, other]).count == 2)
        #expect(one.description != other.description)
    }
}
