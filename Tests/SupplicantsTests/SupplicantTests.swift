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
        #expect(ask(about: station)?.witnesses.contains(.wpaSupplicant) != true)
        #expect(ControlInterface("/run/wpa_supplicant/nosuch0") == nil)
        #expect(ControlInterface("/" + String(repeating: "a", count: 200)) == nil)
        #expect(ControlInterface("/etc/passwd") == nil)
    }

    @Test("name what was negotiated by the name that it has among what is offered")
    func negotiated() {
        let rows: [(String, Set<Security>, Security?)] = [
            ("WPA2-EAP-SHA256", [.wpa2Enterprise], .wpa2Enterprise),
            ("WPA2-EAP-SHA256", [.wpa2Enterprise, .wpa3Enterprise], .wpa3Enterprise),
            ("WPA2/IEEE 802.1X/EAP", [.wpa2Enterprise, .wpa3Enterprise], .wpa2Enterprise),
            ("WPA2-EAP-SUITE-B-192", [.wpa3Enterprise192], .wpa3Enterprise192),
            ("FT-EAP-SHA384", [.wpa3Enterprise192], nil), ("FILS-SHA256", [.fils], .fils), ("DPP", [.dpp], .dpp),
            ("SAE", [.open], nil), ("SAE-EXT-KEY", [.wpa3Personal], .wpa3Personal),
        ]
        for (name, offered, expected) in rows {
            #expect(KeyManagement(wpaSupplicant: name)?.security(among: offered) == expected, "\(name)")
        }
    }
}
