import Testing
import Trust
import Wireless

@testable import Radio

@Suite("Recorded replies, byte by byte")
struct EveryByteTests {
    struct Target: CustomTestStringConvertible {
        let file: String
        var ssid = SSID.named("Corp-Staff")
        var bssid = address("02:00:00:00:00:00")
        /// Whether a station of the recording is on the trusted network.
        var isTrusted = false
        /// The bits that are turned over in every byte, one mask after the other. None stands for a sample: one byte in
        /// eight is changed, and one length in eight tried, by a fixed seed.
        var masks: [UInt8] = []
        var testDescription: String { file }

        fileprivate func takes(_ seed: inout FixedSeed) -> Bool {
            !masks.isEmpty || UInt8.random(in: 0..<8, using: &seed) == 0
        }

        /// Whether a machine that shows this is on the trusted network, though by another name or place than recorded.
        func isUnsound(_ evidence: Evidence, mayFinish: Bool) -> Bool {
            let policy = OneNetwork(ssid: ssid, bssids: [bssid])
            guard decide(onNetwork: evidence, policy: policy, today: nil).answer == .notRequired else { return false }
            return !(isTrusted || mayFinish)
                || !evidence.all.contains {
                    $0.type == .station && $0.ssid == ssid && $0.links == [bssid] && $0.authorized == true
                }
        }
    }

    static let unfinished = "linux-6.1-wpa2-wrong-psk-not-authorized"

    static let targets = [
        Target(file: "linux-6.1-wpa2-psk", isTrusted: true, masks: [0x01, 0x80]),
        Target(file: unfinished, masks: [0x01, 0x02]),
        Target(
            file: "linux-7.2-wifi7-state", ssid: .named("Corp-Staff-7"), bssid: address("02:00:00:2e:72:c6"),
            isTrusted: true, masks: [0x02]),
        Target(file: "linux-6.1-wpa3-sae", isTrusted: true),
        Target(file: "linux-6.1-wpa2-enterprise-sha256", isTrusted: true),
        Target(file: "linux-6.1-two-stations-corp-and-cafe", isTrusted: true),
        // At another access point than the one that is listed.
        Target(file: "linux-6.1-roamed"),
        // Listed, and without a key.
        Target(file: "linux-6.1-open", ssid: .named("Corp-Guest")),
        Target(
            file: "linux-6.1-station-at-cafe-corp-neighbour-in-scan", ssid: .named("CoffeeShop"),
            bssid: address("02:00:00:00:02:00")),
        // Not connected, or not listed.
        Target(file: "linux-6.1-disconnected-after-wpa2"),
        Target(file: "linux-6.1-idle-no-association"),
        Target(file: "linux-6.1-monitor-interface"),
        Target(file: "linux-6.1-ssid-bytes-32-not-text"),
        Target(file: "linux-6.1-ssid-bytes-41ba"),
        Target(file: "linux-6.1-ssid-bytes-436166c3a9"),
        Target(file: "linux-6.1-ssid-bytes-f09fa78af09f8fa2"),
    ]

    @Test("that are cut short anywhere never show a trusted network that is not there", arguments: targets)
    func everyPrefix(target: Target) throws {
        let fixture = try Fixture(target.file)
        var seed = FixedSeed()
        for (request, messages) in fixture.inOrder {
            for (place, message) in messages.enumerated() {
                for length in message.indices where target.takes(&seed) {
                    let kernel = fixture.kernel { $0 == request && $1 == place ? Array(message.prefix(length)) : $2 }
                    if target.isUnsound(kernel.evidence(), mayFinish: false) {
                        Issue.record("\(request), reply \(place), \(length) bytes")
                    }
                }
            }
        }
    }

    @Test("with any byte changed never show a trusted network that is not there", arguments: targets)
    func everyChange(target: Target) throws {
        let fixture = try Fixture(target.file)
        var seed = FixedSeed()
        for (request, messages) in fixture.inOrder {
            for (place, message) in messages.enumerated() {
                for index in message.indices where target.takes(&seed) {
                    let masks = target.masks.isEmpty ? [UInt8.random(in: 1...255, using: &seed)] : target.masks
                    for mask in masks {
                        var changed = message
                        changed[index] ^= mask
                        let kernel = fixture.kernel { $0 == request && $1 == place ? changed : $2 }
                        // Only the flags of the peer say that a key exchange has finished.
                        let mayFinish = target.file == Self.unfinished && request.command == .getStation
                        if target.isUnsound(kernel.evidence(), mayFinish: mayFinish) {
                            Issue.record("\(request), reply \(place), byte \(index), \(mask)")
                        }
                    }
                }
            }
        }
    }

    static let files = targets.map(\.file) + FixtureTests.associations.map(\.file)

    @Test("hold frames of which no part and no change is misread")
    func frames() throws {
        // The same beacon stands in many files.
        let frames: Set<[UInt8]> = try Self.files.reduce(into: []) { $0.formUnion(try Fixture($1).frames()) }
        #expect(frames.count > 30)
        for frame in frames {
            let original = try informationElements(in: frame)
            let isWeak = !original.offeredSecurity(privacy: false).contains { $0.provesKey }
            // How much of it there is, then what stands in each byte: one bit other, a neighbour, or a number that matters.
            for length in frame.indices { check(Array(frame.prefix(length)), isWeak) }
            var changed = frame
            for (index, byte) in frame.enumerated() {
                for value in (0..<8).map({ byte ^ 1 << $0 }) + [byte &+ 1, byte &- 1, 0, 48, 107, 221, 242, 255] {
                    changed[index] = value
                    check(changed, isWeak)
                }
                changed[index] = byte
            }
        }
    }

    /// Where no frame named a suite that proves a key, none may come to name one: there are no bytes for it.
    private func check(_ frame: [UInt8], _ isWeak: Bool) {
        guard let elements = try? informationElements(in: frame) else { return }
        let offered = elements.offeredSecurity(privacy: false)
        if offered.isEmpty || (isWeak && offered.contains { $0.provesKey }) {
            Issue.record("\(hexadecimal(frame)) offers \(offered)")
        }
        if elements.devices.count > frame.count / 12 { Issue.record("\(hexadecimal(frame)) has too many devices") }
    }
}

extension Fixture {
    /// The replies in the order of their requests, so that a sample is the same in every run.
    fileprivate var inOrder: [(key: FakeKernel.Request, value: [[UInt8]])] {
        replies.sorted {
            ($0.key.command.rawValue, $0.key.interface ?? 0) < ($1.key.command.rawValue, $1.key.interface ?? 0)
        }
    }
}

/// Numbers that look random and are the same in every run (SplitMix64).
private struct FixedSeed: RandomNumberGenerator {
    private var state: UInt64 = 0x6f6e_7369_7465

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}
