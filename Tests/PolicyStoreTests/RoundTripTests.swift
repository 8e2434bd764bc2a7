import Testing
import Trust
import Wireless

@testable import PolicyStore

@Suite("The compiled policy answers like the one that was compiled")
struct RoundTripTests {
    static let everything: Rules = {
        var rules = Rules()
        rules.minimumEvidence = .verified
        rules.stations = .any
        rules.remoteSessions = .allow
        rules.wait = 10_000
        rules.alwaysRequire = Askers(users: ["root", "é"], groups: ["wheel"], services: ["sshd", ""])
        rules.identifiers = .clear
        rules.consent = .needed
        rules.locksSessions = true
        rules.purposes = [
            Purpose(key: "a", sentence: "b"), Purpose(key: "c", sentence: String(repeating: "long ", count: 1000)),
        ]
        return rules
    }()

    static let noPurposes: Rules = {
        var rules = Rules()
        rules.purposes = []
        return rules
    }()

    @Test("the rules", arguments: [Rules(), everything, noPurposes])
    func rules(rules: Rules) throws {
        let sandbox = try Sandbox()
        try sandbox.write([], rules: rules)
        #expect(try CompiledPolicy(in: sandbox.tree).rules == rules)
    }

    /// A network with every field set.
    static let full = Network(
        name: "full", ssids: [ssid("Corp")], isPinned: true, denied: [], security: [.fils, .other],
        minimumEvidence: .claimed, action: .skip, site: "Berlin \u{1f600}",
        askers: Askers(users: ["a"], groups: ["b", "c"], services: ["d"]), expires: Day(year: 2027, month: 1, day: 31))

    static let networks = [
        Network(name: "plain", ssids: [ssid("Corp")]),
        full,
        Network(
            name: "denied", ssids: [ssid("Corp"), ssid("Other")],
            denied: [pattern("02:00:00:00:00:00/24"), pattern("fe:ff:ff:ff:ff:ff")],
            action: .require),
        Network(name: "any-bytes", ssids: [ssid("\0\u{ff}\n"), ssid(String(repeating: "x", count: 32))]),
    ]

    @Test("all networks of a name, and of no other")
    func networks() throws {
        let sandbox = try Sandbox()
        try sandbox.write(Self.networks.map { PinnedNetwork(network: $0, pins: []) })
        let policy = try CompiledPolicy(in: sandbox.tree)
        for name in Set(Self.networks.flatMap(\.ssids)) {
            var expected = Self.networks.filter { $0.ssids.contains(name) }
            // A network is found under one name and knows that one alone.
            for index in expected.indices { expected[index].ssids = [name] }
            #expect(try policy.networks(named: name) == expected)
        }
        for stranger in ["corp", "Corp ", "Cor", "Corpx", "\0", "onsite policy"] {
            #expect(try policy.networks(named: ssid(stranger)) == [])
        }
    }

    @Test("a thousand networks, several of each name")
    func thousand() throws {
        let networks = (0..<1000).map { number in
            Network(
                name: "n\(number)", ssids: [ssid("name-\(number % 300)")],
                action: number % 7 == 0 ? .require : .skip, site: number % 2 == 0 ? "site \(number)" : nil)
        }
        let sandbox = try Sandbox()
        try sandbox.write(networks.map { PinnedNetwork(network: $0, pins: []) })
        let policy = try CompiledPolicy(in: sandbox.tree)
        for number in 0..<300 {
            let name = ssid("name-\(number)")
            #expect(try policy.networks(named: name) == networks.filter { $0.ssids == [name] })
        }
        #expect(try policy.networks(named: ssid("name-300")) == [])
    }

    @Test("a pin matches from its first address to its last", arguments: BSSIDPattern.prefixLengths)
    func pin(length: Int) throws {
        let all = UInt64(1) << 48 - 1
        let mask = UInt64.max << UInt64(48 - length) & all
        let first = 0x02a5_5aa5_5aa5 & mask
        let last = first | ~mask & all
        var network = Self.networks[0]
        network.isPinned = true
        let sandbox = try Sandbox()
        try sandbox.write([
            PinnedNetwork(network: network, pins: [try BSSIDPattern(address: address(first), prefixLength: length)]),
            PinnedNetwork(network: Self.full, pins: [pattern("ee:00:00:00:00:00/24"), pattern("02:a5:5a:a5:5a:a5")]),
        ])
        let policy = try CompiledPolicy(in: sandbox.tree)
        for inside in [first, last, first | 1 & ~mask, (first + last) / 2] {
            #expect(try policy.lists(address(inside), in: network))
        }
        for outside in [first - 1, last + 1, first ^ 1 << UInt64(48 - length), 0xee00_0000_0001] {
            #expect(try !policy.lists(address(outside), in: network))
        }
        // What one network lists, another does not.
        #expect(try policy.lists(address(0xee00_0012_3456), in: Self.full))
        #expect(try policy.lists(address(0x02a5_5aa5_5aa5), in: Self.full))
        #expect(try !policy.lists(address(0x02a5_5aa5_5aa4), in: Self.full))
    }

    private func address(_ value: UInt64) throws -> BSSID {
        try BSSID(bytes: (0..<6).map { UInt8(truncatingIfNeeded: value >> (40 - 8 * $0)) })
    }

    @Test("many pins of many lengths answer like a search through all")
    func manyPins() throws {
        var generator = SystemRandomNumberGenerator()
        let pins = try (0..<2000).map { _ in
            let length = Int.random(in: 24...48, using: &generator)
            let value = UInt64.random(in: 0x0200_0000_0000...0x0200_ffff_ffff, using: &generator)
            return try BSSIDPattern(
                address: address(value & (.max << UInt64(48 - length)) | 0x0200_0000_0000), prefixLength: length)
        }
        var network = Self.networks[0]
        network.isPinned = true
        let sandbox = try Sandbox()
        try sandbox.write([PinnedNetwork(network: network, pins: pins + pins.prefix(10))])
        let policy = try CompiledPolicy(in: sandbox.tree)
        for number in 0..<2000 {
            let value =
                number % 2 == 0
                ? UInt64.random(in: 0x0200_0000_0000...0x0201_0000_0000, using: &generator)
                : pins[number].rawValue ^ UInt64.random(in: 0...0xffff, using: &generator)
            let candidate = try address(value)
            #expect(try policy.lists(candidate, in: network) == pins.contains { $0.matches(candidate) })
        }
    }

    @Test("a pinned network without an access point lists none")
    func noPins() throws {
        let sandbox = try Sandbox()
        try sandbox.write([PinnedNetwork(network: Self.full, pins: [])])
        #expect(try !CompiledPolicy(in: sandbox.tree).lists(bssid("02:00:00:00:00:01"), in: Self.full))
    }

    @Test("two policies of the same rules share no checksum, so that no record of one passes in the other")
    func generation() throws {
        let sandbox = try Sandbox()
        try sandbox.write([PinnedNetwork(network: Self.networks[0], pins: [])])
        let first = try sandbox.bytes(compiledPolicyPath)
        try sandbox.write([PinnedNetwork(network: Self.networks[0], pins: [])])
        let second = try sandbox.bytes(compiledPolicyPath)
        #expect(first.count == second.count && first != second)
        // The head is the first record behind 2048 bytes of tables: two lengths, key and value (cr.yp.to/cdb/cdb.txt).
        let lengths = second[2048..<2056]
        let head = 2056 + Int(lengths[2048]) + Int(lengths[2052]) + Int(lengths[2053]) << 8
        let mixed = Array(first[..<head] + second[head...])
        try sandbox.write(compiledPolicyPath, mixed)
        #expect(sandbox.decision(connected("Corp", "02:00:00:00:00:01")).answer != .notRequired)
    }
}
