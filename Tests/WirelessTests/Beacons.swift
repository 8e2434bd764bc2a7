import Testing
import Wireless

/// The elements of beacons and probe responses, captured from access points of `mac80211_hwsim`.
struct Beacon: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let ssid: String?
    let offered: Set<Security>

    init(_ name: String, _ hexadecimal: String, ssid: String?, offered: Set<Security>) {
        self.name = name
        self.bytes = Wireless.bytes(hexadecimal: hexadecimal) ?? []
        self.ssid = ssid
        self.offered = offered
    }

    var testDescription: String { name }

    static let wpa2 = Beacon(
        "a WPA2 network with a passphrase",
        "000a436f72702d5374616666010882848b960c1218240301012a010432043048606c"
            + "30140100000fac040100000fac040100000fac0280003b0251007f080400400200000040",
        ssid: "Corp-Staff", offered: [.wpa2Personal])

    static let all = [
        wpa2,
        Beacon(
            "a WPA3 network with a passphrase",
            "000a436f72702d5374616666010882848b960c1218240301010504000200002a010432043048606c"
                + "30140100000fac040100000fac040100000fac08c0003b0251007f080400400200000040f40120",
            ssid: "Corp-Staff", offered: [.wpa3Personal]),
        Beacon(
            "802.1X with SHA-256 and protected management frames",
            "000a436f72702d5374616666010882848b960c1218240301012a010432043048606c"
                + "30140100000fac040100000fac040100000fac05c0003b0251007f080400400200000040",
            ssid: "Corp-Staff", offered: [.wpa3Enterprise]),
        Beacon(
            "an open network",
            "000a436f72702d4775657374010882848b960c1218240301012a010432043048606c3b0251007f080400400200000040",
            ssid: "Corp-Guest", offered: [.open]),
        Beacon(
            "the beacon of a hidden network",
            "0000010882848b960c1218240301010504010200002a010432043048606c"
                + "30140100000fac040100000fac040100000fac0200003b0251007f080400400200000040",
            ssid: nil, offered: [.wpa2Personal]),
        Beacon(
            "one link of a Wi-Fi 7 network",
            "000c436f72702d53746166662d370108010882848b960c120301012a010432031824fb"
                + "30140100000fac040100000fac040100000fac08cc003b025100"
                + "2d1a0c001bffff0000000000000000000001000000000000000000003d160100000000000000000000000000000000"
                + "00000000007f0b0400000000000080014010c91400107324ff0200009e7f7fcb223473427f001100f40120"
                + "ff16230178c81a400002bfce0000000000000000fafffaffff0724f03f009dfcffff106bb0010d0200000000000001"
                + "81000120ff116c07001c0000feffff7f01008888880000ff066a4011000000"
                + "dd180050f2020101010003a4000027a4000042435e0062322f00",
            ssid: "Corp-Staff-7", offered: [.wpa3Personal]),
        Beacon(
            "the first WPA beside the second, put together",
            "000a436f72702d5374616666" + hexadecimal(element(48, rsn(akms: [0x000f_ac02])) + SecurityTests.wpa),
            ssid: "Corp-Staff", offered: [.wpa1, .wpa2Personal]),
        Beacon(
            "several weak ciphers and suites, put together",
            "000a436f72702d5374616666"
                + hexadecimal(
                    element(48, rsn(ciphers: [0x000f_ac02, 0x000f_ac01], akms: [0x000f_ac12, 0x1122_3344]))),
            ssid: "Corp-Staff", offered: [.wpa1, .wep, .owe, .other]),
        Beacon(
            "a Wi-Fi 7 network with other links in pieces, put together",
            "000a436f72702d5374616666"
                + hexadecimal(
                    element(48, rsn(akms: [0x000f_ac08], capabilities: [0xc0, 0]))
                        + MultiLinkElementTests.multiLink(
                            links: MultiLinkElementTests.profile(
                                element(221, Array(repeating: 7, count: 250)) + MultiLinkElementTests.sae)
                                + MultiLinkElementTests.profile(MultiLinkElementTests.owe))),
            ssid: "Corp-Staff", offered: [.wpa3Personal, .owe]),
    ]
}

/// One element as it stands in a frame.
func element(_ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [id, UInt8(truncatingIfNeeded: payload.count)] + payload
}
