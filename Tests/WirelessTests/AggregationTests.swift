import Testing
import Wireless

@Suite("Compacting a list of access points")
struct AggregationTests {
    /// The last byte of an address in 02:11:22:33:44:00/40.
    static func pattern(_ last: UInt8, _ length: Int) throws -> BSSIDPattern {
        let mask = UInt8(truncatingIfNeeded: 0xff << (48 - length))
        return try BSSIDPattern(
            address: BSSID(bytes: [0x02, 0x11, 0x22, 0x33, 0x44, last & mask]), prefixLength: length)
    }

    /// Which of the 256 addresses are covered.
    static func covered(_ patterns: [BSSIDPattern]) throws -> Set<UInt8> {
        Set(
            try (UInt8.min...UInt8.max).filter { last in
                let address = try BSSID(bytes: [0x02, 0x11, 0x22, 0x33, 0x44, last])
                return patterns.contains { $0.matches(address) }
            })
    }

    /// Lists of 0 to 60 patterns that a generator with this seed draws (a linear congruential one, Numerical Recipes).
    static func patterns(seed: UInt32) throws -> [BSSIDPattern] {
        var state = seed
        func next() -> UInt32 {
            state = state &* 1_664_525 &+ 1_013_904_223
            return state >> 8
        }
        return try (0..<next() % 60).map { _ in
            try pattern(UInt8(truncatingIfNeeded: next()), next() % 3 == 0 ? Int(41 + next() % 8) : 48)
        }
    }

    @Test("trusts exactly the same addresses, with no more patterns, and once is enough", arguments: UInt32(0)..<300)
    func sameAddresses(seed: UInt32) throws {
        let before = try Self.patterns(seed: seed)
        let after = aggregated(before)
        #expect(try Self.covered(after) == Self.covered(before))
        #expect(after.count <= Set(before).count)
        #expect(Set(aggregated(after)) == Set(after))
    }

    @Test(
        "suggests prefixes that trust as many addresses more as it says, and no more than asked",
        arguments: UInt32(0)..<100)
    func suggestions(seed: UInt32) throws {
        let patterns = try Self.patterns(seed: seed)
        for suggestion in suggestedPrefixes(for: patterns, extra: 12) where suggestion.prefix.prefixLength >= 40 {
            let inside = patterns.filter { $0.shortened(to: suggestion.prefix.prefixLength) == suggestion.prefix }
            let more = try Self.covered([suggestion.prefix]).subtracting(Self.covered(inside))
            #expect(more.count == Int(suggestion.extra) && suggestion.extra <= 12)
        }
    }

    @Test("goes no further than the widest prefix that is allowed")
    func widest() throws {
        let halves = try ["02:11:22:00:00:00/24", "02:11:23:00:00:00/24"].map { try BSSIDPattern($0) }
        #expect(aggregated(halves) == halves)
        #expect(suggestedPrefixes(for: halves, extra: .max).isEmpty)
        #expect(aggregated([]).isEmpty)
    }
}
