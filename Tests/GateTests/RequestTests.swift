import Testing

@testable import Gate

@Suite("A request on the wire")
struct RequestTests {
    /// What the client sends for these four strings.
    static func wire(
        _ strings: [[UInt8]], magic: String = "onsiteQ2", length: Int? = nil, lengths: [Int]? = nil,
        process: UInt32 = 0
    ) -> [UInt8] {
        let counts = lengths ?? strings.map(\.count)
        let whole = length ?? (24 + strings.map(\.count).reduce(0, +))
        return Array(magic.utf8) + number(UInt32(truncatingIfNeeded: whole)) + number(process)
            + counts.flatMap { number(UInt16(truncatingIfNeeded: $0)) } + strings.joined()
    }

    static func wire(_ strings: String...) -> [UInt8] { wire(strings.map { Array($0.utf8) }) }

    static let usual = wire("anna", "sudo", "203.0.113.9", "/dev/pts/0")
    static let longest = [UInt8](repeating: 0x61, count: 1024)

    @Test("is laid out as the client's header says")
    func header() throws {
        let header = try ClientHeader()
        #expect(header.texts["ONSITE_REQUEST_MAGIC"] == "onsiteQ2")
        #expect(try header.number("ONSITE_STRING_MAX") == UInt64(Request.longestString))
        #expect(header.lengths["onsite_request_header"] == Request.headerLength)
        #expect(try header.field("onsite_request_header", "magic") == 0..<8)
        #expect(try header.field("onsite_request_header", "length") == 8..<12)
        #expect(try header.field("onsite_request_header", "process") == 12..<16)
        #expect(try header.field("onsite_request_header", "lengths") == 16..<24)
        #expect(Request.longest == Request.headerLength + 4 * Request.longestString)
    }

    static let questions: [[[UInt8]]] = [
        ["anna", "sudo", "203.0.113.9", "/dev/pts/0"].map { Array($0.utf8) },
        [[], [], [], []],
        [[0x61], [], [], []],
        [[], [], [], [0x61]],
        [Array("ännä".utf8), [0xff, 0xfe], [0x1b], [0x0a]],
        [longest, longest, longest, longest],
    ]

    @Test("gives back the four strings that were put in, every byte", arguments: questions)
    func roundTrip(strings: [[UInt8]]) throws {
        let request = try #require(Request(Self.wire(strings), fromRoot: true))
        #expect([request.user, request.service, request.rhost, request.tty] == strings)
    }

    struct Malformed: CustomTestStringConvertible {
        let what: String
        let bytes: [UInt8]
        var testDescription: String { what }
    }

    static let malformed = [
        Malformed(what: "nothing", bytes: []),
        Malformed(what: "another version", bytes: wire([[], [], [], []], magic: "onsiteQ1")),
        Malformed(what: "a verdict", bytes: wire([[], [], [], []], magic: "onsiteV1")),
        Malformed(what: "the magic in capitals", bytes: wire([[], [], [], []], magic: "ONSITEQ2")),
        Malformed(what: "one byte more", bytes: usual + [0]),
        Malformed(what: "a second request", bytes: usual + usual),
        Malformed(what: "a length that is too small", bytes: wire([[0x61], [], [], []], length: 24)),
        Malformed(what: "a length that is too large", bytes: wire([[0x61], [], [], []], length: 26)),
        Malformed(what: "a length of zero", bytes: wire([[], [], [], []], length: 0)),
        Malformed(what: "the greatest length", bytes: wire([[], [], [], []], length: Int(UInt32.max))),
        Malformed(
            what: "strings that are shorter together", bytes: wire([[0x61, 0x62], [], [], []], lengths: [1, 0, 0, 0])),
        Malformed(what: "strings that are longer together", bytes: wire([[0x61], [], [], []], lengths: [1, 1, 0, 0])),
        Malformed(what: "lengths that wrap round", bytes: wire([[0x61], [], [], []], lengths: [0xffff, 2, 0, 0])),
        Malformed(what: "a NUL at the end of a string", bytes: wire([[0x61, 0], [], [], []])),
        Malformed(what: "a NUL in a string", bytes: wire([[], [0x61, 0, 0x62], [], []])),
        Malformed(what: "a string that is NUL", bytes: wire([[], [], [0], []])),
        Malformed(what: "a NUL in the terminal", bytes: wire([[], [], [], [0x61, 0]])),
        Malformed(what: "a string of 1025 bytes", bytes: wire([longest + [0x61], [], [], []])),
        Malformed(what: "a long last string", bytes: wire([[], [], [], longest + [0x61]])),
    ]

    @Test("is not read unless every byte has its place", arguments: malformed)
    func refuses(row: Malformed) {
        #expect(Request(row.bytes, fromRoot: true) == nil)
    }

    @Test("is not read before it is whole, and is waited for until then")
    func everyPrefix() {
        for length in 0..<Self.usual.count {
            let prefix = Array(Self.usual.prefix(length))
            #expect(Request(prefix, fromRoot: true) == nil)
            #expect(Request.isPart(prefix))
        }
        #expect(Request(Self.usual, fromRoot: true) != nil)
        #expect(!Request.isPart(Self.usual))
    }

    @Test("is not waited for when it cannot become one", arguments: malformed.filter { !$0.bytes.isEmpty })
    func isNoPart(row: Malformed) {
        let isShort = row.what == "a length that is too large" || row.what == "strings that are longer together"
        if !isShort { #expect(!Request.isPart(row.bytes)) }
    }

    @Test("is waited for no longer than the longest one")
    func bounds() {
        for length in [0, 10, 23, 4121, 70_000, Int(Int32.max), Int(UInt32.max)] {
            #expect(!Request.isPart(Self.wire([[], [], [], []], length: length)), "\(length)")
        }
        #expect(Request.isPart(Self.wire([[], [], [], []], length: 4120)))
        #expect(Request.isPart([]))
        #expect(!Request.isPart([0]))
        #expect(!Request.isPart(Array("onsiteX".utf8)))
        #expect(!Request.isPart([UInt8](repeating: 0xff, count: 5000)))
    }

    @Test("with a changed byte says what it now says, or nothing")
    func everyChange() {
        for index in Self.usual.indices {
            for value in UInt8.min...UInt8.max {
                var bytes = Self.usual
                bytes[index] = value
                _ = Request.isPart(bytes)
                guard let request = Request(bytes, fromRoot: true) else { continue }
                let strings = [request.user, request.service, request.rhost, request.tty]
                #expect(Self.wire(strings, process: UInt32(request.process ?? 0)) == bytes)
            }
        }
    }

    @Test("asks in the place of another process for root alone", arguments: [1, 4711, UInt32(Int32.max)])
    func process(process: UInt32) throws {
        let bytes = Self.wire([[0x61], [], [], []], process: process)
        let request = try #require(Request(bytes, fromRoot: true))
        #expect(request.process == Int32(process))
        #expect(request.login(of: 1).process == Int32(process))
        #expect(request.login(of: 1).proxy == 1)
        #expect(Request(bytes, fromRoot: false) == nil)
    }

    @Test("asks in the place of no process that there cannot be", arguments: [0x8000_0000, UInt32.max])
    func noProcess(process: UInt32) {
        #expect(Request(Self.wire([[0x61], [], [], []], process: process), fromRoot: true) == nil)
    }

    @Test("asks in no other place when the process is zero", arguments: [false, true])
    func ownProcess(fromRoot: Bool) throws {
        let request = try #require(Request(Self.usual, fromRoot: fromRoot))
        #expect(request.process == nil)
        #expect(request.login(of: 4711).proxy == nil)
    }

    @Test("names a login by what can be read of it")
    func login() throws {
        let full = try #require(Request(Self.usual, fromRoot: true)).login(of: 4711)
        #expect(
            full == Login(user: "anna", service: "sudo", rhost: "203.0.113.9", tty: "/dev/pts/0", process: 4711))

        let empty = try #require(Request(Self.wire("", "", "", ""), fromRoot: true)).login(of: 1)
        #expect(empty == Login(user: nil, service: nil, rhost: "", tty: "", process: 1))

        let bad: [UInt8] = [0x61, 0xff]
        let unreadable = try #require(Request(Self.wire([bad, bad, bad, bad]), fromRoot: true)).login(of: 1)
        #expect(unreadable.user == nil)
        #expect(unreadable.service == nil)
        #expect(unreadable.tty.isEmpty)
        // A host that cannot be read is not "no host".
        #expect(!unreadable.rhost.isEmpty)
    }
}
