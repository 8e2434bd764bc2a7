import Trust
public import Wireless

extension NetworkFile {
    /// The file as TOML, one key a line, in the order of the manual. Reading it gives back the same.
    public var toml: String {
        var lines: [String] = []
        func add(_ key: String, _ values: [String], isList: Bool = true) {
            guard let first = values.first else { return }
            lines.append(values.count == 1 && !isList ? "\(key) = \(first)" : "\(key) = \(tomlArray(values))")
        }
        for key in ListKey.allCases {
            add(key.rawValue, values(of: key).map(tomlString), isList: key != .ssid && key != .ssidHex)
            if key == .bssid, let pinFile { add("bssid-file", [tomlString(pinFile)], isList: false) }
        }
        add("minimum-evidence", [tomlString(network.minimumEvidence.rawValue)], isList: false)
        add("action", [tomlString(network.action.rawValue)], isList: false)
        add("site", network.site.map { [tomlString($0)] } ?? [], isList: false)
        add("expires", network.expires.map { ["\($0)"] } ?? [], isList: false)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Networks as one document, a table for each.
    public static func exported(_ files: [NetworkFile]) -> String {
        files.map { "[networks.\($0.network.name)]\n\($0.toml)" }.joined(separator: "\n")
    }

    /// The keys that hold lists of text.
    enum ListKey: String, CaseIterable {
        case ssid
        case ssidHex = "ssid-hex"
        case bssid, security, users, groups, services
    }

    /// What a list key holds, as text.
    func values(of key: ListKey) -> [String] {
        switch key {
        case .ssid: network.ssids.compactMap(\.writableText)
        case .ssidHex: network.ssids.filter { $0.writableText == nil }.map { hexadecimal($0.bytes) }
        case .bssid: pins.map(\.description)
        case .security: network.security.map(\.rawValue).sorted()
        case .users: network.askers.users
        case .groups: network.askers.groups
        case .services: network.askers.services
        }
    }

    /// Whether two files mean the same, in whatever order.
    public func means(_ other: NetworkFile) -> Bool {
        func sorted(_ file: NetworkFile) -> NetworkFile {
            var file = file
            file.network.ssids.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            file.pins.sort { ($0.rawValue, $0.prefixLength) < ($1.rawValue, $1.prefixLength) }
            for names in [\Askers.users, \.groups, \.services] { file.network.askers[keyPath: names].sort() }
            return file
        }
        return sorted(self) == sorted(other)
    }
}

extension SSID {
    /// The name as text, where people can read and write it: without control and formatting characters.
    public var writableText: String? {
        guard let text, printable(text) == text else { return nil }
        return text
    }
}

/// Values as a TOML array: on one line, or one a line when there are many.
func tomlArray(_ values: [String]) -> String {
    values.count <= 3 ? "[\(values.joined(separator: ", "))]" : "[\n" + values.map { "    \($0),\n" }.joined() + "]"
}
