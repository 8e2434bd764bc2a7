import MessageBus
import Testing
import Trust
import Wireless

@testable import Supplicants

@Suite("What NetworkManager and iwd prove")
struct BusTests {
    static let nm = "org.freedesktop.NetworkManager"

    /// NetworkManager on "Corp" with a pinned server.
    static func networkManager() -> FakeBus {
        let bus = FakeBus()
        bus.replies = [
            "GetNameOwner \(nm)": [["0"]: ":1.5"], "GetConnectionUnixUser :1.5": [["0"]: "0"],
            "GetDeviceByIpIface wlan0": [["0"]: "/dev/2"],
            "GetAll \(nm).Device": [["0", "State"]: "100", ["0", "ActiveConnection"]: "/active/1"],
            "GetAll \(nm).Device.Wireless": [["0", "ActiveAccessPoint"]: "/ap/9"],
            "GetAll \(nm).AccessPoint": [["0", "HwAddress"]: "02:00:00:00:00:01", ["0", "Ssid"]: "436f7270"],
            "GetAppliedConnection": [
                ["0", "802-11-wireless", "ssid"]: "436f7270",
                ["0", "802-11-wireless-security", "key-mgmt"]: "wpa-eap",
                ["0", "802-1x", "eap", "0"]: "peap",
                ["0", "802-1x", "ca-cert"]: "66696c653a2f2f2f612e70656d00",
                ["0", "802-1x", "domain-suffix-match"]: "corp.example", ["1"]: "1",
            ],
        ]
        return bus
    }

    struct Change: CustomTestStringConvertible {
        let what: String
        let reply: String
        let way: [String]
        let value: String?
        var isVerified = false
        var testDescription: String { what }
    }

    static let changes = [
        Change(what: "nothing", reply: "GetAll \(nm).Device", way: ["0", "State"], value: "100", isVerified: true),
        Change(what: "not root's", reply: "GetConnectionUnixUser :1.5", way: ["0"], value: "1000"),
        Change(what: "nobody's", reply: "GetNameOwner \(nm)", way: ["0"], value: nil),
        Change(what: "no device", reply: "GetDeviceByIpIface wlan0", way: ["0"], value: nil),
        Change(what: "on its way", reply: "GetAll \(nm).Device", way: ["0", "State"], value: "70"),
        Change(
            what: "another access point", reply: "GetAll \(nm).AccessPoint", way: ["0", "HwAddress"],
            value: "02:00:00:00:00:02"),
        Change(what: "another network", reply: "GetAll \(nm).AccessPoint", way: ["0", "Ssid"], value: "43"),
        Change(
            what: "a profile of another network", reply: "GetAppliedConnection", way: ["0", "802-11-wireless", "ssid"],
            value: "43"),
        Change(
            what: "a passphrase", reply: "GetAppliedConnection", way: ["0", "802-11-wireless-security", "key-mgmt"],
            value: "sae"),
        Change(what: "no authority", reply: "GetAppliedConnection", way: ["0", "802-1x", "ca-cert"], value: nil),
        Change(what: "an empty authority", reply: "GetAppliedConnection", way: ["0", "802-1x", "ca-cert"], value: ""),
        Change(
            what: "no name", reply: "GetAppliedConnection", way: ["0", "802-1x", "domain-suffix-match"], value: nil),
        Change(
            what: "an empty name", reply: "GetAppliedConnection", way: ["0", "802-1x", "domain-suffix-match"], value: ""
        ),
        Change(
            what: "a method without certificates", reply: "GetAppliedConnection", way: ["0", "802-1x", "eap", "1"],
            value: "leap"),
        Change(what: "no method", reply: "GetAppliedConnection", way: ["0", "802-1x", "eap", "0"], value: nil),
    ]

    @Test("is a server with a certificate of a known authority and name", arguments: changes)
    func networkManager(row: Change) throws {
        let bus = Self.networkManager()
        bus.replies[row.reply]?[row.way] = row.value
        let proof = NetworkManager(bus: bus).proof(of: try .corp([.wpa2Enterprise]))
        #expect(proof == (row.isVerified ? Proof(verified: true) : nil))
        #expect(bus.destinations.isSubset(of: [":1.5"]), "only the owner that was looked at is asked")
    }

    @Test("needs every reply")
    func missing() throws {
        for reply in Self.networkManager().replies.keys {
            let bus = Self.networkManager()
            bus.replies[reply] = nil
            #expect(NetworkManager(bus: bus).proof(of: try .corp([.wpa2Enterprise])) == nil, "\(reply)")
        }
        for reply in Self.iwd().replies.keys {
            let bus = Self.iwd()
            bus.replies[reply] = nil
            #expect(Iwd(bus: bus).proof(of: try .corp([.wpa2Personal])) == nil, "\(reply)")
        }
    }

    static let object = "/net/connman/iwd/0/3"

    /// iwd on "Corp" by a passphrase with fast transition.
    static func iwd() -> FakeBus {
        let bus = FakeBus()
        bus.replies = [
            "GetNameOwner net.connman.iwd": [["0"]: ":1.6"], "GetConnectionUnixUser :1.6": [["0"]: "0"],
            "GetManagedObjects": [
                ["0", object, "net.connman.iwd.Device", "Name"]: "wlan0",
                ["0", object, "net.connman.iwd.Station", "State"]: "connected",
                ["0", object, "net.connman.iwd.Station", "ConnectedNetwork"]: object + "/43_psk",
                ["0", object + "/43_psk", "net.connman.iwd.Network", "Name"]: "Corp",
                ["0", "/net/connman/iwd/0/4", "net.connman.iwd.Device", "Name"]: "wlan1",
            ],
            "GetDiagnostics": [
                ["0", "ConnectedBss"]: "02:00:00:00:00:01", ["0", "Security"]: "WPA2-Personal + FT",
                ["0", "PairwiseCipher"]: "CCMP-128",
            ],
        ]
        return bus
    }

    static let iwdChanges = [
        Change(
            what: "nothing", reply: "GetDiagnostics", way: ["0", "RSSI"], value: "-40", isVerified: true),
        Change(what: "not root's", reply: "GetConnectionUnixUser :1.6", way: ["0"], value: "1000"),
        Change(
            what: "another interface", reply: "GetManagedObjects",
            way: ["0", object, "net.connman.iwd.Device", "Name"],
            value: "wlan1"),
        Change(
            what: "on its way", reply: "GetManagedObjects", way: ["0", object, "net.connman.iwd.Station", "State"],
            value: "roaming"),
        Change(
            what: "another network", reply: "GetManagedObjects",
            way: ["0", object + "/43_psk", "net.connman.iwd.Network", "Name"], value: "Cafe"),
        Change(
            what: "another access point", reply: "GetDiagnostics", way: ["0", "ConnectedBss"],
            value: "02:00:00:00:00:02"),
        Change(what: "TKIP", reply: "GetDiagnostics", way: ["0", "PairwiseCipher"], value: "TKIP"),
        Change(what: "no cipher", reply: "GetDiagnostics", way: ["0", "PairwiseCipher"], value: nil),
        Change(what: "an unknown security", reply: "GetDiagnostics", way: ["0", "Security"], value: "WPA9"),
    ]

    @Test("is a name that fast transition binds", arguments: iwdChanges)
    func iwd(row: Change) throws {
        let bus = Self.iwd()
        bus.replies[row.reply]?[row.way] = row.value
        let proof = Iwd(bus: bus).proof(of: try .corp([.wpa2Personal]))
        #expect(proof == (row.isVerified ? Proof(negotiated: .wpa2Personal, verified: true) : nil))
    }

    @Test("is no more than what was negotiated for the other ways of iwd")
    func iwdSecurities() throws {
        let rows: [(String, Set<Security>, Security?)] = [
            ("WPA2-Personal", [.wpa2Personal, .wpa3Personal], .wpa2Personal),
            ("WPA3-Personal", [.wpa2Personal, .wpa3Personal], .wpa3Personal),
            ("WPA2-Enterprise", [.wpa2Enterprise], .wpa2Enterprise),
            ("WPA2-Enterprise", [.wpa2Enterprise, .wpa3Enterprise], .wpa2Enterprise),
            ("WPA2-Enterprise + FT", [.wpa2Enterprise], nil), ("FILS", [.fils], .fils), ("FILS + FT", [.fils], .fils),
        ]
        for (name, offered, negotiated) in rows {
            let bus = Self.iwd()
            bus.replies["GetDiagnostics"]?[["0", "Security"]] = name
            let proof = Iwd(bus: bus).proof(of: try .corp(offered))
            #expect(proof == Proof(negotiated: negotiated, verified: false), "\(name)")
        }
    }
}
