import Glibc
import PolicyFiles
import Radio
import Trust
import Wireless

extension Command {
    static let lint = Command(
        "lint",
        "Checks the configuration. Mistakes are errors; what is legal but unwise is a warning.\n\n"
            + "Exit status: 0 no error, 1 an error was found.",
        options: [Option("--strict", nil, "a warning is an error")]
    ) { (invocation) throws(Failure) in
        let configuration = try loadConfiguration(invocation.tree())
        var warnings = configuration.warnings(today: Day(secondsSince1970: time(nil)))
        // Only this machine's own configuration has to do with where this machine is.
        if try invocation.value("--root") == nil { warnings += configuration.nearMisses(of: observe()) }
        for warning in warnings {
            invocation.output.print("\(invocation.output.styled("warning", .careful)): \(warning)")
        }
        if warnings.isEmpty {
            invocation.output.print("no problem found in \(counted(configuration.networks.count, "network"))")
        }
        return invocation.has("--strict") && !warnings.isEmpty ? 1 : 0
    }
}

extension Configuration {
    /// What is legal but unwise.
    func warnings(today: Day?) -> [FileProblem] {
        networks.flatMap { listing in
            listing.warnings(today: today).map { FileProblem(file: listing.path, $0.problem, hint: $0.hint) }
        }
    }

    /// The networks whose name is nearly the one that the machine is on. What it is on is not shown.
    func nearMisses(of evidence: Evidence) -> [FileProblem] {
        guard case .interfaces(let interfaces, _) = evidence else { return [] }
        let names = Set(interfaces.compactMap(\.ssid))
        return networks.flatMap { listing in
            listing.network.ssids.filter { entry in
                !names.contains(entry) && names.contains { $0.text.map(folded) == entry.text.map(folded) }
            }.map { entry in
                FileProblem(
                    file: listing.path,
                    "the SSID \"\(entry)\" differs from the network that this machine is on by case, "
                        + "blanks or quotes only", hint: "names are compared byte by byte")
            }
        }
    }
}

extension Configuration.Listing {
    fileprivate func warnings(today: Day?) -> [(problem: String, hint: String?)] {
        var found: [(problem: String, hint: String?)] = []
        if network.action == .skip {
            if !network.isPinned, network.minimumEvidence < .protected {
                found.append(
                    ("trusted by its name alone, which any radio can claim", "list bssid, or ask for evidence"))
            }
            for weak in Security.allCases where network.security.contains(weak) && !weak.provesKey {
                found.append(("security \"\(weak)\" proves nothing", "leave it out of security"))
            }
            for ssid in network.ssids where !network.isPinned && commonNames.contains(folded(ssid.text ?? "")) {
                found.append(("the SSID \"\(ssid)\" is in use everywhere", "list bssid"))
            }
        }
        if let last = network.expires, let today, last < today { found.append(("expired on \(last)", nil)) }
        for ssid in network.ssids {
            if ssid.bytes.first == 0x20 || ssid.bytes.last == 0x20 {
                found.append(("the SSID \"\(ssid)\" has a blank at an end", "is it meant?"))
            }
            if let unescaped = unescapingAsPrintedByIw(ssid.bytes) {
                found.append(
                    (
                        "the SSID \"\(printable(ssid.text ?? ""))\" looks like an escape printed by iw",
                        "did you mean ssid-hex = \"\(hexadecimal(unescaped))\"?"
                    ))
            }
        }
        return found
    }
}

/// Names that stand in factory settings, or that many organisations share.
private let commonNames: Set<String> = [
    "eduroam", "linksys", "netgear", "dlink", "d-link", "tp-link", "asus", "default", "wireless", "wlan", "wifi",
    "guest",
    "free wifi", "home", "xfinitywifi", "fritz!box", "belkin", "cisco", "ubnt", "mikrotik", "openwrt",
]

/// A name without the differences that people do not see: case, outer blanks, styles of quotes.
private func folded(_ text: String) -> String {
    let plain = text.map { character -> Character in
        switch character {
        case "\u{2018}", "\u{2019}", "`": "'"
        case "\u{201c}", "\u{201d}": "\""
        case "\u{a0}": " "
        default: character
        }
    }
    let trimmed = plain.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return String(trimmed).lowercased()
}

/// The bytes that a name such as `Caf\xc3\xa9` stands for in the output of `iw`, or `nil` when it is no such name.
private func unescapingAsPrintedByIw(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = bytes[...]
    var isEscaped = false
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
            let value = Wireless.bytes(hexadecimal: String(decoding: rest.dropFirst().prefix(2), as: UTF8.self))?.first
        {
            result.append(value)
            rest = rest.dropFirst(3)
            isEscaped = true
        } else {
            result.append(byte)
        }
    }
    return isEscaped ? result : nil
}
