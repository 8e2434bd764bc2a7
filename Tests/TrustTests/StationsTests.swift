import Testing
import Wireless

@testable import Trust

@Suite("Several stations and several links")
struct StationsTests {
    struct Pair: CustomTestStringConvertible {
        let what: String
        /// The network of the station with the lower index, then of the other.
        let first: Interface
        let second: Interface
        let all: Reason
        let any: Reason
        /// The interface that the answer is about, with each rule.
        let about: (all: String?, any: String?)
        var testDescription: String { what }
    }

    static func station(_ name: String, _ index: UInt32, like original: Interface) -> Interface {
        var station = original
        station.name = name
        station.index = index
        return station
    }

    static let never: Interface = {
        var station = Interface.cafe
        station.ssid = .named("Never")
        return station
    }()
    static let weak: Interface = {
        var station = Interface.corp
        station.security = [.open]
        return station
    }()

    static let pairs = [
        Pair(
            what: "both trusted", first: .corp, second: .corp, all: .trustedNetwork, any: .trustedNetwork,
            about: ("wlan0", "wlan0")),
        Pair(
            what: "the second is a stranger", first: .corp, second: .cafe, all: .networkNotListed,
            any: .trustedNetwork, about: ("wlan1", "wlan0")),
        Pair(
            what: "the first is a stranger", first: .cafe, second: .corp, all: .networkNotListed,
            any: .trustedNetwork, about: ("wlan0", "wlan1")),
        Pair(
            what: "both are strangers, each in its way", first: weak, second: .cafe, all: .securityTooWeak,
            any: .securityTooWeak, about: ("wlan0", "wlan0")),
        Pair(
            what: "both are strangers, the other way round", first: .cafe, second: weak, all: .networkNotListed,
            any: .networkNotListed, about: ("wlan0", "wlan0")),
        Pair(
            what: "the second is never to be trusted", first: .corp, second: never, all: .networkDenied,
            any: .networkDenied, about: ("wlan1", "wlan1")),
        Pair(
            what: "the first is never to be trusted", first: never, second: .corp, all: .networkDenied,
            any: .networkDenied, about: ("wlan0", "wlan0")),
        Pair(
            what: "a stranger, then one never to be trusted", first: .cafe, second: never, all: .networkNotListed,
            any: .networkDenied, about: ("wlan0", "wlan1")),
    ]

    @Test("the rule for stations decides, in either order of the interfaces", arguments: pairs)
    func stations(pair: Pair) {
        let first = Self.station("wlan0", 3, like: pair.first)
        let second = Self.station("wlan1", 4, like: pair.second)
        for interfaces in [[first, second], [second, first]] {
            for rule in Rules.Stations.allCases {
                let decision = Scene {
                    $0.policy.rules.stations = rule
                    $0.policy.networks.append(Network(name: "never", ssids: [.named("Never")], action: .require))
                    $0.interfaces = interfaces
                }.decide().decision
                #expect(decision.reason == (rule == .all ? pair.all : pair.any))
                #expect(decision.interface == (rule == .all ? pair.about.all : pair.about.any))
            }
        }
    }

    struct Links: CustomTestStringConvertible {
        let what: String
        let links: [BSSID]
        let mld: BSSID?
        let pins: [BSSIDPattern]
        let isListed: Bool
        var testDescription: String { what }
    }

    static let links: [Links] = [
        Links(what: "one link, listed", links: [.first], mld: nil, pins: [BSSID.first.only], isListed: true),
        Links(what: "one link, not listed", links: [.first], mld: nil, pins: [BSSID.second.only], isListed: false),
        Links(
            what: "every link", links: [.first, .second], mld: .mld, pins: [BSSID.first.only, BSSID.second.only],
            isListed: true),
        Links(
            what: "the first link only", links: [.first, .second], mld: .mld, pins: [BSSID.first.only],
            isListed: false),
        Links(
            what: "the second link only", links: [.first, .second], mld: .mld, pins: [BSSID.second.only],
            isListed: false),
        Links(
            what: "the device alone", links: [.first, .second], mld: .mld, pins: [BSSID.mld.only], isListed: true),
        Links(
            what: "the device and one link", links: [.first, .second], mld: .mld,
            pins: [BSSID.mld.only, BSSID.first.only], isListed: true),
        Links(
            what: "another device", links: [.first, .second], mld: .ending(0xbb), pins: [BSSID.mld.only],
            isListed: false),
        Links(what: "neither", links: [.first, .second], mld: .mld, pins: [BSSID.ending(9).only], isListed: false),
        Links(
            what: "no link, though the device is listed", links: [], mld: .mld, pins: [BSSID.mld.only], isListed: false),
        Links(what: "no link and no device", links: [], mld: nil, pins: [BSSID.first.only], isListed: false),
        Links(what: "an empty list", links: [.first], mld: nil, pins: [], isListed: false),
    ]

    @Test("a list has every link in use, or the device that they belong to", arguments: links)
    func everyLinkOrDevice(row: Links) {
        for links in [row.links, row.links.reversed()] {
            for pins in [row.pins, row.pins.reversed()] {
                let reason = Scene {
                    $0.network.isPinned = true
                    $0.policy.pins = ["corp": pins]
                    $0.station.links = links
                    $0.station.mld = row.mld
                }.reason
                #expect(reason == (row.isListed ? .trustedNetwork : .bssidNotListed))
            }
        }
    }

    @Test("a prefix covers the links that share it and no other")
    func prefixes() throws {
        let pattern = try BSSIDPattern("02:00:00:00:00:00/47")
        for (last, isListed) in [(UInt8(1), true), (2, false)] {
            let reason = Scene {
                $0.network.isPinned = true
                $0.policy.pins = ["corp": [pattern]]
                $0.station.links = [.ending(last)]
            }.reason
            #expect(reason == (isListed ? .trustedNetwork : .bssidNotListed))
        }
    }
}
