import Testing

@testable import Commands

@Suite("JSON")
struct JSONTests {
    static let values: [(JSON, String)] = [
        (.null, "null"), (.bool(true), "true"), (.bool(false), "false"), (.integer(0), "0"), (.integer(1), "1"),
        (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"), (.string(""), "\"\""),
        (.string("a/b"), "\"a/b\""), (.string("\""), #""\"""#), (.string("\\"), #""\\""#),
        (.array([.integer(1), .null]), "[1,null]"), (.object(["b": .null, "a": .array([])]), #"{"a":[],"b":null}"#),
        (.string("é€😀"), "\"é€😀\""),
    ]

    @Test("a value is one line of text, and that text is the value", arguments: values)
    func value(value: JSON, text: String) {
        #expect(value.text == text)
        #expect((try? JSON(parsing: Array(text.utf8))) == value)
    }

    static let steering = [
        "\0", "\u{1}", "\u{1b}[2J", "\n", "\r", "\t", "\u{7f}", "\u{80}", "\u{9b}2J", "\u{ad}", "\u{200e}", "\u{202e}",
        "\u{2028}", "\u{2066}", "\u{feff}", "\u{e000}", "\u{e0001}", "\u{10ffff}",
    ]

    @Test("S14: what could steer a terminal is escaped, and read back", arguments: steering)
    func escaped(text: String) {
        let json = JSON.string("a\(text)b")
        #expect(json.text.unicodeScalars.allSatisfy { (0x20...0x7e).contains($0.value) })
        #expect((try? JSON(parsing: Array(json.text.utf8))) == json)
        // The library takes no NUL in a key, and no key of ours has one.
        if text == "\0" { return }
        #expect((try? JSON(parsing: Array(JSON.object([text: .null]).text.utf8))) == .object([text: .null]))
    }

    static let wrongTexts = [
        "", "{", "{\"a\":}", "'a'", "nul", "01", "+1", "1.", ".5", "NaN", "Infinity", "\"\u{1}\"", "\"\n\"",
        "\"\\x41\"", "\"\\ud800\"", "[1] 2", "\u{feff}\u{feff}1", "/* */ 1", "1e400",
    ]

    @Test("what is not JSON is nothing", arguments: wrongTexts)
    func wrongText(text: String) {
        #expect((try? JSON(parsing: Array(text.utf8))) == nil)
    }

    static let wrongBytes: [[UInt8]] = [
        [0x22, 0xff, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc0, 0x80, 0x22],
    ]

    @Test("bytes that are not UTF-8 are nothing", arguments: wrongBytes)
    func notUTF8(bytes: [UInt8]) {
        #expect((try? JSON(parsing: bytes)) == nil)
    }

    @Test("a document that is nested too deep is nothing, and no trap")
    func deep() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = String(repeating: open, count: 100_000) + "1" + String(repeating: close, count: 100_000)
            #expect((try? JSON(parsing: Array(text.utf8))) == nil)
        }
    }
}
