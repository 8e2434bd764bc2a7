import MessageBus
import Trust
import Wireless

/// What iwd knows of one interface.
struct Iwd {
    let bus: any Bus

    private static let name = "net.connman.iwd"

    /// What was negotiated with the network that a station is on, or `nil` when iwd is on another, or on its way.
    ///
    /// The name is proven where fast transition binds it. Whether SAE used hash-to-element, or which certificates an
    /// authentication server needs, iwd does not tell.
    func proof(of station: Interface) -> Proof? {
        guard let owner = bus.rootOwner(of: Self.name),
            let objects = bus.call(
                Method(
                    destination: owner, path: "/", interface: "org.freedesktop.DBus.ObjectManager",
                    name: "GetManagedObjects"), .none),
            let device = objects.first(where: { way, value in
                value == station.name && Array(way.dropFirst(2)) == [Self.name + ".Device", "Name"]
            })?.key.dropFirst().first,
            objects[["0", device, Self.name + ".Station", "State"]] == "connected",
            let network = objects[["0", device, Self.name + ".Station", "ConnectedNetwork"]],
            let name = objects[["0", network, Self.name + ".Network", "Name"]],
            let ssid = station.ssid, name.utf8.elementsEqual(ssid.bytes),
            let diagnostics = bus.call(
                Method(
                    destination: owner, path: device, interface: Self.name + ".StationDiagnostic",
                    name: "GetDiagnostics"), .none),
            let bssid = diagnostics[["0", "ConnectedBss"]].flatMap({ try? BSSID($0) }),
            station.links.contains(bssid) || station.mld == bssid,
            diagnostics[["0", "PairwiseCipher"]].map({ isStrong(cipher: $0) }) == true,
            let management = diagnostics[["0", "Security"]].flatMap({ KeyManagement(iwd: $0) })
        else { return nil }
        return Proof(
            negotiated: management.security(of: station),
            verified: management.bindsName && !management.isEnterprise)
    }
}
