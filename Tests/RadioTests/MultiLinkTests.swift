import Testing
import Trust
import Wireless

@testable import Radio

@Suite("Wi-Fi 7, several links")
struct MultiLinkTests {
    struct Case: CustomTestStringConvertible {
        let what: String
        let links: [[UInt8]]
        var station: UInt8 = 0xaa
        let reason: Reason
        var testDescription: String { what }
    }

    static func link(
        _ last: UInt8, _ number: UInt8, mld: UInt8? = 0xaa, ssid: String? = "CorpNet", rsn: [UInt8]? = Message.psk,
        elements: [UInt8] = [], beacon: [UInt8]? = nil
    ) -> [UInt8] {
        Message.bss(
            last, interface: 3, ssid: ssid, rsn: rsn, mld: mld, link: number, elements: elements, beacon: beacon)
    }

    static let owe: [UInt8] = Message.psk.dropLast(3) + [18, 0, 0]

    static let cases = [
        Case(what: "two links of one device", links: [link(1, 0), link(2, 1)], reason: .trustedNetwork),
        Case(what: "one link of a device", links: [link(1, 0)], reason: .trustedNetwork),
        Case(
            what: "the peer goes by a link's address", links: [link(1, 0), link(2, 1)], station: 2,
            reason: .trustedNetwork),
        Case(
            what: "the peer is another device", links: [link(1, 0), link(2, 1)], station: 0xbb,
            reason: .probeInconsistent),
        Case(
            what: "links of two devices", links: [link(1, 0), link(2, 1, mld: 0xbb)], reason: .probeInconsistent),
        Case(
            what: "a link of a device and one of none", links: [link(1, 0), link(2, 1, mld: nil)],
            reason: .probeInconsistent),
        Case(
            what: "links of two networks", links: [link(1, 0), link(2, 1, ssid: "CoffeeShop")],
            reason: .probeInconsistent),
        Case(
            what: "a link without a name", links: [link(1, 0), link(2, 1, ssid: nil)], reason: .probeInconsistent),
        Case(what: "one open link", links: [link(1, 0), link(2, 1, rsn: nil)], reason: .securityTooWeak),
        Case(
            what: "three links", links: [link(1, 0), link(2, 1), link(3, 2)], reason: .trustedNetwork),
        Case(
            what: "links without a device", links: [link(1, 0, mld: nil), link(2, 1, mld: nil)],
            reason: .probeInconsistent),
        Case(
            what: "links that name their device themselves",
            links: [1, 2].map { link($0, $0, elements: Message.multiLink(device: 0xaa)) }, reason: .trustedNetwork),
        Case(
            what: "one link that names another device",
            links: [
                link(1, 0, elements: Message.multiLink(device: 0xaa)),
                link(2, 1, elements: Message.multiLink(device: 0xbb)),
            ],
            reason: .probeInconsistent),
        Case(
            what: "one link that names both devices",
            links: [
                link(1, 0), link(2, 1, elements: Message.multiLink(device: 0xaa) + Message.multiLink(device: 0xbb)),
            ],
            reason: .probeInconsistent),
        Case(
            what: "a link whose beacon names another device",
            links: [
                link(1, 0), link(2, 1, beacon: Message.elements(ssid: "CorpNet") + Message.multiLink(device: 0xbb)),
            ], reason: .probeInconsistent),
        Case(
            what: "a link whose element is damaged",
            links: [link(1, 0), link(2, 1, elements: Message.element(255, [107, 0, 0, 7, 2]))], reason: .securityTooWeak
        ),
        Case(
            what: "a profile of the same security",
            links: [link(1, 0, elements: Message.multiLink(device: 0xaa, profile: Message.psk)), link(2, 1)],
            reason: .trustedNetwork),
        Case(
            what: "a profile of a weak link that is not in use",
            links: [link(1, 0, elements: Message.multiLink(device: 0xaa, profile: owe)), link(2, 1)],
            reason: .securityTooWeak),
        Case(
            what: "a profile that is damaged",
            links: [link(1, 0), link(2, 1, elements: Message.multiLink(device: 0xaa, profile: [1, 0]))],
            reason: .securityTooWeak),
    ]

    @Test("N07: are one connection of one device, in either order", arguments: cases)
    func reason(row: Case) {
        for links in [row.links, row.links.reversed()] {
            let kernel = FakeKernel.good()
            kernel.answer(.getScan, 3, with: links)
            kernel.answer(.getStation, 3, with: [Message.station(row.station, interface: 3)])
            #expect(kernel.reason() == row.reason)
        }
    }

    @Test("are all listed, with the device, in the order of their addresses")
    func links() {
        for links in [[Self.link(1, 0), Self.link(2, 1)], [Self.link(2, 1), Self.link(1, 0)]] {
            let kernel = FakeKernel.good()
            kernel.answer(.getScan, 3, with: links)
            kernel.answer(.getStation, 3, with: [Message.station(0xaa, interface: 3)])
            let station = kernel.evidence().all.first
            #expect(station?.links == [address("02:00:00:00:00:01"), address("02:00:00:00:00:02")])
            #expect(station?.mld == address("02:00:00:00:00:aa"))
            #expect(station?.authorized == true)
        }
    }

    @Test("offer all that any of them offers")
    func security() {
        let sae: [UInt8] = Message.psk.dropLast(3) + [8, 0, 0]
        let kernel = FakeKernel.good()
        kernel.answer(.getScan, 3, with: [Self.link(1, 0), Self.link(2, 1, rsn: sae)])
        kernel.answer(.getStation, 3, with: [Message.station(0xaa, interface: 3)])
        #expect(kernel.evidence().all.first?.security == [.wpa2Personal, .wpa3Personal])
    }

    struct Pin: CustomTestStringConvertible {
        let what: String
        let pinned: [UInt8]
        let reason: Reason
        var testDescription: String { what }
    }

    static let pins = [
        Pin(what: "the device alone", pinned: [0xaa], reason: .trustedNetwork),
        Pin(what: "every link", pinned: [1, 2, 3], reason: .trustedNetwork),
        Pin(what: "the device and one link", pinned: [2, 0xaa], reason: .trustedNetwork),
        Pin(what: "all but the first link", pinned: [2, 3], reason: .bssidNotListed),
        Pin(what: "all but the last link", pinned: [1, 2], reason: .bssidNotListed),
        Pin(what: "one link", pinned: [2], reason: .bssidNotListed),
        Pin(what: "another device", pinned: [0xbb], reason: .bssidNotListed),
    ]

    @Test("N07: count when the policy lists every link or the device, and not otherwise", arguments: pins)
    func pinned(row: Pin) {
        let links = [Self.link(1, 0), Self.link(2, 1), Self.link(3, 2)]
        for links in [links, links.reversed()] {
            let kernel = FakeKernel.good()
            kernel.answer(.getScan, 3, with: links)
            kernel.answer(.getStation, 3, with: [Message.station(0xaa, interface: 3)])
            let pinned = row.pinned.map { address("02:00:00:00:00:" + hexPair($0)) }
            let policy = OneNetwork(ssid: .corp, bssids: Set(pinned))
            #expect(decide(onNetwork: kernel.evidence(), policy: policy, today: nil).reason == row.reason)
        }
    }

    @Test("are read again when one of them goes or comes, and not for ever")
    func comesAndGoes() {
        let one = [Self.link(1, 0)]
        let two = [Self.link(1, 0), Self.link(2, 1)]
        for (first, then) in [(two, one), (one, two)] {
            let kernel = FakeKernel.good()
            kernel.answer(.getStation, 3, with: [Message.station(0xaa, interface: 3)])
            kernel.answer(.getScan, 3, inTurn: [.success(first), .success(then)])
            #expect(kernel.evidence().all.first?.links.count == then.count)
            #expect(kernel.reason() == .trustedNetwork)
            kernel.answer(.getScan, 3, inTurn: (0..<1000).map { .success($0 % 2 == 0 ? first : then) })
            let before = kernel.requests.count
            #expect(kernel.evidence().unavailability == .probeInconsistent)
            #expect(kernel.requests.count - before <= 8)
        }
    }

    @Test("of one that is connected as of old may name a device that nobody uses")
    func notInUse() {
        let kernel = FakeKernel.good()
        let elements = Message.multiLink(device: 0xaa)
        kernel.answer(.getScan, 3, with: [Message.bss(1, interface: 3, ssid: "CorpNet", elements: elements)])
        #expect(kernel.reason() == .trustedNetwork)
        #expect(kernel.evidence().all.first?.mld == nil)
    }
}
