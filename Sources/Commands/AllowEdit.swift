import PolicyFiles
import ProtectedFiles
import Trust
import Wireless

/// The options that say what a network is.
private let networkOptions = [
    Option("--ssid", "TEXT", "the name of the network; may be repeated"),
    Option("--ssid-hex", "HEX", "the name in hexadecimal digits; may be repeated"),
    Option("--bssid", "B[/N]", "an access point, or a prefix of addresses; may be repeated"),
    Option("--security", "NAME", "what the network may offer; may be repeated"),
    Option("--minimum-evidence", "LEVEL", "claimed, protected or verified"),
    Option("--site", "TEXT", "a label for logs and people"),
    Option("--expires", "DATE", "the last day on which it is trusted, such as 2027-01-31"),
    Option("--action", "ACTION", "skip: trusted; require: never trusted"),
    Option("--user", "NAME", "trusted for this user; may be repeated"),
    Option("--group", "NAME", "trusted for members of this group; may be repeated"),
    Option("--service", "NAME", "trusted for this service; may be repeated"),
]

extension Command {
    static let allowAdd = Command(
        "allow add", operands: "NAME", count: 1...1,
        "Adds a network, or adds to one that exists: SSIDs, access points and so on.",
        options: networkOptions + [Option("--replace", nil, "write the network anew"), .dryRun, .noApply]
    ) { (invocation) throws(Failure) in
        let name = try networkName(invocation)
        return try change(name, invocation) { (old, rules) throws(Failure) in
            let base = invocation.has("--replace") ? nil : old
            if let base {
                try refuseWeakerDenial(base.file, invocation)
            } else if invocation.values("--ssid").isEmpty, invocation.values("--ssid-hex").isEmpty {
                throw .usage("a new network needs --ssid or --ssid-hex")
            }
            var changed = Changed(
                base?.file
                    ?? NetworkFile(network: Network(name: name, ssids: [], minimumEvidence: rules.minimumEvidence)),
                pins: base?.allPins ?? [])
            try changed.file.add(invocation)
            for pin in try patterns(invocation) where !changed.pins.contains(pin) { changed.pins.append(pin) }
            return changed
        }
    }

    static let allowRemove = Command(
        "allow remove", operands: "NAME", count: 1...1, "Removes a network, or with --bssid one of its access points.",
        options: [Option("--bssid", "B[/N]", "remove this pin only; may be repeated"), .dryRun, .noApply]
    ) { (invocation) throws(Failure) in
        let name = try networkName(invocation)
        let pins = try patterns(invocation)
        if pins.isEmpty { return try removeNetwork(name, invocation) }
        return try change(name, invocation) { (old, _) throws(Failure) in
            guard let old else { throw Failure("there is no network \"\(name)\"") }
            let listed = Set(old.allPins)
            if let pin = pins.first(where: { !listed.contains($0) }) { throw Failure("\(name) does not list \(pin)") }
            let remaining = old.allPins.filter { !pins.contains($0) }
            guard !remaining.isEmpty else {
                throw Failure(
                    "\(pins.count == 1 ? "\(pins[0]) is the last pin" : "these are the last pins") of \(name): without one it "
                        + "would mean every access point (remove the network, or write it anew with allow add --replace)"
                )
            }
            return Changed(old.file, pins: remaining)
        }
    }

    /// A network that denies every access point would, with a pin, deny that one only.
    private static func refuseWeakerDenial(_ old: NetworkFile, _ invocation: Invocation) throws(Failure) {
        if !invocation.values("--bssid").isEmpty, old.pins.isEmpty, old.pinFile == nil, old.network.action == .require {
            throw Failure(
                "\(old.network.name) denies every access point; with --bssid it would deny only that one "
                    + "(use --replace if you mean it)")
        }
    }
}

/// The operand NAME.
func networkName(_ invocation: Invocation) throws(Failure) -> String {
    let name = invocation.operands.first ?? ""
    guard isName(name) else {
        throw .usage("\"\(printable(name))\" cannot name a network (use a-z, 0-9 and -, at most 63, not - first)")
    }
    return name
}

/// The access points of `--bssid`.
private func patterns(_ invocation: Invocation) throws(Failure) -> [BSSIDPattern] {
    var patterns: [BSSIDPattern] = []
    for text in invocation.values("--bssid") {
        do { patterns.append(try BSSIDPattern(text)) } catch {
            throw .usage("--bssid cannot be \"\(printable(text))\" (\(error))")
        }
    }
    return patterns
}

extension NetworkFile {
    /// Adds what the options say.
    fileprivate mutating func add(_ invocation: Invocation) throws(Failure) {
        for text in invocation.values("--ssid") { try add(Array(text.utf8), "--ssid", text) }
        for text in invocation.values("--ssid-hex") {
            guard let bytes = bytes(hexadecimal: text) else {
                throw .usage("--ssid-hex cannot be \"\(printable(text))\" (two hexadecimal digits for each byte)")
            }
            try add(bytes, "--ssid-hex", text)
        }
        network.security.formUnion(try invocation.choices("--security", Security.allCases))
        network.minimumEvidence =
            try invocation.choice("--minimum-evidence", EvidenceLevel.allCases.filter { $0 > .none })
            ?? network.minimumEvidence
        network.action = try invocation.choice("--action", Network.Action.allCases) ?? network.action
        network.site = try invocation.value("--site") ?? network.site
        if let text = try invocation.value("--expires") {
            guard let day = Day(text) else {
                throw .usage("--expires cannot be \"\(printable(text))\" (a date such as 2027-01-31)")
            }
            network.expires = day
        }
        for (option, names) in [("--user", \Askers.users), ("--group", \.groups), ("--service", \.services)] {
            for name in invocation.values(option)
            where !network.askers[keyPath: names].contains(where: {
                $0.utf8.elementsEqual(name.utf8)
            }) {
                network.askers[keyPath: names].append(name)
            }
        }
    }

    private mutating func add(_ bytes: [UInt8], _ option: String, _ text: String) throws(Failure) {
        guard let ssid = SSID(bytes: bytes) else {
            throw .usage(
                bytes.isEmpty
                    ? "\(option) is empty (a network has a name of 1 to 32 bytes)"
                    : "\(option) \"\(printable(text))\" has \(bytes.count) bytes, the limit is 32 bytes")
        }
        if !network.ssids.contains(ssid) { network.ssids.append(ssid) }
    }
}
