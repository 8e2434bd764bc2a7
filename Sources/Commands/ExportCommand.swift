import PolicyFiles
import Trust
import Wireless

/// The formats that are written.
private enum ExportFormat: String, CaseIterable {
    case toml, json, csv
}

extension Command {
    static let allowExport = Command(
        "allow export", operands: "[NAME…]", count: 0...1000,
        "Writes the networks, or those named, for allow import, with every access point.",
        options: [Option("--format", "F", "toml (default), json or csv")]
    ) { (invocation) throws(Failure) in
        let configuration = try loadConfiguration(invocation.tree())
        var listings = configuration.networks
        if !invocation.operands.isEmpty {
            var chosen: [Configuration.Listing] = []
            for name in invocation.operands { chosen.append(try configuration.listing(named: name)) }
            listings = chosen
        }
        switch try invocation.choice("--format", ExportFormat.allCases) ?? .toml {
        case .toml:
            invocation.output.print(String(NetworkFile.exported(listings.map(\.complete)).dropLast()))
        case .json:
            invocation.output.print(
                JSON.object(["format": .integer(1), "networks": .array(listings.map(\.exported))]).text)
        case .csv:
            invocation.output.print(csvRow(csvColumns))
            for listing in listings { listing.printRows(to: invocation.output) }
        }
        return 0
    }
}

private let csvColumns = [
    "network", "ssid", "ssid_hex", "bssid", "security", "minimum_evidence", "action", "site", "users", "groups",
    "services",
    "expires",
]

extension Configuration.Listing {
    /// The network with the access points of its list in its own file.
    fileprivate var complete: NetworkFile {
        var file = file
        file.pins = allPins
        file.pinFile = nil
        return file
    }

    /// The access points that are listed, pinned or denied.
    var allPins: [BSSIDPattern] { pins + network.denied }

    fileprivate var exported: JSON {
        guard case .object(var object) = json else { return json }
        object["bssids"] = .array(allPins.map { .string($0.description) })
        for key in ["path", "bssid_file", "bssid_count"] { object[key] = nil }
        return .object(object)
    }

    /// A row for each name and access point.
    fileprivate func printRows(to output: Output) {
        let security = network.security.map(\.rawValue).sorted().joined(separator: " ")
        let rest = [
            security, network.minimumEvidence.rawValue, network.action.rawValue, network.site ?? "",
            network.askers.users.joined(separator: " "), network.askers.groups.joined(separator: " "),
            network.askers.services.joined(separator: " "), network.expires?.description ?? "",
        ]
        let addresses = allPins.isEmpty ? [""] : allPins.map(\.description)
        for ssid in network.ssids {
            let text = ssid.writableText ?? ""
            for address in addresses {
                output.print(csvRow([network.name, text, hexadecimal(ssid.bytes), address] + rest))
            }
        }
    }
}
