import Testing
import Trust
import Wireless

@testable import Radio

@Suite("Damaged and unknown replies")
struct DamageTests {
    struct Addition: CustomTestStringConvertible {
        let what: String
        let interface: [UInt8]
        let record: [UInt8]
        let reason: Reason
        var testDescription: String { what }

        init(_ what: String, interface: [UInt8] = [], record: [UInt8] = [], _ reason: Reason) {
            self.what = what
            self.interface = interface
            self.record = record
            self.reason = reason
        }
    }

    static let additions = [
        Addition("nothing", .trustedNetwork),
        Addition("an unknown nested attribute", interface: Message.attribute(0xbf00, [1, 2, 3]), .trustedNetwork),
        Addition("an attribute of a later kernel", interface: Message.attribute(0x3fff, []), .trustedNetwork),
        Addition("an unknown attribute of the record", record: Message.attribute(0xff, [9]), .trustedNetwork),
        Addition(
            "an unknown attribute twice", record: Message.attribute(0xff, []) + Message.attribute(0xff, []),
            .trustedNetwork),
        Addition("a second index", interface: Message.attribute(3, [3, 0, 0, 0]), .probeFailed),
        Addition("a second name", interface: Message.attribute(0x34, [0x61]), .probeFailed),
        Addition("a second status", record: Message.attribute(9, [1, 0, 0, 0]), .probeFailed),
        Addition("a second access point", record: Message.attribute(1, Message.mac(2)), .probeFailed),
        Addition("a device of zeros", record: Message.attribute(0x16, Message.mac(0).map { _ in 0 }), .probeFailed),
        Addition("half a device", record: Message.attribute(0x16, [2, 0, 0]), .probeFailed),
        Addition("one byte more", interface: [0], .probeFailed),
    ]

    @Test("E05: are ignored where unknown, and never guessed where damaged", arguments: additions)
    func addition(row: Addition) {
        let kernel = FakeKernel.good()
        kernel.answer(.getInterface, with: [Message.interface("wlan0", 3, ssid: "CorpNet", extra: row.interface)])
        kernel.answer(.getScan, 3, with: [Message.bss(1, interface: 3, ssid: "CorpNet", extra: row.record)])
        #expect(kernel.reason() == row.reason)
    }

    static let wrongSizes: [(what: String, command: Command, reply: [UInt8])] = [
        (
            "a status of one byte", .getScan,
            Message.record(Message.attribute(1, Message.mac(1)) + Message.attribute(9, [1]), interface: 3)
        ),
        (
            "no access point", .getScan,
            Message.record(Message.attribute(9, [1, 0, 0, 0]), interface: 3)
        ),
        (
            "an access point of five bytes", .getScan,
            Message.record(Message.attribute(1, [2, 0, 0, 0, 0]) + Message.attribute(9, [1, 0, 0, 0]), interface: 3)
        ),
        (
            "a capability of four bytes", .getScan,
            Message.record(
                Message.attribute(1, Message.mac(1)) + Message.attribute(9, [1, 0, 0, 0])
                    + Message.attribute(5, [0, 0, 0, 0]), interface: 3)
        ),
        (
            "elements cut short", .getScan,
            Message.record(
                Message.attribute(1, Message.mac(1)) + Message.attribute(9, [1, 0, 0, 0])
                    + Message.attribute(6, [0, 9, 0x61]), interface: 3)
        ),
        (
            "a name of 33 bytes in the air", .getScan,
            Message.bss(1, interface: 3, ssid: String(repeating: "a", count: 33))
        ),
        (
            "an index of eight bytes", .getScan,
            Message.attribute(3, Message.number(UInt64(3)))
        ),
        (
            "an index of eight bytes", .getInterface,
            Message.attribute(3, Message.number(UInt64(3))) + Message.attribute(4, Array("wlan0\0".utf8))
        ),
        (
            "a type of one byte", .getInterface,
            Message.attribute(3, [3, 0, 0, 0]) + Message.attribute(4, Array("wlan0\0".utf8)) + Message.attribute(5, [2])
        ),
        (
            "a name of 33 bytes", .getInterface,
            Message.interface("wlan0", 3, ssid: String(repeating: "a", count: 33))
        ),
        (
            "no end of the interface's name", .getInterface,
            Message.attribute(3, [3, 0, 0, 0]) + Message.attribute(4, Array("wlan0".utf8))
        ),
        (
            "flags of four bytes", .getStation,
            Message.attribute(3, [3, 0, 0, 0]) + Message.attribute(6, Message.mac(1))
                + Message.attribute(0x15, Message.attribute(17, [0xff, 0, 0, 0]))
        ),
        ("no address of the peer", .getStation, Message.attribute(3, [3, 0, 0, 0])),
        (
            "information that is no attribute", .getStation,
            Message.attribute(3, [3, 0, 0, 0]) + Message.attribute(6, Message.mac(1)) + Message.attribute(0x15, [9])
        ),
    ]

    @Test("E05: of a known attribute fail the probe", arguments: wrongSizes.indices)
    func wrongSize(index: Int) {
        let (what, command, reply) = Self.wrongSizes[index]
        let kernel = FakeKernel.good()
        kernel.answer(command, command == .getInterface ? nil : 3, with: [reply])
        #expect(kernel.evidence().unavailability == .probeFailed, "\(what)")
    }

    static let neighbours: [(what: String, reply: [UInt8])] = [
        (
            "elements cut short",
            Message.record(Message.attribute(1, Message.mac(9)) + Message.attribute(6, [0, 9]), interface: 3)
        ),
        ("a name of 255 bytes", Message.bss(9, interface: 3, status: nil, ssid: String(repeating: "a", count: 255))),
        (
            "a name that is not text",
            Message.record(
                Message.attribute(1, Message.mac(9)) + Message.attribute(6, Message.element(0, [0x41, 0xba])),
                interface: 3)
        ),
        (
            "two names",
            Message.record(
                Message.attribute(1, Message.mac(9))
                    + Message.attribute(6, Message.element(0, [0x61]) + Message.element(0, [0x62])), interface: 3)
        ),
        ("an address of zeros", Message.record(Message.attribute(1, [0, 0, 0, 0, 0, 0]), interface: 3)),
        ("no address", Message.record([], interface: 3)),
        (
            "a status of no known meaning",
            Message.record(
                Message.attribute(1, Message.mac(9)) + Message.attribute(9, [7, 0, 0, 0]), interface: 3)
        ),
        ("the company's name", Message.bss(9, interface: 3, status: nil, ssid: "CorpNet", rsn: nil)),
        ("no record", Message.attribute(3, [3, 0, 0, 0])),
        ("nothing", []),
    ]

    @Test("S06: of neighbours disturb nothing", arguments: neighbours.indices)
    func neighbour(index: Int) {
        let (what, reply) = Self.neighbours[index]
        let own = Message.bss(1, interface: 3, ssid: "CorpNet")
        for scan in [[reply, own], [own, reply]] {
            let kernel = FakeKernel.good()
            kernel.answer(.getScan, 3, with: scan)
            #expect(kernel.evidence() == FakeKernel.good().evidence(), "\(what)")
        }
    }
}
