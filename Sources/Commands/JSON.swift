import FoundationEssentials
import Wireless

/// A JSON value (RFC 8259).
enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number that is no whole one.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Parses a document, or `nil` when it is none.
    init?(parsing bytes: [UInt8]) {
        guard let value = try? JSONDecoder().decode(JSON.self, from: Data(bytes)) else { return nil }
        self = value
    }

    /// The value on one line, keys in alphabetical order, and nothing in it that could steer a terminal.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // There is no value that cannot be encoded: no number comes out of a calculation.
        guard let data = try? encoder.encode(self) else { return "null" }
        // Between the strings there is nothing to escape.
        return String(decoding: data, as: UTF8.self).unicodeScalars.map { scalar in
            let text = String(scalar)
            return printable(text) == text ? text : text.utf16.map { "\\u" + digits($0) }.joined()
        }.joined()
    }

    static func optional(_ text: String?) -> JSON {
        text.map { .string($0) } ?? .null
    }

    static func optional(_ flag: Bool?) -> JSON {
        flag.map { .bool($0) } ?? .null
    }
}

extension JSON: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let array = try? container.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }
}

/// A code unit as four hexadecimal digits.
private func digits(_ unit: UInt16) -> String {
    hexPair(UInt8(unit >> 8)) + hexPair(UInt8(unit & 0xff))
}
