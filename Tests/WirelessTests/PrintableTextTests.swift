import Testing
import Wireless

@Suite("Text from outside")
struct PrintableTextTests {
    /// Turns the escaped form back: the inverse that the documentation promises.
    private func unescaped(_ text: String) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "x"):
                guard let pair = bytes(hexadecimal: String(decoding: rest.prefix(2), as: UTF8.self)), pair.count == 1
                else { return nil }
                result += pair
                rest = rest.dropFirst(2)
            default: return nil
            }
        }
        return result
    }

    @Test("S02: any byte prints as printable ASCII that can be turned back")
    func everyByte() {
        for byte in UInt8.min...UInt8.max {
            for bytes in [[byte], [UInt8(ascii: "\\"), byte], [byte, UInt8(ascii: "x"), UInt8(ascii: "4")]] {
                let text = printable(bytes)
                #expect(text.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(bytes)")
                #expect(unescaped(text) == bytes)
            }
        }
    }

    @Test("different bytes never print alike")
    func injective() {
        var seen: Set<String> = []
        for first in UInt8.min...UInt8.max {
            for second in stride(from: UInt8.min, to: UInt8.max, by: 5) {
                #expect(seen.insert(printable([first, second])).inserted)
            }
        }
        // Bytes that spell an escape are no escape.
        #expect(printable(Array(#"\xff"#.utf8)) != printable([0xff]))
    }

    struct Text: CustomTestStringConvertible {
        let what: String
        let text: String
        let printed: String
        var testDescription: String { what }
    }

    static let texts = [
        Text(what: "letters of every script", text: "Zürich 東京 שלום", printed: "Zürich 東京 שלום"),
        Text(what: "a line break", text: "a\nb", printed: #"a\u{a}b"#),
        Text(what: "a carriage return and a line break", text: "a\r\nb", printed: #"a\u{d}\u{a}b"#),
        Text(what: "an escape", text: "\u{1b}[2J", printed: #"\u{1b}[2J"#),
        Text(what: "delete", text: "\u{7f}", printed: #"\u{7f}"#),
        Text(what: "an escape of the second set of controls", text: "\u{9b}2J", printed: #"\u{9b}2J"#),
        Text(what: "the other direction of writing", text: "\u{202e}x", printed: #"\u{202e}x"#),
        Text(what: "an isolate", text: "\u{2066}x\u{2069}", printed: #"\u{2066}x\u{2069}"#),
        Text(what: "a line separator", text: "a\u{2028}b", printed: #"a\u{2028}b"#),
        Text(what: "an invisible mark", text: "\u{200e}", printed: #"\u{200e}"#),
        Text(what: "nothing", text: "", printed: ""),
    ]

    @Test("S13: text keeps its letters and loses what steers a terminal", arguments: texts)
    func text(row: Text) {
        #expect(printable(row.text) == row.printed)
    }

    @Test("S13: no control, no mark of direction and no separator survives")
    func everyScalar() {
        let steering = [0x00...0x1f, 0x7f...0x9f, 0x61c...0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f]
        for value in steering.joined() {
            guard let scalar = UnicodeScalar(UInt32(value)) else { continue }
            let text = printable("a" + String(Character(scalar)) + "b")
            #expect(text.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "U+\(String(value, radix: 16))")
        }
    }

    struct Digits: CustomTestStringConvertible {
        let text: String
        let bytes: [UInt8]?
        var testDescription: String { text.debugDescription }
    }

    static let digits = [
        Digits(text: "", bytes: []),
        Digits(text: "00", bytes: [0]),
        Digits(text: "436f72702dFF", bytes: [0x43, 0x6f, 0x72, 0x70, 0x2d, 0xff]),
        Digits(text: "aBcD", bytes: [0xab, 0xcd]),
        Digits(text: "0", bytes: nil),
        Digits(text: "abc", bytes: nil),
        Digits(text: "0x41", bytes: nil),
        Digits(text: "+4", bytes: nil),
        Digits(text: "-4", bytes: nil),
        Digits(text: " 41", bytes: nil),
        Digits(text: "41 ", bytes: nil),
        Digits(text: "4 1", bytes: nil),
        Digits(text: "4g", bytes: nil),
        Digits(text: "41\n", bytes: nil),
        Digits(text: "４１", bytes: nil),
        Digits(text: "4\u{301}1", bytes: nil),
        Digits(text: "\0\0", bytes: nil),
    ]

    @Test("hexadecimal is pairs of digits and nothing else", arguments: digits)
    func hexadecimalDigits(row: Digits) {
        #expect(bytes(hexadecimal: row.text) == row.bytes)
    }

    @Test("every byte survives being written in hexadecimal and read again")
    func hexadecimalRoundTrip() {
        let all = Array(UInt8.min...UInt8.max)
        let text = hexadecimal(all)
        #expect(text.utf8.count == 512)
        #expect(text == text.lowercased())
        #expect(bytes(hexadecimal: text) == all)
        #expect(bytes(hexadecimal: text.uppercased()) == all)
        #expect(hexPair(0) == "00")
        #expect(hexPair(0x0f) == "0f")
        #expect(hexPair(0xff) == "ff")
    }
}
