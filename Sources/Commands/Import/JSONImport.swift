import PolicyFiles
import Trust
import Wireless

extension Inventory {
    /// Reads a JSON document: an export of ours, or what a controller answers when asked for its access points.
    init(json bytes: [UInt8], file: String) {
        self.init(file: file)
        let json: JSON
        do { json = try JSON(parsing: bytes) } catch {
            fail(error.line, "not JSON: \(printable(error.problem))")
            return
        }
        if case .object(let object) = json, case .array(let list)? = object["networks"], object["format"] == .integer(1)
        {
            for (number, item) in list.enumerated() {
                do throws(FileProblem) {
                    networks.append(try NetworkFile(exported: item, place: "networks[\(number)]", file: file))
                } catch {
                    fail(nil, error.problem)
                }
            }
            return
        }
        walk(json, place: "")
        if rows.isEmpty, messages.isEmpty {
            fail(
                nil, "there is no access point in it",
                hint: "known are UniFi's vap_table, Meraki's basicServiceSets, Aruba's radio_bssids")
        }
    }

    /// Looks for the lists of access points of each controller, wherever they stand in its answer.
    private mutating func walk(_ json: JSON, place: String) {
        switch json {
        case .array(let items):
            for (number, item) in items.enumerated() { walk(item, place: "\(place)[\(number)]") }
        case .object(let object):
            for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                let inner = place.isEmpty ? key : "\(place).\(key)"
                guard let keys = vendorLists[key], case .array(let items) = value else {
                    walk(value, place: inner)
                    continue
                }
                for (number, item) in items.enumerated() {
                    addAccessPoint(item, name: keys.name, address: keys.address, place: "\(inner)[\(number)]: ")
                }
            }
        case .null, .bool, .integer, .number, .string:
            break
        }
    }

    private mutating func addAccessPoint(_ item: JSON, name: String, address: String, place: String) {
        guard case .object(let object) = item, case .string(let bssid)? = object[address] else {
            fail(nil, "\(place)there is no \(address)")
            return
        }
        if object["enabled"] == .bool(false) { return }
        var text: String?
        switch object[name] ?? object["ssid"] {
        case .string(let plain)?: text = plain
        case .object(let inner)?: if case .string(let plain)? = inner["name"] { text = plain }
        default: break
        }
        guard let text, let ssid = SSID(bytes: Array(text.utf8)) else {
            fail(nil, "\(place)there is no name of 1 to 32 bytes")
            return
        }
        add(ssid, Array(bssid.utf8)[...], line: nil, place: place)
    }
}

/// The lists of access points in the answers of controllers, with the keys of name and address: UniFi's devices,
/// Meraki's wireless status, Aruba Central's BSSIDs.
private let vendorLists: [String: (name: String, address: String)] = [
    "vap_table": ("essid", "bssid"), "basicServiceSets": ("ssidName", "bssid"), "bssids": ("essid", "macaddr"),
]

extension NetworkFile {
    /// Reads one network of `allow export --format json`.
    init(exported json: JSON, place: String, file: String) throws(FileProblem) {
        func wrong(_ what: String) -> FileProblem { FileProblem(file: file, "\(place): \(what)") }
        guard case .object(let object) = json else { throw wrong("must be an object") }
        func texts(_ key: String) throws(FileProblem) -> [String] {
            guard case .array(let items)? = object[key] else { throw wrong("\(key) must be an array") }
            var texts: [String] = []
            for item in items {
                guard case .string(let text) = item else { throw wrong("\(key) must hold text") }
                texts.append(text)
            }
            return texts
        }
        func text(_ key: String) throws(FileProblem) -> String? {
            switch object[key] {
            case .string(let text)?: return text
            case .null?: return nil
            default: throw wrong("\(key) must be text or null")
            }
        }
        guard let name = try text("name"), isName(name) else { throw wrong("name cannot name a network") }
        guard case .array(let list)? = object["ssids"] else { throw wrong("ssids must be an array") }
        var ssids: [SSID] = []
        for item in list {
            guard case .object(let entry) = item, case .string(let digits)? = entry["ssid_hex"],
                let ssid = Wireless.bytes(hexadecimal: digits).flatMap({ SSID(bytes: $0) })
            else { throw wrong("ssids must hold ssid_hex of 1 to 32 bytes") }
            ssids.append(ssid)
        }
        guard !ssids.isEmpty else { throw wrong("ssids is empty") }
        guard let evidence = EvidenceLevel(rawValue: try text("minimum_evidence") ?? ""), evidence > .none,
            let action = Network.Action(rawValue: try text("action") ?? "")
        else { throw wrong("minimum_evidence or action is wrong") }
        var network = Network(name: name, ssids: ssids, minimumEvidence: evidence, action: action)
        for word in try texts("security") {
            guard let security = Security(rawValue: word) else {
                throw wrong("security \"\(printable(word))\" does not exist")
            }
            network.security.insert(security)
        }
        network.site = try text("site")
        network.askers = Askers(users: try texts("users"), groups: try texts("groups"), services: try texts("services"))
        if let date = try text("expires") {
            guard let day = Day(date) else { throw wrong("expires is no date") }
            network.expires = day
        }
        var pins: [BSSIDPattern] = []
        for text in try texts("bssids") {
            do { pins.append(try BSSIDPattern(text)) } catch { throw wrong("bssid \"\(printable(text))\": \(error)") }
        }
        network.isPinned = !pins.isEmpty
        self.init(network: network, pins: pins)
    }
}
