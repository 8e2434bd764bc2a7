import Testing
import Trust
import Wireless

@testable import Radio

@Suite("What the kernel tells of associations")
struct MonitorTests {
    static let psk: UInt32 = 0x000f_ac02
    static let wlan1: UInt32 = 3

    /// What is known of wlan1 after each event: nothing, or the address. Events that are not listed change nothing.
    struct Recording: CustomTestStringConvertible, Sendable {
        let file: String
        let family: UInt16
        let ssid: String
        let suite: UInt32
        let links: Set<String>
        /// The commands of the events that matter, in turn, and the address that is known after each.
        let steps: [(command: UInt8, address: String?)]
        var testDescription: String { file }
    }

    static let recordings = [
        Recording(
            file: "linux-6.1-events-connect-roam-disconnect", family: 32, ssid: "Corp-Staff", suite: psk, links: [],
            steps: [
                (7, nil), (37, nil), (38, nil), (46, "02:00:00:00:00:00"), (39, nil), (48, nil), (37, nil), (38, nil),
                (46, "02:00:00:00:02:00"), (39, nil), (48, nil),
            ]),
        Recording(
            file: "linux-7.2-wifi7-events", family: 37, ssid: "Corp-Staff-7", suite: 0x000f_ac08,
            links: ["02:00:00:2e:72:c6"],
            steps: [(7, nil), (37, nil), (37, nil), (38, nil), (46, "02:00:00:00:00:00"), (39, nil), (48, nil)]),
    ]

    @Test("is known after each recorded event", arguments: recordings)
    func replay(recording: Recording) throws {
        var associations = Associations()
        var steps = recording.steps[...]
        var known: String?
        for event in try Fixture(recording.file).events {
            associations.take(event.command, event.attributes, at: 0)
            if let step = steps.first, step.command == event.command {
                known = step.address
                steps.removeFirst()
            }
            #expect(
                associations[Self.wlan1]?.address == (try known.map { Fingerprint(try BSSID($0)) }),
                "after \(event.command)")
            #expect(associations.count == (known == nil ? 0 : 1))
            guard let association = associations[Self.wlan1] else { continue }
            #expect(association.ssid == .named(recording.ssid))
            #expect(association.suite == recording.suite)
            #expect(association.links == Set(try recording.links.map { Fingerprint(try BSSID($0)) }))
        }
        #expect(steps.isEmpty)
    }

    @Test("is nothing that was not so, if an event is cut short or a byte of it changed", arguments: recordings)
    func damage(recording: Recording) throws {
        for event in try Fixture(recording.file).events
        where recording.steps.contains(where: { $0.command == event.command }) {
            for length in event.attributes.indices {
                var associations = Associations()
                associations.take(event.command, event.attributes.prefix(length), at: 0)
                // Without its name it is none; what comes after that is not needed.
                let end = event.attributes.firstRange(of: Array(recording.ssid.utf8))?.upperBound
                #expect(associations.count == 0 || event.command == 46 && length >= end ?? .max)
            }
            for place in event.attributes.indices {
                for mask: UInt8 in [0x01, 0x80, 0xff] {
                    var changed = event.attributes
                    changed[place] ^= mask
                    var associations = Associations()
                    associations.take(event.command, changed, at: 0)
                    #expect(associations.count == 0 || event.command == 46)
                    #expect(associations.count <= 1)
                }
            }
        }
    }

    @Test("is taken out of what a socket receives, however that is cut or changed")
    func datagrams() throws {
        let message = Self.datagram(32, 46, Self.connect())
        let twice = try Event.all(in: message + message)
        #expect(twice.map(\.command) == [46, 46] && twice.allSatisfy { $0.family == 32 })
        #expect(twice.allSatisfy { Array($0.attributes) == Self.connect() })
        for length in 1..<message.count {
            #expect(throws: NetlinkError.self, "\(length) bytes") { try Event.all(in: message.prefix(length)) }
        }
        for place in message.indices {
            for mask in UInt8.min...UInt8.max {
                var changed = message
                changed[place] ^= mask
                _ = try? Event.all(in: changed)
            }
        }
        // A message of the length 0 must not be read for ever, and one without a command is none.
        #expect(throws: NetlinkError.self) { try Event.all(in: [UInt8](repeating: 0, count: 32)) }
        #expect(try Event.all(in: Array(Self.datagram(4, 0, []).prefix(16)).with(length: 16)).isEmpty)
    }

    @Test("tells of nl80211 itself, and of no other family")
    func families() throws {
        for (name, isAbout) in [("nl80211", true), ("wireguard", false)] {
            let attributes = Message.attribute(2, Array(name.utf8) + [0])
            #expect(try Event.all(in: Self.datagram(16, 1, attributes)).map(\.isAboutFamily) == [isAbout])
            #expect(try Event.all(in: Self.datagram(32, 1, attributes)).map(\.isAboutFamily) == [false])
        }
    }

    @Test("is one association after 100,000 roams of each of two interfaces")
    func roams() throws {
        var associations = Associations()
        for round in 0..<100_000 {
            for interface in [Self.wlan1, 4] {
                let roam = Self.connect(interface, at: UInt8(truncatingIfNeeded: round), status: nil)
                associations.take(47, roam, at: 0)
            }
        }
        #expect(associations.count == 2)
        #expect(associations[Self.wlan1]?.address == Fingerprint(try BSSID("02:00:00:00:00:9f")))
    }

    struct Ending: CustomTestStringConvertible, Sendable {
        let what: String
        let command: UInt8
        let attributes: [UInt8]
        var isEnd = true
        var testDescription: String { what }
    }

    static let endings = [
        Ending(what: "a disconnection", command: 48, attributes: index(wlan1)),
        Ending(what: "a deauthentication", command: 39, attributes: index(wlan1)),
        Ending(what: "a disassociation", command: 40, attributes: index(wlan1)),
        Ending(what: "an interface that goes", command: 8, attributes: index(wlan1)),
        Ending(what: "an interface that comes with its number", command: 7, attributes: index(wlan1)),
        Ending(what: "another association under way", command: 38, attributes: index(wlan1)),
        Ending(what: "a connection that is refused", command: 46, attributes: connect(status: 17)),
        // What the kernel has as a negative status it tells as 1 and with a flag.
        Ending(
            what: "a connection that takes too long", command: 46,
            attributes: connect(status: 1) + Message.attribute(0x41, [])),
        Ending(
            what: "a connection with a flag and without a status", command: 46,
            attributes: connect(status: nil) + Message.attribute(0x41, [])),
        Ending(what: "a connection with a negative status", command: 46, attributes: connect(status: 0xff92)),
        Ending(what: "a connection without a status", command: 46, attributes: connect(status: nil)),
        Ending(what: "a connection without a name", command: 46, attributes: connect(ssid: nil)),
        Ending(what: "what cannot be read", command: 0, attributes: [1]),
        Ending(what: "another interface's end", command: 48, attributes: index(4), isEnd: false),
        Ending(what: "an event of no interface", command: 48, attributes: [], isEnd: false),
        Ending(what: "a frame", command: 37, attributes: index(wlan1), isEnd: false),
        Ending(what: "the same again", command: 46, attributes: connect(), isEnd: false),
    ]

    @Test("is forgotten when it ends", arguments: endings)
    func ending(ending: Ending) {
        var associations = Associations()
        associations.take(46, Self.connect(), at: 0)
        #expect(associations.count == 1)
        associations.take(ending.command, ending.attributes, at: 0)
        #expect(associations.count == (ending.isEnd ? 0 : 1))
    }

    /// The event of a connection to the access point 02:00:00:00:00:01.
    static func connect(
        _ interface: UInt32 = wlan1, at last: UInt8 = 1, status: UInt16? = 0, ssid: String? = "CorpNet",
        rsn: [UInt8] = rsn(psk), more: [UInt8] = []
    ) -> [UInt8] {
        let name: [UInt8] = ssid.map { [0, UInt8($0.utf8.count)] + Array($0.utf8) } ?? []
        return index(interface) + Message.attribute(6, Message.mac(last))
            + (status.map { Message.attribute(0x48, Message.number($0)) } ?? [])
            + Message.attribute(0x4d, name + rsn + more)
    }

    static func index(_ interface: UInt32) -> [UInt8] { Message.attribute(3, Message.number(interface)) }

    /// An RSN element with one pairwise cipher and some suites.
    static func rsn(_ suites: UInt32..., cipher: UInt32 = 0x000f_ac04) -> [UInt8] {
        func bytes(_ suite: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: suite >> $0) } }
        let body =
            [1, 0] + bytes(0x000f_ac04) + [1, 0] + bytes(cipher) + [UInt8(suites.count), 0] + suites.flatMap(bytes)
            + [0, 0]
        return [48, UInt8(body.count)] + body
    }

    /// One message with its headers.
    static func datagram(_ family: UInt16, _ command: UInt8, _ attributes: [UInt8]) -> [UInt8] {
        Message.number(UInt32(20 + attributes.count)) + Message.number(family) + [UInt8](repeating: 0, count: 10)
            + [command, 1, 0, 0] + attributes
    }
}

extension [UInt8] {
    /// These with another length in the header.
    fileprivate func with(length: UInt32) -> [UInt8] { Message.number(length) + dropFirst(4) }
}
