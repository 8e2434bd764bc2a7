public import ProtectedFiles
public import Trust
public import Wireless

/// Everything that the configuration says, read from its files.
public struct Configuration: Sendable {
    public let rules: Rules
    /// The networks, by name.
    public let networks: [Listing]
    /// The files that do not count, because another of the same name comes first.
    public let hidden: [Hidden]
    /// Every file and directory that the configuration depends on.
    public let sources: [FileSnapshot]

    /// A file that another hides: by saying something else, or by saying nothing.
    public struct Hidden: Equatable, Sendable {
        public let path: String
        public let by: String
        /// Whether the other is a mask: an empty file, or a link to `/dev/null`.
        public let isMasked: Bool
    }

    /// One network, where it comes from, and its access points.
    public struct Listing: Equatable, Sendable {
        public let network: Network
        /// The access points of a network to trust, in no order.
        public let pins: [BSSIDPattern]
        public let file: NetworkFile
        /// The path in the tree.
        public let path: String
    }

    /// The directories that are searched; a file in an earlier one hides the file of the same name in a later one
    /// (UAPI Group, Configuration Files Specification).
    public static let directories = ["/etc/onsite", "/run/onsite", "/usr/lib/onsite"]

    /// The largest TOML file that is read, in bytes.
    static let sizeLimit = 1 << 20

    /// Reads the configuration.
    ///
    /// - Parameters:
    ///   - tree: where the files are.
    ///   - directories: where to look, first match first.
    /// - Throws: ``FileProblems`` with every mistake found. There is no half-read configuration.
    public static func load(
        from tree: ProtectedTree, directories: [String] = Self.directories
    ) throws(FileProblems) -> Configuration {
        var loader = Loader(tree: tree)
        let rules = loader.rules(in: directories)
        let networks = loader.networks(in: directories, rules.minimumEvidence)
        guard loader.problems.isEmpty else { throw FileProblems(all: loader.problems) }
        return Configuration(
            rules: rules, networks: networks, hidden: loader.hidden, sources: loader.sources)
    }
}

/// Reads files and remembers what was read and what was wrong.
private struct Loader {
    let tree: ProtectedTree
    var sources: [FileSnapshot] = []
    var hidden: [Configuration.Hidden] = []
    var problems: [FileProblem] = []

    /// Where files have a name: the path of each, first directory first. A masked name is left out.
    mutating func rules(in directories: [String]) -> Rules {
        for directory in directories {
            let path = directory + "/policy.toml"
            guard let entry = self.entry(at: path) else { continue }
            if entry.isMask { break }
            guard let bytes = contents(of: path, limit: Configuration.sizeLimit) else { break }
            let (rules, found) = Rules.parse(bytes, file: tree.systemPath(path))
            problems += found
            return rules
        }
        return Rules()
    }

    mutating func networks(in directories: [String], _ minimumEvidence: EvidenceLevel) -> [Configuration.Listing] {
        var first: [String: String] = [:]
        var listings: [Configuration.Listing] = []
        for directory in directories.map({ $0 + "/networks.d" }) {
            guard let found = entry(at: directory) else { continue }
            if !found.isOpen {
                problems.append(
                    FileProblem(
                        file: tree.systemPath(directory),
                        "its mode hides it from the gate, which runs without privilege",
                        hint: "chmod o+rx"))
            }
            for file in names(in: directory) where file.hasSuffix(".toml") && !file.hasPrefix(".") {
                let path = "\(directory)/\(file)"
                if let other = first[file] {
                    let isMasked = !listings.contains { $0.path == other }
                    hidden.append(Configuration.Hidden(path: path, by: other, isMasked: isMasked))
                    continue
                }
                first[file] = path
                if let listing = network(directory, file, minimumEvidence) { listings.append(listing) }
            }
        }
        return listings.sorted { $0.network.name < $1.network.name }
    }

    private mutating func network(
        _ directory: String, _ file: String, _ minimumEvidence: EvidenceLevel
    ) -> Configuration.Listing? {
        let path = "\(directory)/\(file)"
        let name = String(file.dropLast(5))
        guard let entry = self.entry(at: path), !entry.isMask else { return nil }
        guard isName(name) else {
            problems.append(
                FileProblem(
                    file: tree.systemPath(path), "\(quoted(name)) cannot name a network",
                    hint: "use a-z, 0-9 and -, at most 63, not - first"))
            return nil
        }
        guard let bytes = contents(of: path, limit: Configuration.sizeLimit) else { return nil }
        let (parsed, found) = NetworkFile.parse(
            bytes, name: name, file: tree.systemPath(path), minimumEvidence: minimumEvidence)
        problems += found
        let resolved = parsed.resolved(listed: parsed.pinFile.map { pins(of: "\(directory)/\($0)") } ?? [])
        return Configuration.Listing(network: resolved.network, pins: resolved.pins, file: parsed, path: path)
    }

    private mutating func pins(of path: String) -> [BSSIDPattern] {
        guard entry(at: path, required: true) != nil, let bytes = contents(of: path, limit: PinList.sizeLimit) else {
            return []
        }
        let (pins, found) = PinList.parse(bytes, file: tree.systemPath(path))
        problems += found
        return pins
    }

    /// What is at a path. Notes it as a source, also when there is nothing.
    private mutating func entry(at path: String, required: Bool = false) -> Entry? {
        do {
            let entry = try tree.entry(at: path)
            sources.append(FileSnapshot(path: path, identity: entry?.identity))
            if entry == nil, required {
                problems.append(FileProblem(file: tree.systemPath(path), "there is no such file"))
            }
            return entry
        } catch {
            problems.append(FileProblem(error))
            return nil
        }
    }

    private mutating func contents(of path: String, limit: Int) -> [UInt8]? {
        do { return try tree.contents(of: path, limit: limit).bytes } catch {
            problems.append(FileProblem(error))
            return nil
        }
    }

    private mutating func names(in directory: String) -> [String] {
        do { return try tree.names(in: directory) ?? [] } catch {
            problems.append(FileProblem(error))
            return []
        }
    }
}

extension FileProblem {
    /// A file that could not be believed, read or written.
    public init(_ error: ProtectedFileError) {
        self.init(file: error.path, error.problem)
    }
}

/// A configuration as a policy, without compiling it: for `lint`, `test` and `check --policy`.
extension Configuration: Policy {
    public func networks(named ssid: SSID) -> [Network] {
        networks.map(\.network).filter { $0.ssids.contains(ssid) }
    }

    public func lists(_ bssid: BSSID, in network: Network) -> Bool {
        networks.first { $0.network.name == network.name }?.pins.contains { $0.matches(bssid) } ?? false
    }
}
