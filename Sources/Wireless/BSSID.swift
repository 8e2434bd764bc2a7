/// The hardware address of one access point (IEEE 802.11-2020, 9.2.4.3.4).
public struct BSSID: Hashable, Sendable {
    /// The address in the low 48 bits, first octet highest.
    public let rawValue: UInt64

    /// Creates an address from its bytes.
    ///
    /// - Throws: ``BSSIDError`` unless there are exactly six bytes and they name a single station.
    public init(bytes: some Collection<UInt8>) throws(BSSIDError) {
        guard bytes.count == 6 else { throw .notAnAddress }
        try self.init(rawValue: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Creates an address from text: `02:11:22:33:44:55`, `02-11-22-33-44-55` or `0211.2233.4455`, in either case.
    ///
    /// - Throws: ``BSSIDError/notAnAddress`` for every other form, mixed separators and single digits among them.
    public init(_ text: some StringProtocol) throws(BSSIDError) {
        try self.init(ascii: Array(text.utf8).span)
    }

    /// Creates an address from the bytes of such text. A list may hold a million of them, so nothing is allocated.
    init(ascii text: Span<UInt8>) throws(BSSIDError) {
        let separator: UInt8
        let digitsInGroup: Int
        if text.count == 17, text[2] == UInt8(ascii: ":") || text[2] == UInt8(ascii: "-") {
            (separator, digitsInGroup) = (text[2], 2)
        } else if text.count == 14, text[4] == UInt8(ascii: ".") {
            (separator, digitsInGroup) = (text[4], 4)
        } else {
            throw .notAnAddress
        }
        var value: UInt64 = 0
        var digits = 0
        for index in text.indices {
            if digits == digitsInGroup {
                guard text[index] == separator else { throw .notAnAddress }
                digits = 0
            } else {
                guard let digit = hexDigitValue(text[index]) else { throw .notAnAddress }
                value = value << 4 | UInt64(digit)
                digits += 1
            }
        }
        try self.init(rawValue: value)
    }

    /// Creates an address from 48 bits.
    private init(rawValue: UInt64) throws(BSSIDError) {
        guard rawValue != 0 else { throw .allZeros }
        guard rawValue != 0xffff_ffff_ffff else { throw .broadcast }
        guard rawValue & 0x0100_0000_0000 == 0 else { throw .multicast }
        self.rawValue = rawValue
    }
}

extension BSSID: CustomStringConvertible {
    /// The address in lower case with colons.
    public var description: String {
        octets(of: rawValue).map(hexPair).joined(separator: ":")
    }
}

/// The six octets of an address in the low 48 bits.
public func octets(of address: UInt64) -> [UInt8] {
    stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: address >> UInt64($0)) }
}

/// The access points that share the leading bits of an address, such as all radios of one site.
public struct BSSIDPattern: Hashable, Sendable {
    /// The lengths of a prefix that are allowed, in bits. A shorter one would trust more than one vendor's hardware.
    public static let prefixLengths = 24...48

    /// The leading bits in their places of the low 48, the rest zero.
    public let rawValue: UInt64
    /// How many leading bits must match.
    public let prefixLength: Int

    /// Creates a pattern from an address and the number of leading bits that must match.
    ///
    /// - Throws: ``BSSIDError`` when the length is outside 24 through 48, or a bit after the prefix is set.
    public init(address: BSSID, prefixLength: Int = 48) throws(BSSIDError) {
        guard Self.prefixLengths.contains(prefixLength) else { throw .prefixLength }
        guard address.masked(to: prefixLength) == address.rawValue else {
            throw .bitsAfterPrefix(prefixLength)
        }
        rawValue = address.rawValue
        self.prefixLength = prefixLength
    }

    /// Creates a pattern from text such as `02:11:22:33:44:50/44`; without a length it is one address.
    public init(_ text: some StringProtocol) throws(BSSIDError) {
        try self.init(ascii: Array(text.utf8).span)
    }

    /// Creates a pattern from the bytes of such text.
    public init(ascii text: Span<UInt8>) throws(BSSIDError) {
        guard let slash = text.indices.first(where: { text[$0] == UInt8(ascii: "/") }) else {
            try self.init(address: BSSID(ascii: text))
            return
        }
        let address = try BSSID(ascii: text.extracting(0..<slash))
        guard text.count == slash + 3 else { throw .prefixLength }
        let (tens, ones) = (Int(text[slash + 1]) - 0x30, Int(text[slash + 2]) - 0x30)
        guard (0...9).contains(tens), (0...9).contains(ones) else { throw .prefixLength }
        try self.init(address: address, prefixLength: tens * 10 + ones)
    }

    /// Whether the access point is one of these.
    public func matches(_ candidate: BSSID) -> Bool {
        candidate.masked(to: prefixLength) == rawValue
    }
}

extension BSSIDPattern {
    /// The addresses that begin with fewer bits of these, or `nil` when that is no prefix that is allowed.
    public func shortened(to length: Int) -> BSSIDPattern? {
        guard length <= prefixLength else { return nil }
        guard Self.prefixLengths.contains(length) else { return nil }
        return BSSIDPattern(rawValue: rawValue & (UInt64.max << UInt64(48 - length)), prefixLength: length)
    }

    /// The pattern of bits that are known to be right.
    init(rawValue: UInt64, prefixLength: Int) {
        self.rawValue = rawValue
        self.prefixLength = prefixLength
    }

    /// Appends the pattern and an end of line to a list, without allocating.
    public func append(to text: inout [UInt8]) {
        func digit(_ value: UInt64) -> UInt8 {
            let value = UInt8(truncatingIfNeeded: value & 0xf)
            return value < 10 ? 0x30 + value : 0x57 + value
        }
        for shift in stride(from: UInt64(40), through: 0, by: -8) {
            if shift < 40 { text.append(UInt8(ascii: ":")) }
            text.append(digit(rawValue >> (shift + 4)))
            text.append(digit(rawValue >> shift))
        }
        if prefixLength < 48 { text += Array("/\(prefixLength)".utf8) }
        text.append(UInt8(ascii: "\n"))
    }
}

extension BSSIDPattern: CustomStringConvertible {
    /// The address, with `/N` unless all 48 bits must match.
    public var description: String {
        let address = octets(of: rawValue).map(hexPair).joined(separator: ":")
        return prefixLength == 48 ? address : "\(address)/\(prefixLength)"
    }
}

extension BSSID {
    /// The address with every bit after the first `prefixLength` cleared, in the low 48 bits.
    public func masked(to prefixLength: Int) -> UInt64 {
        rawValue & (UInt64.max << UInt64(48 - min(max(prefixLength, 0), 48)))
    }
}

/// Why something is not the address of an access point or a set of them.
public enum BSSIDError: Error, Equatable, Sendable {
    case notAnAddress
    case allZeros
    case broadcast
    case multicast
    case prefixLength
    case bitsAfterPrefix(Int)
}

extension BSSIDError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAnAddress:
            "not a BSSID: write 02:11:22:33:44:55, 02-11-22-33-44-55 or 0211.2233.4455, with /24 to /48 for a prefix"
        case .allZeros: "all zeros is no access point"
        case .broadcast: "ff:ff:ff:ff:ff:ff is the broadcast address, no access point"
        case .multicast: "a multicast address is no access point"
        case .prefixLength: "the prefix must be /24 to /48"
        case .bitsAfterPrefix(let length): "the bits after /\(length) must be zero"
        }
    }
}
