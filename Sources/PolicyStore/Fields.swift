/// Writes values one after the other, each so that it can be read back without a separator.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: how many bytes are expected, so that the array need not grow.
    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    mutating func write(_ number: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func write(_ flag: Bool) {
        write(UInt8(flag ? 1 : 0))
    }

    /// Writes bytes without their count.
    mutating func write(raw other: [UInt8]) {
        bytes.append(contentsOf: other)
    }

    mutating func write(bytes other: some Collection<UInt8>) {
        write(UInt32(clamping: other.count))
        bytes.append(contentsOf: other)
    }

    mutating func write(_ text: String) {
        write(bytes: text.utf8)
    }

    mutating func write<Element>(_ elements: [Element], _ body: (inout FieldWriter, Element) -> Void) {
        write(UInt32(clamping: elements.count))
        for element in elements { body(&self, element) }
    }

    mutating func write<Element>(_ element: Element?, _ body: (inout FieldWriter, Element) -> Void) {
        write(element.map { [$0] } ?? [], body)
    }
}

/// Reads what a ``FieldWriter`` wrote. Every read of damaged bytes throws; none can trap.
struct FieldReader {
    /// The bytes cannot have been written by a ``FieldWriter``.
    struct Damaged: Error {}

    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) {
        rest = ArraySlice(bytes)
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func readRaw(_ count: Int) throws(Damaged) -> ArraySlice<UInt8> {
        guard count >= 0, rest.count >= count else { throw Damaged() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func read<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(Damaged) -> Number {
        try readRaw(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    mutating func readFlag() throws(Damaged) -> Bool {
        switch try read(UInt8.self) {
        case 0: false
        case 1: true
        default: throw Damaged()
        }
    }

    mutating func readBytes() throws(Damaged) -> ArraySlice<UInt8> {
        try readRaw(Int(try read(UInt32.self)))
    }

    mutating func readText() throws(Damaged) -> String {
        guard let text = String(validating: try readBytes(), as: UTF8.self) else { throw Damaged() }
        return text
    }

    mutating func readArray<Element>(
        _ body: (inout FieldReader) throws(Damaged) -> Element
    ) throws(Damaged) -> [Element] {
        let count = Int(try read(UInt32.self))
        // Every element takes a byte or more, so a greater count is a lie.
        guard count <= rest.count else { throw Damaged() }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try body(&self)) }
        return elements
    }

    mutating func readOptional<Element>(
        _ body: (inout FieldReader) throws(Damaged) -> Element
    ) throws(Damaged) -> Element? {
        let elements = try readArray(body)
        guard elements.count <= 1 else { throw Damaged() }
        return elements.first
    }

    mutating func readChoice<Choice>(_: Choice.Type = Choice.self) throws(Damaged) -> Choice
    where Choice: RawRepresentable<String> {
        guard let choice = Choice(rawValue: try readText()) else { throw Damaged() }
        return choice
    }
}
