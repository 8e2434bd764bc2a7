import Trust
import Wireless

/// Recorded evidence: what `status --json --precise` writes and `check --evidence` reads.
struct EvidenceFile: Equatable, Sendable {
    var evidence: Evidence
    /// Where the asker was, or `nil` when that was not recorded.
    var whereabouts: Whereabouts?

    /// What is wrong with a file of evidence, and where.
    struct Problem: Error, Equatable, CustomStringConvertible {
        /// Such as `interfaces[0].links`; empty for the whole file.
        let place: String
        let problem: String

        var description: String { place.isEmpty ? problem : "\(place): \(problem)" }
    }

    /// Parses a document.
    init(parsing bytes: [UInt8]) throws(Problem) {
        let json: JSON
        do { json = try JSON(parsing: bytes) } catch {
            throw Problem(place: "line \(error.line)", problem: "not JSON: \(printable(error.problem))")
        }
        try self.init(json)
    }

    init(evidence: Evidence, whereabouts: Whereabouts?) {
        self.evidence = evidence
        self.whereabouts = whereabouts
    }
}

// MARK: - Reading

extension EvidenceFile {
    init(_ json: JSON) throws(Problem) {
        var reader = try ObjectReader(json, at: "")
        guard try reader.integer("format") == 1 else { throw reader.wrong("format", "must be 1") }
        let source = try reader.choice("source", Evidence.Source.allCases)
        let unavailable = try reader.optionalText("unavailable")
        let session = try reader.optionalObject("session")
        let list = try reader.array("interfaces")
        try reader.finish()

        if var session {
            whereabouts = try session.flag("remote") ? .remote : .local
            try session.finish()
        }
        if let unavailable {
            guard let reason = Reason(rawValue: unavailable), reason.isUnavailability else {
                throw reader.wrong("unavailable", "must be null or a reason of step 5")
            }
            guard list.isEmpty else { throw reader.wrong("interfaces", "must be empty when Wi-Fi is unavailable") }
            evidence = .unavailable(reason, source: source)
            return
        }
        var interfaces: [Interface] = []
        for (number, item) in list.enumerated() {
            let interface = try Self.interface(ObjectReader(item, at: "interfaces[\(number)]"))
            if interfaces.contains(where: { $0.index == interface.index }) {
                throw Problem(place: "interfaces[\(number)].index", problem: "stands twice")
            }
            interfaces.append(interface)
        }
        evidence = .interfaces(interfaces, source: source)
    }

    private static func interface(_ object: ObjectReader) throws(Problem) -> Interface {
        var reader = object
        let index = try reader.integer("index")
        guard let index = UInt32(exactly: index), index > 0 else {
            throw reader.wrong("index", "must be above 0")
        }
        let name = try reader.text("name")
        guard !name.isEmpty else { throw reader.wrong("name", "must not be empty") }
        var interface = Interface(
            name: name, index: index, type: try reader.choice("type", Interface.Kind.allCases),
            state: try reader.choice("state", Interface.State.allCases))

        if let digits = try reader.optionalText("ssid_hex") {
            guard let ssid = bytes(hexadecimal: digits).flatMap({ SSID(bytes: $0) }) else {
                throw reader.wrong("ssid_hex", "must be 1 to 32 bytes, two hexadecimal digits each")
            }
            interface.ssid = ssid
        }
        for item in try reader.array("links") {
            var link = try ObjectReader(item, at: reader.place("links"))
            let bssid = try link.bssid("bssid")
            try link.finish()
            guard let bssid else { throw link.wrong("bssid", "must not be null") }
            guard !interface.links.contains(bssid) else { throw reader.wrong("links", "an access point stands twice") }
            interface.links.append(bssid)
        }
        interface.mld = try reader.bssid("mld")
        interface.authorized = try reader.optionalFlag("authorized")
        interface.mfp = try reader.optionalFlag("mfp")
        for item in try reader.array("security") {
            guard case .string(let name) = item, let security = Security(rawValue: name) else {
                throw reader.wrong("security", "holds a name that does not exist")
            }
            interface.security.insert(security)
        }
        if let name = try reader.optionalText("negotiated") {
            guard let security = Security(rawValue: name) else {
                throw reader.wrong("negotiated", "is a name that does not exist")
            }
            interface.negotiated = security
        }
        interface.verified = try reader.flag("verified")
        try reader.finish()

        let isOnItsWay = interface.state == .connected || interface.state == .associating
        if (interface.authorized == true && interface.state != .connected) || (!interface.links.isEmpty && !isOnItsWay)
        {
            throw reader.wrong("state", "contradicts links or authorized")
        }
        if interface.links.count > 1, interface.mld == nil {
            throw reader.wrong("links", "are several, which needs an mld")
        }
        return interface
    }
}

/// Takes the values out of a JSON object, key by key. Every key must be there, and no other.
private struct ObjectReader {
    private let values: [String: JSON]
    private let path: String
    private var known: Set<String> = []

    init(_ json: JSON, at path: String) throws(EvidenceFile.Problem) {
        guard case .object(let values) = json else {
            throw EvidenceFile.Problem(place: path, problem: "must be an object")
        }
        self.values = values
        self.path = path
    }

    func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func wrong(_ key: String, _ problem: String) -> EvidenceFile.Problem {
        EvidenceFile.Problem(place: place(printable(key)), problem: problem)
    }

    private mutating func value(_ key: String) throws(EvidenceFile.Problem) -> JSON {
        known.insert(key)
        guard let value = values[key] else { throw wrong(key, "is missing") }
        return value
    }

    mutating func integer(_ key: String) throws(EvidenceFile.Problem) -> Int64 {
        guard case .integer(let number) = try value(key) else { throw wrong(key, "must be a whole number") }
        return number
    }

    mutating func text(_ key: String) throws(EvidenceFile.Problem) -> String {
        guard case .string(let text) = try value(key) else { throw wrong(key, "must be text") }
        return text
    }

    mutating func optionalText(_ key: String) throws(EvidenceFile.Problem) -> String? {
        if try value(key) == .null { return nil }
        return try text(key)
    }

    mutating func flag(_ key: String) throws(EvidenceFile.Problem) -> Bool {
        guard case .bool(let flag) = try value(key) else { throw wrong(key, "must be true or false") }
        return flag
    }

    mutating func optionalFlag(_ key: String) throws(EvidenceFile.Problem) -> Bool? {
        if try value(key) == .null { return nil }
        return try flag(key)
    }

    mutating func array(_ key: String) throws(EvidenceFile.Problem) -> [JSON] {
        guard case .array(let array) = try value(key) else { throw wrong(key, "must be an array") }
        return array
    }

    /// An object that may be left out.
    mutating func optionalObject(_ key: String) throws(EvidenceFile.Problem) -> ObjectReader? {
        known.insert(key)
        guard let value = values[key] else { return nil }
        return try ObjectReader(value, at: place(key))
    }

    mutating func choice<Choice>(_ key: String, _ choices: [Choice]) throws(EvidenceFile.Problem) -> Choice
    where Choice: RawRepresentable<String> {
        let text = try text(key)
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            throw wrong(key, "must be one of: \(choices.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    mutating func bssid(_ key: String) throws(EvidenceFile.Problem) -> BSSID? {
        guard let text = try optionalText(key) else { return nil }
        do { return try BSSID(text) } catch { throw wrong(key, "\(error)") }
    }

    func finish() throws(EvidenceFile.Problem) {
        if let key = values.keys.filter({ !known.contains($0) }).min() { throw wrong(key, "is not known") }
    }
}

// MARK: - Writing

extension EvidenceFile {
    /// The document, with every key in its place.
    ///
    /// - Parameter precise: whether SSID and BSSID are written, or null in their places.
    func json(precise: Bool) -> JSON {
        var unavailable: String?
        var interfaces: [Interface] = []
        let source: Evidence.Source
        switch evidence {
        case .interfaces(let all, let from): (interfaces, source) = (all, from)
        case .unavailable(let reason, let from): (unavailable, source) = (reason.rawValue, from)
        }
        var object: [String: JSON] = [
            "format": .integer(1), "source": .string(source.rawValue), "unavailable": .optional(unavailable),
            "interfaces": .array(interfaces.map { Self.json($0, precise: precise) }),
        ]
        switch whereabouts {
        case .local?: object["session"] = .object(["remote": .bool(false)])
        case .remote?: object["session"] = .object(["remote": .bool(true)])
        // Nothing can stand for it; who reads this asks for themselves.
        case .unknown?, nil: break
        }
        return .object(object)
    }

    private static func json(_ interface: Interface, precise: Bool) -> JSON {
        let links = precise ? interface.links : []
        return .object([
            "name": .string(interface.name), "index": .integer(Int64(interface.index)),
            "type": .string(interface.type.rawValue), "state": .string(interface.state.rawValue),
            "ssid_hex": .optional(precise ? interface.ssid.map { hexadecimal($0.bytes) } : nil),
            "links": .array(links.map { .object(["bssid": .string("\($0)")]) }),
            "mld": .optional(precise ? interface.mld.map { "\($0)" } : nil),
            "authorized": .optional(interface.authorized), "mfp": .optional(interface.mfp),
            "security": .array(interface.security.map(\.rawValue).sorted().map { .string($0) }),
            "negotiated": .optional(interface.negotiated?.rawValue), "verified": .bool(interface.verified),
        ])
    }
}
