/// Whether the keys of a suite depend on a passphrase and on the name of the network, as those of fast transition do
/// (IEEE 802.11-2020, 12.7.1.6.3).
///
/// SAE alone is not among them: it does so with hash-to-element only, which its suite does not tell.
public func bindsNameToPassphrase(suite: UInt32) -> Bool {
    [0x000f_ac04, 0x000f_ac09, 0x000f_ac13, 0x000f_ac19].contains(suite)
}

/// The cipher and key management suites of an RSN element (IEEE 802.11-2020, 9.4.2.24).
struct Suites: Equatable {
    let pairwiseCiphers: [UInt32]
    let keyManagement: [UInt32]
    /// The capability bit MFPR: a station must protect management frames.
    let protectionRequired: Bool

    /// Reads the element from its version field on.
    ///
    /// - Returns: `nil` for another version, for a list that is cut short, and when no key management suite is named.
    ///   The standard lets a sender leave the lists out; no access point does, and to guess is not to know.
    init?(rsn body: some Collection<UInt8>) {
        var reader = ByteReader(body)
        guard reader.readLittleEndianUInt16() == 1,
            reader.readBytes(4) != nil,
            let ciphers = Self.list(from: &reader), !ciphers.isEmpty,
            let management = Self.list(from: &reader), !management.isEmpty
        else { return nil }
        pairwiseCiphers = ciphers
        keyManagement = management
        if reader.isAtEnd {
            protectionRequired = false
        } else {
            guard let capabilities = reader.readLittleEndianUInt16() else { return nil }
            protectionRequired = capabilities & 0x0040 != 0
        }
    }

    /// CCMP-128, GCMP-128, GCMP-256, CCMP-256.
    static let strongCiphers: Set<UInt32> = [0x000f_ac04, 0x000f_ac08, 0x000f_ac09, 0x000f_ac0a]

    private static func list(from reader: inout ByteReader) -> [UInt32]? {
        guard let count = reader.readLittleEndianUInt16(), let bytes = reader.readBytes(4 * Int(count)) else {
            return nil
        }
        var suites: [UInt32] = []
        var rest = ByteReader(bytes)
        while let suite = rest.readBytes(4) {
            suites.append(suite.reduce(0) { $0 << 8 | UInt32($1) })
        }
        return suites
    }

    /// The names of all suites, and of the ciphers that undo them.
    var securities: Set<Security> {
        // PASN (00-0F-AC:21) protects ranging and is never the suite of an association (IEEE 802.11az-2022, 12.13).
        let management = keyManagement.filter { $0 != 0x000f_ac15 }
        var names = Set(management.map { Security(suite: $0, protectionRequired: protectionRequired) })
        if names.isEmpty { names.insert(.other) }
        for cipher in pairwiseCiphers {
            switch cipher {
            case 0x000f_ac02: names.insert(.wpa1)
            case 0x000f_ac01, 0x000f_ac05: names.insert(.wep)
            case let cipher where Self.strongCiphers.contains(cipher): break
            default: names.insert(.other)
            }
        }
        return names
    }

    /// Where in a beacon a list of suites can stand.
    ///
    /// The RSN Extension element (244) is not read: it says how SAE may be done and names no suite, so nothing that is
    /// decided depends on it, and one that is damaged does no harm.
    enum Carrier {
        /// An RSN element (48), or one of the Wi-Fi Alliance's overrides of it (221, 50-6F-9A, types 41 and 42).
        case rsn(ArraySlice<UInt8>)
        /// The element of the first WPA (221, 00-50-F2, type 1).
        case wpa
        /// The element of WAPI (68).
        case wapi

        init?(_ element: InformationElement) {
            switch (element.id, Array(element.payload.prefix(4))) {
            case (48, _): self = .rsn(element.payload[...])
            case (221, [0x50, 0x6f, 0x9a, 41]), (221, [0x50, 0x6f, 0x9a, 42]): self = .rsn(element.payload.dropFirst(4))
            case (221, [0x00, 0x50, 0xf2, 1]): self = .wpa
            case (68, _): self = .wapi
            default: return nil
            }
        }
    }
}

extension [InformationElement] {
    /// The key management suite that a station asked for in its association request, as the OUI and the type.
    ///
    /// - Returns: `nil` when it asked for none or several, or for a pairwise cipher that is broken or unknown, and when
    ///   that cannot be read.
    public var requestedSuite: UInt32? {
        // Exactly one element may name suites, and it must be the RSN element itself.
        let carriers = filter { Suites.Carrier($0) != nil }
        guard carriers.count == 1, let element = carriers.first, element.id == 48,
            let suites = Suites(rsn: element.payload), suites.keyManagement.count == 1,
            suites.pairwiseCiphers.count == 1, suites.pairwiseCiphers.allSatisfy(Suites.strongCiphers.contains)
        else { return nil }
        return suites.keyManagement.first
    }
}
