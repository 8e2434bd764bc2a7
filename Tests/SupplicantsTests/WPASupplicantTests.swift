import Testing
import Trust
import Wireless

@testable import Supplicants

@Suite("What wpa_supplicant proves")
struct WPASupplicantTests {
    static let sae = [
        "bssid=02:00:00:00:00:01", "freq=2412", "ssid=Corp", "id=0", "mode=station", "pairwise_cipher=CCMP",
        "group_cipher=CCMP", "key_mgmt=SAE", "pmf=2", "wpa_state=COMPLETED", "address=02:00:00:00:01:00",
        "sae_group=19", "sae_h2e=1", "sae_pk=0",
    ]

    static func changed(_ lines: [String], _ change: String...) -> [String] {
        let keys = change.map { $0.prefix { $0 != "=" } }
        return lines.filter { !keys.contains($0.prefix { $0 != "=" }) } + change.filter { !$0.hasSuffix("=-") }
    }

    struct Case: CustomTestStringConvertible {
        let what: String
        let status: [String]
        var security: Set<Security> = [.wpa3Personal]
        let proof: Proof?
        var testDescription: String { what }
    }

    static let verified = Proof(negotiated: .wpa3Personal, verified: true)
    static let personal = Proof(negotiated: .wpa2Personal, verified: false)

    static let cases = [
        Case(what: "SAE with hash-to-element", status: sae, proof: verified),
        Case(
            what: "SAE by hunting and pecking", status: changed(sae, "sae_h2e=0"),
            proof: Proof(negotiated: .wpa3Personal)),
        Case(
            what: "SAE of a version that does not say", status: changed(sae, "sae_h2e=-"),
            proof: Proof(negotiated: .wpa3Personal)),
        Case(
            what: "SAE by hunting and pecking, with the name verified",
            status: changed(sae, "sae_h2e=0", "ssid_verified=1"),
            proof: verified),
        Case(
            what: "a passphrase without SAE", status: changed(sae, "key_mgmt=WPA2-PSK", "sae_h2e=-"),
            security: [.wpa2Personal], proof: personal),
        Case(
            what: "a passphrase without SAE that claims hash-to-element", status: changed(sae, "key_mgmt=WPA2-PSK"),
            security: [.wpa2Personal], proof: personal),
        Case(
            what: "a passphrase, with the name verified",
            status: changed(sae, "key_mgmt=WPA2-PSK", "ssid_verified=1", "sae_h2e=-"), security: [.wpa2Personal],
            proof: Proof(negotiated: .wpa2Personal, verified: true)),
        Case(
            what: "a passphrase with fast transition", status: changed(sae, "key_mgmt=FT-PSK", "sae_h2e=-"),
            security: [.wpa2Personal], proof: Proof(negotiated: .wpa2Personal, verified: true)),
        Case(
            what: "SAE with fast transition", status: changed(sae, "key_mgmt=FT-SAE", "sae_h2e=0"), proof: verified),
        Case(
            what: "SAE in a transition network", status: changed(sae, "sae_h2e=0"),
            security: [.wpa2Personal, .wpa3Personal], proof: Proof(negotiated: .wpa3Personal)),
        Case(
            what: "the older half of a transition network", status: changed(sae, "key_mgmt=WPA2-PSK", "sae_h2e=-"),
            security: [.wpa2Personal, .wpa3Personal], proof: personal),
        Case(
            what: "SAE where the access point offers none", status: sae, security: [.wpa2Personal],
            proof: Proof(verified: true)),
        Case(what: "no encryption", status: changed(sae, "key_mgmt=NONE"), proof: nil),
        Case(what: "the first WPA", status: changed(sae, "key_mgmt=WPA-PSK"), proof: nil),
        Case(what: "a management that has no name here", status: changed(sae, "key_mgmt=OSEN"), proof: nil),
        Case(what: "keys under way", status: changed(sae, "wpa_state=4WAY_HANDSHAKE"), proof: nil),
        Case(what: "no state", status: changed(sae, "wpa_state=-"), proof: nil),
        Case(what: "an access point of its own", status: changed(sae, "mode=AP"), proof: nil),
        Case(what: "TKIP", status: changed(sae, "pairwise_cipher=TKIP"), proof: nil),
        Case(what: "WEP", status: changed(sae, "pairwise_cipher=WEP-104"), proof: nil),
        Case(what: "no cipher", status: changed(sae, "pairwise_cipher=-"), proof: nil),
        Case(what: "another access point", status: changed(sae, "bssid=02:00:00:00:00:02"), proof: nil),
        Case(what: "half an access point", status: changed(sae, "bssid=02:00:00:00:00"), proof: nil),
        Case(what: "no access point", status: changed(sae, "bssid=-"), proof: nil),
        Case(what: "another network", status: changed(sae, "ssid=Cafe"), proof: nil),
        Case(what: "a longer name", status: changed(sae, "ssid=Corp "), proof: nil),
        Case(what: "a name in other letters", status: changed(sae, "ssid=corp"), proof: nil),
        Case(what: "no name", status: changed(sae, "ssid=-"), proof: nil),
        Case(what: "no network of its configuration", status: changed(sae, "id=-"), proof: nil),
        Case(what: "a network that is no number", status: changed(sae, "id=0 ssid"), proof: nil),
        Case(what: "two access points", status: sae + ["bssid=02:00:00:00:00:01"], proof: nil),
        Case(what: "two names", status: sae + ["ssid=Cafe"], proof: nil),
        Case(what: "nothing", status: [], proof: nil),
        Case(
            what: "nonsense", status: ["", "=", "==", "a", "\u{0}\u{1}", "wpa_state", "COMPLETED=wpa_state"], proof: nil
        ),
    ]

    @Test("is of this network at this access point only, and by keys that bind the name", arguments: cases)
    func proof(row: Case) throws {
        let control = FakeControl(status: row.status)
        #expect(WPASupplicant(control: control).proof(of: try .corp(row.security)) == row.proof)
        #expect(!control.commands.contains { $0.hasPrefix("GET_NETWORK") })
    }

    @Test("may be by the address of the multi-link device")
    func multiLink() throws {
        let control = FakeControl(status: Self.changed(Self.sae, "bssid=02:00:00:00:00:aa"))
        #expect(WPASupplicant(control: control).proof(of: try .corp([.wpa3Personal], mld: true)) == Self.verified)
        #expect(WPASupplicant(control: control).proof(of: try .corp([.wpa3Personal])) == nil)
    }

    @Test(
        "is nothing once the association has changed",
        arguments: [
            "bssid=02:00:00:00:00:02", "ssid=Cafe", "id=1", "key_mgmt=FT-SAE", "wpa_state=SCANNING", "sae_h2e=0",
        ])
    func changing(line: String) throws {
        let control = FakeControl(status: Self.sae)
        control.laterStatus = Self.changed(Self.sae, line)
        #expect(WPASupplicant(control: control).proof(of: try .corp([.wpa3Personal])) == nil)
    }

    static let enterprise = changed(sae, "key_mgmt=WPA2/IEEE 802.1X/EAP", "sae_h2e=-", "id=7")
    static let ca = "\"/etc/ssl/corp.pem\""
    static let hash = "\"hash://server/sha256/\(String(repeating: "ab", count: 32))\""

    struct Pin: CustomTestStringConvertible {
        let what: String
        var management = "WPA2/IEEE 802.1X/EAP"
        let settings: [String: String]
        let isVerified: Bool
        var testDescription: String { what }
    }

    static let pins = [
        Pin(
            what: "an authority and the end of a name",
            settings: ["eap": "TTLS", "ca_cert": ca, "domain_suffix_match": "\"corp.example\""], isVerified: true),
        Pin(
            what: "an authority and a name",
            settings: ["eap": "PEAP TLS", "ca_cert": ca, "domain_match": "\"radius.corp.example\""], isVerified: true),
        Pin(what: "one certificate", settings: ["eap": "PEAP", "ca_cert": hash], isVerified: true),
        Pin(
            what: "fast transition, with a pin", management: "FT-EAP",
            settings: ["eap": "TTLS", "ca_cert": ca, "domain_match": "\"radius.corp.example\""], isVerified: true),
        Pin(what: "an authority alone", settings: ["eap": "TTLS", "ca_cert": ca], isVerified: false),
        Pin(
            what: "a name alone",
            settings: ["eap": "TTLS", "domain_suffix_match": "\"corp.example\""], isVerified: false),
        Pin(what: "no pin", settings: ["eap": "TTLS"], isVerified: false),
        Pin(what: "fast transition without a pin", management: "FT-EAP", settings: ["eap": "TTLS"], isVerified: false),
        Pin(
            what: "an empty name",
            settings: ["eap": "TTLS", "ca_cert": ca, "domain_suffix_match": "\"\""], isVerified: false),
        Pin(
            what: "an empty authority",
            settings: ["eap": "TTLS", "ca_cert": "\"\"", "domain_match": "\"a\""], isVerified: false),
        Pin(
            what: "a probe for a certificate",
            settings: ["eap": "TTLS", "ca_cert": "\"probe://\"", "domain_match": "\"a\""], isVerified: false),
        Pin(
            what: "a method without certificates",
            settings: ["eap": "LEAP", "ca_cert": ca, "domain_match": "\"a\""], isVerified: false),
        Pin(
            what: "a method without certificates beside one with",
            settings: ["eap": "TTLS PWD", "ca_cert": ca, "domain_match": "\"a\""], isVerified: false),
        Pin(
            what: "any method",
            settings: ["ca_cert": ca, "domain_match": "\"a\""], isVerified: false),
        Pin(
            what: "values without quotes",
            settings: ["eap": "TTLS", "ca_cert": "2f", "domain_match": "61"], isVerified: false),
    ]

    @Test("is of a server whose certificate nobody else can show", arguments: pins)
    func pin(row: Pin) throws {
        let control = FakeControl(status: Self.changed(Self.enterprise, "key_mgmt=\(row.management)"))
        for (name, value) in row.settings { control.settings["GET_NETWORK 7 \(name)"] = value }
        #expect(
            WPASupplicant(control: control).proof(of: try .corp([.wpa2Enterprise]))
                == Proof(negotiated: .wpa2Enterprise, verified: row.isVerified))
    }

    @Test("is not of a server because its name is verified, or fast transition binds it")
    func nameOfAnybody() throws {
        let control = FakeControl(status: Self.changed(Self.enterprise, "ssid_verified=1", "sae_h2e=1"))
        control.settings["GET_NETWORK 7 eap"] = "TTLS"
        #expect(WPASupplicant(control: control).proof(of: try .corp([.wpa2Enterprise]))?.verified == false)
    }

    @Test("compares names byte for byte, as the supplicant writes them")
    func names() throws {
        let names: [([UInt8], String)] = [
            (Array("a\"b\\c".utf8), "a\\\"b\\\\c"), ([0x1b, 0x0a, 0x0d, 0x09], "\\e\\n\\r\\t"),
            ([0x43, 0x61, 0x66, 0xc3, 0xa9], "Caf\\xc3\\xa9"), ([0x00, 0x7f, 0xff], "\\x00\\x7f\\xff"),
            (Array("id=1".utf8), "id=1"),
        ]
        for (bytes, text) in names {
            var station = try Interface.corp([.wpa3Personal])
            station.ssid = SSID(bytes: bytes)
            let control = FakeControl(status: Self.changed(Self.sae, "ssid=\(text)"))
            #expect(WPASupplicant(control: control).proof(of: station) == Self.verified)
        }
    }
}
