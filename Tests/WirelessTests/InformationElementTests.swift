import Testing

@testable import Wireless

@Suite("Information elements")
struct InformationElementTests {
    @Test("a captured beacon is read whole", arguments: Beacon.all)
    func reads(beacon: Beacon) throws {
        let elements = try informationElements(in: beacon.bytes)
        #expect(elements.flatMap { element($0.id, $0.payload) } == beacon.bytes)
        #expect(try elements.ssid()?.text == beacon.ssid)
    }

    @Test("a beacon that is cut short is not read, except between two elements", arguments: Beacon.all)
    func everyPrefix(beacon: Beacon) throws {
        let whole = try informationElements(in: beacon.bytes)
        var ends: [Int: Int] = [0: 0]
        var end = 0
        for (index, element) in whole.enumerated() {
            end += 2 + element.payload.count
            ends[end] = index + 1
        }
        for length in 0...beacon.bytes.count {
            let prefix = beacon.bytes.prefix(length)
            if let count = ends[length] {
                #expect(try informationElements(in: prefix) == Array(whole.prefix(count)))
            } else {
                #expect(throws: ElementError.self) { try informationElements(in: prefix) }
            }
        }
    }

    @Test("the place of an element that is cut short is known")
    func truncatedOffset() {
        #expect(throws: ElementError.truncated(offset: 0)) { try informationElements(in: [0]) }
        #expect(throws: ElementError.truncated(offset: 0)) { try informationElements(in: [0, 1]) }
        #expect(throws: ElementError.truncated(offset: 3)) { try informationElements(in: [0, 1, 0x61, 48]) }
        #expect(throws: ElementError.truncated(offset: 2)) { try informationElements(in: [0, 0, 48, 255] + [1, 2]) }
    }

    @Test("empty elements do not end the reading, nor hold it up")
    func emptyElements() throws {
        let bytes = (0..<1000).flatMap { _ in element(7, []) }
        #expect(try informationElements(in: bytes).count == 1000)
        #expect(try informationElements(in: []).isEmpty)
    }

    struct Name: CustomTestStringConvertible {
        let what: String
        let body: [UInt8]
        let result: Result<[UInt8]?, ElementError>
        var testDescription: String { what }
    }

    static let names = [
        Name(what: "no SSID element", body: element(1, [2]), result: .success(nil)),
        Name(what: "an empty name", body: element(0, []), result: .success(nil)),
        Name(what: "a name hidden by zeros", body: element(0, [0, 0, 0, 0]), result: .success(nil)),
        Name(what: "32 zeros", body: element(0, Array(repeating: 0, count: 32)), result: .success(nil)),
        Name(what: "a name with a zero in it", body: element(0, [0x61, 0, 0x62]), result: .success([0x61, 0, 0x62])),
        Name(
            what: "31 bytes", body: element(0, Array(repeating: 0xff, count: 31)),
            result: .success(Array(repeating: 0xff, count: 31))),
        Name(
            what: "32 bytes", body: element(0, Array(repeating: 0xff, count: 32)),
            result: .success(Array(repeating: 0xff, count: 32))),
        Name(what: "33 bytes", body: element(0, Array(repeating: 0x61, count: 33)), result: .failure(.longName(33))),
        Name(what: "33 zeros", body: element(0, Array(repeating: 0, count: 33)), result: .failure(.longName(33))),
        Name(what: "255 bytes", body: element(0, Array(repeating: 0x61, count: 255)), result: .failure(.longName(255))),
        Name(
            what: "two names", body: element(0, [0x61]) + element(1, [2]) + element(0, [0x62]),
            result: .failure(.repeated(id: 0))),
        Name(
            what: "a name and an empty one", body: element(0, [0x61]) + element(0, []),
            result: .failure(.repeated(id: 0))),
        Name(
            what: "the same name twice", body: element(0, [0x61]) + element(0, [0x61]),
            result: .failure(.repeated(id: 0))),
        Name(
            what: "bytes that spell a placeholder", body: element(0, Array("(null)".utf8)),
            result: .success(Array("(null)".utf8))),
    ]

    @Test("the name is the one SSID element of 1 to 32 bytes", arguments: names)
    func name(row: Name) throws {
        let elements = try informationElements(in: row.body)
        switch row.result {
        case .success(let bytes): #expect(try elements.ssid()?.bytes == bytes)
        case .failure(let error): #expect(throws: error) { try elements.ssid() }
        }
    }

    @Test("every error is one line")
    func errors() {
        let all: [ElementError] = [.truncated(offset: 7), .repeated(id: 48), .longName(33)]
        #expect(all.map(\.description).allSatisfy { !$0.isEmpty && !$0.contains("\n") })
        #expect(ElementError.longName(33).description.contains("33 bytes, the limit is 32"))
    }
}

@Suite("Byte reader")
struct ByteReaderTests {
    @Test("gives what is there and consumes nothing when it is not")
    func neverPastTheEnd() {
        var reader = ByteReader([1, 2, 3])
        #expect(reader.readBytes(4) == nil)
        #expect(reader.readBytes(-1) == nil)
        #expect(reader.readBytes(Int.max) == nil)
        #expect(reader.readBytes(0)?.isEmpty == true)
        #expect(reader.readLittleEndianUInt16() == 0x0201)
        #expect(!reader.isAtEnd)
        #expect(reader.readLittleEndianUInt16() == nil)
        #expect(reader.readByte() == 3)
        #expect(reader.readByte() == nil)
        #expect(reader.isAtEnd)
    }
}
