import Wireless

/// The attributes of one netlink message or of one nested attribute.
///
/// An attribute is a length and a type of 16 bits each in the machine's byte order, a payload, and padding to four
/// bytes (linux/netlink.h). Unknown ones are kept and ignored: newer kernels send more.
struct Attributes {
    private let all: [(type: UInt16, payload: ArraySlice<UInt8>)]

    /// Splits bytes into attributes.
    ///
    /// - Throws: ``NetlinkError`` when one runs past the end, or is shorter than its own header.
    init(_ bytes: some Collection<UInt8>) throws(NetlinkError) {
        var rest = ArraySlice(bytes)
        var all: [(type: UInt16, payload: ArraySlice<UInt8>)] = []
        while !rest.isEmpty {
            let header = rest.prefix(4)
            guard header.count == 4 else { throw NetlinkError(.parse) }
            let length = Int(Self.integer(header.prefix(2)))
            // The two high bits say "nested" and "in network byte order".
            let type = UInt16(truncatingIfNeeded: Self.integer(header.dropFirst(2))) & 0x3fff
            guard length >= 4, length <= rest.count else { throw NetlinkError(.parse) }
            all.append((type, rest.prefix(length).dropFirst(4)))
            rest = rest.dropFirst((length + 3) & ~3)
        }
        self.all = all
    }

    /// The payload of an attribute that may stand once, or `nil` when it is absent.
    func bytes(_ type: UInt32) throws(NetlinkError) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        for attribute in all where UInt32(attribute.type) == type {
            guard found == nil else { throw NetlinkError(.parse) }
            found = attribute.payload
        }
        return found
    }

    /// A payload of exactly `count` bytes.
    private func bytes(_ type: UInt32, count: Int) throws(NetlinkError) -> ArraySlice<UInt8>? {
        guard let bytes = try bytes(type) else { return nil }
        guard bytes.count == count else { throw NetlinkError(.parse) }
        return bytes
    }

    func uint16(_ type: UInt32) throws(NetlinkError) -> UInt16? {
        try bytes(type, count: 2).map { UInt16(truncatingIfNeeded: Self.integer($0)) }
    }

    func uint32(_ type: UInt32) throws(NetlinkError) -> UInt32? {
        try bytes(type, count: 4).map { UInt32(truncatingIfNeeded: Self.integer($0)) }
    }

    func uint64(_ type: UInt32) throws(NetlinkError) -> UInt64? {
        try bytes(type, count: 8).map { Self.integer($0) }
    }

    /// An address of an access point, or `nil` when it is absent.
    func bssid(_ type: UInt32) throws(NetlinkError) -> BSSID? {
        guard let bytes = try bytes(type, count: 6) else { return nil }
        do { return try BSSID(bytes: bytes) } catch { throw NetlinkError(.parse) }
    }

    /// Text that ends in NUL, as interface names do.
    func text(_ type: UInt32) throws(NetlinkError) -> String? {
        guard let bytes = try bytes(type) else { return nil }
        guard bytes.last == 0, !bytes.dropLast().contains(0),
            let text = String(validating: bytes.dropLast(), as: UTF8.self)
        else { throw NetlinkError(.parse) }
        return text
    }

    func nested(_ type: UInt32) throws(NetlinkError) -> Attributes? {
        guard let bytes = try bytes(type) else { return nil }
        return try Attributes(bytes)
    }

    /// The elements of a nested list, whose types only count them.
    func list(_ type: UInt32) throws(NetlinkError) -> [Attributes] {
        guard let list = try nested(type) else { return [] }
        var elements: [Attributes] = []
        for attribute in list.all {
            elements.append(try Attributes(attribute.payload))
        }
        return elements
    }

    /// A pair of masks (`struct nl80211_sta_flag_update`): which flags are known, and which of them are set.
    func flags(_ type: UInt32) throws(NetlinkError) -> (known: UInt32, set: UInt32)? {
        try bytes(type, count: 8).map {
            (
                UInt32(truncatingIfNeeded: Self.integer($0.prefix(4))),
                UInt32(truncatingIfNeeded: Self.integer($0.dropFirst(4)))
            )
        }
    }

    /// An unsigned integer of up to eight bytes in the machine's byte order.
    static func integer(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        #if _endian(little)
            bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        #else
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        #endif
    }
}
