import ProtectedFiles
import Trust
import Wireless

/// The first record of a compiled policy: what holds for the whole machine.
struct Head: Equatable {
    /// The version of the format. Another version is not read.
    static let version: UInt32 = 2

    /// The key of every other record's checksum, so that no record of an older file passes.
    let generation: [UInt8]
    let rules: Rules
    let sources: [FileSnapshot]

    static let generationLength = 16
}

/// Where the pins of one network are: the number in their keys, and the lengths of their prefixes.
struct PinIndex: Equatable {
    let number: UInt32
    /// Bit N stands for the prefix length N.
    let prefixLengths: UInt64
}

extension FieldWriter {
    mutating func write(_ head: Head) {
        write(Head.version)
        write(bytes: head.generation)
        write(head.rules)
        write(head.sources) { writer, source in
            writer.write(source.path)
            writer.write(source.identity) { writer, identity in
                writer.write(identity.inode)
                writer.write(identity.size)
                writer.write(identity.modified)
            }
        }
    }

    private mutating func write(_ rules: Rules) {
        write(rules.minimumEvidence.rawValue)
        write(rules.stations.rawValue)
        write(rules.remoteSessions.rawValue)
        write(rules.wait)
        write(rules.alwaysRequire)
        write(rules.identifiers.rawValue)
        write(rules.consent.rawValue)
        write(rules.locksSessions)
        write(rules.purposes) { writer, purpose in
            writer.write(purpose.key)
            writer.write(purpose.sentence)
        }
    }

    private mutating func write(_ askers: Askers) {
        for names in [askers.users, askers.groups, askers.services] {
            write(names) { $0.write($1) }
        }
    }

    /// The SSIDs of a network are not written: they are the key that it is found under.
    mutating func write(_ network: Network) {
        write(network.name)
        write(network.isPinned)
        write(network.denied) { writer, pattern in
            writer.write(pattern.rawValue)
            writer.write(UInt8(clamping: pattern.prefixLength))
        }
        write(network.security.map(\.rawValue).sorted()) { $0.write($1) }
        write(network.minimumEvidence.rawValue)
        write(network.action.rawValue)
        write(network.site) { $0.write($1) }
        write(network.askers)
        write(network.expires) { $0.write($1.description) }
    }

    mutating func write(_ index: PinIndex) {
        write(index.number)
        write(index.prefixLengths)
    }
}

extension FieldReader {
    mutating func readHead() throws(Damaged) -> Head {
        guard try read(UInt32.self) == Head.version else { throw Damaged() }
        let generation = Array(try readBytes())
        guard generation.count == Head.generationLength else { throw Damaged() }
        let rules = try readRules()
        let sources = try readArray { (reader) throws(Damaged) in
            let path = try reader.readText()
            let identity = try reader.readOptional { (reader) throws(Damaged) in
                FileIdentity(inode: try reader.read(), size: try reader.read(), modified: try reader.read())
            }
            return FileSnapshot(path: path, identity: identity)
        }
        guard isAtEnd else { throw Damaged() }
        return Head(generation: generation, rules: rules, sources: sources)
    }

    private mutating func readRules() throws(Damaged) -> Rules {
        var rules = Rules()
        rules.minimumEvidence = try readChoice()
        rules.stations = try readChoice()
        rules.remoteSessions = try readChoice()
        rules.wait = try read()
        rules.alwaysRequire = try readAskers()
        rules.identifiers = try readChoice()
        rules.consent = try readChoice()
        rules.locksSessions = try readFlag()
        rules.purposes = try readArray { (reader) throws(Damaged) in
            Purpose(key: try reader.readText(), sentence: try reader.readText())
        }
        return rules
    }

    private mutating func readAskers() throws(Damaged) -> Askers {
        func names(_ reader: inout FieldReader) throws(Damaged) -> [String] {
            try reader.readArray { (reader) throws(Damaged) in try reader.readText() }
        }
        return Askers(users: try names(&self), groups: try names(&self), services: try names(&self))
    }

    mutating func readNetwork(named ssid: SSID) throws(Damaged) -> Network {
        var network = Network(name: try readText(), ssids: [ssid])
        network.isPinned = try readFlag()
        network.denied = try readArray { (reader) throws(Damaged) in try reader.readPattern() }
        network.security = Set(try readArray { (reader) throws(Damaged) in try reader.readChoice(Security.self) })
        network.minimumEvidence = try readChoice()
        network.action = try readChoice()
        network.site = try readOptional { (reader) throws(Damaged) in try reader.readText() }
        network.askers = try readAskers()
        network.expires = try readOptional { (reader) throws(Damaged) in
            guard let day = Day(try reader.readText()) else { throw Damaged() }
            return day
        }
        return network
    }

    private mutating func readPattern() throws(Damaged) -> BSSIDPattern {
        let value = try read(UInt64.self)
        let length = Int(try read(UInt8.self))
        do {
            guard value >> 48 == 0 else { throw Damaged() }
            return try BSSIDPattern(address: BSSID(bytes: octets(of: value)), prefixLength: length)
        } catch {
            throw Damaged()
        }
    }

    mutating func readPinIndex() throws(Damaged) -> PinIndex {
        PinIndex(number: try read(), prefixLengths: try read())
    }
}
