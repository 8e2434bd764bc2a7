import PolicyFiles
import ProtectedFiles
import Trust
import Wireless

extension Command {
    static let allowList = Command("allow list", "Lists the networks of the allowlist.", options: [.json]) {
        (invocation) throws(Failure) in
        let configuration = try loadConfiguration(invocation.tree())
        if invocation.has("--json") {
            invocation.output.print(JSON.array(configuration.networks.map { $0.json(in: configuration) }).text)
            return 0
        }
        let header = ["NAME", "ACTION", "SSID", "PINS", "SECURITY", "EVIDENCE", "EXPIRES", "SITE", "FROM"]
        let rows = configuration.networks.map { listing in
            let network = listing.network
            return [
                network.name, network.action.rawValue, network.ssids.map(shown).joined(separator: ", "),
                listing.pinCount == 0 ? "any" : "\(listing.pinCount)",
                network.security.isEmpty ? "any" : network.security.map(\.rawValue).sorted().joined(separator: " "),
                network.minimumEvidence.rawValue, network.expires.map { "\($0)" } ?? "-",
                network.site.map { printable($0) } ?? "-", listing.origin,
            ]
        }
        if rows.isEmpty {
            complain("the allowlist is empty (add a network with: onsite allow add NAME --ssid SSID)")
        } else {
            invocation.output.printTable([header.map { invocation.output.styled($0, .heading) }] + rows)
        }
        for file in configuration.hidden {
            invocation.output.print(
                invocation.output.styled("\(file.path) is \(file.isMasked ? "masked" : "hidden") by \(file.by)", .faint)
            )
        }
        return 0
    }

    static let allowShow = Command(
        "allow show", operands: "NAME", count: 1...1, "Shows one network of the allowlist.", options: [.json]
    ) { (invocation) throws(Failure) in
        let name = invocation.operands.first ?? ""
        let tree = try invocation.tree()
        let configuration = try loadConfiguration(tree)
        let listing = try configuration.listing(named: name)
        if invocation.has("--json") {
            invocation.output.print(listing.json(in: configuration).text)
        } else {
            invocation.output.print(invocation.output.styled("# \(tree.systemPath(listing.path))", .faint))
            invocation.output.print(String(listing.file.toml.dropLast()))
        }
        return 0
    }
}

extension Configuration {
    /// The network of a name.
    func listing(named name: String) throws(Failure) -> Listing {
        guard let listing = networks.first(where: { $0.network.name == name }) else {
            let names = networks.map(\.network.name).joined(separator: ", ")
            throw Failure("there is no network \"\(printable(name))\" (there are: \(names.isEmpty ? "none" : names))")
        }
        return listing
    }
}

extension Configuration.Listing {
    /// The directory that the network comes from, such as `/etc/onsite`.
    fileprivate var origin: String {
        path.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
    }

    /// The network with the files that it hides.
    fileprivate func json(in configuration: Configuration) -> JSON {
        guard case .object(var object) = json else { return json }
        object["hides"] = .array(configuration.hidden.filter { $0.by == path }.map { .string($0.path) })
        return .object(object)
    }

    /// How many access points are listed, pinned or denied.
    var pinCount: Int { pins.count + network.denied.count }

    /// The network with every key in its place.
    var json: JSON {
        func texts(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
        return .object([
            "name": .string(network.name), "path": .string(path), "action": .string(network.action.rawValue),
            "ssids": .array(
                network.ssids.map { .object(["ssid": .optional($0.text), "ssid_hex": .string(hexadecimal($0.bytes))]) }),
            "bssids": texts(file.pins.map(\.description)), "bssid_file": .optional(file.pinFile),
            "bssid_count": .integer(Int64(pinCount)),
            "security": texts(network.security.map(\.rawValue).sorted()),
            "minimum_evidence": .string(network.minimumEvidence.rawValue), "site": .optional(network.site),
            "users": texts(network.askers.users), "groups": texts(network.askers.groups),
            "services": texts(network.askers.services), "expires": .optional(network.expires?.description),
        ])
    }
}

/// An SSID as it is shown: text in quotes where it is text, otherwise its bytes.
func shown(_ ssid: SSID) -> String {
    if let text = ssid.writableText { return "\"\(text)\"" }
    return "hex:\(hexadecimal(ssid.bytes))"
}
