import CSupplicant
import Glibc
import Trust
import Wireless

/// What `wpa_supplicant` knows of one interface, by its control interface.
struct WPASupplicant {
    let control: any Control

    /// Where Debian, and most others, put the control interface.
    static func path(of interface: String) -> String { "/run/wpa_supplicant/\(interface)" }

    /// What is proven of the network that a station is on, or `nil` when the supplicant is on another, or on its way.
    func proof(of station: Interface) -> Proof? {
        guard let status = Status(control.ask("STATUS")), status.isOf(station),
            let management = KeyManagement(wpaSupplicant: status.keyManagement)
        else { return nil }
        let isVerified =
            management.isEnterprise ? isServerPinned(of: status.network) : status.provesName(by: management)
        // What was read of its configuration is of the same association only if that is still there.
        guard Status(control.ask("STATUS")) == status else { return nil }
        return Proof(negotiated: management.security(of: station), verified: isVerified)
    }

    /// Whether the network's authentication server has to show a certificate that nobody else has: of a known authority
    /// and for a known name, or one known certificate.
    private func isServerPinned(of network: String) -> Bool {
        func setting(_ name: String) -> String? {
            guard let value = control.ask("GET_NETWORK \(network) \(name)"), value.first == "\"", value.last == "\"",
                value.utf8.count > 2
            else { return nil }
            return String(value.dropFirst().dropLast())
        }
        // The methods stand without quotes.
        let methods = control.ask("GET_NETWORK \(network) eap")?.split(separator: " ") ?? []
        guard !methods.isEmpty, methods.allSatisfy({ ["TLS", "TTLS", "PEAP", "TEAP"].contains($0) }),
            let authority = setting("ca_cert"), !authority.hasPrefix("probe://")
        else { return false }
        let isOneCertificate = authority.hasPrefix("hash://server/sha256/")
        return isOneCertificate || setting("domain_match") != nil || setting("domain_suffix_match") != nil
    }
}

/// The replies of a control interface.
protocol Control {
    /// The reply to a command, without the line feed at its end, or `nil` when there is none.
    func ask(_ command: String) -> String?
}

/// What the supplicant says of its association.
private struct Status: Equatable {
    let bssid: BSSID
    /// The name, with every byte escaped that is not printable.
    let ssid: String
    let keyManagement: String
    /// The number of the network in the supplicant's configuration.
    let network: String
    let hasHashToElement: Bool
    let hasVerifiedName: Bool

    /// Reads the reply to `STATUS`.
    ///
    /// - Returns: `nil` unless the keys are in place and good for something, and when a line is missing or stands twice.
    init?(_ reply: String?) {
        guard let reply else { return nil }
        var values: [Substring: Substring] = [:]
        for line in reply.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = parts.first, let value = parts.dropFirst().first else { continue }
            guard values.updateValue(value, forKey: key) == nil else { return nil }
        }
        guard values["wpa_state"] == "COMPLETED", values["mode"] == "station",
            let bssid = values["bssid"].flatMap({ try? BSSID($0) }), let ssid = values["ssid"],
            let network = values["id"], UInt32(network) != nil, let keyManagement = values["key_mgmt"],
            values["pairwise_cipher"].map({ isStrong(cipher: $0) }) == true
        else { return nil }
        self.bssid = bssid
        self.ssid = String(ssid)
        self.network = String(network)
        self.keyManagement = String(keyManagement)
        hasHashToElement = values["sae_h2e"] == "1"
        hasVerifiedName = values["ssid_verified"] == "1"
    }

    /// Whether this is the association that was observed.
    func isOf(_ station: Interface) -> Bool {
        guard let name = station.ssid else { return false }
        return (station.links.contains(bssid) || station.mld == bssid) && ssid == escaped(name.bytes)
    }

    /// Whether the name of the network is proven along with its passphrase.
    func provesName(by management: KeyManagement) -> Bool {
        management.bindsName || hasVerifiedName || (management.isSAE && hasHashToElement)
    }
}

/// Bytes as the supplicant writes them: printable ASCII, and escapes for the rest.
func escaped(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case 0x1b: "\\e"
        case 0x0a: "\\n"
        case 0x0d: "\\r"
        case 0x09: "\\t"
        case 0x20...0x7e: String(UnicodeScalar(byte))
        default: "\\x" + hexadecimal([byte])
        }
    }.joined()
}

/// The control interface of a running supplicant. Its calls wait for as long as the supplicant does.
final class ControlInterface: Control {
    private let descriptor: CInt

    /// Opens it, or `nil` when there is none that this process may talk to.
    init?(_ path: String) {
        let descriptor = unsafe csupplicant_connect(path)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    func ask(_ command: String) -> String? {
        var reply = [CChar](repeating: 0, count: 8192)
        let length = unsafe csupplicant_ask(descriptor, command, &reply, reply.count)
        guard length > 0 else { return nil }
        let text = String(validating: reply.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let text, !text.hasPrefix("FAIL"), !text.hasPrefix("UNKNOWN COMMAND") else { return nil }
        return text.last == "\n" ? String(text.dropLast()) : text
    }
}
