import Testing

@testable import Wireless

@Suite("The Multi-Link element")
struct MultiLinkElementTests {
    struct Case: CustomTestStringConvertible {
        let what: String
        /// What follows the RSN element of a network with PSK.
        let body: [UInt8]
        /// The last byte of each device's address.
        var devices: Set<UInt8> = []
        /// What is offered beside PSK.
        var more: Set<Security> = []
        var testDescription: String { what }
    }

    static let sae = element(48, rsn(akms: [0x000f_ac08]))
    static let owe = element(48, rsn(akms: [0x000f_ac12]))

    /// A Multi-Link element, in pieces where it is long.
    static func multiLink(
        control: UInt16 = 0, device: UInt8 = 0xaa, more: [UInt8] = [], length: UInt8? = nil, links: [UInt8] = []
    ) -> [UInt8] {
        let common = [2, 0, 0, 0, 0, device] + more
        let length = length ?? UInt8(truncatingIfNeeded: common.count + 1)
        return pieces(
            255, [107, UInt8(truncatingIfNeeded: control), UInt8(control >> 8), length] + common + links, 242)
    }

    /// The profile of a link, in pieces where it is long.
    ///
    /// - Parameters:
    ///   - information: what stands before the capability field, with its length, where that is not the one byte.
    static func profile(
        control: UInt16 = 0x0011, information: [UInt8] = [1], capability: [UInt8] = [0x11, 0], _ elements: [UInt8]
    ) -> [UInt8] {
        pieces(
            0, [UInt8(truncatingIfNeeded: control), UInt8(control >> 8)] + information + capability + elements, 254)
    }

    static func pieces(_ id: UInt8, _ payload: [UInt8], _ fragment: UInt8) -> [UInt8] {
        let rest = Array(payload.dropFirst(255))
        return element(id, Array(payload.prefix(255)))
            + (payload.count < 255 || rest.isEmpty ? [] : pieces(fragment, rest, fragment))
    }

    static let long = (0..<3).flatMap { _ in element(221, Array(repeating: 7, count: 200)) }

    static let cases = [
        Case(what: "none", body: []),
        Case(what: "a device", body: multiLink(), devices: [0xaa]),
        Case(what: "one of no type", body: element(255, [107]), more: [.other]),
        Case(what: "another extension", body: element(255, [106, 0])),
        Case(what: "no extension", body: element(255, [])),
        Case(what: "another element", body: element(107, [0, 0, 7, 2, 0, 0, 0, 0, 1])),
        Case(what: "one that asks", body: multiLink(control: 1)),
        Case(what: "one that asks and is cut short", body: element(255, [107, 1, 0])),
        Case(what: "one of a type to come", body: multiLink(control: 7)),
        Case(what: "half a control field", body: element(255, [107, 0]), more: [.other]),
        Case(what: "no length", body: element(255, [107, 0, 0]), more: [.other]),
        Case(what: "a length of zero", body: multiLink(length: 0), more: [.other]),
        Case(what: "a length without an address", body: multiLink(length: 6), more: [.other]),
        Case(what: "a length past the end", body: multiLink(length: 8), more: [.other]),
        Case(what: "an address of zeros", body: element(255, [107, 0, 0, 7, 0, 0, 0, 0, 0, 0]), more: [.other]),
        Case(what: "an address of a group", body: element(255, [107, 0, 0, 7, 3, 0, 0, 0, 0, 0]), more: [.other]),
        Case(what: "all that may stand before the links", body: everything(0), devices: [0xaa]),
        Case(what: "the device of another", body: everything(1)),
        Case(what: "the device of another with a profile", body: everything(1, links: profile(owe))),
        Case(what: "a number that is the device's own", body: multiLink(control: 0x0200, more: [0]), devices: [0xaa]),
        Case(what: "no number of the device", body: multiLink(control: 0x0200), more: [.other]),
        Case(what: "less than it says", body: multiLink(control: 0x0180, more: [0, 0, 0]), more: [.other]),
        Case(
            what: "more than it says", body: multiLink(more: [1, 2, 3], links: profile(sae)), devices: [0xaa],
            more: [.wpa3Personal]),
        Case(what: "twice", body: multiLink() + multiLink(), devices: [0xaa]),
        Case(what: "two devices", body: multiLink() + multiLink(device: 0xbb), devices: [0xaa, 0xbb]),
        Case(
            what: "a good and a damaged one", body: multiLink() + multiLink(length: 0), devices: [0xaa],
            more: [.other]),

        Case(what: "a profile of the same", body: multiLink(links: profile([])), devices: [0xaa]),
        Case(
            what: "a profile with SAE", body: multiLink(links: profile(sae)), devices: [0xaa], more: [.wpa3Personal]),
        Case(
            what: "two profiles", body: multiLink(links: profile(sae) + profile(owe)), devices: [0xaa],
            more: [.wpa3Personal, .owe]),
        Case(
            what: "a profile with an override",
            body: multiLink(links: profile(element(221, [0x50, 0x6f, 0x9a, 42] + rsn(akms: [0x000f_ac08])))),
            devices: [0xaa], more: [.wpa3Personal]),
        Case(
            what: "a profile with the first WPA", body: multiLink(links: profile(SecurityTests.wpa)), devices: [0xaa],
            more: [.wpa1]),
        Case(
            what: "a profile with WAPI", body: multiLink(links: profile(element(68, []))), devices: [0xaa],
            more: [.other]),
        Case(
            what: "a profile with two RSN elements", body: multiLink(links: profile(sae + sae)), devices: [0xaa],
            more: [.wpa3Personal, .other]),
        Case(
            what: "a profile with a damaged RSN element", body: multiLink(links: profile(element(48, [1]))),
            devices: [0xaa], more: [.other]),
        Case(
            what: "a profile with more about the link",
            body: multiLink(links: profile(control: 0x0071, information: [10, 2, 0, 0, 0, 0, 1, 100, 0, 9], sae)),
            devices: [0xaa], more: [.wpa3Personal]),
        Case(
            what: "a partial profile", body: multiLink(links: profile(control: 0x0001, capability: [], owe)),
            devices: [0xaa]),
        Case(what: "an empty profile", body: multiLink(links: element(0, [])), more: [.other]),
        Case(what: "a profile without a length", body: multiLink(links: element(0, [0x11, 0])), more: [.other]),
        Case(
            what: "a profile with a length of zero", body: multiLink(links: profile(information: [0], sae)),
            more: [.other]),
        Case(
            what: "a profile with a length past its end",
            body: multiLink(links: profile(information: [200], sae)), more: [.other]),
        Case(
            what: "a profile without a capability", body: multiLink(links: profile(capability: [0x11], [])),
            more: [.other]),
        Case(
            what: "a profile whose elements are cut short", body: multiLink(links: profile(sae.dropLast())),
            more: [.other]),
        Case(what: "a profile that is cut short", body: multiLink(links: [0, 9, 0x11]), more: [.other]),
        Case(
            what: "a vendor's part beside a profile", body: multiLink(links: element(221, [1]) + profile(sae)),
            devices: [0xaa], more: [.wpa3Personal]),
        Case(
            what: "a device within a profile", body: multiLink(links: profile(multiLink(device: 0xbb))),
            devices: [0xaa]),

        Case(
            what: "pieces", body: multiLink(links: profile(long + sae)), devices: [0xaa], more: [.wpa3Personal]),
        Case(
            what: "pieces, and other elements after them",
            body: multiLink(links: profile(long) + profile(owe)) + element(221, [1]), devices: [0xaa], more: [.owe]),
        Case(
            what: "the first piece alone",
            body: Array(multiLink(links: profile(long + sae)).prefix(257)), more: [.other]),
        Case(
            what: "pieces with an element between them", body: split(multiLink(links: profile(long + sae))),
            more: [.other]),
        Case(
            what: "a piece of nothing", body: element(242, [1, 2]) + multiLink() + element(242, [3]), devices: [0xaa]),
    ]

    /// One with every field there is, the last but one being the number of the device.
    static func everything(_ number: UInt8, links: [UInt8] = []) -> [UInt8] {
        multiLink(control: 0x07f0, more: [1, 2, 3, 3, 4, 4, 5, 5, number, 6, 6], links: links)
    }

    static func split(_ element: [UInt8]) -> [UInt8] {
        Array(element.prefix(257)) + WirelessTests.element(1, [2]) + Array(element.dropFirst(257))
    }

    @Test("names the device, and what its other links offer", arguments: cases)
    func reads(row: Case) throws {
        let elements = try informationElements(in: element(48, rsn(akms: [SecurityTests.psk])) + row.body)
        let devices = try row.devices.map { try BSSID(bytes: [2, 0, 0, 0, 0, $0]) }
        #expect(elements.devices == Set(devices))
        #expect(elements.offeredSecurity(privacy: true) == row.more.union([.wpa2Personal]))
    }

    @Test("adds to an open network what its other links offer, and takes nothing away")
    func open() throws {
        let elements = try informationElements(in: Self.multiLink(links: Self.profile(Self.sae)))
        #expect(elements.offeredSecurity(privacy: false) == [.open, .wpa3Personal])
        #expect(elements.offeredSecurity(privacy: true) == [.wep, .wpa3Personal])
    }

    @Test("of a real access point names its device", arguments: Beacon.all)
    func captured(beacon: Beacon) throws {
        guard !beacon.name.contains("put together") else { return }
        let devices = try informationElements(in: beacon.bytes).devices.map(\.description)
        #expect(devices == (beacon.name.contains("Wi-Fi 7") ? ["02:00:00:00:00:00"] : []))
    }

    @Test("that is cut short anywhere is damaged, or ends between two links")
    func everyPrefix() throws {
        let body = Array(Self.multiLink(links: Self.profile(Self.sae) + Self.profile(Self.owe)).dropFirst(2))
        let first = body.count - Self.profile(Self.owe).count
        let ends = [first - Self.profile(Self.sae).count: [], first: [Security.wpa3Personal]] as [Int: Set<Security>]
        for length in 1..<body.count {
            let elements = try informationElements(in: element(255, Array(body.prefix(length))))
            #expect(elements.multiLinks.map(\.offered) == [ends[length] ?? [.other]], "\(length) bytes")
        }
    }
}
