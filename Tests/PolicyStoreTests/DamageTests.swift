import FoundationEssentials
import Glibc
import ProtectedFiles
import Testing
import Trust
import Wireless

@testable import PolicyStore

/// The most important property: no damage to the compiled policy makes a login skip what it would not skip.
@Suite("A damaged policy never trusts more")
struct DamageTests {
    static let networks: [PinnedNetwork] = {
        func network(_ name: String, _ ssid: SSID, _ pins: [String] = [], change: (inout Network) -> Void = { _ in })
            -> PinnedNetwork
        {
            var network = Network(name: name, ssids: [ssid], isPinned: !pins.isEmpty)
            change(&network)
            return PinnedNetwork(network: network, pins: pins.map(pattern))
        }
        return [
            network("corp", ssid("Corp"), ["02:00:00:00:00:00/44", "02:00:00:00:01:00"]) {
                $0.security = [.wpa3Personal, .wpa3Enterprise]
                $0.site = "Berlin"
                $0.expires = Day(year: 2027, month: 1, day: 31)
            },
            network("corp-site-denied", ssid("Corp")) {
                $0.action = .require
                $0.denied = [pattern("02:00:00:00:00:0f")]
            },
            network("guest", ssid("Guest")),
            network("guest-denied", ssid("Guest")) { $0.action = .require },
            network("old", ssid("Old")) { $0.expires = Day(year: 2025, month: 12, day: 31) },
        ]
    }()

    struct Question: Sendable {
        let evidence: Evidence
        let answer: Reason
    }

    static let questions = [
        Question(evidence: connected("Corp", "02:00:00:00:00:01"), answer: .trustedNetwork),
        Question(evidence: connected("Corp", "02:00:00:00:01:00"), answer: .trustedNetwork),
        Question(evidence: connected("Corp", "02:00:00:00:00:0f"), answer: .networkDenied),
        Question(evidence: connected("Corp", "02:00:00:00:00:10"), answer: .bssidNotListed),
        Question(evidence: connected("Corp", "02:00:00:00:00:01", security: [.wpa2Personal]), answer: .securityTooWeak),
        Question(evidence: connected("Guest", "02:00:00:00:00:01"), answer: .networkDenied),
        Question(evidence: connected("Old", "02:00:00:00:00:01"), answer: .entryExpired),
        Question(evidence: connected("Other", "02:00:00:00:00:01"), answer: .networkNotListed),
    ]

    static let today = Day(year: 2026, month: 6, day: 1)

    /// A policy that is compiled once and then damaged again and again, without rewriting all of it.
    private final class Patient {
        let sandbox: Sandbox
        let original: [UInt8]
        private let descriptor: CInt

        init() throws {
            sandbox = try Sandbox()
            try sandbox.write(DamageTests.networks)
            original = try sandbox.bytes(compiledPolicyPath)
            descriptor = unsafe open(sandbox.root + compiledPolicyPath, O_RDWR | O_CLOEXEC)
            try #require(descriptor >= 0)
        }

        deinit { close(descriptor) }

        func write(_ byte: UInt8, at offset: Int) {
            var byte = byte
            #expect(unsafe pwrite(descriptor, &byte, 1, offset) == 1)
        }

        func truncate(to length: Int) { #expect(ftruncate(descriptor, length) == 0) }

        /// The answers to all questions.
        func answers() -> [Decision] {
            let policy: CompiledPolicy
            do throws(PolicyFault) { policy = try CompiledPolicy(in: sandbox.tree) } catch {
                return DamageTests.questions.map { _ in Decision(error.reason, detail: error.detail) }
            }
            return DamageTests.questions.map {
                decide(onNetwork: $0.evidence, policy: policy, today: DamageTests.today)
            }
        }
    }

    @Test("undamaged, it answers as it should")
    func undamaged() throws {
        #expect(try Patient().answers().map(\.reason) == Self.questions.map(\.answer))
    }

    /// The flips are done in parts, so that they run beside each other.
    static let parts = 8

    @Test("with any bit flipped, and any byte inverted", arguments: 0..<parts)
    func flips(part: Int) throws {
        let patient = try Patient()
        let undamaged = patient.answers()
        var harmless = 0
        for offset in patient.original.indices where offset % Self.parts == part {
            let byte = patient.original[offset]
            for mask in [1, 2, 4, 8, 16, 32, 64, 128, 255] as [UInt8] {
                patient.write(byte ^ mask, at: offset)
                let answers = patient.answers()
                if let trusted = wrongTrust(answers, undamaged) {
                    Issue.record("byte \(offset) xor \(mask): \(trusted)")
                }
                if answers == undamaged { harmless += 1 }
            }
            patient.write(byte, at: offset)
        }
        #expect(patient.answers() == undamaged)
        // Only what no look-up of these passes can change without being seen: unused tables and other records.
        #expect(harmless < patient.original.count / Self.parts * 9)
    }

    @Test("cut short after any byte")
    func truncations() throws {
        let patient = try Patient()
        let undamaged = patient.answers()
        for length in patient.original.indices.reversed() {
            patient.truncate(to: length)
            let answers = patient.answers()
            if let trusted = wrongTrust(answers, undamaged) { Issue.record("\(length) bytes: \(trusted)") }
            #expect(answers.allSatisfy { $0.answer != .notRequired }, "\(length) bytes")
        }
    }

    @Test("cut short and filled with zeros, as after a power failure")
    func zeroedTails() throws {
        let patient = try Patient()
        let undamaged = patient.answers()
        for length in patient.original.indices.reversed() {
            patient.write(0, at: length)
            if let trusted = wrongTrust(patient.answers(), undamaged) { Issue.record("\(length) bytes: \(trusted)") }
        }
    }

    @Test("with one record's place taken by another's")
    func exchangedTables() throws {
        let patient = try Patient()
        let undamaged = patient.answers()
        // The 256 entries of the first table, eight bytes each (cr.yp.to/cdb/cdb.txt).
        let entries = (0..<256).map { Array(patient.original[(8 * $0)..<(8 * $0 + 8)]) }
        let used = entries.indices.filter { entries[$0][4] != 0 }
        for one in used {
            for other in used where other != one {
                for (index, byte) in entries[other].enumerated() { patient.write(byte, at: 8 * one + index) }
                if let trusted = wrongTrust(patient.answers(), undamaged) {
                    Issue.record("\(one), \(other): \(trusted)")
                }
                for (index, byte) in entries[one].enumerated() { patient.write(byte, at: 8 * one + index) }
            }
        }
        #expect(patient.answers() == undamaged)
    }

    /// The first answer that skips the second factor although the undamaged one did not, or in another way.
    private func wrongTrust(_ answers: [Decision], _ undamaged: [Decision]) -> Decision? {
        zip(answers, undamaged).first { $0.answer == .notRequired && $0 != $1 }?.0
    }
}
