import Testing
import Trust
import Wireless

@testable import Radio

@Suite("What the beginning of an association proves")
struct MonitorProofTests {
    typealias Events = MonitorTests

    struct Row: CustomTestStringConvertible, Sendable {
        let what: String
        let rsn: [UInt8]
        let offered: Set<Security>
        var mfp = false
        var negotiated: Security?
        var verified = false
        var testDescription: String { what }
    }

    static let transition: Set<Security> = [.wpa2Personal, .wpa3Personal]

    static let rows = [
        Row(what: "WPA2-PSK", rsn: Events.rsn(0x000f_ac02), offered: transition, negotiated: .wpa2Personal),
        // Nothing shows whether it was by hash-to-element.
        Row(what: "SAE", rsn: Events.rsn(0x000f_ac08), offered: transition, negotiated: .wpa3Personal),
        Row(what: "SAE-EXT", rsn: Events.rsn(0x000f_ac18), offered: transition, negotiated: .wpa3Personal),
        Row(
            what: "FT-PSK", rsn: Events.rsn(0x000f_ac04), offered: transition, negotiated: .wpa2Personal, verified: true
        ),
        Row(
            what: "FT-SAE", rsn: Events.rsn(0x000f_ac09), offered: transition, negotiated: .wpa3Personal, verified: true
        ),
        Row(what: "FT-PSK that nobody offers", rsn: Events.rsn(0x000f_ac04), offered: [.wpa3Personal]),
        Row(what: "802.1X", rsn: Events.rsn(0x000f_ac01), offered: [.wpa2Enterprise], negotiated: .wpa2Enterprise),
        Row(what: "FT-802.1X", rsn: Events.rsn(0x000f_ac03), offered: [.wpa2Enterprise], negotiated: .wpa2Enterprise),
        Row(
            what: "802.1X with required protection", rsn: Events.rsn(0x000f_ac05), offered: [.wpa3Enterprise],
            mfp: true,
            negotiated: .wpa3Enterprise),
        Row(what: "802.1X without that protection", rsn: Events.rsn(0x000f_ac05), offered: [.wpa3Enterprise]),
        Row(what: "TKIP", rsn: Events.rsn(0x000f_ac04, cipher: 0x000f_ac02), offered: transition),
        Row(what: "WEP", rsn: Events.rsn(0x000f_ac04, cipher: 0x000f_ac01), offered: transition),
        Row(what: "two suites", rsn: Events.rsn(0x000f_ac02, 0x000f_ac04), offered: transition),
        Row(what: "two elements", rsn: Events.rsn(0x000f_ac04) + Events.rsn(0x000f_ac04), offered: transition),
        Row(
            what: "the first WPA beside it",
            rsn: Events.rsn(0x000f_ac04) + [221, 4, 0x00, 0x50, 0xf2, 1], offered: transition),
        Row(what: "an element cut short", rsn: [48, 6, 1, 0, 0, 0x0f, 0xac, 4], offered: transition),
        Row(what: "no element", rsn: [], offered: transition),
    ]

    static func station(_ change: (inout Interface) -> Void = { _ in }) -> Interface {
        var station = Interface(
            name: "wlan1", index: 3, type: .station, state: .connected, ssid: .corp,
            links: [address("02:00:00:00:00:01")], authorized: true, mfp: false, security: transition)
        change(&station)
        return station
    }

    /// When the association is told of, in nanoseconds.
    static let told: UInt64 = 100_000_000_000

    static func known(_ rsn: [UInt8] = Events.rsn(0x000f_ac04), more: [UInt8] = []) -> Associations {
        var associations = Associations()
        associations.take(46, Events.connect(rsn: rsn) + more, at: told)
        return associations
    }

    @Test("is the suite, and the name where the keys depend on it", arguments: rows)
    func proof(row: Row) {
        let before = Self.station { ($0.security, $0.mfp) = (row.offered, row.mfp) }
        var after = before
        (after.negotiated, after.verified) = (row.negotiated, row.verified)
        let evidence = Self.known(row.rsn).adding(to: .interfaces([before], source: .nl80211))
        #expect(evidence == .interfaces([after], source: .nl80211))
    }

    struct Other: CustomTestStringConvertible, Sendable {
        let what: String
        let station: Interface
        var testDescription: String { what }
    }

    static let others = [
        Other(what: "another interface", station: station { $0.index = 4 }),
        Other(what: "another access point", station: station { $0.links = [address("02:00:00:00:00:02")] }),
        Other(what: "another access point beside it", station: station { $0.links += [address("02:00:00:00:00:02")] }),
        Other(what: "another name", station: station { $0.ssid = .named("CorpNet2") }),
        Other(what: "a hidden name", station: station { $0.ssid = nil }),
        Other(what: "no access point", station: station { $0.links = [] }),
        Other(what: "a device", station: station { $0.mld = address("02:00:00:00:00:01") }),
        Other(what: "a station that is not connected", station: station { $0.state = .disconnected }),
        Other(what: "an access point of its own", station: station { $0.type = .accessPoint }),
        Other(what: "an association that began later", station: station { $0.began = told + 1 }),
        Other(what: "one that began before", station: station { $0.began = told - 2_000_000_000 }),
        Other(what: "one of another age", station: station { $0.began = 0 }),
    ]

    @Test("is nothing of what does not fit, and that is forgotten", arguments: others)
    func other(other: Other) {
        var associations = Self.known()
        let evidence = Evidence.interfaces([other.station], source: .nl80211)
        #expect(associations.adding(to: evidence) == evidence)
        associations.keep(fitting: evidence)
        #expect(associations.count == 0)
    }

    @Test("is kept as long as it fits, and forgotten when Wi-Fi cannot be read")
    func keeping() {
        var associations = Self.known()
        for began in [nil, Self.told, Self.told - 1_999_999_999] {
            associations.keep(fitting: .interfaces([Self.station { $0.began = began }], source: .nl80211))
            #expect(associations.count == 1)
        }
        let unavailable = Evidence.unavailable(.probeTimeout, source: .nl80211)
        #expect(associations.adding(to: unavailable) == unavailable)
        associations.keep(fitting: unavailable)
        #expect(associations.count == 0)
    }

    @Test("belongs to a multi-link device as a whole, without the links that were refused")
    func multiLink() {
        func link(_ last: UInt8, status: UInt16) -> [UInt8] {
            Message.attribute(
                0, Message.attribute(0xf5, Message.mac(last)) + Message.attribute(0x48, Message.number(status)))
        }
        let links = Message.attribute(0x138, link(0x11, status: 0) + link(0x12, status: 1))
        let associations = Self.known(more: links)
        func isProven(_ numbers: [String], mld: String?) -> Bool {
            let station = Self.station {
                $0.links = numbers.map { address("02:00:00:00:00:" + $0) }
                $0.mld = mld.map { address("02:00:00:00:00:" + $0) }
            }
            return associations.adding(to: .interfaces([station], source: .nl80211)).all.first?.verified == true
        }
        #expect(isProven(["11"], mld: "01"))
        #expect(!isProven(["12"], mld: "01"))
        #expect(!isProven(["11", "12"], mld: "01"))
        #expect(!isProven(["11"], mld: "02"))
        #expect(!isProven(["01"], mld: nil))
    }
}
