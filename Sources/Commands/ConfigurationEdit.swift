import PolicyFiles
import ProtectedFiles
import Trust
import Wireless

extension Option {
    static let noApply = Option("--no-apply", nil, "change the files, but leave the running policy as it is")
    static let dryRun = Option("--dry-run", nil, "show what would change, and change nothing")
}

/// What a network is to be after a command.
struct Changed {
    /// Everything but the access points.
    var file: NetworkFile
    /// All access points, whether they stand in the file or in the list beside it.
    var pins: [BSSIDPattern]

    init(_ file: NetworkFile, pins: [BSSIDPattern]) {
        self.file = file
        self.pins = pins
    }
}

/// Changes one network and applies the policy.
///
/// - Parameter body: what the network is to be, from what it is, `nil` when there is none.
func change(
    _ name: String, _ invocation: Invocation,
    body: (Configuration.Listing?, Rules) throws(Failure) -> Changed
) throws(Failure) -> Int32 {
    try changeAll([name], invocation) { (_, old, rules) throws(Failure) in try body(old, rules) }
}

/// Changes networks and applies the policy. Nothing is written before all of it is known to be right.
func changeAll(
    _ names: [String], _ invocation: Invocation,
    body: (String, Configuration.Listing?, Rules) throws(Failure) -> Changed
) throws(Failure) -> Int32 {
    let tree = try invocation.tree()
    let lock = try locked(tree)
    // A configuration with a mistake is not edited: what it means is not known.
    let configuration = try loadConfiguration(tree)
    var changes: [FileChange] = []
    var messages: [String] = []
    for name in names {
        let old = configuration.networks.first { $0.network.name == name }
        let changed = try body(name, old, configuration.rules)
        changes += try fileChanges(
            name, changed, from: invocation.has("--replace") ? nil : old, in: tree, configuration.rules)
        messages.append("\(old == nil ? "added" : "changed") \(name)")
    }
    if invocation.has("--dry-run") {
        for change in changes { change.printDiff(to: invocation.output, tree) }
        return 0
    }
    do throws(ProtectedFileError) {
        try tree.makeDirectory("/etc/onsite/networks.d")
        for change in changes where change.old != change.new {
            try tree.replace(change.path) { (file) throws(SystemError) in try file.writeAll(change.new) }
        }
    } catch {
        throw Failure(error)
    }
    return try finish(invocation, messages.joined(separator: ", "), lock)
}

/// Removes one network and applies the policy.
func removeNetwork(_ name: String, _ invocation: Invocation) throws(Failure) -> Int32 {
    let tree = try invocation.tree()
    let lock = try locked(tree)
    let listing = try loadConfiguration(tree).listing(named: name)
    guard listing.path.hasPrefix("/etc/") else {
        throw Failure(
            "\(listing.path) belongs to a package (hide it with: ln -s /dev/null /etc/onsite/networks.d/\(name).toml)")
    }
    for directory in Configuration.directories.dropFirst() {
        let hidden = "\(directory)/networks.d/\(name).toml"
        guard try exists(hidden, in: tree) else { continue }
        throw Failure(
            "\(tree.systemPath(hidden)) has \(name) too and would be in force again (hide both with: "
                + "ln -sf /dev/null \(tree.systemPath(listing.path)), then: onsite apply)")
    }
    if invocation.has("--dry-run") {
        invocation.output.print("\(tree.systemPath(listing.path)) would be removed")
        return 0
    }
    do throws(ProtectedFileError) { try tree.remove(listing.path) } catch { throw Failure(error) }
    return try finish(invocation, "removed \(name)", lock)
}

/// Applies the policy after an edit.
private func finish(_ invocation: Invocation, _ what: String, _ lock: borrowing FileDescriptor) throws(Failure) -> Int32
{
    if invocation.has("--no-apply") {
        invocation.output.print("\(what); not applied")
    } else {
        invocation.output.print("\(what); \(report(on: try applyPolicy(in: try invocation.tree())))")
    }
    return 0
}

/// How many access points stand in a network's own file before they get a list of their own.
private let inlineLimit = 50

/// The files that make a network what it is to be: its own, and its list where it has one, the list first.
private func fileChanges(
    _ name: String, _ changed: Changed, from old: Configuration.Listing?, in tree: ProtectedTree, _ rules: Rules
) throws(Failure) -> [FileChange] {
    let directory = "/etc/onsite/networks.d"
    var file = changed.file
    var changes: [FileChange] = []
    let inline = old.map { $0.file.pins.isEmpty ? [] : $0.file.pins.filter(PatternSet(changed.pins).contains) } ?? []
    if file.pinFile == nil, changed.pins.count - inline.count > inlineLimit { file.pinFile = "\(name).bssids" }
    if let pinFile = file.pinFile {
        file.pins = inline
        let known = PatternSet(inline)
        let listed = inline.isEmpty ? changed.pins : changed.pins.filter { !known.contains($0) }
        if listed.isEmpty {
            throw Failure("the list \(pinFile) of \(name) would be empty (remove the network instead)")
        }
        let oldList = old?.file.pinFile.map { "\(old?.path.droppingLastComponent ?? directory)/\($0)" }
        let text = try oldList.map { (path) throws(Failure) in try contents(of: path, in: tree, limit: 1 << 30) } ?? []
        let oldListed = text.isEmpty ? [] : Array((old?.allPins ?? []).dropFirst(old?.file.pins.count ?? 0))
        changes.append(
            FileChange(
                path: "\(directory)/\(pinFile)", old: oldList == "\(directory)/\(pinFile)" ? text : [],
                new: edited(list: text, from: oldListed, to: listed)))
    } else {
        file.pins = changed.pins
    }
    file.network.isPinned = !file.pins.isEmpty || file.pinFile != nil
    if old?.network.isPinned == true, !file.network.isPinned {
        throw Failure(
            "\(name) would have no access point left, which would mean every access point (remove the network, or write it anew with --replace)"
        )
    }

    let path = "\(directory)/\(name).toml"
    let text = try old.map { (old) throws(Failure) in try contents(of: old.path, in: tree, limit: 1 << 20) }
    let new: [UInt8]
    do throws(FileProblems) {
        if let text {
            new = try file.edited(text, path: tree.systemPath(path), minimumEvidence: rules.minimumEvidence)
        } else {
            new = try file.checkedTOML(path: tree.systemPath(path))
        }
    } catch {
        throw Failure(error.all.map(\.description))
    }
    changes.append(FileChange(path: path, old: old?.path == path ? text ?? [] : [], new: new))
    return changes
}

private func exists(_ path: String, in tree: ProtectedTree) throws(Failure) -> Bool {
    do throws(ProtectedFileError) { return try tree.entry(at: path) != nil } catch { throw Failure(error) }
}

private func contents(of path: String, in tree: ProtectedTree, limit: Int) throws(Failure) -> [UInt8] {
    do throws(ProtectedFileError) { return try tree.contents(of: path, limit: limit).bytes } catch {
        throw Failure(error)
    }
}

/// The text of a list with exactly these access points: lines that stay are left alone, comments too, new ones come last.
private func edited(list: [UInt8], from old: [BSSIDPattern], to pins: [BSSIDPattern]) -> [UInt8] {
    if pins.starts(with: old) { return appending(pins[old.count...], to: list) }
    var missing = Set(pins)
    var text: [UInt8] = []
    text.reserveCapacity(list.count + 18 * 16)
    PinList.forEachLine(of: list) { _, line, entry in
        let pin = try? BSSIDPattern(ascii: list.span.extracting(entry))
        if entry.isEmpty || pin.map({ missing.remove($0) != nil }) == true { text += list[line] }
    }
    return appending(pins.filter { missing.contains($0) }[...], to: text)
}

private func appending(_ pins: ArraySlice<BSSIDPattern>, to list: [UInt8]) -> [UInt8] {
    var text = list
    text.reserveCapacity(list.count + 21 * pins.count)
    if let last = text.last, last != UInt8(ascii: "\n"), !pins.isEmpty { text.append(UInt8(ascii: "\n")) }
    for pin in pins { pin.append(to: &text) }
    return text
}

extension NetworkFile {
    /// The file as TOML, if reading it gives back the same.
    fileprivate func checkedTOML(path: String) throws(FileProblems) -> [UInt8] {
        let bytes = Array(toml.utf8)
        let (read, problems) = NetworkFile.parse(bytes, name: network.name, file: path, minimumEvidence: .protected)
        guard problems.isEmpty else { throw FileProblems(all: problems) }
        guard read.means(self) else { throw FileProblems(all: [FileProblem(file: path, "cannot be written as TOML")]) }
        return bytes
    }
}

extension String {
    fileprivate var droppingLastComponent: String {
        split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }
}
