import FoundationEssentials
import Testing

@testable import Gate

/// What `pam/onsite_client.h` says about the wire, so that the two sides cannot drift apart.
struct ClientHeader {
    /// The numbers and texts behind `#define`.
    private(set) var numbers: [String: UInt64] = [:]
    private(set) var texts: [String: String] = [:]
    /// The fields of each structure: where each begins, and how many bytes it has.
    private(set) var fields: [String: [String: Range<Int>]] = [:]
    /// The length of each structure without padding at its end.
    private(set) var lengths: [String: Int] = [:]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../pam/onsite_client.h")
        var structure: String?
        var end = 0
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first == "#define", words.count >= 3 {
                define(String(words[1]), words.dropFirst(2).joined(separator: " "))
            } else if words.first == "struct", words.last == "{" {
                structure = String(words[1])
                end = 0
            } else if words.first == "};" {
                structure = nil
            } else if let structure, let declaration = line.split(separator: ";").first {
                guard let (name, size, alignment) = Self.field(declaration) else { continue }
                let start = (end + alignment - 1) / alignment * alignment
                end = start + size
                fields[structure, default: [:]][name] = start..<end
                lengths[structure] = end
            }
        }
    }

    private mutating func define(_ name: String, _ value: String) {
        if value.hasPrefix("\"") {
            texts[name] = String(value.dropFirst().dropLast())
        } else if value.hasPrefix("UINT64_C(0x") {
            numbers[name] = UInt64(value.dropFirst(11).dropLast(), radix: 16)
        } else {
            numbers[name] = UInt64(value)
        }
    }

    /// The name, size and alignment that a declaration such as `char reason[32]` gives.
    private static func field(_ declaration: Substring) -> (name: String, size: Int, alignment: Int)? {
        let words = declaration.split(separator: " ")
        let sizes = ["char": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8]
        guard words.count == 2, let size = sizes[String(words[0])] else { return nil }
        let parts = words[1].split { "[]".contains($0) }
        guard let name = parts.first else { return nil }
        return (String(name), size * (parts.dropFirst().first.flatMap { Int($0) } ?? 1), size)
    }

    func number(_ name: String) throws -> UInt64 { try #require(numbers[name]) }

    func field(_ structure: String, _ name: String) throws -> Range<Int> {
        try #require(fields[structure]?[name])
    }
}

/// A number in the byte order of the machine.
func number(_ value: some FixedWidthInteger) -> [UInt8] {
    let size = type(of: value).bitWidth / 8
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    #if _endian(little)
        return bytes
    #else
        return bytes.reversed()
    #endif
}
