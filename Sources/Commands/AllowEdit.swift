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

private let noApply = Option("--no-apply", nil, "change the file, but leave the running policy as it is")

extension Command {
    static let allowAdd = Command(
        "allow add", operands: "NAME", count: 1...1,
        "Adds a network, or adds to one that exists: SSIDs, access points and so on.",
        options: networkOptions + [Option("--replace", nil, "write the network anew"), noApply]
    ) { (invocation) throws(Failure) in
        let name = try networkName(invocation)
        return try edit(name, invocation) { (old, rules) throws(Failure) in
            var file =
                invocation.has("--replace") ? nil : old
            if file == nil, invocation.values("--ssid").isEmpty, invocation.values("--ssid-hex").isEmpty {
                throw .usage("a new network needs --ssid or --ssid-hex")
            }
            var changed =
                file ?? NetworkFile(network: Network(name: name, ssids: [], minimumEvidence: rules.minimumEvidence))
            if let file { try refuseWidening(file, invocation) }
            try changed.add(invocation)
            file = changed
            return changed
        }
    }

    static let allowRemove = Command(
        "allow remove", operands: "NAME", count: 1...1, "Removes a network, or with --bssid one of its access points.",
        options: [Option("--bssid", "B[/N]", "remove this pin only; may be repeated"), noApply]
    ) { (invocation) throws(Failure) in
        let name = try networkName(invocation)
        let pins = try patterns(invocation)
        if pins.isEmpty { return try remove(name, invocation) }
        return try edit(name, invocation) { (old, _) throws(Failure) in
            guard var file = old else { throw Failure("there is no network \"\(name)\"") }
            for pin in pins {
                guard let index = file.pins.firstIndex(of: pin) else {
                    let place = file.pinFile.map { " (is it in \($0)? edit that list)" } ?? ""
                    throw Failure("\(name) does not list \(pin)\(place)")
                }
                file.pins.remove(at: index)
            }
            guard !file.pins.isEmpty || file.pinFile != nil else {
                throw Failure(
                    "\(pins.count == 1 ? "\(pins[0]) is the last pin" : "these are the last pins") of \(name): without one it "
                        + "would mean every access point (remove the network, or write it anew with allow add --replace)"
                )
            }
            return file
        }
    }

    /// Adding a pin to a network that has none narrows it; everything else that widens a list that stands for
    /// "everybody" or "anything" would narrow what people think they widen.
    private static func refuseWidening(_ old: NetworkFile, _ invocation: Invocation) throws(Failure) {
        if !invocation.values("--bssid").isEmpty, !old.network.isPinned, old.network.action == .require {
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

/// Changes the file of one network and applies the policy.
///
/// - Parameter change: what the file is to say, from what it says, `nil` when there is none.
func edit(
    _ name: String, _ invocation: Invocation, change: (NetworkFile?, Rules) throws(Failure) -> NetworkFile
) throws(Failure) -> Int32 {
    let tree = try invocation.tree()
    let lock = try locked(tree)
    // A configuration with a mistake is not edited: what it means is not known.
    let configuration = try loadConfiguration(tree)
    let old = configuration.networks.first { $0.network.name == name }
    let new = try change(old?.file, configuration.rules)

    let path = "/etc/onsite/networks.d/\(name).toml"
    let bytes: [UInt8]
    if let old, !invocation.has("--replace") {
        guard old.path == path || old.file.pinFile == nil else {
            throw Failure("\(old.path) has a list beside it: copy both to /etc/onsite/networks.d and edit them there")
        }
        bytes = try text(of: new, from: old.path, in: tree, configuration.rules)
    } else {
        bytes = Array(new.toml.utf8)
        let (_, problems) = NetworkFile.parse(
            bytes, name: name, file: tree.systemPath(path), minimumEvidence: configuration.rules.minimumEvidence)
        guard problems.isEmpty else { throw Failure(problems.map(\.description)) }
    }
    do throws(ProtectedFileError) {
        try tree.makeDirectory("/etc/onsite/networks.d")
        try tree.replace(path) { (file) throws(SystemError) in try file.writeAll(bytes) }
    } catch {
        throw Failure(error)
    }
    return try finish(invocation, old == nil ? "added \(name)" : "changed \(name)", lock)
}

private func text(
    of new: NetworkFile, from path: String, in tree: ProtectedTree, _ rules: Rules
) throws(Failure) -> [UInt8] {
    let old: [UInt8]
    do throws(ProtectedFileError) { old = try tree.contents(of: path, limit: 1 << 20).bytes } catch {
        throw Failure(error)
    }
    do throws(FileProblems) {
        return try new.edited(old, path: tree.systemPath(path), minimumEvidence: rules.minimumEvidence)
    } catch {
        throw Failure(error.all.map(\.description))
    }
}

private func remove(_ name: String, _ invocation: Invocation) throws(Failure) -> Int32 {
    let tree = try invocation.tree()
    let lock = try locked(tree)
    let listing = try loadConfiguration(tree).listing(named: name)
    guard listing.path.hasPrefix("/etc/") else {
        throw Failure(
            "\(listing.path) belongs to a package (hide it with: ln -s /dev/null /etc/onsite/networks.d/\(name).toml)")
    }
    do throws(ProtectedFileError) { try tree.remove(listing.path) } catch { throw Failure(error) }
    return try finish(invocation, "removed \(name)", lock)
}

/// Applies the policy after an edit.
private func finish(
    _ invocation: Invocation, _ what: String, _ lock: borrowing FileDescriptor
) throws(Failure) -> Int32 {
    if invocation.has("--no-apply") {
        invocation.output.print("\(what); not applied")
    } else {
        invocation.output.print("\(what); \(report(on: try applyPolicy(in: try invocation.tree())))")
    }
    return 0
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
        for pin in try patterns(invocation) where !pins.contains(pin) { pins.append(pin) }
        network.isPinned = !pins.isEmpty || pinFile != nil
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
