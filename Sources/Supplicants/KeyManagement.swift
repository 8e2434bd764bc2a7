import Trust
import Wireless

/// A way to authenticate and to agree on keys, as a supplicant names it: one suite, or several that share the name.
struct KeyManagement: Equatable {
    /// Authentication and key management suites (IEEE 802.11-2020, table 9-151).
    let suites: [UInt32]

    /// The name in wpa_supplicant's `key_mgmt`.
    init?(wpaSupplicant name: String) {
        switch name {
        case "WPA2-PSK": suites = [0x000f_ac02]
        case "FT-PSK": suites = [0x000f_ac04]
        case "WPA2-PSK-SHA256": suites = [0x000f_ac06]
        case "SAE": suites = [0x000f_ac08]
        case "FT-SAE": suites = [0x000f_ac09]
        case "SAE-EXT-KEY": suites = [0x000f_ac18]
        case "FT-SAE-EXT-KEY": suites = [0x000f_ac19]
        case "WPA2/IEEE 802.1X/EAP": suites = [0x000f_ac01]
        case "FT-EAP": suites = [0x000f_ac03]
        case "WPA2-EAP-SHA256": suites = [0x000f_ac05]
        case "WPA2-EAP-SUITE-B": suites = [0x000f_ac0b]
        case "WPA2-EAP-SUITE-B-192": suites = [0x000f_ac0c]
        case "FT-EAP-SHA384": suites = [0x000f_ac0d, 0x000f_ac16]
        case "WPA2-EAP-SHA384": suites = [0x000f_ac17]
        case "FILS-SHA256": suites = [0x000f_ac0e]
        case "FILS-SHA384": suites = [0x000f_ac0f]
        case "FT-FILS-SHA256": suites = [0x000f_ac10]
        case "FT-FILS-SHA384": suites = [0x000f_ac11]
        case "DPP": suites = [0x506f_9a02]
        default: return nil
        }
    }

    /// The `Security` of iwd's diagnostics.
    init?(iwd name: String) {
        switch name {
        case "WPA2-Personal": suites = [0x000f_ac02, 0x000f_ac06]
        case "WPA2-Personal + FT": suites = [0x000f_ac04]
        case "WPA3-Personal": suites = [0x000f_ac08]
        case "WPA3-Personal + FT": suites = [0x000f_ac09]
        case "WPA2-Enterprise": suites = [0x000f_ac01, 0x000f_ac05]
        case "WPA2-Enterprise + FT": suites = [0x000f_ac03, 0x000f_ac0d]
        case "FILS": suites = [0x000f_ac0e, 0x000f_ac0f]
        case "FILS + FT": suites = [0x000f_ac10, 0x000f_ac11]
        default: return nil
        }
    }

    /// What was negotiated with the access point of a station, by the name that it has among what that offers; `nil`
    /// when it offers none of these suites, or several.
    func security(of station: Interface) -> Security? {
        let names = suites.map(station.security(ofSuite:))
        guard let first = names.first, names.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// Whether IEEE 802.1X authenticates the network: then whoever is believed to be the authentication server decides.
    var isEnterprise: Bool {
        suites.allSatisfy {
            switch Security(suite: $0, protectionRequired: false) {
            case .wpa2Enterprise, .wpa3Enterprise, .wpa3Enterprise192, .fils: true
            case .open, .owe, .wep, .wpa1, .wpa2Personal, .wpa3Personal, .dpp, .other: false
            }
        }
    }

    /// Whether the keys depend on the name of the network, and on a passphrase.
    var bindsName: Bool { suites.allSatisfy(bindsNameToPassphrase) }

    /// Whether SAE agrees on the keys.
    var isSAE: Bool { suites.allSatisfy { [0x000f_ac08, 0x000f_ac09, 0x000f_ac18, 0x000f_ac19].contains($0) } }
}

/// Whether a pairwise cipher, as wpa_supplicant or iwd names it, is one that is not broken: TKIP and WEP undo whatever
/// was agreed on.
func isStrong(cipher name: some StringProtocol) -> Bool {
    ["CCMP", "CCMP-128", "CCMP-256", "GCMP", "GCMP-128", "GCMP-256"].contains { $0 == name }
}
