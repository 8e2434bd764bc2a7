import Testing
import Wireless

@testable import PolicyFiles

@Suite("A list of access points")
struct PinListTests {
    static let one = "02:11:22:33:44:55"
    static let site = "02:11:22:33:44:50/44"

    /// A list, and what it must be read as.
    struct Layout: CustomTestStringConvertible, Sendable {
        let name: String
        let text: String
        var pins = [one, site]
        var testDescription: String { name }
    }

    static let layouts = [
        Layout(name: "one a line", text: "\(one)\n\(site)\n"),
        Layout(name: "no final newline", text: "\(one)\n\(site)"),
        Layout(name: "CRLF", text: "\(one)\r\n\(site)\r\n"),
        Layout(name: "CRLF, no final newline", text: "\(one)\r\n\(site)"),
        Layout(name: "CRLF and LF", text: "\(one)\n\(site)\r\n"),
        Layout(name: "a byte order mark", text: "\u{feff}\(one)\n\(site)\n"),
        Layout(name: "comments and blank lines", text: "# all\n\n  \n\(one) # lobby\n\t\(site)\t#lab\n#end"),
        Layout(name: "a carriage return alone on a line", text: "\r\n\(one)\r\n\r\n\(site)\r\n"),
        Layout(name: "three notations", text: "02-11-22-33-44-55\n0211.2233.4450/44\n"),
        Layout(name: "upper case", text: "02:AB:CD:EF:00:01", pins: ["02:ab:cd:ef:00:01"]),
        Layout(name: "a comment that is not UTF-8", text: "# \u{fffd}\n\(one)\n\(site)\n"),
    ]

    @Test("is read in every layout that editors leave", arguments: layouts)
    func layout(layout: Layout) {
        let (pins, problems) = PinList.parse(Array(layout.text.utf8), file: "hq.bssids")
        #expect(problems == [])
        #expect(pins == layout.pins.map(pattern))
    }

    static let mistakes = [
        Mistake("", nil, "the list is empty"),
        Mistake("# nothing\n\n", nil, "the list is empty"),
        Mistake("\(one)\nany\n", 2, "cannot read \"any\"", "not a BSSID"),
        Mistake("\(one)\r\n\(one) \(site)\r\n", 2, "not a BSSID"),
        Mistake("\(one),\(site)", 1, "not a BSSID"),
        Mistake("\(one)\r\(site)", 1, "cannot read", "\\x0d"),
        Mistake("00:00:00:00:00:00\n", 1, "all zeros"),
        Mistake("\n\nff:ff:ff:ff:ff:ff\n", 3, "broadcast"),
        Mistake("01:00:5e:00:00:01\n", 1, "multicast"),
        Mistake("02:11:22:33:44:00/16\n", 1, "/24 to /48"),
        Mistake("02:11:22:33:44:01/40\n", 1, "bits after /40"),
        Mistake("\(one)\u{0}", 1, "\\x00"),
        Mistake("\u{feff}\u{feff}\(one)", 1, "\\xef\\xbb\\xbf"),
        Mistake("\u{a0}\(one)", 1, "\\xc2\\xa0"),
        Mistake("\(one)\n\u{1b}[2J", 2, "\\x1b[2J"),
        Mistake("\(one)\n" + String(repeating: "0", count: 1 << 20), 2, "…"),
        Mistake("02:11:22:33:44:\u{ff15}\u{ff15}", 1, "not a BSSID"),
    ]

    @Test("a line that is no access point is named by its number", arguments: mistakes)
    func mistake(mistake: Mistake) {
        let problems = PinList.parse(Array(mistake.text.utf8), file: "hq.bssids").problems
        #expect(mistake.isMissing(in: problems) == nil)
        #expect(problems.allSatisfy { "\($0)".utf8.count < 300 && printable("\($0)") == "\($0)" })
    }

    @Test("UTF-16 is named", arguments: [[0xff, 0xfe], [0xfe, 0xff]] as [[UInt8]])
    func utf16(mark: [UInt8]) {
        let (pins, problems) = PinList.parse(mark + [0x30, 0x00], file: "hq.bssids")
        #expect(pins == [])
        #expect(problems.map(\.problem) == ["the file is UTF-16"])
    }

    @Test("bytes that are not UTF-8 are no access point")
    func notUTF8() {
        let problems = PinList.parse(Array(Self.one.utf8) + [0x0a, 0xff, 0xfe], file: "hq.bssids").problems
        #expect(problems.map(\.line) == [2])
    }

    @Test("of a thousand mistakes twenty are shown")
    func manyMistakes() {
        let text = String(repeating: "bad\n", count: 1000)
        #expect(PinList.parse(Array(text.utf8), file: "hq.bssids").problems.count == 20)
    }

    @Test("an address in two notations is a pin twice, and still one access point")
    func duplicates() {
        let (pins, problems) = PinList.parse(Array("02:AB:cd:ef:00:01\n02ab.cdef.0001\n".utf8), file: "hq.bssids")
        #expect(problems == [])
        #expect(Set(pins) == [pattern("02:ab:cd:ef:00:01")])
    }

    @Test("no cut of a list is read as more than it says")
    func everyPrefix() {
        let text = Array("\(Self.one)\r\n\(Self.site)\r\n".utf8)
        let whole = Set(PinList.parse(text, file: "hq.bssids").pins)
        for end in text.indices {
            let (pins, problems) = PinList.parse(Array(text.prefix(end)), file: "hq.bssids")
            #expect(!problems.isEmpty || whole.union([pattern("02:11:22:33:44:50")]).isSuperset(of: pins))
        }
    }
}
