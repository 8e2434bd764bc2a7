import CTOML
import Trust
import Wireless

/// A value of a TOML document and where it stands.
struct TOMLNode {
    let value: Value
    let region: Region

    var line: Int { region.start.line }

    /// Where a value stands: from its first character to the one after its last.
    struct Region: Equatable {
        var start: Position
        var end: Position
    }

    /// A line and a column, from 1; columns count Unicode scalars.
    struct Position: Equatable {
        var line: Int
        var column: Int
    }

    enum Value {
        case table([Entry])
        case array([TOMLNode])
        case string(String)
        case integer(Int64)
        case boolean(Bool)
        case date(Day?)
        /// A kind of value that no key of ours takes.
        case other(String)
    }

    struct Entry {
        let key: String
        let line: Int
        let node: TOMLNode
    }

    /// What kind of value it is, for messages.
    var kind: String {
        switch value {
        case .table: "a table"
        case .array: "an array"
        case .string: "text"
        case .integer: "a number"
        case .boolean: "true or false"
        case .date: "a date"
        case .other(let name): name
        }
    }
}

extension TOMLNode {
    /// Parses a whole document.
    ///
    /// - Parameter file: its path, for messages.
    static func parse(_ bytes: [UInt8], file: String) throws(FileProblem) -> [Entry] {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw FileProblem(file: file, "the file is UTF-16", hint: "save it as UTF-8")
        }
        // Each dot of a key is a table in a table; a file of ours needs two.
        for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where line.lazy.prefix(while: { !Array("='\"#".utf8).contains($0) }).filter({ $0 == UInt8(ascii: ".") }).count
            > 64
        {
            throw FileProblem(file: file, line: number + 1, "a key of more than 64 parts", hint: "keys here have two")
        }
        var error = ctoml_error()
        let document = unsafe bytes.withUnsafeBytes { buffer in
            unsafe ctoml_parse(buffer.assumingMemoryBound(to: CChar.self).baseAddress, buffer.count, &error)
        }
        guard let document = unsafe document, let root = unsafe ctoml_root(document) else {
            let message = unsafe withUnsafeBytes(of: &error.message) { unsafe Array($0.prefix { $0 != 0 }) }
            throw FileProblem(
                file: file, line: error.line == 0 ? nil : Int(error.line),
                "not TOML: " + printable(String(decoding: message, as: UTF8.self)),
                hint: "see toml.io for the syntax")
        }
        defer { unsafe ctoml_free(document) }
        // Everything is copied out of the document before it goes away.
        guard case .table(let entries) = unsafe TOMLNode(copying: root, depth: 0).value else { return [] }
        return entries
    }

    private init(copying node: OpaquePointer, depth: Int) {
        let place = unsafe ctoml_region_of(node)
        region = Region(
            start: Position(line: Int(place.first_line), column: Int(place.first_column)),
            end: Position(line: Int(place.last_line), column: Int(place.last_column)))
        switch unsafe ctoml_kind_of(node) {
        case CTOML_TABLE where depth < 8: value = unsafe .table(Self.entries(of: node, depth: depth + 1))
        case CTOML_ARRAY where depth < 8: value = unsafe .array(Self.entries(of: node, depth: depth + 1).map(\.node))
        case CTOML_STRING:
            var length = 0
            let start = unsafe ctoml_string(node, &length)
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
            value = unsafe .string(String(decoding: bytes, as: UTF8.self))
        case CTOML_INTEGER: value = unsafe .integer(ctoml_integer(node))
        case CTOML_BOOLEAN: value = unsafe .boolean(ctoml_boolean(node))
        case CTOML_DATE:
            var (year, month, day): (CInt, CInt, CInt) = (0, 0, 0)
            unsafe ctoml_date(node, &year, &month, &day)
            value = .date(Day(year: Int(year), month: Int(month), day: Int(day)))
        case CTOML_FLOAT: value = .other("a decimal number")
        case CTOML_TIME: value = .other("a time of day")
        case CTOML_DATE_TIME: value = .other("a date with a time")
        default: value = .other("a value nested too deep")
        }
    }

    private static func entries(of node: OpaquePointer, depth: Int) -> [Entry] {
        unsafe (0..<ctoml_count(node)).compactMap { index in
            var key: UnsafePointer<CChar>?
            var (length, line) = (0, UInt32(0))
            guard let child = unsafe ctoml_child(node, index, &key, &length, &line) else { return nil }
            let bytes = unsafe UnsafeRawBufferPointer(start: key, count: length)
            let copy = unsafe TOMLNode(copying: child, depth: depth)
            return unsafe Entry(
                key: String(decoding: bytes, as: UTF8.self), line: line == 0 ? copy.line : Int(line), node: copy)
        }
    }
}
