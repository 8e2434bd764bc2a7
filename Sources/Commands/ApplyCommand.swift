import Gate
import Glibc
import PolicyFiles
import PolicyStore
import ProtectedFiles
import Trust
import Wireless

extension Command {
    static let apply = Command("apply", "Compiles the policy. If anything is wrong, the running one stays.") {
        (invocation) throws(Failure) in
        let tree = try invocation.tree()
        let lock = try locked(tree)
        let configuration = try applyPolicy(in: tree)
        _ = consume lock
        invocation.output.print(report(on: configuration))
        return 0
    }
}

/// Keeps every other command from changing the configuration for as long as the result lives.
func locked(_ tree: ProtectedTree) throws(Failure) -> FileDescriptor {
    do throws(ProtectedFileError) {
        try tree.makeDirectory("/var/lib/onsite")
        let lock = try tree.lock("/var/lib/onsite/lock")
        for directory in ["/var/lib/onsite", "/etc/onsite", "/etc/onsite/networks.d"] {
            try tree.removeLeftovers(in: directory)
        }
        return lock
    } catch {
        throw Failure(error)
    }
}

/// Reads the configuration, compiles it and puts it in force. The caller holds ``locked(_:)``.
@discardableResult
func applyPolicy(in tree: ProtectedTree) throws(Failure) -> Configuration {
    let configuration = try loadConfiguration(tree)
    do throws(ProtectedFileError) {
        try PrivacyKey.make(in: tree)
        try writePolicy(
            configuration.rules, configuration.networks.map { PinnedNetwork(network: $0.network, pins: $0.pins) },
            sources: configuration.sources, to: tree)
    } catch {
        throw Failure(error)
    }
    return configuration
}

/// Reads the configuration, or fails with everything that is wrong with it.
func loadConfiguration(
    _ tree: ProtectedTree, directories: [String] = Configuration.directories
) throws(Failure) -> Configuration {
    do throws(FileProblems) { return try Configuration.load(from: tree, directories: directories) } catch {
        throw Failure(error.all.map(\.description))
    }
}

/// The tree of `--policy DIR`, in which DIR itself holds `policy.toml` and `networks.d`.
func sourceTree(_ directory: String, _ invocation: Invocation) throws(Failure) -> ProtectedTree {
    guard !invocation.has("--root") else { throw .usage("--policy goes without --root") }
    guard let root = absolutePath(directory) else { throw .usage("--policy \(printable(directory)): \(errorText())") }
    return ProtectedTree(root: root)
}

/// What a policy holds, in one line.
func report(on configuration: Configuration) -> String {
    let networks = configuration.networks.count
    let pins = configuration.networks.reduce(0) { $0 + $1.pins.count + $1.network.denied.count }
    return "policy applied: \(counted(networks, "network")), \(counted(pins, "pinned access point"))"
}

/// A number and a noun.
func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension Failure {
    /// A file that could not be read or written.
    init(_ error: ProtectedFileError) {
        var message = printable("\(error)")
        if case .system(_, let cause) = error, cause.code == EACCES || cause.code == EPERM, geteuid() != 0 {
            message += " (run it as root)"
        }
        self.init(message)
    }
}
