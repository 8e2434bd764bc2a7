import Testing
import Trust
import Wireless

@testable import Radio

@Suite("One look at Wi-Fi")
struct ProbeTests {
    /// A state of the machine, and what the decision makes of it where CorpNet is trusted.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let reason: Reason
        let kernel: @Sendable () -> FakeKernel
        var testDescription: String { "\(name): \(reason.rawValue)" }

        /// - Parameter change: turns the good state into this one.
        init(_ name: String, _ reason: Reason, _ change: @escaping @Sendable (FakeKernel) -> Void) {
            self.name = name
            self.reason = reason
            kernel = {
                let kernel = FakeKernel.good()
                change(kernel)
                return kernel
            }
        }
    }

    static let cases = [
        Case("on the company's network", .trustedNetwork) { _ in },
        Case("not authorized", .notAuthorized) {
            $0.answer(.getStation, 3, with: [Message.station(1, interface: 3, set: 0)])
        },
        Case("authenticated and associated only", .notAuthorized) {
            let set = Message.Flag.authenticated | Message.Flag.associated
            $0.answer(.getStation, 3, with: [Message.station(1, interface: 3, set: set)])
        },
        Case("set but not known", .authorizationUnknown) {
            let known = Message.Flag.authenticated | Message.Flag.associated
            $0.answer(.getStation, 3, with: [Message.station(1, interface: 3, known: known)])
        },
        Case("no flags", .authorizationUnknown) {
            $0.answer(.getStation, 3, with: [Message.station(1, interface: 3, known: nil)])
        },
        Case("no peer", .authorizationUnknown) { $0.answer(.getStation, 3, with: []) },
        Case("no table of peers", .authorizationUnknown) { $0.fail(.getStation, 3, with: 95) },
        Case("only a direct peer", .authorizationUnknown) {
            let set = Message.Flag.usual | Message.Flag.directPeer
            $0.answer(.getStation, 3, with: [Message.station(1, interface: 3, set: set)])
        },
        Case("a direct peer before the access point", .trustedNetwork) {
            let set = Message.Flag.usual | Message.Flag.directPeer
            $0.answer(
                .getStation, 3, with: [Message.station(7, interface: 3, set: set), Message.station(1, interface: 3)])
        },
        Case("a peer of another interface", .authorizationUnknown) {
            $0.answer(.getStation, 3, with: [Message.station(1, interface: 4)])
        },
        Case("another peer only", .probeInconsistent) {
            $0.answer(.getStation, 3, with: [Message.station(2, interface: 3)])
        },
        Case("a peer and nothing associated", .associating) {
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 3, status: nil, ssid: "CorpNet")])
        },
        Case("nothing associated", .notConnected) {
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 3, status: nil, ssid: "CorpNet")])
            $0.answer(.getStation, 3, with: [])
        },
        Case("nothing in range", .notConnected) {
            $0.answer(.getScan, 3, with: [])
            $0.answer(.getStation, 3, with: [])
        },
        Case("only authenticated", .notConnected) {
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 3, status: .authenticated, ssid: "CorpNet")])
            $0.answer(.getStation, 3, with: [])
        },
        Case("joined an ad-hoc cell", .notConnected) {
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 3, status: .joined, ssid: "CorpNet")])
            $0.answer(.getStation, 3, with: [])
        },
        Case("associated at another interface", .notConnected) {
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 4, ssid: "CorpNet")])
            $0.answer(.getStation, 3, with: [])
        },
        Case("an ad-hoc interface", .noWifiInterface) {
            $0.answer(.getInterface, with: [Message.interface("wlan0", 3, type: 1, ssid: "CorpNet")])
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 3, status: .joined, ssid: "CorpNet")])
        },
        Case("an interface of no known type", .noWifiInterface) {
            $0.answer(.getInterface, with: [Message.interface("wlan0", 3, type: 99, ssid: "CorpNet")])
        },
        Case("no interface", .noWifiInterface) { $0.answer(.getInterface, with: []) },
        Case("no name in the interface", .trustedNetwork) {
            $0.answer(.getInterface, with: [Message.interface("wlan0", 3)])
        },
        Case("an empty name in the interface", .trustedNetwork) {
            $0.answer(.getInterface, with: [Message.interface("wlan0", 3, ssid: "")])
        },
        Case("zeros for a name in the interface", .trustedNetwork) {
            $0.answer(.getInterface, with: [Message.interface("wlan0", 3, ssid: "\0\0\0\0\0\0\0")])
        },
        Case("another name in the interface", .probeInconsistent) {
            $0.answer(.getInterface, with: [Message.interface("wlan0", 3, ssid: "CoffeeShop")])
        },
        Case("the name in the interface only", .networkNotListed) {
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 3, ssid: nil)])
        },
        Case("a hidden beacon and a named answer", .trustedNetwork) {
            let hidden = Message.elements(ssid: nil)
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 3, ssid: "CorpNet", beacon: hidden)])
        },
        Case("a named beacon and another name in the answer", .probeInconsistent) {
            let other = Message.elements(ssid: "CoffeeShop")
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 3, ssid: "CorpNet", beacon: other)])
        },
        Case("a beacon that offers less than the answer", .securityTooWeak) {
            let open = Message.elements(ssid: "CorpNet", rsn: nil)
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 3, ssid: "CorpNet", beacon: open)])
        },
        Case("an open twin", .securityTooWeak) {
            $0.answer(.getScan, 3, with: [Message.bss(1, interface: 3, ssid: "CorpNet", rsn: nil)])
        },
        Case("no elements", .networkNotListed) {
            let status = Message.attribute(9, Message.number(UInt32(1)))
            let record = Message.attribute(1, Message.mac(1)) + status
            $0.answer(.getScan, 3, with: [Message.record(record, interface: 3)])
        },
        Case("an access point of zeros", .probeFailed) {
            let status = Message.attribute(9, Message.number(UInt32(1)))
            let elements = Message.attribute(6, Message.elements(ssid: "CorpNet"))
            let record = Message.attribute(1, [0, 0, 0, 0, 0, 0]) + elements + status
            $0.answer(.getScan, 3, with: [Message.record(record, interface: 3)])
        },
        Case("two associated access points", .probeInconsistent) {
            $0.answer(
                .getScan, 3,
                with: [
                    Message.bss(1, interface: 3, ssid: "CorpNet"), Message.bss(2, interface: 3, ssid: "CorpNet"),
                ])
        },
        Case("two associated networks", .probeInconsistent) {
            $0.answer(
                .getScan, 3,
                with: [
                    Message.bss(1, interface: 3, ssid: "CorpNet"), Message.bss(2, interface: 3, ssid: "CoffeeShop"),
                ])
        },
    ]

    @Test("I03, N01, N04: leads to the reason for what there is", arguments: cases)
    func reason(row: Case) {
        #expect(row.kernel().reason() == row.reason)
    }

    @Test("reads every fact of a good connection")
    func good() {
        #expect(
            FakeKernel.good().evidence()
                == .interfaces(
                    [
                        Interface(
                            name: "wlan0", index: 3, type: .station, state: .connected, ssid: .corp,
                            links: [address("02:00:00:00:00:01")], authorized: true, mfp: false,
                            security: [.wpa2Personal])
                    ], source: .nl80211))
    }

    @Test("knows protected management frames only where the driver says", arguments: [true, false, nil] as [Bool?])
    func managementFrames(mfp: Bool?) {
        let kernel = FakeKernel.good()
        let known = mfp == nil ? Message.Flag.all & ~Message.Flag.mfp : Message.Flag.all
        let set = mfp == false ? Message.Flag.usual : Message.Flag.usual | Message.Flag.mfp
        kernel.answer(.getStation, 3, with: [Message.station(1, interface: 3, known: known, set: set)])
        #expect(kernel.evidence().all.first?.mfp == mfp)
    }

    @Test("gives each type of interface its name and looks further at stations only", arguments: 0...14)
    func types(number: UInt32) {
        let kernel = FakeKernel.good()
        kernel.answer(.getInterface, with: [Message.interface("wlan0", 3, type: number, ssid: "CorpNet")])
        let names: [UInt32: Interface.Kind] = [
            1: .ibss, 2: .station, 3: .accessPoint, 4: .accessPointVLAN, 6: .monitor, 7: .meshPoint, 8: .p2pClient,
            9: .p2pGroupOwner, 10: .p2pDevice,
        ]
        #expect(kernel.evidence().all.map(\.type) == [names[number] ?? .other])
        #expect(kernel.requests.contains { $0.command == .getScan } == (number == 2))
        #expect((kernel.reason() == .trustedNetwork) == (number == 2))
    }

    @Test("I01: passes over a device without an interface, and keeps two radios apart")
    func directDevice() {
        let kernel = FakeKernel.good()
        kernel.answer(
            .getInterface,
            with: [
                Message.directDevice(wdev: 4), Message.interface("wlan1", 7, ssid: "Guest", wdev: 0x1_0000_0001),
                Message.interface("wlan0", 3, ssid: "CorpNet"),
            ])
        kernel.answer(.getScan, 7, with: [Message.bss(2, interface: 7, ssid: "Guest", rsn: nil)])
        kernel.answer(.getStation, 7, with: [Message.station(2, interface: 7)])
        let interfaces = kernel.evidence().all
        #expect(interfaces.map(\.name) == ["wlan1", "wlan0"])
        #expect(interfaces.map(\.ssid) == [.named("Guest"), .corp])
        #expect(interfaces.map(\.security) == [[.open], [.wpa2Personal]])
        #expect(kernel.reason() == .networkNotListed)
    }

    @Test("I04: sees every radio, in either order of the dump", arguments: [false, true])
    func severalRadios(isReversed: Bool) {
        let list = [Message.interface("wlan0", 3), Message.interface("wlan1", 7)]
        let kernel = FakeKernel.good()
        kernel.answer(.getInterface, with: isReversed ? list.reversed() : list)
        kernel.answer(.getScan, 7, with: [Message.bss(2, interface: 7, ssid: "CoffeeShop", rsn: nil)])
        kernel.answer(.getStation, 7, with: [Message.station(2, interface: 7)])
        let names = kernel.evidence().all.sorted { $0.index < $1.index }.map(\.ssid)
        #expect(names == [.corp, .named("CoffeeShop")])
        #expect(kernel.reason() == .networkNotListed)
    }

    @Test(
        "N03: takes the name from the associated record of a hidden network, in either order", arguments: [false, true])
    func hidden(isReversed: Bool) {
        let kernel = FakeKernel.good()
        let named = Message.bss(1, interface: 3, ssid: "CorpNet", beacon: Message.elements(ssid: nil))
        let list = [named, Message.bss(1, interface: 3, status: nil, ssid: nil)]
        kernel.answer(.getInterface, with: [Message.interface("wlan0", 3, ssid: "")])
        kernel.answer(.getScan, 3, with: isReversed ? list.reversed() : list)
        #expect(kernel.reason() == .trustedNetwork)
        // The name of a neighbour is not that of the hidden network.
        let other = [
            Message.bss(1, interface: 3, ssid: nil), Message.bss(1, interface: 3, status: nil, ssid: "CorpNet"),
        ]
        kernel.answer(.getScan, 3, with: isReversed ? other.reversed() : other)
        #expect(kernel.evidence().all.map(\.ssid) == [nil])
        #expect(kernel.reason() == .networkNotListed)
    }

    @Test("N06: keeps nothing from one look to the next")
    func noMemory() throws {
        let corp = SSID.named("Corp-Staff")
        let files = [
            ("linux-6.1-wpa2-psk", Reason.trustedNetwork),
            ("linux-6.1-station-at-cafe-corp-neighbour-in-scan", .networkNotListed),
            ("linux-6.1-disconnected-after-wpa2", .notConnected), ("linux-6.1-wpa2-psk", .trustedNetwork),
        ]
        for (file, reason) in files { #expect(try Fixture(file).kernel().reason(trusting: corp) == reason) }
    }

    @Test("N09: tells an interface that is switched off from one that is not connected")
    func switchedOff() {
        for (isUp, state) in [(true, Interface.State.disconnected), (false, .down)] {
            let kernel = FakeKernel.good()
            kernel.isUp = ["wlan0": isUp]
            kernel.answer(.getInterface, with: [Message.interface("wlan0", 3)])
            kernel.answer(.getScan, 3, with: [])
            kernel.answer(.getStation, 3, with: [])
            #expect(kernel.evidence().all.map(\.state) == [state])
            #expect(kernel.reason() == .notConnected)
            // A peer that the driver has not forgotten yet does not switch it on again.
            kernel.answer(.getStation, 3, with: [Message.station(1, interface: 3)])
            #expect(kernel.evidence().all.map(\.state) == [isUp ? .associating : .down])
        }
    }
}
