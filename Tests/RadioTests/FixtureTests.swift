import Testing
import Trust
import Wireless

@testable import Radio

@Suite("Recorded replies of real kernels")
struct FixtureTests {
    struct Recording: CustomTestStringConvertible {
        let file: String
        /// What the station `wlan1` shows.
        let station: Interface
        /// What else there is, in the order of the dump.
        let others: [String: Interface.Kind]
        var second: Interface?
        var testDescription: String { file }
    }

    static let accessPoint = address("02:00:00:00:00:00")
    static let otherAccessPoint = address("02:00:00:00:02:00")

    static func wlan1(
        _ ssid: [UInt8], at link: BSSID = accessPoint, authorized: Bool = true, mfp: Bool = false,
        _ security: Security = .wpa2Personal
    ) -> Interface {
        Interface(
            name: "wlan1", index: 3, type: .station, state: .connected, ssid: .named(ssid), links: [link],
            authorized: authorized, mfp: mfp, security: [security])
    }

    static let corp = Array("Corp-Staff".utf8)
    static let idle = Interface(name: "wlan1", index: 3, type: .station, state: .disconnected)
    static let stations: [String: Interface.Kind] = ["wlan3": .station, "wlan2": .station]
    static let usual = stations.merging(["wlan0": .accessPoint]) { $1 }
    static let twoAccessPoints: [String: Interface.Kind] = [
        "wlan3": .station, "wlan2": .accessPoint, "wlan0": .accessPoint,
    ]

    static let recordings = [
        Recording(file: "linux-6.1-wpa2-psk", station: wlan1(corp, mfp: true), others: usual),
        Recording(file: "linux-6.1-wpa3-sae", station: wlan1(corp, mfp: true, .wpa3Personal), others: usual),
        Recording(
            file: "linux-6.1-wpa2-enterprise-sha256", station: wlan1(corp, mfp: true, .wpa3Enterprise), others: usual),
        Recording(file: "linux-6.1-open", station: wlan1(Array("Corp-Guest".utf8), .open), others: usual),
        Recording(
            file: "linux-6.1-wpa2-wrong-psk-not-authorized", station: wlan1(corp, authorized: false), others: usual),
        Recording(file: "linux-6.1-roamed", station: wlan1(corp, at: otherAccessPoint), others: twoAccessPoints),
        Recording(
            file: "linux-6.1-station-at-cafe-corp-neighbour-in-scan",
            station: wlan1(Array("CoffeeShop".utf8), at: otherAccessPoint, .open), others: twoAccessPoints),
        Recording(
            file: "linux-6.1-two-stations-corp-and-cafe", station: wlan1(corp), others: twoAccessPoints,
            second: Interface(
                name: "wlan3", index: 5, type: .station, state: .connected, ssid: .named("CoffeeShop"),
                links: [otherAccessPoint], authorized: true, mfp: false, security: [.open])),
        Recording(file: "linux-6.1-ssid-bytes-41ba", station: wlan1([0x41, 0xba]), others: usual),
        Recording(file: "linux-6.1-ssid-bytes-436166c3a9", station: wlan1(Array("Café".utf8)), others: usual),
        Recording(file: "linux-6.1-ssid-bytes-f09fa78af09f8fa2", station: wlan1(Array("🧊🏢".utf8)), others: usual),
        Recording(
            file: "linux-6.1-ssid-bytes-32-not-text", station: wlan1((0xe0...0xff).reversed()), others: usual),
        Recording(file: "linux-6.1-disconnected-after-wpa2", station: idle, others: usual),
        Recording(
            file: "linux-6.1-idle-no-association", station: idle, others: stations.merging(["wlan0": .station]) { $1 }),
        Recording(
            file: "linux-6.1-monitor-interface", station: idle,
            others: ["wlan3": .ibss, "wlan2": .accessPoint, "mon0": .monitor, "wlan0": .accessPoint]),
        Recording(
            file: "linux-7.2-wifi7-state",
            station: Interface(
                name: "wlan1", index: 3, type: .station, state: .connected, ssid: .named("Corp-Staff-7"),
                links: [address("02:00:00:2e:72:c6")], mld: accessPoint, authorized: true, mfp: true,
                security: [.wpa3Personal]),
            others: ["wlan2": .station, "wlan0": .accessPoint]),
    ]

    @Test("show where the machine was", arguments: recordings)
    func evidence(recording: Recording) throws {
        var interfaces = try Fixture(recording.file).kernel().evidence().all
        for index in interfaces.indices {
            // These drivers say when an association began, which no recording can repeat.
            #expect((interfaces[index].began != nil) == (interfaces[index].state == .connected))
            interfaces[index].began = nil
        }
        #expect(interfaces.first { $0.name == "wlan1" } == recording.station)
        let others = interfaces.filter { $0.name != "wlan1" }
        #expect(Dictionary(others.map { ($0.name, $0.type) }) { $1 } == recording.others)
        #expect(interfaces.count == recording.others.count + 1)
        for other in others where other.name != recording.second?.name {
            #expect(other == Interface(name: other.name, index: other.index, type: other.type, state: .disconnected))
        }
        if let second = recording.second { #expect(others.contains(second)) }
    }

    @Test("lead to a decision that trusts the company's network alone", arguments: recordings)
    func decision(recording: Recording) throws {
        let reason = try Fixture(recording.file).kernel().reason(trusting: .named(Self.corp))
        let isConnected = recording.station.state == .connected
        let expected: Reason =
            switch recording.file {
            case "linux-6.1-wpa2-psk", "linux-6.1-wpa3-sae", "linux-6.1-wpa2-enterprise-sha256", "linux-6.1-roamed":
                .trustedNetwork
            case "linux-6.1-wpa2-wrong-psk-not-authorized": .notAuthorized
            default: isConnected ? .networkNotListed : .notConnected
            }
        #expect(reason == expected)
    }

    @Test("name nothing that the machine is not connected to", arguments: recordings)
    func neighbours(recording: Recording) throws {
        let interfaces = try Fixture(recording.file).kernel().evidence().all
        let connected = interfaces.filter { $0.state == .connected }.map(\.name)
        let expected =
            (recording.station.state == .connected ? ["wlan1"] : []) + (recording.second.map { [$0.name] } ?? [])
        #expect(Set(connected) == Set(expected))
        for interface in interfaces where interface.state != .connected {
            #expect(interface.ssid == nil)
            #expect(interface.links.isEmpty)
            #expect(interface.evidence == .none)
        }
    }

    struct Association: CustomTestStringConvertible {
        let file: String
        let access: [BSSID]
        let chosen: Set<Security>
        var testDescription: String { file }
    }

    static let associations = [
        Association(
            file: "linux-6.1-events-connect-roam-disconnect", access: [accessPoint, otherAccessPoint],
            chosen: [.wpa2Personal]),
        Association(file: "linux-7.2-wifi7-events", access: [accessPoint], chosen: [.wpa3Personal]),
    ]

    @Test("of events tell where the station went, and what it chose", arguments: associations)
    func events(row: Association) throws {
        let events = try Fixture(row.file).events
        // NL80211_CMD_NEW_STATION, before any key is proven; NL80211_CMD_CONNECT and NL80211_CMD_ROAM.
        let peers = try events.filter { $0.command == 19 }.compactMap { try StationRecord($0.attributes, interface: 3) }
        #expect(peers.map(\.address) == row.access)
        #expect(peers.allSatisfy { $0.authorized == nil })
        let joined = try events.filter { $0.command == 46 || $0.command == 47 }.map { try Attributes($0.attributes) }
        #expect(try joined.map { try $0.bssid(6) } == row.access)
        for attributes in joined {
            let request = try informationElements(in: attributes.bytes(0x4d) ?? [])
            #expect(request.offeredSecurity(privacy: true) == row.chosen)
            #expect(throws: Never.self) { try informationElements(in: attributes.bytes(0x4e) ?? []) }
        }
    }
}
