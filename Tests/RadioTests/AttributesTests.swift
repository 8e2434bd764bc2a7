import Testing
import Wireless

@testable import Radio

@Suite("Netlink attributes")
struct AttributesTests {
    private let malformed = NetlinkError(.parse)

    @Test("are found by their number, whatever stands around them")
    func reads() throws {
        let body =
            Message.attribute(3, Message.number(UInt32(7))) + Message.attribute(4, Array("wlan0\0".utf8))
            + Message.attribute(5, Message.number(UInt16(0x1234))) + Message.attribute(6, Message.mac(1))
            + Message.attribute(0x8007, Message.attribute(1, Message.number(UInt32(9))))
            + Message.attribute(17, Message.number(UInt32(2)) + Message.number(UInt32(3)))
        let attributes = try Attributes(body)
        #expect(try attributes.uint32(3) == 7)
        #expect(try attributes.text(4) == "wlan0")
        #expect(try attributes.uint16(5) == 0x1234)
        #expect(try attributes.bssid(6) == address("02:00:00:00:00:01"))
        #expect(try attributes.nested(7)?.uint32(1) == 9)
        let flags = try attributes.flags(17)
        #expect(flags?.known == 2)
        #expect(flags?.set == 3)
        #expect(try attributes.uint32(99) == nil)
        #expect(try attributes.list(99).isEmpty)
    }

    @Test("may be last without padding")
    func withoutPadding() throws {
        let body = Message.number(UInt16(5)) + Message.number(UInt16(1)) + [0x61]
        #expect(try Attributes(body).bytes(1).map(Array.init) == [0x61])
    }

    struct Malformed: CustomTestStringConvertible {
        let what: String
        let body: [UInt8]
        var testDescription: String { what }
    }

    static let bodies = [
        Malformed(what: "one byte", body: [0]),
        Malformed(what: "three bytes", body: [4, 0, 1]),
        Malformed(what: "a length of zero", body: Message.number(UInt16(0)) + Message.number(UInt16(1))),
        Malformed(what: "a length below the header", body: Message.number(UInt16(3)) + Message.number(UInt16(1))),
        Malformed(
            what: "a length past the end", body: Message.number(UInt16(9)) + Message.number(UInt16(1)) + [0, 0, 0, 0]),
        Malformed(
            what: "the longest length", body: Message.number(UInt16.max) + Message.number(UInt16(1)) + [0, 0, 0, 0]),
        Malformed(what: "something after the last", body: Message.attribute(1, [1, 2, 3, 4]) + [0]),
    ]

    @Test("that are cut short or overlap are not read", arguments: bodies)
    func refuses(row: Malformed) {
        #expect(throws: malformed) { try Attributes(row.body) }
        #expect(throws: malformed) { try Attributes(Message.attribute(1, row.body)).nested(1) }
        #expect(throws: malformed) { try Attributes(Message.attribute(1, Message.attribute(1, row.body))).list(1) }
    }

    @Test("of another size than theirs are not read")
    func sizes() throws {
        for size in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16] {
            let attributes = try Attributes(Message.attribute(1, [UInt8](repeating: 2, count: size)))
            if size != 2 { #expect(throws: malformed) { try attributes.uint16(1) } }
            if size != 4 { #expect(throws: malformed) { try attributes.uint32(1) } }
            if size != 6 { #expect(throws: malformed) { try attributes.bssid(1) } }
            if size != 8 { #expect(throws: malformed) { try attributes.flags(1) } }
        }
    }

    @Test("that stand twice are not read, and may be there for others")
    func repeated() throws {
        let attributes = try Attributes(
            Message.attribute(1, [1, 0, 0, 0]) + Message.attribute(1, [1, 0, 0, 0])
                + Message.attribute(2, [2, 0, 0, 0]))
        #expect(throws: malformed) { try attributes.bytes(1) }
        #expect(throws: malformed) { try attributes.uint32(1) }
        #expect(try attributes.uint32(2) != nil)
    }

    @Test("of text end in one NUL and are UTF-8", arguments: ["", "\0\0", "wlan0", "wl\0an0\0", "wlan0\0\0"])
    func text(content: String) throws {
        #expect(throws: malformed) { try Attributes(Message.attribute(4, Array(content.utf8))).text(4) }
        #expect(throws: malformed) { try Attributes(Message.attribute(4, [0xff, 0])).text(4) }
    }

    @Test("of an address name an access point")
    func addresses() throws {
        for bytes in [[0, 0, 0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [1, 0, 0x5e, 0, 0, 1]] as [[UInt8]] {
            #expect(throws: malformed) { try Attributes(Message.attribute(6, bytes)).bssid(6) }
        }
    }

    @Test("of a list come in the order of the message")
    func list() throws {
        let elements = (1...3).reversed().flatMap {
            Message.attribute($0, Message.attribute(1, Message.number(UInt32($0))))
        }
        let list = try Attributes(Message.attribute(9, elements)).list(9)
        #expect(try list.map { try $0.uint32(1) } == [3, 2, 1])
    }

    @Test("are read on every beginning of a message, whole ones only")
    func everyPrefix() throws {
        let body = Message.interface("wlan0", 3, ssid: "CorpNet")
        var whole = 0
        for length in 0...body.count where (try? Attributes(body.prefix(length))) != nil { whole += 1 }
        // Six attributes, of which the name and the address may lack one or two bytes of padding, and nothing at all.
        #expect(whole > 6)
        #expect(whole < 16)
    }
}
