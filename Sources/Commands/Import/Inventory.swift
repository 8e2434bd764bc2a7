import PolicyFiles
import Wireless

/// What a file says of access points.
struct Inventory {
    /// One access point.
    struct Row {
        /// The name of its network, or `nil` when the file does not say.
        let ssid: SSID?
        let pin: BSSIDPattern
    }

    var rows: [Row] = []
    /// The sites that the file names, by the network that they are of; two of them say as much as many.
    private(set) var sites: [SSID?: Set<String>] = [:]
    /// Whole networks, where the file is an export of ours.
    var networks: [NetworkFile] = []
    /// Whether the file holds whatever was in the air: then a name in it proves nothing.
    var isFromTheAir = false
    /// How many access points offer a network that proves no key. They are left out.
    var weak = 0
    /// How many access points hide the name of their network. They are left out.
    var hidden = 0
    /// What could not be read. Nothing is imported then.
    private(set) var problems: [FileProblem] = []
    /// How many more there were.
    private(set) var furtherProblems = 0

    /// The path of the file, for messages.
    let file: String

    init(file: String) {
        self.file = file
    }

    mutating func fail(_ line: Int?, _ problem: String, hint: String? = nil) {
        guard problems.count < 1000 else {
            furtherProblems += 1
            return
        }
        problems.append(FileProblem(file: file, line: line, problem, hint: hint))
    }

    /// Adds an access point whose address is text, or notes what is wrong with it.
    mutating func add(_ ssid: SSID?, _ address: ArraySlice<UInt8>, line: Int?, place: String = "") {
        do {
            rows.append(Row(ssid: ssid, pin: try BSSIDPattern(ascii: address.span)))
        } catch {
            let shown = printable(address.prefix(32)) + (address.count > 32 ? "…" : "")
            fail(line, "\(place)cannot read the BSSID \"\(shown)\"", hint: "\(error)")
        }
    }

    mutating func note(site: ArraySlice<UInt8>, of ssid: SSID?) {
        let text = printable(String(decoding: site, as: UTF8.self))
        if !text.isEmpty, text.utf8.count <= 128, (sites[ssid]?.count ?? 0) < 2 {
            sites[ssid, default: []].insert(text)
        }
    }

    /// The site that all access points of these names are at, or `nil` when there is none or several.
    func site(of names: Set<SSID>) -> String? {
        let found = sites.filter { $0.key.map { names.contains($0) } ?? true }.values.reduce(into: Set<String>()) {
            $0.formUnion($1)
        }
        return found.count == 1 ? found.first : nil
    }

    /// The names in the file.
    var names: Set<SSID> {
        var names: Set<SSID> = []
        // A million rows have few names, which stand together.
        var last: SSID?
        for row in rows where row.ssid != last {
            last = row.ssid
            if let ssid = row.ssid { names.insert(ssid) }
        }
        return names
    }

    /// The access points of these names; those without a name are the network's own, unless they come from the air.
    func pins(named names: Set<SSID>) -> [BSSIDPattern] {
        var pins: [BSSIDPattern] = []
        pins.reserveCapacity(rows.count)
        var (last, isWanted): (SSID?, Bool) = (nil, !isFromTheAir)
        for row in rows {
            if row.ssid != last {
                last = row.ssid
                isWanted = row.ssid.map { names.contains($0) } ?? !isFromTheAir
            }
            if isWanted { pins.append(row.pin) }
        }
        return pins
    }

    /// Every problem, and how many were not told.
    var messages: [String] {
        problems.map(\.description) + (furtherProblems > 0 ? ["\(file): and \(furtherProblems) more"] : [])
    }
}

/// The formats that can be read.
enum InventoryFormat: String, CaseIterable {
    /// A table with a header.
    case csv
    /// The application of wigle.net.
    case wigle
    /// Kismet and airodump-ng.
    case netxml
    /// The output of `iw dev IF scan`.
    case iw
    /// The controller's list of devices.
    case unifi
    /// The dashboard's list of wireless statuses.
    case meraki
    /// Central's list of BSSIDs.
    case aruba
    /// Exports of ours.
    case json, toml

    /// Recognises a format by its first bytes.
    init?(recognizing bytes: [UInt8]) {
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        let text = String(decoding: start.drop { $0 <= 0x20 }.prefix(4096), as: UTF8.self)
        switch text.first {
        case "{":
            // Which one the keys tell: see `Inventory.init(json:)`.
            self = text.contains("\"networks\"") && text.contains("\"format\"") ? .json : .unifi
        case "[" where !text.hasPrefix("[networks."): self = .unifi
        case "[": self = .toml
        case "<" where text.contains("detection-run") || text.contains("wireless-network"): self = .netxml
        default:
            if text.hasPrefix("WigleWifi-") {
                self = .wigle
            } else if text.hasPrefix("BSS "), text.contains("(on ") {
                self = .iw
            } else if text.hasPrefix("#"), text.contains("\n[networks.") {
                self = .toml
            } else if text.prefix(while: { !$0.isNewline }).contains(where: { ",;\t".contains($0) }) {
                self = .csv
            } else {
                return nil
            }
        }
    }

    /// Whether a file of this format holds whatever was in the air.
    var isFromTheAir: Bool {
        switch self {
        case .wigle, .netxml, .iw: true
        case .csv, .unifi, .meraki, .aruba, .json, .toml: false
        }
    }
}
