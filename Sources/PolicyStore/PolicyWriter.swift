import CConstantDatabase
import CSodium
import Glibc
public import ProtectedFiles
public import Trust
public import Wireless

/// Where the compiled policy is.
public let compiledPolicyPath = "/var/lib/onsite/policy.cdb"

/// A network and the access points that it pins, as the compiler takes it.
public struct PinnedNetwork: Sendable {
    public let network: Network
    public let pins: [BSSIDPattern]

    public init(network: Network, pins: [BSSIDPattern]) {
        self.network = network
        self.pins = pins
    }
}

/// Compiles a policy and puts it in the place of the running one, whole or not at all.
///
/// - Parameter sources: every file that the policy depends on. When one of them changes, the policy is stale.
public func writePolicy(
    _ rules: Rules, _ networks: [PinnedNetwork], sources: [FileSnapshot], to tree: ProtectedTree
) throws(ProtectedFileError) {
    var generation = [UInt8](repeating: 0, count: Head.generationLength)
    unsafe randombytes_buf(&generation, generation.count)
    let head = Head(generation: generation, rules: rules, sources: sources)

    try tree.makeDirectory("/var/lib/onsite")
    try tree.replace(compiledPolicyPath, attributes: .fresh(mode: 0o644)) { (file) throws(SystemError) in
        let database = try DatabaseWriter(file)
        var writer = FieldWriter()
        writer.write(head)
        try database.add(.head, writer.bytes, generation: Checksum.headKey)
        for (ssid, named) in groupedBySSID(networks.map(\.network)) {
            var writer = FieldWriter()
            writer.write(named) { $0.write($1) }
            try database.add(.networks(ssid), writer.bytes, generation: generation)
        }
        for (number, network) in networks.enumerated() where network.network.isPinned {
            let number = UInt32(clamping: number)
            var writer = FieldWriter()
            writer.write(
                PinIndex(number: number, prefixLengths: network.pins.reduce(0) { $0 | 1 << UInt64($1.prefixLength) }))
            try database.add(.pins(network: network.network.name), writer.bytes, generation: generation)
            for pin in network.pins {
                let key = RecordKey.pin(network: number, prefix: pin.rawValue, length: pin.prefixLength)
                try database.add(key, [], generation: generation)
            }
        }
        try database.finish()
    }
}

private func groupedBySSID(_ networks: [Network]) -> [SSID: [Network]] {
    var groups: [SSID: [Network]] = [:]
    for network in networks {
        for ssid in network.ssids { groups[ssid, default: []].append(network) }
    }
    return groups
}

/// A constant database that is being written.
@safe private final class DatabaseWriter {
    private let state: UnsafeMutablePointer<cdb_make>
    private var isFinished = false

    init(_ file: borrowing FileDescriptor) throws(SystemError) {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: cdb_make())
        guard unsafe cdb_make_start(state, file.rawValue) == 0 else {
            throw SystemError(call: "cdb_make_start", code: errno)
        }
    }

    deinit {
        // The library frees its index in `finish` alone, also when that fails.
        if !isFinished { unsafe cdb_make_finish(state) }
        unsafe state.deallocate()
    }

    func add(_ key: RecordKey, _ payload: [UInt8], generation: [UInt8]) throws(SystemError) {
        let key = key.bytes
        let value = payload + Checksum(of: payload, under: key, generation: generation).bytes
        guard unsafe cdb_make_add(state, key, UInt32(clamping: key.count), value, UInt32(clamping: value.count)) == 0
        else { throw SystemError(call: "cdb_make_add", code: errno) }
    }

    func finish() throws(SystemError) {
        isFinished = true
        guard unsafe cdb_make_finish(state) == 0 else { throw SystemError(call: "cdb_make_finish", code: errno) }
    }
}
