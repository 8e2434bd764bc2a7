import ProtectedFiles
import Testing
import Trust
import Wireless

@testable import PolicyStore

@Suite("The fields of a record")
struct FieldTests {
    static let head = Head(
        generation: Array(0..<16), rules: RoundTripTests.everything,
        sources: [
            FileSnapshot(path: "/etc/onsite/policy.toml", identity: nil),
            FileSnapshot(path: "/é", identity: FileIdentity(inode: .max, size: 1, modified: .min)),
        ])

    @Test("are read as they were written")
    func roundTrip() throws {
        var writer = FieldWriter()
        writer.write(Self.head)
        var reader = FieldReader(writer.bytes)
        #expect(try reader.readHead() == Self.head)
        #expect(reader.isAtEnd)
    }

    @Test("are not read from any beginning of what was written, nor with a byte more")
    func everyPrefix() {
        var writer = FieldWriter()
        writer.write(Self.head)
        for end in writer.bytes.indices {
            #expect(throws: FieldReader.Damaged.self) {
                var reader = FieldReader(writer.bytes.prefix(end))
                _ = try reader.readHead()
            }
        }
        #expect(throws: FieldReader.Damaged.self) {
            var reader = FieldReader(writer.bytes + [0])
            _ = try reader.readHead()
        }
    }

    @Test("a network is not read from any beginning of what was written")
    func networkPrefix() throws {
        var network = RoundTripTests.full
        network.denied = [pattern("02:00:00:00:00:00/24")]
        var writer = FieldWriter()
        writer.write(network)
        var whole = FieldReader(writer.bytes)
        #expect(try whole.readNetwork(named: ssid("Corp")) == network)
        for end in writer.bytes.indices {
            #expect(throws: FieldReader.Damaged.self) {
                var reader = FieldReader(writer.bytes.prefix(end))
                _ = try reader.readNetwork(named: ssid("Corp"))
            }
        }
    }

    @Test("every flipped bit is read as something else or not at all, without a trap")
    func everyBit() {
        var writer = FieldWriter()
        writer.write(Self.head)
        for bit in 0..<(writer.bytes.count * 8) {
            var bytes = writer.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            var reader = FieldReader(bytes)
            if let head = try? reader.readHead() { #expect(head != Self.head) }
        }
    }

    @Test("a count that cannot be is not believed")
    func hugeCount() {
        var writer = FieldWriter()
        writer.write(UInt32.max)
        #expect(throws: FieldReader.Damaged.self) {
            var reader = FieldReader(writer.bytes)
            _ = try reader.readArray { (reader) throws(FieldReader.Damaged) in try reader.readFlag() }
        }
        #expect(throws: FieldReader.Damaged.self) {
            var reader = FieldReader(writer.bytes)
            _ = try reader.readText()
        }
    }
}
