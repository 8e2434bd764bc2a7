import MessageBus
import Trust
import Wireless

/// What NetworkManager knows of one interface.
struct NetworkManager {
    let bus: any Bus

    private static let name = "org.freedesktop.NetworkManager"

    /// What is proven of the network that a station is on: that its authentication server has to show a certificate of a
    /// known authority and for a known name. `nil` when NetworkManager is on another network, or on its way.
    func proof(of station: Interface) -> Proof? {
        guard let owner = bus.rootOwner(of: Self.name),
            let device = bus.call(
                Method(
                    destination: owner, path: "/org/freedesktop/NetworkManager", interface: Self.name,
                    name: "GetDeviceByIpIface"), .text(station.name))?[["0"]],
            let before = activation(owner, device),
            // The profile as it was when it was activated: it may have been edited since.
            let profile = bus.call(
                Method(
                    destination: owner, path: device, interface: Self.name + ".Device", name: "GetAppliedConnection"),
                .number(0)),
            isOn(station, owner, device), activation(owner, device) == before
        else { return nil }
        func setting(_ group: String, _ key: String) -> String? { profile[["0", group, key]] }
        guard let name = station.ssid, setting("802-11-wireless", "ssid") == hexadecimal(name.bytes) else { return nil }

        let isEnterprise = ["wpa-eap", "wpa-eap-suite-b-192"].contains(setting("802-11-wireless-security", "key-mgmt"))
        let methods = profile.filter { $0.key.starts(with: ["0", "802-1x", "eap"]) }.values
        let hasAuthority = isPresent(setting("802-1x", "ca-cert")) || setting("802-1x", "system-ca-certs") == "1"
        let hasName =
            isPresent(setting("802-1x", "domain-match")) || isPresent(setting("802-1x", "domain-suffix-match"))
        let isPinned =
            !methods.isEmpty && methods.allSatisfy { ["tls", "ttls", "peap"].contains($0) } && hasAuthority && hasName
        return isEnterprise && isPinned ? Proof(verified: true) : nil
    }

    private func isPresent(_ value: String?) -> Bool { value.map { !$0.isEmpty } ?? false }

    /// The activation of a device that is up, by the path of its object: another one each time.
    private func activation(_ owner: String, _ device: String) -> String? {
        let properties = bus.properties(of: Self.name + ".Device", owner, device)
        // NM_DEVICE_STATE_ACTIVATED.
        return properties?["State"] == "100" ? properties?["ActiveConnection"] : nil
    }

    /// Whether a device is on the network and at the access point where the station was observed.
    private func isOn(_ station: Interface, _ owner: String, _ device: String) -> Bool {
        guard
            let path = bus.properties(of: Self.name + ".Device.Wireless", owner, device)?["ActiveAccessPoint"],
            let point = bus.properties(of: Self.name + ".AccessPoint", owner, path),
            let bssid = point["HwAddress"].flatMap({ try? BSSID($0) })
        else { return false }
        return (station.links.contains(bssid) || station.mld == bssid)
            && point["Ssid"] == station.ssid.map { hexadecimal($0.bytes) }
    }
}
