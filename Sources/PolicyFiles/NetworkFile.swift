public import Trust
public import Wireless

/// One network as its file describes it: what decides, and the access points that are pinned.
public struct NetworkFile: Equatable, Sendable {
    /// What the decision reads. Its ``Trust/Network/denied`` is filled in from the pins by ``resolved(listed:)``.
    public var network: Network
    /// The access points of `bssid`, in the order of the file.
    public var pins: [BSSIDPattern]
    /// The name of the list in `bssid-file`, beside the file.
    public var pinFile: String?

    public init(network: Network, pins: [BSSIDPattern] = [], pinFile: String? = nil) {
        self.network = network
        self.pins = pins
        self.pinFile = pinFile
    }

    /// Reads `networks.d/NAME.toml`.
    ///
    /// - Parameters:
    ///   - bytes: the contents, UTF-8.
    ///   - name: NAME, the name of the network.
    ///   - file: its path, for messages.
    ///   - minimumEvidence: what counts when the file says nothing.
    public static func parse(
        _ bytes: [UInt8], name: String, file: String, minimumEvidence: EvidenceLevel
    ) -> (network: NetworkFile, problems: [FileProblem]) {
        let entries: [TOMLNode.Entry]
        do { entries = try TOMLNode.parse(bytes, file: file) } catch {
            return (NetworkFile(network: Network(name: name, ssids: [])), [error])
        }
        var reader = TableReader(entries, file: file)
        return (reader.network(named: name, minimumEvidence: minimumEvidence), reader.problems)
    }

    /// Reads what ``exported(_:)`` wrote: a table for each network, `[networks.NAME]`.
    public static func parseExport(
        _ bytes: [UInt8], file: String
    ) -> (networks: [NetworkFile], problems: [FileProblem]) {
        let entries: [TOMLNode.Entry]
        do { entries = try TOMLNode.parse(bytes, file: file) } catch { return ([], [error]) }
        var reader = TableReader(entries, file: file)
        var networks: [NetworkFile] = []
        for (name, table) in reader.namedTables("networks") {
            var table = table
            networks.append(table.reader.network(named: name, minimumEvidence: .protected))
            if !isName(name) { table.reader.fail(table.line, "\(quoted(name)) cannot name a network") }
            reader.adopt(table.reader.problems)
        }
        reader.finish()
        return (networks, reader.problems)
    }

    /// The network with its access points in the place where the decision looks for them.
    ///
    /// - Parameter listed: the access points of ``pinFile``.
    func resolved(listed: [BSSIDPattern]) -> (network: Network, pins: [BSSIDPattern]) {
        guard network.action == .require else { return (network, pins + listed) }
        var network = network
        network.denied = pins + listed
        network.isPinned = false
        return (network, [])
    }
}

extension TableReader {
    /// Reads the keys of one network.
    fileprivate mutating func network(named name: String, minimumEvidence: EvidenceLevel) -> NetworkFile {
        var result = NetworkFile(network: Network(name: name, ssids: [], minimumEvidence: minimumEvidence))
        result.network.ssids = ssids()
        result.pins = pins()
        result.pinFile = pinFile()
        result.network.isPinned = !result.pins.isEmpty || result.pinFile != nil
        if let security = choices("security", Security.allCases) {
            if security.isEmpty { failEmpty("security") }
            result.network.security = Set(security)
        }
        result.network.minimumEvidence =
            choice("minimum-evidence", EvidenceLevel.demandable) ?? minimumEvidence
        result.network.action = choice("action", Network.Action.allCases) ?? .skip
        if let site = string("site") {
            if site.value.isEmpty || site.value.utf8.count > 128 || printable(site.value) != site.value {
                fail(site.line, "site must be 1 to 128 bytes of printable text")
            }
            result.network.site = site.value
        }
        result.network.askers = askers()
        result.network.expires = date("expires")

        finish()
        return result
    }

    mutating func failEmpty(_ key: String) {
        fail(node(key)?.line, "\(key) is empty", hint: "leave the key out, or name at least one")
    }

    /// The names in `ssid` and `ssid-hex`.
    mutating func ssids(required: Bool = true) -> [SSID] {
        let texts = strings("ssid")
        let digits = strings("ssid-hex")
        if texts == nil, digits == nil, required {
            fail(nil, "there is no ssid", hint: "add ssid = \"NAME\"")
        }
        if texts?.isEmpty == true, problems.isEmpty { failEmpty("ssid") }
        if digits?.isEmpty == true, problems.isEmpty { failEmpty("ssid-hex") }

        var names: [SSID] = []
        for text in texts ?? [] {
            add(Array(text.value.utf8), as: quoted(text.value), line: text.line, to: &names)
        }
        for text in digits ?? [] {
            guard let bytes = bytes(hexadecimal: text.value) else {
                fail(
                    text.line, "ssid-hex cannot be \(quoted(text.value))",
                    hint: "two hexadecimal digits for each byte, such as \"436f7270ff\"")
                continue
            }
            add(bytes, as: quoted(text.value), line: text.line, to: &names)
        }
        return names
    }

    private mutating func add(_ bytes: [UInt8], as shown: String, line: Int, to names: inout [SSID]) {
        guard let ssid = SSID(bytes: bytes) else {
            let problem =
                bytes.isEmpty
                ? "an SSID is empty"
                : "the SSID \(shown) has \(bytes.count) bytes, the limit is \(SSID.maximumLength) bytes"
            fail(line, problem, hint: bytes.isEmpty ? "a network has a name of 1 to 32 bytes" : nil)
            return
        }
        if names.contains(ssid) {
            fail(line, "the SSID \(shown) stands twice")
        } else {
            names.append(ssid)
        }
    }

    fileprivate mutating func pins() -> [BSSIDPattern] {
        guard let texts = strings("bssid") else { return [] }
        if texts.isEmpty { failEmpty("bssid") }
        var pins: [BSSIDPattern] = []
        for text in texts {
            do {
                let pin = try BSSIDPattern(text.value)
                if pins.contains(pin) { fail(text.line, "bssid \(pin) stands twice") }
                pins.append(pin)
            } catch {
                fail(text.line, "bssid cannot be \(quoted(text.value))", hint: "\(error)")
            }
        }
        return pins
    }

    fileprivate mutating func pinFile() -> String? {
        guard let name = string("bssid-file") else { return nil }
        // Bytes, not characters: a mark after a slash makes it another character, but the kernel still sees a slash.
        let bytes = name.value.utf8
        guard let first = bytes.first, first != UInt8(ascii: "."), !bytes.contains(UInt8(ascii: "/")),
            !name.value.hasSuffix(".toml"), printable(name.value) == name.value
        else {
            fail(
                name.line, "bssid-file cannot be \(quoted(name.value))",
                hint: "the name of a list in the same directory, such as \"hq.bssids\"")
            return nil
        }
        return name.value
    }
}
