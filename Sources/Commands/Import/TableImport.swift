import PolicyFiles
import Trust
import Wireless

extension Inventory {
    /// Reads a table with a header.
    ///
    /// - Parameters:
    ///   - columns: names of columns that the usual names do not find, by what they hold.
    ///   - isWigle: whether a line of the application stands before the header.
    init(
        csv bytes: [UInt8], file: String, columns: [String: String], isWigle: Bool, progress: (Double) -> Void
    ) {
        self.init(file: file)
        isFromTheAir = isWigle
        var reader = CSVReader(isWigle ? Array(bytes.drop { $0 != 0x0a }) : bytes)
        var fields: [CSVReader.Field] = []
        guard reader.readRow(into: &fields) else {
            fail(nil, "the file is empty")
            return
        }
        let header = fields.map { String(decoding: reader.content(of: $0), as: UTF8.self) }
        guard let places = places(header, columns, isWigle: isWigle) else { return }
        if places["network"] != nil {
            readNetworks(&reader, places)
            return
        }

        let (name, digits) = (places["ssid"], places["ssid_hex"])
        let site = places["site"]
        var (lastSite, itsNetwork): (ArraySlice<UInt8>, SSID?) = ([], nil)
        let (address, security, type) = (places["bssid"], places["security"], isWigle ? places["type"] : nil)
        // Rows of one network stand together, and a million names are one.
        var (lastText, lastName): (ArraySlice<UInt8>, SSID?) = ([], nil)
        var number = 0
        while reader.readRow(into: &fields) {
            number += 1
            if number % 8192 == 0 { progress(reader.progress) }
            func field(_ place: Int?) -> ArraySlice<UInt8> {
                place.map { $0 < fields.count ? reader.content(of: fields[$0]) : [] } ?? []
            }
            if type != nil, !field(type).trimmed().elementsEqual("WIFI".utf8) { continue }
            var ssid: SSID?
            if digits != nil, case let text = field(digits).trimmed(), !text.isEmpty {
                ssid = Wireless.bytes(hexadecimal: String(decoding: text, as: UTF8.self)).flatMap { SSID(bytes: $0) }
                if ssid == nil { fail(reader.line, "cannot read the SSID in hexadecimal digits") }
            } else if name != nil {
                // Not trimmed: blanks belong to a name.
                let text = field(name)
                if text.isEmpty, isWigle {
                    hidden += 1
                    continue
                }
                if lastName == nil || text != lastText { (lastText, lastName) = (text, SSID(bytes: text)) }
                ssid = lastName
                if ssid == nil {
                    fail(
                        reader.line,
                        text.isEmpty ? "there is no SSID" : "an SSID of \(text.count) bytes, the limit is 32 bytes")
                    continue
                }
            }
            if security != nil, case let text = field(security).trimmed(), !text.isEmpty, !provesKey(text) {
                weak += 1
                continue
            }
            if site != nil, case let text = field(site).trimmed(), text != lastSite || ssid != itsNetwork {
                (lastSite, itsNetwork) = (text, ssid)
                note(site: text, of: ssid)
            }
            add(ssid, field(address).trimmed(), line: reader.line)
        }
    }

    /// Where the columns stand that matter, by what they hold.
    private mutating func places(_ header: [String], _ columns: [String: String], isWigle: Bool) -> [String: Int]? {
        var places: [String: Int] = [:]
        for (index, name) in header.enumerated() {
            let plain = String(
                name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) })
            // "MAC" alone may be the access point's own address, which is no BSSID. WiGLE's is one.
            let usual = isWigle && plain == "mac" ? "bssid" : usualNames[plain]
            guard let key = columns.first(where: { $0.value == name })?.key ?? usual, columns[key] ?? name == name
            else { continue }
            guard places[key] == nil else {
                fail(
                    1,
                    "two columns look like \(key): \"\(printable(header[places[key] ?? 0]))\" and \"\(printable(name))\"",
                    hint: "choose one with --column \(key)=\"NAME\"")
                return nil
            }
            places[key] = index
        }
        for (key, name) in columns where places[key] == nil {
            fail(
                1, "there is no column \"\(printable(name))\"",
                hint: "the header has: \(header.map { printable($0) }.joined(separator: ", "))")
        }
        if places["bssid"] == nil, places["network"] == nil {
            fail(
                1, "no column looks like a BSSID",
                hint: "name it with --column bssid=\"NAME\"; the header has: "
                    + header.map { printable($0) }.joined(separator: ", "))
        }
        return messages.isEmpty ? places : nil
    }

    /// Reads an export of ours: every row names its network and repeats what holds for it.
    private mutating func readNetworks(_ reader: inout CSVReader, _ places: [String: Int]) {
        var fields: [CSVReader.Field] = []
        var files: [String: NetworkFile] = [:]
        var order: [String] = []
        while reader.readRow(into: &fields) {
            func text(_ key: String) -> String {
                places[key].map {
                    $0 < fields.count ? String(decoding: reader.content(of: fields[$0]), as: UTF8.self) : ""
                } ?? ""
            }
            func list(_ key: String) -> [String] { text(key).split(separator: " ").map(String.init) }
            let name = text("network")
            guard isName(name) else {
                fail(reader.line, "\"\(printable(name))\" cannot name a network")
                continue
            }
            let securities = list("security").map { Security(rawValue: $0) }
            let ssid = Wireless.bytes(hexadecimal: text("ssid_hex")).flatMap { SSID(bytes: $0) }
            let expires = text("expires").isEmpty ? nil : Day(text("expires"))
            guard let ssid, let evidence = EvidenceLevel(rawValue: text("minimum_evidence")), evidence > .none,
                let action = Network.Action(rawValue: text("action")), !securities.contains(nil),
                expires != nil || text("expires").isEmpty
            else {
                fail(
                    reader.line, "not a row of an export",
                    hint: "ssid_hex, security, minimum_evidence, action or expires is wrong")
                continue
            }
            if files[name] == nil { order.append(name) }
            var file = files[name] ?? NetworkFile(network: Network(name: name, ssids: []))
            if !file.network.ssids.contains(ssid) { file.network.ssids.append(ssid) }
            file.network.security = Set(securities.compactMap { $0 })
            file.network.minimumEvidence = evidence
            file.network.action = action
            file.network.site = text("site").isEmpty ? nil : text("site")
            file.network.askers = Askers(users: list("users"), groups: list("groups"), services: list("services"))
            file.network.expires = expires
            let address = text("bssid")
            if !address.isEmpty {
                do {
                    let pin = try BSSIDPattern(address)
                    // The rows of one network stand together, so a pin that stands twice is the last one or another SSID's.
                    if file.network.ssids.first == ssid { file.pins.append(pin) }
                } catch {
                    fail(reader.line, "cannot read the BSSID \"\(printable(address))\"", hint: "\(error)")
                }
            }
            file.network.isPinned = !file.pins.isEmpty
            files[name] = file
        }
        networks = order.compactMap { files[$0] }
    }
}

/// What a column holds, by its name in small letters and digits.
private let usualNames = [
    "ssid": "ssid", "essid": "ssid", "networkname": "ssid", "ssidname": "ssid", "ssidhex": "ssid_hex",
    "bssid": "bssid", "bssidaddress": "bssid", "bssidmac": "bssid", "radiobssid": "bssid", "apbssid": "bssid",
    "security": "security", "authmode": "security", "encryption": "security", "authentication": "security",
    "type": "type", "network": "network", "site": "site", "location": "site", "minimumevidence": "minimum_evidence",
    "action": "action", "users": "users", "groups": "groups", "services": "services", "expires": "expires",
]

/// Whether a description of security, in the words of whoever wrote the file, is of a network that proves a key.
private func provesKey(_ text: ArraySlice<UInt8>) -> Bool {
    let words = String(decoding: text, as: UTF8.self).lowercased()
    if let known = Security(rawValue: words) { return known.provesKey }
    let names = words.split(separator: " ").map { Security(rawValue: String($0)) }
    if !names.contains(nil), !names.isEmpty { return names.allSatisfy { $0?.provesKey == true } }
    if words.contains("wep") || words.contains("[wpa-") || words.contains("tkip") || words.contains("owe") {
        return false
    }
    return ["wpa2", "wpa3", "rsn", "sae", "eap", "802.1x", "psk"].contains { words.contains($0) }
}

extension ArraySlice<UInt8> {
    /// The bytes without blanks at either end.
    func trimmed() -> ArraySlice<UInt8> {
        guard let first = firstIndex(where: { $0 > 0x20 }), let last = lastIndex(where: { $0 > 0x20 }) else {
            return []
        }
        return self[first...last]
    }
}
