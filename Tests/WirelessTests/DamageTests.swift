import Testing

@testable import Wireless

@Suite("A beacon with one byte changed")
struct DamageTests {
    /// The suites that each name can come from, by their bytes.
    static let selectors: [Security: [[UInt8]]] = SecurityTests.suites.reduce(into: [:]) { table, row in
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: row.suite >> UInt32($0)) }
        for security in [row.optional, row.required] where security.provesKey {
            table[security, default: []].append(bytes)
        }
    }

    /// Reads a beacon whose byte at `index` is no longer that of `original`.
    ///
    /// - Returns: what must never be.
    private func findings(_ bytes: [UInt8], _ index: Int, original: [InformationElement]) -> String? {
        guard let elements = try? informationElements(in: bytes) else { return nil }
        guard elements.flatMap({ element($0.id, $0.payload) }) == bytes else { return "bytes are lost" }
        if let name = try? elements.ssid(), !elements.map(\.payload).contains(name.bytes) {
            return "a name that nobody sent"
        }
        let offered = elements.offeredSecurity(privacy: true)
        guard !offered.isEmpty, !offered.contains(.open) else { return "\(offered) with privacy" }
        for security in offered where security.provesKey {
            let isNamed = Self.selectors[security, default: []].contains { bytes.contains($0) }
            guard isNamed else { return "\(security), of which no suite is there" }
        }
        // Where the frame falls into the same elements, those that did not change say what they said.
        if elements.map(\.id) == original.map(\.id) {
            for (before, now) in zip(original, elements) where before == now {
                guard [before].suites.isSubset(of: offered) else { return "\([before].suites) hidden by \(offered)" }
            }
        }
        return nil
    }

    /// All values of a byte, or in long frames those that differ in one bit, the neighbours and the numbers that matter.
    private func values(for byte: UInt8, all: Bool) -> [UInt8] {
        all
            ? Array(UInt8.min...UInt8.max)
            : (0..<8).map { byte ^ 1 << $0 } + [byte &+ 1, byte &- 1, 0, 48, 107, 221, 242, 254, 255]
    }

    @Test(
        "is read as what it now says, or not at all: no name without its suite, none of the rest lost",
        arguments: Beacon.all)
    func everyChange(beacon: Beacon) throws {
        let original = try informationElements(in: beacon.bytes)
        var bytes = beacon.bytes
        for index in bytes.indices {
            let byte = bytes[index]
            for value in values(for: byte, all: beacon.bytes.count <= 100) where value != byte {
                bytes[index] = value
                if let finding = findings(bytes, index, original: original) {
                    Issue.record("byte \(index) is \(value): \(finding)")
                }
            }
            bytes[index] = byte
        }
    }

    @Test("does not make a weak network look strong while it names something else that is weak")
    func staysWeak() throws {
        let weak = element(48, rsn(ciphers: [0x000f_ac02, 0x000f_ac01], akms: [0x000f_ac12, 0x1122_3344]))
        for index in weak.indices.dropFirst(2) {
            for value in UInt8.min...UInt8.max {
                var bytes = weak
                bytes[index] = value
                let offered = try informationElements(in: bytes).offeredSecurity(privacy: true)
                #expect(offered.contains { !$0.provesKey })
            }
        }
    }

    @Test("does not make an open network look strong")
    func staysOpen() throws {
        for beacon in Beacon.all where beacon.offered == [.open] {
            for index in beacon.bytes.indices {
                for value in UInt8.min...UInt8.max {
                    var bytes = beacon.bytes
                    bytes[index] = value
                    let offered = (try? informationElements(in: bytes))?.offeredSecurity(privacy: false)
                    #expect(offered.map { $0.contains { !$0.provesKey } } ?? true)
                }
            }
        }
    }
}
