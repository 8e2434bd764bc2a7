import CConstantDatabase
import Glibc
public import ProtectedFiles
public import Trust
public import Wireless

/// The compiled policy, open for reading: step 1 of the decision has been passed.
///
/// The file is mapped, not read, so that a decision costs the same with ten access points and with a million.
public final class CompiledPolicy: Policy {
    public let rules: Rules
    /// The file itself and all that it was compiled from: where each is in the tree.
    let files: [String]
    private let database: Database
    private let generation: [UInt8]
    /// What was found already. A machine is on few networks at a time.
    private var networksFound: [SSID: [Network]] = [:]
    private var pinsFound: [Pin: Bool] = [:]

    private struct Pin: Hashable {
        let network: String
        let bssid: BSSID
    }

    /// How much of either is remembered at most.
    private static let mostFound = 64

    /// Opens the policy of a tree and checks that it can be relied on: its owner, its integrity, its freshness.
    ///
    /// - Throws: ``Trust/PolicyFault`` with the reason of step 1.
    public init(in tree: ProtectedTree) throws(PolicyFault) {
        let file: ProtectedFile
        do { file = try tree.open(compiledPolicyPath) } catch {
            if error.isNotFound { throw PolicyFault(.policyMissing, "\(error)") }
            throw PolicyFault(error.isInsecure ? .policyInsecure : .policyInvalid, "\(error)")
        }
        let database = try Database(file)
        let head: Head
        do {
            guard let payload = try database.payload(of: .head, generation: Checksum.headKey) else {
                throw FieldReader.Damaged()
            }
            var reader = FieldReader(payload)
            head = try reader.readHead()
        } catch {
            throw database.fault("damaged, or written by another version of onsite")
        }
        try checkFreshness(of: head.sources, in: tree)
        files = [compiledPolicyPath] + head.sources.map(\.path)
        rules = head.rules
        generation = head.generation
        self.database = database
    }

    public func networks(named ssid: SSID) throws(PolicyFault) -> [Network] {
        if let found = networksFound[ssid] { return found }
        let networks =
            try read(.networks(ssid)) { (reader) throws(FieldReader.Damaged) in
                try reader.readArray { (reader) throws(FieldReader.Damaged) in try reader.readNetwork(named: ssid) }
            } ?? []
        if networksFound.count >= Self.mostFound { networksFound = [:] }
        networksFound[ssid] = networks
        return networks
    }

    public func lists(_ bssid: BSSID, in network: Network) throws(PolicyFault) -> Bool {
        let pin = Pin(network: network.name, bssid: bssid)
        if let found = pinsFound[pin] { return found }
        let isListed = try finds(bssid, in: network)
        if pinsFound.count >= Self.mostFound { pinsFound = [:] }
        pinsFound[pin] = isListed
        return isListed
    }

    private func finds(_ bssid: BSSID, in network: Network) throws(PolicyFault) -> Bool {
        let index = try read(.pins(network: network.name)) { (reader) throws(FieldReader.Damaged) in
            try reader.readPinIndex()
        }
        guard let index else { throw database.fault("the access points of \(network.name) are missing") }
        for length in BSSIDPattern.prefixLengths where index.prefixLengths & (1 << UInt64(length)) != 0 {
            let key = RecordKey.pin(network: index.number, prefix: bssid.masked(to: length), length: length)
            if try read(key, { _ in true }) == true { return true }
        }
        return false
    }

    /// Reads one record whole, or `nil` when there is none.
    private func read<Value>(
        _ key: RecordKey, _ body: (inout FieldReader) throws(FieldReader.Damaged) -> Value
    ) throws(PolicyFault) -> Value? {
        do throws(FieldReader.Damaged) {
            guard let payload = try database.payload(of: key, generation: generation) else { return nil }
            var reader = FieldReader(payload)
            let value = try body(&reader)
            guard reader.isAtEnd else { throw FieldReader.Damaged() }
            return value
        } catch {
            throw database.fault("a record is damaged")
        }
    }
}

/// Throws unless every file that the policy was compiled from is as it was then, and still root's alone.
private func checkFreshness(of sources: [FileSnapshot], in tree: ProtectedTree) throws(PolicyFault) {
    for source in sources {
        let entry: Entry?
        do { entry = try tree.entry(at: source.path) } catch {
            throw PolicyFault(error.isInsecure ? .policyInsecure : .policyStale, "\(error)")
        }
        guard entry?.identity == source.identity else {
            let change = entry == nil ? "is gone" : source.identity == nil ? "is new" : "changed"
            throw PolicyFault(.policyStale, "\(tree.systemPath(source.path)): \(change) since the policy was compiled")
        }
    }
}

/// A mapped constant database.
@safe private final class Database {
    private let path: String
    private var state = unsafe cdb()
    /// The mapping outlives the descriptor; it stays open because the library wants it so.
    private let file: FileDescriptor

    init(_ file: consuming ProtectedFile) throws(PolicyFault) {
        path = file.path
        self.file = file.takeDescriptor()
        guard unsafe cdb_init(&state, self.file.rawValue) == 0 else {
            throw fault("damaged: \(SystemError(call: "cdb_init", code: errno))")
        }
    }

    deinit {
        unsafe cdb_free(&state)
    }

    func fault(_ problem: String) -> PolicyFault {
        PolicyFault(.policyInvalid, "\(path): \(problem)")
    }

    /// What a record says, without its checksum; `nil` when there is no such record.
    func payload(of key: RecordKey, generation: [UInt8]) throws(FieldReader.Damaged) -> [UInt8]? {
        let key = key.bytes
        switch unsafe cdb_find(&state, key, UInt32(clamping: key.count)) {
        case 0: return nil
        case 1: break
        default: throw FieldReader.Damaged()
        }
        let length = unsafe state.cdb_vlen
        // The library answers null when the record lies outside of the mapping, which lives as long as `self`.
        guard let start = unsafe cdb_get(&state, length, state.cdb_vpos) else { throw FieldReader.Damaged() }
        let value = unsafe UnsafeRawBufferPointer(start: start, count: Int(length))
        guard value.count >= Checksum.length else { throw FieldReader.Damaged() }
        let payload = unsafe Array(value.dropLast(Checksum.length))
        let expected = Checksum(of: payload, under: key, generation: generation)
        guard unsafe expected.bytes == Array(value.suffix(Checksum.length)) else { throw FieldReader.Damaged() }
        return payload
    }
}
