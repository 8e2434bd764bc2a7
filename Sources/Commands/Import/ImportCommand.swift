import PolicyFiles
import ProtectedFiles
import Trust
import Wireless

extension Command {
    static let allowImport = Command(
        "allow import", operands: "FILE", count: 1...1,
        "Adds the access points of a file to a network, all or none.\n\n"
            + "FILE (-: standard input) is a table with a header, a scan, a controller's list or an export of ours.",
        options: [
            Option("--name", "NAME", "the network; not needed for an export of ours"),
            Option("--format", "F", InventoryFormat.allCases.map(\.rawValue).joined(separator: ", ")),
            Option("--column", "KEY=NAME", "the column that holds ssid, bssid, security or site; may be repeated"),
            Option("--ssid", "TEXT", "take the access points of this name; may be repeated"),
            Option("--site", "TEXT", "a label for a new network"),
            Option("--security", "NAME", "what a new network may offer; may be repeated"),
            Option("--merge", nil, "add to what is listed (default)"),
            Option("--replace", nil, "write the network anew"),
            Option("--prune", nil, "remove what the file no longer has"),
            Option("--yes", nil, "do not ask before more than a tenth is removed"),
            .dryRun, .noApply,
        ]
    ) { (invocation) throws(Failure) in
        if ["--merge", "--replace", "--prune"].filter({ invocation.has($0) }).count > 1 {
            throw .usage("--merge, --replace and --prune go one at a time")
        }
        let inventory = try readInventory(invocation)
        guard inventory.messages.isEmpty else {
            throw Failure(inventory.messages + ["nothing was imported"])
        }
        return inventory.networks.isEmpty
            ? try importRows(inventory, invocation) : try importNetworks(inventory.networks, invocation)
    }
}

private func readInventory(_ invocation: Invocation) throws(Failure) -> Inventory {
    let path = invocation.operands.first ?? "-"
    let shown = path == "-" ? "standard input" : printable(path)
    let bytes = try readInput(path, limit: 1 << 30, status: 1)
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
        throw Failure("\(shown): the file is UTF-16 (save it as UTF-8)")
    }
    guard !bytes.contains(0) else { throw Failure("\(shown): the file holds NUL bytes (is it a text file?)") }
    guard
        let format = try invocation.choice("--format", InventoryFormat.allCases) ?? InventoryFormat(recognizing: bytes)
    else { throw Failure("\(shown): the format is not recognised (name it with --format)") }

    var columns: [String: String] = [:]
    for pair in invocation.values("--column") {
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        guard let key = parts.first, let name = parts.dropFirst().first,
            ["ssid", "bssid", "security", "site"].contains(key)
        else { throw .usage("--column cannot be \"\(printable(pair))\" (such as bssid=\"BSSID Address\")") }
        columns[key] = name
    }
    switch format {
    case .csv, .wigle:
        let progress = Progress("reading \(shown)")
        defer { progress.finish() }
        return Inventory(
            csv: bytes, file: shown, columns: columns, isWigle: format == .wigle, progress: progress.update)
    case .netxml: return Inventory(netxml: bytes, file: shown)
    case .iw: return Inventory(iw: bytes, file: shown)
    case .json, .unifi, .meraki, .aruba: return Inventory(json: bytes, file: shown)
    case .toml:
        var inventory = Inventory(file: shown)
        let (networks, problems) = NetworkFile.parseExport(bytes, file: shown)
        inventory.networks = networks
        for problem in problems { inventory.fail(problem.line, problem.problem, hint: problem.hint) }
        return inventory
    }
}

/// Adds access points to one network.
private func importRows(_ inventory: Inventory, _ invocation: Invocation) throws(Failure) -> Int32 {
    guard let text = try invocation.value("--name"), isName(text) else {
        throw .usage("--name NAME says which network the access points belong to (a-z, 0-9 and -)")
    }
    return try change(text, invocation) { (old, rules) throws(Failure) in
        var names = Set(invocation.has("--replace") ? [] : old?.network.ssids ?? [])
        for text in invocation.values("--ssid") {
            guard let ssid = SSID(bytes: Array(text.utf8)) else { throw .usage("--ssid must have 1 to 32 bytes") }
            names.insert(ssid)
        }
        let found = inventory.names
        if names.isEmpty {
            // One name in an inventory is the network's. Names from the air are anybody's.
            guard !inventory.isFromTheAir, found.count == 1 else {
                let shownNames = found.sorted { $0.description < $1.description }.prefix(5).map(shown).joined(
                    separator: ", ")
                throw Failure(
                    "\(inventory.file): the file has \(counted(found.count, "name")): \(shownNames)\(found.count > 5 ? ", …" : "")"
                        + " (say with --ssid which one is meant)")
            }
            names = found
        }
        let chosen = inventory.pins(named: names)
        guard !chosen.isEmpty else { throw Failure("\(inventory.file): no access point of that name is in it") }
        report(inventory, chosen.count, to: invocation.output)

        var file =
            old.map(\.file)
            ?? NetworkFile(network: Network(name: text, ssids: [], minimumEvidence: rules.minimumEvidence))
        if invocation.has("--replace") {
            file = NetworkFile(network: Network(name: text, ssids: [], minimumEvidence: rules.minimumEvidence))
        }
        for ssid in names.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) })
        where !file.network.ssids.contains(ssid) {
            file.network.ssids.append(ssid)
        }
        file.network.security.formUnion(try invocation.choices("--security", Security.allCases))
        file.network.site = try invocation.value("--site") ?? file.network.site ?? inventory.site(of: names)
        return try Changed(
            file,
            pins: merged(chosen, into: invocation.has("--replace") ? [] : old?.allPins ?? [], invocation))
    }
}

/// What is left out of a file, in one line.
private func report(_ inventory: Inventory, _ chosen: Int, to output: Output) {
    var parts = [counted(chosen, "access point")]
    let others = inventory.rows.count - chosen
    if others > 0 { parts.append("\(others) of other names left out") }
    if inventory.weak > 0 { parts.append("\(inventory.weak) that prove no key left out") }
    if inventory.hidden > 0 { parts.append("\(inventory.hidden) that hide their name left out") }
    output.print("\(inventory.file): \(parts.joined(separator: ", "))")
}

/// The access points after an import, in the order of the old list with the new ones behind.
private func merged(
    _ new: [BSSIDPattern], into old: [BSSIDPattern], _ invocation: Invocation
) throws(Failure) -> [BSSIDPattern] {
    var known = PatternSet(old)
    var result = old
    if invocation.has("--prune") {
        let wanted = PatternSet(new)
        // A prefix stays as long as the file has one of its addresses.
        let prefixes = PatternSet(old.filter { $0.prefixLength < 48 })
        let used = PatternSet(new.compactMap { prefixes.covering($0) })
        result = old.filter { wanted.contains($0) || used.contains($0) }
        let removed = old.count - result.count
        invocation.output.print("\(counted(removed, "access point")) removed that the file no longer has")
        if removed * 10 > old.count, !invocation.has("--yes") {
            throw Failure("more than a tenth of \(old.count) would be removed (use --yes if that is meant)")
        }
        known = PatternSet(result)
    }
    for pin in new where known.insertUnlessCovered(pin) { result.append(pin) }
    return result
}

/// Restores whole networks.
private func importNetworks(_ networks: [NetworkFile], _ invocation: Invocation) throws(Failure) -> Int32 {
    let name = try invocation.value("--name")
    let chosen = name.map { name in networks.filter { $0.network.name == name } } ?? networks
    guard !chosen.isEmpty else { throw Failure("there is no network \"\(printable(name ?? ""))\" in the file") }
    return try changeAll(chosen.map(\.network.name), invocation) { (name, old, _) throws(Failure) in
        guard var new = chosen.first(where: { $0.network.name == name }) else { throw Failure("there is no \(name)") }
        let pins = new.pins
        new.pins = []
        guard let old, !invocation.has("--replace") else { return Changed(new, pins: pins) }
        // What the export says of the network counts; its access points are added.
        new.pins = old.file.pins
        new.pinFile = old.file.pinFile
        for ssid in old.network.ssids where !new.network.ssids.contains(ssid) { new.network.ssids.append(ssid) }
        return Changed(new, pins: try merged(pins, into: old.allPins, invocation))
    }
}
