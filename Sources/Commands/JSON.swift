import CJSON
import Glibc
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

    static func optional(_ text: String?) -> JSON {
        text.map { .string($0) } ?? .null
    }

    static func optional(_ flag: Bool?) -> JSON {
        flag.map { .bool($0) } ?? .null
    }
}

/// Why text is not JSON.
struct JSONError: Error, Equatable {
    let line: Int
    let problem: String
}

extension JSON {
    /// Parses a document. A key that stands twice in an object is an error.
    init(parsing bytes: [UInt8]) throws(JSONError) {
        var error = json_error_t()
        let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL
        let value = unsafe bytes.withUnsafeBytes { buffer in
            unsafe json_loadb(
                buffer.assumingMemoryBound(to: CChar.self).baseAddress, buffer.count, size_t(flags), &error)
        }
        guard let value = unsafe value else {
            let text = unsafe withUnsafeBytes(of: &error.text) { unsafe Array($0.prefix { $0 != 0 }) }
            throw JSONError(line: Int(error.line), problem: String(decoding: text, as: UTF8.self))
        }
        // Everything is copied out of the value before it goes away.
        defer { unsafe cjson_release(value) }
        self = unsafe JSON(copying: value)
    }

    private init(copying value: UnsafeMutablePointer<json_t>) {
        switch unsafe cjson_type(value) {
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        case JSON_INTEGER: self = unsafe .integer(json_integer_value(value))
        case JSON_REAL: self = unsafe .number(json_real_value(value))
        case JSON_STRING:
            let bytes = unsafe UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
            self = unsafe .string(String(decoding: bytes, as: UTF8.self))
        case JSON_ARRAY:
            self = unsafe .array(
                (0..<json_array_size(value)).compactMap {
                    unsafe json_array_get(value, $0).map { unsafe JSON(copying: $0) }
                })
        case JSON_OBJECT:
            var object: [String: JSON] = [:]
            var member = unsafe json_object_iter(value)
            while let current = unsafe member {
                let bytes = unsafe UnsafeRawBufferPointer(
                    start: json_object_iter_key(current), count: json_object_iter_key_len(current))
                if let item = unsafe json_object_iter_value(current) {
                    object[unsafe String(decoding: bytes, as: UTF8.self)] = unsafe JSON(copying: item)
                }
                unsafe member = json_object_iter_next(value, current)
            }
            self = .object(object)
        default: self = .null
        }
    }

    /// The value on one line, keys in alphabetical order, every character that could steer a terminal escaped.
    var text: String {
        // There is nothing that cannot be encoded but for want of memory.
        guard let value = unsafe encoded else { return "null" }
        defer { unsafe cjson_release(value) }
        let flags = JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY
        guard let start = unsafe json_dumps(value, size_t(flags)) else { return "null" }
        defer { unsafe free(start) }
        // Between the strings there is nothing to escape.
        return unsafe String(cString: start).unicodeScalars.map { scalar in
            let text = String(scalar)
            return printable(text) == text ? text : text.utf16.map { "\\u" + digits($0) }.joined()
        }.joined()
    }

    /// The value as the library has it; the caller releases it.
    private var encoded: UnsafeMutablePointer<json_t>? {
        switch self {
        case .null: return unsafe json_null()
        case .bool(let flag): return unsafe flag ? json_true() : json_false()
        case .integer(let integer): return unsafe json_integer(integer)
        case .number(let number): return unsafe json_real(number)
        case .string(let text):
            var text = text
            return text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe json_stringn($0.baseAddress, $0.count) }
            }
        case .array(let items):
            let array = unsafe json_array()
            for item in items { unsafe json_array_append_new(array, item.encoded) }
            return unsafe array
        case .object(let members):
            let object = unsafe json_object()
            for (key, item) in members { unsafe json_object_set_new(object, key, item.encoded) }
            return unsafe object
        }
    }
}

/// A unit of UTF-16 in four hexadecimal digits.
private func digits(_ unit: UInt16) -> String {
    hexPair(UInt8(unit >> 8)) + hexPair(UInt8(truncatingIfNeeded: unit))
}
