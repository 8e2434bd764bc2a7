import Testing
import Trust
import Wireless

@testable import Radio

@Suite("A machine in motion")
struct MotionTests {
    static let one = Message.bss(1, interface: 3, ssid: "CorpNet")
    static let two = Message.bss(2, interface: 3, ssid: "CorpNet")
    static let cafe = Message.bss(2, interface: 3, ssid: "CoffeeShop")
    static let peer = [1, 2].map { Message.station($0, interface: 3) }

    struct Roam: CustomTestStringConvertible {
        let what: String
        /// What each dump of the scan results and of the peers shows, in turn.
        let scans: [[UInt8]]
        let peers: [[[UInt8]]]
        let reason: Reason
        let at: String?
        var testDescription: String { what }
    }

    static let roams = [
        Roam(
            what: "after the first look", scans: [one, two], peers: [[peer[0]], [peer[1]]], reason: .trustedNetwork,
            at: "02:00:00:00:00:02"),
        Roam(
            what: "before the peers are read", scans: [one, two], peers: [[peer[1]]], reason: .trustedNetwork,
            at: "02:00:00:00:00:02"),
        Roam(
            what: "while the peers are read", scans: [one, two], peers: [[], [peer[1]]], reason: .trustedNetwork,
            at: "02:00:00:00:00:02"),
        Roam(
            what: "there and back", scans: [one], peers: [[peer[1]], [peer[0]]], reason: .trustedNetwork,
            at: "02:00:00:00:00:01"),
        Roam(
            what: "to another network", scans: [one, cafe], peers: [[peer[0]], [peer[1]]], reason: .networkNotListed,
            at: "02:00:00:00:00:02"),
        Roam(
            what: "from another network", scans: [cafe, one], peers: [[peer[1]], [peer[0]]], reason: .trustedNetwork,
            at: "02:00:00:00:00:01"),
        Roam(
            what: "back and forth", scans: [one, two, one, two, one, two, one, two], peers: [[peer[0]]],
            reason: .probeInconsistent, at: nil),
        Roam(
            what: "to an access point that the peers do not show", scans: [one, two], peers: [[peer[0]]],
            reason: .probeInconsistent, at: nil),
    ]

    @Test("N08: is judged by one moment, or not at all", arguments: roams)
    func oneMoment(roam: Roam) {
        let kernel = FakeKernel.good()
        kernel.answer(.getInterface, with: [Message.interface("wlan0", 3)])
        kernel.answer(.getScan, 3, inTurn: roam.scans.map { .success([$0]) })
        kernel.answer(.getStation, 3, inTurn: roam.peers.map { .success($0) })
        let evidence = kernel.evidence()
        let decision = decide(onNetwork: evidence, policy: OneNetwork(ssid: .corp), today: nil)
        #expect(decision.reason == roam.reason)
        #expect(decision.bssids.map(\.description) == (roam.at.map { [$0] } ?? []))
        #expect(kernel.requests.count <= 8)
    }

    @Test("N08: is not asked for ever where it never rests")
    func forEver() {
        let kernel = FakeKernel.good()
        kernel.answer(.getScan, 3, inTurn: (0..<10_000).map { .success([$0 % 2 == 0 ? Self.one : Self.two]) })
        #expect(kernel.evidence().unavailability == .probeInconsistent)
        #expect(kernel.requests.count <= 8)
    }

    @Test("that moves to another network is read with that network's name")
    func nameOfInterface() {
        let kernel = FakeKernel.good()
        kernel.answer(
            .getInterface,
            inTurn: [
                .success([Message.interface("wlan0", 3, ssid: "CoffeeShop")]),
                .success([Message.interface("wlan0", 3, ssid: "CorpNet")]),
            ])
        #expect(kernel.reason() == .trustedNetwork)
    }

    @Test("that connects or disconnects meanwhile is read again")
    func connects() {
        let kernel = FakeKernel.good()
        kernel.answer(.getScan, 3, inTurn: [.success([]), .success([Self.one])])
        #expect(kernel.reason() == .trustedNetwork)
        kernel.answer(.getScan, 3, inTurn: [.success([Self.one]), .success([])])
        kernel.answer(.getStation, 3, with: [])
        #expect(kernel.reason() == .notConnected)
    }

    @Test("whose network loses its protection meanwhile is read again")
    func elementsChange() {
        let kernel = FakeKernel.good()
        let open = Message.bss(1, interface: 3, ssid: "CorpNet", rsn: nil)
        kernel.answer(.getScan, 3, inTurn: [.success([Self.one]), .success([open])])
        #expect(kernel.reason() == .securityTooWeak)
    }

    @Test("whose interface goes away while it is read again has one interface less")
    func vanishes() {
        let kernel = FakeKernel.good()
        kernel.answer(.getInterface, inTurn: [.success([Message.interface("wlan0", 3)]), .success([])])
        kernel.answer(.getScan, 3, inTurn: [.success([Self.one]), .success([Self.two])])
        #expect(kernel.evidence() == .interfaces([], source: .nl80211))
    }

    @Test("never makes a request that is not a dump of these three tables")
    func requests() {
        let kernel = FakeKernel.good()
        _ = kernel.evidence()
        #expect(
            kernel.requests == [
                FakeKernel.Request(command: .getInterface, interface: nil),
                FakeKernel.Request(command: .getScan, interface: 3),
                FakeKernel.Request(command: .getStation, interface: 3),
                FakeKernel.Request(command: .getScan, interface: 3),
            ])
        #expect([Command.getInterface, .getStation, .getScan].map(\.rawValue) == [5, 17, 32])
    }
}
