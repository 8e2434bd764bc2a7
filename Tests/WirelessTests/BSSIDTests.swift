import Testing
import Wireless

@Suite("BSSID")
struct BSSIDTests {
    @Test(
        "is read in each of the three notations, in either case",
        arguments: [
            "02:ab:cd:ef:00:01", "02:AB:CD:EF:00:01", "02:aB:Cd:eF:00:01", "02-ab-cd-ef-00-01", "02-AB-CD-EF-00-01",
            "02ab.cdef.0001", "02AB.CDEF.0001",
        ])
    func accepts(text: String) throws {
        let bssid = try BSSID(text)
        #expect(bssid == (try BSSID(bytes: [0x02, 0xab, 0xcd, 0xef, 0x00, 0x01])))
        #expect(bssid.description == "02:ab:cd:ef:00:01")
        #expect(bssid.rawValue == 0x02ab_cdef_0001)
        #expect(try BSSID(bssid.description) == bssid)
    }

    @Test(
        "is not read in any other notation",
        arguments: [
            "", " ", ":", "any", "*", "02ABcdEF0001", "02:ab-cd:ef-00:01", "02:ab:cd:ef-00-01", "02ab:cdef:0001",
            "02.ab.cd.ef.00.01", "2:ab:cd:ef:0:1", "02:ab:cd:ef:00", "02:ab:cd:ef:00:01:02", "02:ab:cd:ef:00:01 ",
            " 02:ab:cd:ef:00:01", "02:ab:cd:ef:00:01\n", "02:ab:cd:ef:00:01\r\n", "02:ab:cd:ef:00:01:",
            ":02:ab:cd:ef:00:01", "02::cd:ef:00:01", "02:ab:cd:ef:00:0g", "02:ab:cd:ef:00:+1", "02:ab:cd:ef:00:-1",
            "02:ab:cd:ef:00: 1", "02:ab:cd:ef:000:1", "02:ab:cd:ef:00:001", "0x02:ab:cd:ef:00:01",
            "０２:ab:cd:ef:00:01", "02:ab:cd:ef:00:0\u{661}", "02\u{2236}ab\u{2236}cd\u{2236}ef\u{2236}00\u{2236}01",
            "02:ab:cd:ef:00:01\0", "02:ab:cd:ef:00:01#", "02ab.cdef.001", "02ab.cdef.00001", "02ab.cdef.0001.0002",
            "02ab.cdef", "+2ab.cdef.0001", "\u{feff}02:ab:cd:ef:00:01", "02:ab:cd:ef:00:01\u{301}",
        ])
    func refuses(text: String) {
        #expect(throws: BSSIDError.notAnAddress) { try BSSID(text) }
    }

    struct Unusable: CustomTestStringConvertible {
        let text: String
        let error: BSSIDError
        var testDescription: String { text }
    }

    static let unusable = [
        Unusable(text: "00:00:00:00:00:00", error: .allZeros),
        Unusable(text: "0000.0000.0000", error: .allZeros),
        Unusable(text: "ff:ff:ff:ff:ff:ff", error: .broadcast),
        Unusable(text: "FF-FF-FF-FF-FF-FF", error: .broadcast),
        Unusable(text: "01:00:5e:00:00:01", error: .multicast),
        Unusable(text: "33:33:00:00:00:01", error: .multicast),
        Unusable(text: "03:00:00:00:00:01", error: .multicast),
        Unusable(text: "ff:ff:ff:ff:ff:fe", error: .multicast),
    ]

    @Test("B03: is no address that cannot belong to one access point", arguments: unusable)
    func refusesUnusable(row: Unusable) {
        #expect(throws: row.error) { try BSSID(row.text) }
        #expect(throws: row.error) { try BSSIDPattern(row.text) }
    }

    @Test("has exactly six bytes", arguments: [0, 1, 5, 7, 8, 12])
    func refusesLength(length: Int) {
        #expect(throws: BSSIDError.notAnAddress) { try BSSID(bytes: [UInt8](repeating: 2, count: length)) }
    }

    @Test("keeps its first and its last bit")
    func extremes() throws {
        #expect(try BSSID("00:00:00:00:00:01").rawValue == 1)
        #expect(try BSSID("fe:ff:ff:ff:ff:ff").rawValue == 0xfeff_ffff_ffff)
        #expect(try BSSID("fe:ff:ff:ff:ff:ff").description == "fe:ff:ff:ff:ff:ff")
        #expect(try BSSID("00:00:00:00:00:01").description == "00:00:00:00:00:01")
    }

    @Test("keeps the leading bits that a mask asks for, whatever the mask")
    func masks() throws {
        let bssid = try BSSID("fe:ff:ff:ff:ff:ff")
        #expect(bssid.masked(to: 48) == 0xfeff_ffff_ffff)
        #expect(bssid.masked(to: 47) == 0xfeff_ffff_fffe)
        #expect(bssid.masked(to: 24) == 0xfeff_ff00_0000)
        #expect(bssid.masked(to: 0) == 0)
        #expect(bssid.masked(to: -1) == 0)
        #expect(bssid.masked(to: Int.min) == 0)
        #expect(bssid.masked(to: 64) == 0xfeff_ffff_ffff)
        #expect(bssid.masked(to: Int.max) == 0xfeff_ffff_ffff)
    }
}

@Suite("BSSID pattern")
struct BSSIDPatternTests {
    struct Pattern: CustomTestStringConvertible {
        let text: String
        let canonical: String
        let length: Int
        var testDescription: String { text }
    }

    static let patterns = [
        Pattern(text: "02:11:22:33:44:50/44", canonical: "02:11:22:33:44:50/44", length: 44),
        Pattern(text: "02-11-22-33-44-50/44", canonical: "02:11:22:33:44:50/44", length: 44),
        Pattern(text: "0211.2233.4450/44", canonical: "02:11:22:33:44:50/44", length: 44),
        Pattern(text: "02:AA:BB:00:00:00/24", canonical: "02:aa:bb:00:00:00/24", length: 24),
        Pattern(text: "02:aa:bb:cc:dd:ee/47", canonical: "02:aa:bb:cc:dd:ee/47", length: 47),
        Pattern(text: "02:AA:BB:CC:DD:EF/48", canonical: "02:aa:bb:cc:dd:ef", length: 48),
        Pattern(text: "02:aa:bb:cc:dd:ef", canonical: "02:aa:bb:cc:dd:ef", length: 48),
    ]

    @Test("is read like an IP prefix and written in one form", arguments: patterns)
    func accepts(row: Pattern) throws {
        let pattern = try BSSIDPattern(row.text)
        #expect(pattern.prefixLength == row.length)
        #expect(pattern.description == row.canonical)
        #expect(try BSSIDPattern(pattern.description) == pattern)
    }

    @Test(
        "has a prefix of 24 to 48 bits in two digits",
        arguments: [
            "/23", "/49", "/0", "/00", "/8", "/064", "/048", "/", "/ 44", "/44 ", "/+44", "/-44", "/4", "/4４", "/４４",
            "/44/44", "/0x2c", "/99", "/44\n", "/99999999999999999999", "/any",
        ])
    func refusesPrefix(suffix: String) {
        #expect(throws: BSSIDError.prefixLength) { try BSSIDPattern("02:00:00:00:00:00" + suffix) }
    }

    @Test("is no pattern without an address", arguments: ["", "/", "/44", "any", "any/44", "*", "02:11:22/24"])
    func refusesNoAddress(text: String) {
        #expect(throws: BSSIDError.notAnAddress) { try BSSIDPattern(text) }
    }

    @Test("has zeros after its prefix, for every length", arguments: BSSIDPattern.prefixLengths)
    func bitsAfterPrefix(length: Int) throws {
        let last = UInt64(1) << UInt64(48 - length)
        #expect(
            try BSSIDPattern(address: address(0x0200_0000_0000 | last), prefixLength: length).matches(
                address(last | 0x0200_0000_0000)))
        guard length < 48 else { return }
        let stray = try address(0x0200_0000_0000 | last >> 1)
        #expect(throws: BSSIDError.bitsAfterPrefix(length)) { try BSSIDPattern(address: stray, prefixLength: length) }
    }

    @Test("has no length that is not allowed", arguments: [Int.min, -1, 0, 23, 49, 64, Int.max])
    func refusesLength(length: Int) throws {
        let bssid = try BSSID("02:00:00:00:00:00")
        #expect(throws: BSSIDError.prefixLength) { try BSSIDPattern(address: bssid, prefixLength: length) }
    }

    @Test("matches what shares its leading bits and nothing else", arguments: BSSIDPattern.prefixLengths)
    func matches(length: Int) throws {
        let base: UInt64 = 0x02a5_5a00_0000
        let pattern = try BSSIDPattern(address: address(base), prefixLength: length)
        for bit in UInt64(0)..<48 where bit != 40 {
            let candidate = base ^ (1 << bit)
            #expect(pattern.matches(try address(candidate)) == (bit < 48 - length), "bit \(bit)")
        }
    }

    @Test("of 44 bits covers sixteen addresses")
    func sixteen() throws {
        let pattern = try BSSIDPattern("02:11:22:33:44:50/44")
        #expect(pattern.matches(try BSSID("02:11:22:33:44:50")))
        #expect(pattern.matches(try BSSID("02:11:22:33:44:5f")))
        #expect(!pattern.matches(try BSSID("02:11:22:33:44:4f")))
        #expect(!pattern.matches(try BSSID("02:11:22:33:44:60")))
    }

    @Test("every error is one line that names the rule")
    func errors() {
        let all: [BSSIDError] = [.notAnAddress, .allZeros, .broadcast, .multicast, .prefixLength, .bitsAfterPrefix(44)]
        #expect(Set(all.map(\.description)).count == all.count)
        for error in all {
            #expect(!error.description.isEmpty)
            #expect(!error.description.contains("\n"))
        }
        #expect(BSSIDError.bitsAfterPrefix(44).description.contains("/44"))
    }

    private func address(_ value: UInt64) throws -> BSSID {
        try BSSID(bytes: stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) })
    }
}
