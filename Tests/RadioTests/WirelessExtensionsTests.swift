import Glibc
import Testing
import Trust
import Wireless

@testable import Radio

@Suite("Drivers without nl80211")
struct WirelessExtensionsTests {
    typealias Answers = [Question: [Result<Radio.Answer, NetlinkError>]]

    /// On the company's network at the access point 02:00:00:00:00:01.
    static func driver(
        index: UInt32 = 7, mode: UInt32 = 2, flags: UInt32 = 1, ssid: [UInt8] = SSID.corp.bytes,
        at accessPoint: [UInt8] = Message.mac(1)
    ) -> Answers {
        [
            .protocolName: [.success(Radio.Answer())],
            .index: [.success(Radio.Answer(value: index))],
            .mode: [.success(Radio.Answer(value: mode))],
            .accessPoint: [.success(Radio.Answer(bytes: accessPoint))],
            .ssid: [.success(Radio.Answer(value: flags, bytes: ssid))],
        ]
    }

    /// A machine whose nl80211 is in this state, and where `old0` and others have the extensions.
    static func machine(_ drivers: [String: Answers], nl80211 error: NetlinkError? = absent) -> FakeKernel {
        let kernel = error == nil ? FakeKernel.good() : FakeKernel()
        if let error { kernel.answer(.getInterface, inTurn: [.failure(error)]) }
        kernel.drivers = drivers
        kernel.drivers["lo"] = [:]
        return kernel
    }

    static let absent = NetlinkError(.resolve, code: ENOENT)
    static let connected = Interface(
        name: "old0", index: 7, type: .station, state: .connected, ssid: .corp,
        links: [address("02:00:00:00:00:01")])

    @Test("show a name and an address, and nothing about a key")
    func connected() {
        let evidence = Self.machine(["old0": Self.driver()]).evidence()
        #expect(evidence == .interfaces([Self.connected], source: .wext))
        #expect(evidence.all.map(\.evidence) == [.claimed])
    }

    struct Policies: Policy {
        let network: Network
        let rules = Rules()
        func networks(named name: SSID) throws(PolicyFault) -> [Network] {
            network.ssids.contains(name) ? [network] : []
        }
        func lists(_ address: BSSID, in network: Network) throws(PolicyFault) -> Bool { address == link }
        let link = address("02:00:00:00:00:01")
    }

    @Test("are trusted where the network asks for no more than a claim")
    func decision() {
        let evidence = Self.machine(["old0": Self.driver()]).evidence()
        let elsewhere = Self.machine(["old0": Self.driver(at: Message.mac(2))]).evidence()
        let usual = Network(name: "corp", ssids: [.corp])
        #expect(decide(onNetwork: evidence, policy: Policies(network: usual), today: nil).reason == .securityTooWeak)
        let claimed = Network(name: "corp", ssids: [.corp], isPinned: true, minimumEvidence: .claimed)
        #expect(decide(onNetwork: evidence, policy: Policies(network: claimed), today: nil).reason == .trustedNetwork)
        #expect(decide(onNetwork: elsewhere, policy: Policies(network: claimed), today: nil).reason == .bssidNotListed)
        let secured = Network(name: "corp", ssids: [.corp], security: [.wpa2Personal], minimumEvidence: .claimed)
        #expect(decide(onNetwork: evidence, policy: Policies(network: secured), today: nil).reason == .securityTooWeak)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let what: String
        let driver: Answers
        var isUp: Bool?
        /// The state of the one interface, or why there is none.
        let result: Result<Interface.State, Reason.Thrown>
        var testDescription: String { what }

        init(_ what: String, _ driver: Answers, isUp: Bool? = nil, _ state: Interface.State) {
            (self.what, self.driver, self.isUp, result) = (what, driver, isUp, .success(state))
        }

        init(_ what: String, _ driver: Answers, fails reason: Reason) {
            (self.what, self.driver, result) = (what, driver, .failure(Reason.Thrown(reason: reason)))
        }
    }

    static func failing(_ question: Question, _ code: Int32) -> Answers {
        driver().merging([question: [.failure(NetlinkError(.receive, code: code))]]) { $1 }
    }

    static func moving(_ addresses: [[UInt8]]) -> Answers {
        driver().merging([.accessPoint: addresses.map { .success(Radio.Answer(bytes: $0)) }]) { $1 }
    }

    static let one = Message.mac(1)
    static let two = Message.mac(2)

    static let cases = [
        Case("connected", driver(), .connected),
        Case("connected and up", driver(), isUp: true, .connected),
        Case("switched off", driver(), isUp: false, .down),
        Case("no name set", driver(flags: 0), .disconnected),
        Case("any name", driver(ssid: []), .disconnected),
        Case("flags that say which of several names", driver(flags: 2), .connected),
        Case("no access point: zeros", driver(at: Array(repeating: 0, count: 6)), .disconnected),
        Case("no access point: ones", driver(at: Array(repeating: 0xff, count: 6)), .disconnected),
        Case("no access point: 44", driver(at: Array(repeating: 0x44, count: 6)), .disconnected),
        Case("an access point that is almost none", driver(at: [0x44, 0x44, 0x44, 0x44, 0x44, 0]), .connected),
        Case("a group for an access point", driver(at: [1, 0, 0x5e, 0, 0, 1]), fails: .probeFailed),
        Case("an address cut short", driver(at: [2, 0, 0, 0, 0]), fails: .probeFailed),
        Case("a name of 32 bytes", driver(ssid: Array(repeating: 0x61, count: 32)), .connected),
        Case("a name of 33 bytes", driver(ssid: Array(repeating: 0x61, count: 33)), fails: .probeFailed),
        Case("a name of 34 bytes", driver(ssid: Array(repeating: 0, count: 34)), fails: .probeFailed),
        Case("a hidden name", driver(ssid: [0, 0, 0]), .connected),
        Case("moves once", moving([one, two]), .connected),
        Case("connects meanwhile", moving([Array(repeating: 0, count: 6), two]), .connected),
        Case("disconnects meanwhile", moving([one, Array(repeating: 0, count: 6)]), .disconnected),
        Case("moves for ever", moving([one, two, one, two, one, two, one, two]), fails: .probeInconsistent),
        Case("gives no mode", failing(.mode, EOPNOTSUPP), fails: .probeFailed),
        Case("gives no index", failing(.index, EINVAL), fails: .probeFailed),
        Case("gives no name", failing(.ssid, EIO), fails: .probeFailed),
        Case("gives no address", failing(.accessPoint, E2BIG), fails: .probeFailed),
        Case("may not be asked", failing(.accessPoint, EPERM), fails: .wifiAccessDenied),
        Case("goes down", failing(.ssid, ENETDOWN), .down),
    ]

    @Test("are read whole, or the second factor is asked for", arguments: cases)
    func state(row: Case) {
        for hasNl80211 in [false, true] {
            let kernel = Self.machine(["old0": row.driver], nl80211: hasNl80211 ? nil : Self.absent)
            kernel.isUp["old0"] = row.isUp
            let evidence = kernel.evidence()
            switch row.result {
            case .success(let state): #expect(evidence.all.last?.state == state)
            case .failure(let thrown): #expect(evidence.unavailability == thrown.reason)
            }
            #expect(kernel.questions.count <= 12)
        }
    }

    @Test("keep the bytes of a name, also a NUL at the end, and hide a name of zeros")
    func names() {
        let names: [[UInt8]: [UInt8]?] = [
            SSID.corp.bytes + [0]: SSID.corp.bytes + [0], [0xff, 0x0a]: [0xff, 0x0a], [0, 0]: nil, [0]: nil,
        ]
        for (bytes, ssid) in names {
            let kernel = Self.machine(["old0": Self.driver(ssid: bytes)])
            #expect(kernel.evidence().all.map(\.ssid?.bytes) == [ssid])
            #expect(kernel.reason() == .networkNotListed)
        }
    }

    @Test("give each mode its name and are looked at further as stations only", arguments: 0...9)
    func modes(mode: UInt32) {
        let kinds: [UInt32: Interface.Kind] = [1: .ibss, 2: .station, 3: .accessPoint, 6: .monitor, 7: .meshPoint]
        let kernel = Self.machine(["old0": Self.driver(mode: mode)])
        #expect(kernel.evidence().all.map(\.type) == [kinds[mode] ?? .other])
        #expect(kernel.questions.contains { $0.question == .accessPoint } == (mode == 2))
    }

    @Test("that are unplugged meanwhile are passed over", arguments: [Question.index, .mode, .accessPoint, .ssid])
    func unplugged(question: Question) {
        let drivers = ["old0": Self.failing(question, ENODEV), "old1": Self.driver(index: 8)]
        #expect(Self.machine(drivers).evidence().all.map(\.name) == ["old1"])
        let alone = Self.machine(["old0": Self.failing(question, ENODEV)])
        #expect(alone.evidence() == .unavailable(.wifiUnavailable, source: .nl80211))
    }

    @Test(
        "are asked about nothing but their protocol where they are no Wi-Fi",
        arguments: [EOPNOTSUPP, ENODEV, ENOTTY, EINVAL])
    func others(code: Int32) {
        let kernel = Self.machine(["eth0": [.protocolName: [.failure(NetlinkError(.receive, code: code))]]])
        #expect(kernel.evidence() == .unavailable(.wifiUnavailable, source: .nl80211))
        #expect(kernel.questions.map(\.question) == [.protocolName, .protocolName])
    }

    @Test("are not passed over where they only cannot be asked", arguments: [EACCES, EPERM, EIO, EBADF, EFAULT])
    func unreadable(code: Int32) {
        for error in [nil, Self.absent] {
            let card = [Question.protocolName: [Result<Radio.Answer, _>.failure(NetlinkError(.receive, code: code))]]
            let evidence = Self.machine(["card0": card], nl80211: error).evidence()
            #expect(evidence.unavailability?.answer == .undecided)
        }
    }

    @Test("stand beside what nl80211 knows, which is not asked again")
    func beside() {
        let cafe = Self.driver(ssid: Array("CoffeeShop".utf8), at: Message.mac(2))
        let kernel = Self.machine(["wlan0": Self.driver(), "old0": cafe], nl80211: nil)
        guard case .interfaces(let interfaces, source: .nl80211) = kernel.evidence() else {
            Issue.record("no evidence")
            return
        }
        #expect(interfaces.map(\.name) == ["wlan0", "old0"])
        #expect(interfaces.first == FakeKernel.good().evidence().all.first)
        #expect(!kernel.questions.contains { $0.name == "wlan0" })
        // Every station has to be on a trusted network.
        #expect(kernel.reason() == .networkNotListed)
        kernel.drivers["old0"] = nil
        #expect(kernel.reason() == .trustedNetwork)
    }

    static let failures = FailureTests.failures.filter { $0.reason != .wifiUnavailable }

    @Test("are no way around nl80211 that refuses or fails", arguments: failures)
    func noWayAround(row: FailureTests.Failure) {
        let kernel = Self.machine(["old0": Self.driver()], nl80211: NetlinkError(row.step, code: row.code))
        #expect(kernel.evidence() == .unavailable(row.reason, source: .nl80211))
        #expect(kernel.questions.isEmpty)
    }

    @Test(
        "take its place where the kernel has none",
        arguments: FailureTests.failures.filter { $0.reason == .wifiUnavailable })
    func absent(row: FailureTests.Failure) {
        let error = NetlinkError(row.step, code: row.code)
        #expect(Self.machine(["old0": Self.driver()], nl80211: error).evidence().all == [Self.connected])
        #expect(Self.machine([:], nl80211: error).evidence() == .unavailable(.wifiUnavailable, source: .nl80211))
    }
}

extension Reason {
    /// A reason where Swift wants an error.
    struct Thrown: Error {
        let reason: Reason
    }
}
