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
        _ last: UInt8, _ number: UInt8, mld: UInt8? = 0xaa, ssid: String? = "CorpNet", rsn: [UInt8]? = Message.psk
    )
        -> [UInt8]
    {
        Message.bss(last, interface: 3, ssid: ssid, rsn: rsn, mld: mld, link: number)
    }

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

    @Test("N07: count when the policy pins every link or the device, and not otherwise", arguments: [1, 2, 0xaa, 0xbb])
    func pins(last: UInt8) {
        let kernel = FakeKernel.good()
        kernel.answer(.getScan, 3, with: [Self.link(1, 0), Self.link(2, 1)])
        kernel.answer(.getStation, 3, with: [Message.station(0xaa, interface: 3)])
        let policy = OneNetwork(ssid: .corp, bssid: address("02:00:00:00:00:" + hexPair(last)))
        let reason = decide(onNetwork: kernel.evidence(), policy: policy, today: nil).reason
        #expect(reason == (last == 0xaa ? .trustedNetwork : .bssidNotListed))
    }
}
