import Testing
import Trust
import Wireless

@testable import Supplicants

@Suite("The programs that run the Wi-Fi")
struct SupplicantTests {
    @Test("say nothing about an interface that there is not")
    func absent() throws {
        var station = try Interface.corp([.wpa3Personal])
        station.name = "nosuch0"
        #expect(Supplicants().ask(about: station)?.witnesses.contains(.wpaSupplicant) != true)
        #expect(Supplicants(budget: .zero).ask(about: station) == nil)
        #expect(ControlInterface("/run/wpa_supplicant/nosuch0") == nil)
        #expect(ControlInterface("/" + String(repeating: "a", count: 200)) == nil)
        #expect(ControlInterface("/etc/passwd") == nil)
    }

    @Test("name what was negotiated by the name that it has among what is offered")
    func negotiated() throws {
        let rows: [(String, Set<Security>, mfp: Bool?, Security?)] = [
            ("WPA2-EAP-SHA256", [.wpa2Enterprise], true, .wpa2Enterprise),
            ("WPA2-EAP-SHA256", [.wpa2Enterprise, .wpa3Enterprise], true, .wpa3Enterprise),
            ("WPA2-EAP-SHA256", [.wpa2Enterprise, .wpa3Enterprise], false, .wpa2Enterprise),
            ("WPA2-EAP-SHA256", [.wpa2Enterprise, .wpa3Enterprise], nil, .wpa2Enterprise),
            ("WPA2-EAP-SHA256", [.wpa3Enterprise], false, nil),
            ("WPA2/IEEE 802.1X/EAP", [.wpa2Enterprise, .wpa3Enterprise], true, .wpa2Enterprise),
            ("WPA2-EAP-SUITE-B-192", [.wpa3Enterprise192], true, .wpa3Enterprise192),
            ("FT-EAP-SHA384", [.wpa3Enterprise192], true, nil), ("FILS-SHA256", [.fils], nil, .fils),
            ("DPP", [.dpp], nil, .dpp), ("SAE", [.open], true, nil),
            ("SAE-EXT-KEY", [.wpa3Personal], true, .wpa3Personal),
        ]
        for (name, offered, mfp, expected) in rows {
            var station = try Interface.corp(offered)
            station.mfp = mfp
            #expect(KeyManagement(wpaSupplicant: name)?.security(of: station) == expected, "\(name)")
        }
    }
}
