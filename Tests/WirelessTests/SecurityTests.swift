import Testing

@testable import Wireless

@Suite("What a network offers")
struct SecurityTests {
    struct KeyManagement: CustomTestStringConvertible {
        let name: String
        let suite: UInt32
        let optional: Security
        let required: Security
        var testDescription: String { name }

        init(_ name: String, _ suite: UInt32, _ security: Security, protected: Security? = nil) {
            self.name = name
            self.suite = suite
            optional = security
            required = protected ?? security
        }
    }

    static let suites = [
        KeyManagement("00-0F-AC:0, reserved", 0x000f_ac00, .other),
        KeyManagement("00-0F-AC:1, 802.1X", 0x000f_ac01, .wpa2Enterprise),
        KeyManagement("00-0F-AC:2, PSK", 0x000f_ac02, .wpa2Personal),
        KeyManagement("00-0F-AC:3, FT over 802.1X", 0x000f_ac03, .wpa2Enterprise, protected: .wpa3Enterprise),
        KeyManagement("00-0F-AC:4, FT over PSK", 0x000f_ac04, .wpa2Personal),
        KeyManagement("00-0F-AC:5, 802.1X with SHA-256", 0x000f_ac05, .wpa2Enterprise, protected: .wpa3Enterprise),
        KeyManagement("00-0F-AC:6, PSK with SHA-256", 0x000f_ac06, .wpa2Personal),
        KeyManagement("00-0F-AC:7, TDLS", 0x000f_ac07, .other),
        KeyManagement("00-0F-AC:8, SAE", 0x000f_ac08, .wpa3Personal),
        KeyManagement("00-0F-AC:9, FT over SAE", 0x000f_ac09, .wpa3Personal),
        KeyManagement("00-0F-AC:10, AP peer key", 0x000f_ac0a, .other),
        KeyManagement("00-0F-AC:11, Suite B", 0x000f_ac0b, .wpa2Enterprise, protected: .wpa3Enterprise),
        KeyManagement("00-0F-AC:12, Suite B with 192 bits", 0x000f_ac0c, .wpa3Enterprise192),
        KeyManagement("00-0F-AC:13, FT over 802.1X with SHA-384", 0x000f_ac0d, .wpa3Enterprise192),
        KeyManagement("00-0F-AC:14, FILS with SHA-256", 0x000f_ac0e, .fils),
        KeyManagement("00-0F-AC:15, FILS with SHA-384", 0x000f_ac0f, .fils),
        KeyManagement("00-0F-AC:16, FT over FILS with SHA-256", 0x000f_ac10, .fils),
        KeyManagement("00-0F-AC:17, FT over FILS with SHA-384", 0x000f_ac11, .fils),
        KeyManagement("00-0F-AC:18, OWE", 0x000f_ac12, .owe),
        KeyManagement("00-0F-AC:19, FT over PSK with SHA-384", 0x000f_ac13, .wpa2Personal),
        KeyManagement("00-0F-AC:20, PSK with SHA-384", 0x000f_ac14, .wpa2Personal),
        KeyManagement("00-0F-AC:21, PASN", 0x000f_ac15, .other),
        KeyManagement(
            "00-0F-AC:22, FT over 802.1X with SHA-384", 0x000f_ac16, .wpa2Enterprise, protected: .wpa3Enterprise),
        KeyManagement("00-0F-AC:23, 802.1X with SHA-384", 0x000f_ac17, .wpa2Enterprise, protected: .wpa3Enterprise),
        KeyManagement("00-0F-AC:24, SAE with group-dependent hash", 0x000f_ac18, .wpa3Personal),
        KeyManagement("00-0F-AC:25, FT over SAE with group-dependent hash", 0x000f_ac19, .wpa3Personal),
        KeyManagement("00-0F-AC:26, not assigned", 0x000f_ac1a, .other),
        KeyManagement("00-0F-AC:255, not assigned", 0x000f_acff, .other),
        KeyManagement("50-6F-9A:0, not assigned", 0x506f_9a00, .other),
        KeyManagement("50-6F-9A:2, DPP", 0x506f_9a02, .dpp),
        KeyManagement("50-6F-9A:1, OSEN", 0x506f_9a01, .other),
        KeyManagement("00-50-F2:2, PSK of the first WPA", 0x0050_f202, .other),
        KeyManagement("00-14-72:1, WAPI", 0x0014_7201, .other),
        KeyManagement("the first three bytes reversed", 0xac0f_0002, .other),
        KeyManagement("all zeros", 0, .other),
        KeyManagement("all ones", .max, .other),
    ]

    @Test("every suite has one name", arguments: suites)
    func namesSuite(row: KeyManagement) throws {
        #expect(Security(suite: row.suite, protectionRequired: false) == row.optional)
        #expect(Security(suite: row.suite, protectionRequired: true) == row.required)
        #expect(try offered(element(48, rsn(akms: [row.suite]))) == [row.optional])
        // MFPC alone is an offer, MFPR a demand.
        #expect(try offered(element(48, rsn(akms: [row.suite], capabilities: [0x80, 0]))) == [row.optional])
        #expect(try offered(element(48, rsn(akms: [row.suite], capabilities: [0xc0, 0]))) == [row.required])
    }

    struct Offer: CustomTestStringConvertible {
        let what: String
        let body: [UInt8]
        var privacy = true
        let offered: Set<Security>
        var testDescription: String { what }
    }

    static let psk: UInt32 = 0x000f_ac02
    static let sae: UInt32 = 0x000f_ac08
    static let wpa: [UInt8] = element(221, [0x00, 0x50, 0xf2, 1, 1, 0, 0x00, 0x50, 0xf2, 2])

    static let offers = [
        Offer(what: "no element and no privacy", body: [], privacy: false, offered: [.open]),
        Offer(what: "no element with privacy", body: [], privacy: true, offered: [.wep]),
        Offer(what: "other elements and no privacy", body: element(0, [0x61]), privacy: false, offered: [.open]),
        Offer(what: "PSK", body: element(48, rsn(akms: [psk])), offered: [.wpa2Personal]),
        Offer(
            what: "PSK without the privacy bit", body: element(48, rsn(akms: [psk])), privacy: false,
            offered: [.wpa2Personal]),
        Offer(
            what: "PSK and SAE: transition", body: element(48, rsn(akms: [psk, sae])),
            offered: [.wpa2Personal, .wpa3Personal]),
        Offer(
            what: "802.1X with and without SHA-256, protection not required",
            body: element(48, rsn(akms: [0x000f_ac01, 0x000f_ac05], capabilities: [0x80, 0])),
            offered: [.wpa2Enterprise]),
        Offer(
            what: "802.1X with and without SHA-256, protection required",
            body: element(48, rsn(akms: [0x000f_ac01, 0x000f_ac05], capabilities: [0xc0, 0])),
            offered: [.wpa2Enterprise, .wpa3Enterprise]),
        Offer(
            what: "PSK and an unknown suite", body: element(48, rsn(akms: [psk, 0x1122_3344])),
            offered: [.wpa2Personal, .other]),
        Offer(
            what: "PASN beside SAE", body: element(48, rsn(akms: [0x000f_ac15, sae, 0x000f_ac15])),
            offered: [.wpa3Personal]),
        Offer(
            what: "PASN beside 802.1X with SHA-256, protection required",
            body: element(48, rsn(akms: [0x000f_ac05, 0x000f_ac15], capabilities: [0xc0, 0])),
            offered: [.wpa3Enterprise]),
        Offer(
            what: "PASN beside OWE", body: element(48, rsn(akms: [0x000f_ac12, 0x000f_ac15])), offered: [.owe]),
        Offer(
            what: "PASN and nothing else, twice", body: element(48, rsn(akms: [0x000f_ac15, 0x000f_ac15])),
            offered: [.other]),
        Offer(
            what: "PASN beside TKIP", body: element(48, rsn(ciphers: [0x000f_ac02], akms: [psk, 0x000f_ac15])),
            offered: [.wpa2Personal, .wpa1]),
        Offer(
            what: "TDLS beside PSK", body: element(48, rsn(akms: [psk, 0x000f_ac07])),
            offered: [.wpa2Personal, .other]),
        Offer(
            what: "OSEN beside 802.1X", body: element(48, rsn(akms: [0x000f_ac01, 0x506f_9a01])),
            offered: [.wpa2Enterprise, .other]),
        Offer(
            what: "an empty RSN Extension element", body: element(48, rsn(akms: [sae])) + element(244, []),
            offered: [.wpa3Personal]),
        Offer(
            what: "an RSN Extension element of another length than it says",
            body: element(48, rsn(akms: [sae])) + element(244, [0x2f]), offered: [.wpa3Personal]),
        Offer(
            what: "an RSN Extension element alone", body: element(244, [0x20]), privacy: false, offered: [.open]),
        Offer(
            what: "TKIP for each peer", body: element(48, rsn(ciphers: [0x000f_ac02], akms: [psk])),
            offered: [.wpa2Personal, .wpa1]),
        Offer(
            what: "TKIP beside CCMP", body: element(48, rsn(ciphers: [0x000f_ac04, 0x000f_ac02], akms: [psk])),
            offered: [.wpa2Personal, .wpa1]),
        Offer(
            what: "WEP-40", body: element(48, rsn(ciphers: [0x000f_ac01], akms: [psk])),
            offered: [.wpa2Personal, .wep]),
        Offer(
            what: "WEP-104", body: element(48, rsn(ciphers: [0x000f_ac05], akms: [psk])),
            offered: [.wpa2Personal, .wep]),
        Offer(
            what: "the cipher of the group", body: element(48, rsn(ciphers: [0x000f_ac00], akms: [psk])),
            offered: [.wpa2Personal, .other]),
        Offer(
            what: "an unknown cipher", body: element(48, rsn(ciphers: [0x1122_3344], akms: [psk])),
            offered: [.wpa2Personal, .other]),
        Offer(
            what: "every strong cipher",
            body: element(48, rsn(ciphers: [0x000f_ac04, 0x000f_ac08, 0x000f_ac09, 0x000f_ac0a], akms: [sae])),
            offered: [.wpa3Personal]),
        Offer(what: "the first WPA alone", body: wpa, offered: [.wpa1]),
        Offer(
            what: "the first WPA beside the second", body: wpa + element(48, rsn(akms: [psk])),
            offered: [.wpa1, .wpa2Personal]),
        Offer(
            what: "a damaged element of the first WPA", body: element(221, [0x00, 0x50, 0xf2, 1]), offered: [.wpa1]),
        Offer(what: "WMM, of the same vendor", body: element(221, [0x00, 0x50, 0xf2, 2, 1]), offered: [.wep]),
        Offer(what: "another vendor's element", body: element(221, [1, 2, 3, 1]), privacy: false, offered: [.open]),
        Offer(what: "a vendor's element without a vendor", body: element(221, []), privacy: false, offered: [.open]),
        Offer(what: "WAPI", body: element(68, [1, 0]), offered: [.other]),
        Offer(
            what: "WAPI beside PSK", body: element(68, []) + element(48, rsn(akms: [psk])),
            offered: [.other, .wpa2Personal]),
        Offer(what: "OWE", body: element(48, rsn(akms: [0x000f_ac12])), offered: [.owe]),
        Offer(
            what: "an open network that points to its OWE twin", body: element(221, [0x50, 0x6f, 0x9a, 0x1c, 1]),
            privacy: false, offered: [.open]),
        Offer(
            what: "an override that adds SAE",
            body: element(48, rsn(akms: [psk])) + element(221, [0x50, 0x6f, 0x9a, 41] + rsn(akms: [sae])),
            offered: [.wpa2Personal, .wpa3Personal]),
        Offer(
            what: "a second override that adds an unknown suite",
            body: element(48, rsn(akms: [psk])) + element(221, [0x50, 0x6f, 0x9a, 42] + rsn(akms: [1])),
            offered: [.wpa2Personal, .other]),
        Offer(
            what: "a damaged override", body: element(48, rsn(akms: [psk])) + element(221, [0x50, 0x6f, 0x9a, 41, 1]),
            offered: [.wpa2Personal, .other]),
        Offer(what: "an empty RSN element", body: element(48, []), offered: [.other]),
        Offer(what: "another version", body: element(48, [2] + rsn(akms: [psk]).dropFirst()), offered: [.other]),
        Offer(what: "no cipher", body: element(48, rsn(ciphers: [], akms: [psk])), offered: [.other]),
        Offer(what: "no suite", body: element(48, rsn(akms: [])), offered: [.other]),
        Offer(
            what: "half of the capabilities", body: element(48, rsn(akms: [psk], capabilities: [0])), offered: [.other]),
        Offer(
            what: "more ciphers than there is room for",
            body: element(48, [1, 0, 0, 0x0f, 0xac, 4, 0xff, 0xff, 0, 0x0f, 0xac, 4]), offered: [.other]),
        Offer(
            what: "PMKIDs and the group management cipher after the capabilities",
            body: element(48, rsn(akms: [sae], capabilities: [0xc0, 0]) + [0, 0, 0, 0x0f, 0xac, 6]),
            offered: [.wpa3Personal]),
        Offer(
            what: "two RSN elements", body: element(48, rsn(akms: [psk])) + element(48, rsn(akms: [sae])),
            offered: [.wpa2Personal, .wpa3Personal, .other]),
        Offer(
            what: "the same RSN element twice", body: element(48, rsn(akms: [psk])) + element(48, rsn(akms: [psk])),
            offered: [.wpa2Personal, .other]),
    ]

    @Test("an access point has the names of all that it offers", arguments: offers)
    func namesAll(row: Offer) throws {
        #expect(try offered(row.body, privacy: row.privacy) == row.offered)
    }

    @Test("a captured beacon has its names", arguments: Beacon.all)
    func captured(beacon: Beacon) throws {
        #expect(
            try informationElements(in: beacon.bytes).offeredSecurity(privacy: beacon.offered != [.open])
                == beacon.offered)
    }

    @Test("an RSN element that is cut short is damaged, except where the standard lets it end")
    func everyPrefix() throws {
        let whole = rsn(ciphers: [0x000f_ac04, 0x000f_ac08], akms: [Self.psk, Self.sae], capabilities: [0xc0, 0])
        for length in 0..<whole.count {
            let names = try offered(element(48, Array(whole.prefix(length))))
            #expect(
                names == (length == whole.count - 2 ? [.wpa2Personal, .wpa3Personal] : [.other]), "\(length) bytes")
        }
    }

    @Test("only a key exchange with a secret proves a key")
    func provesKey() {
        #expect(Set(Security.allCases.filter { !$0.provesKey }) == [.open, .owe, .wep, .wpa1, .other])
    }

    @Test("the names are the ones of the configuration")
    func rawValues() {
        let names = [
            "open", "owe", "wep", "wpa1", "wpa2-personal", "wpa3-personal", "wpa2-enterprise", "wpa3-enterprise",
            "wpa3-enterprise-192", "fils", "dpp", "other",
        ]
        #expect(Security.allCases.map(\.description) == names)
    }

    private func offered(_ body: [UInt8], privacy: Bool = true) throws -> Set<Security> {
        try informationElements(in: body).offeredSecurity(privacy: privacy)
    }
}

/// The body of an RSN element.
func rsn(ciphers: [UInt32] = [0x000f_ac04], akms: [UInt32], capabilities: [UInt8] = []) -> [UInt8] {
    func list(_ suites: [UInt32]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: suites.count), 0]
            + suites.flatMap { suite in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: suite >> UInt32($0)) } }
    }
    return [1, 0, 0x00, 0x0f, 0xac, 4] + list(ciphers) + list(akms) + capabilities
}
