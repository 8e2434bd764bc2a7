/// How a network authenticates the machine and encrypts, by the names of the configuration.
public enum Security: String, CaseIterable, Sendable {
    /// No authentication, no encryption.
    case open
    /// Opportunistic Wireless Encryption: encrypted to whoever answers (RFC 8110).
    case owe
    /// Wired Equivalent Privacy: broken.
    case wep
    /// The first Wi-Fi Protected Access, or TKIP under another name: broken.
    case wpa1
    /// A shared passphrase with a four-way handshake.
    case wpa2Personal = "wpa2-personal"
    /// A shared passphrase with SAE.
    case wpa3Personal = "wpa3-personal"
    /// IEEE 802.1X.
    case wpa2Enterprise = "wpa2-enterprise"
    /// IEEE 802.1X with SHA-256 or stronger, and management frame protection required.
    case wpa3Enterprise = "wpa3-enterprise"
    /// IEEE 802.1X with the 192-bit suites.
    case wpa3Enterprise192 = "wpa3-enterprise-192"
    /// Fast Initial Link Setup.
    case fils
    /// Wi-Fi Easy Connect.
    case dpp
    /// Anything that has no name here, and every element that cannot be read.
    case other

    /// Whether finishing the key exchange proves that the network holds a secret.
    public var provesKey: Bool {
        switch self {
        case .open, .owe, .wep, .wpa1, .other: false
        case .wpa2Personal, .wpa3Personal, .wpa2Enterprise, .wpa3Enterprise, .wpa3Enterprise192, .fils, .dpp: true
        }
    }
}

extension Security: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Security {
    /// The security of an authentication and key management suite.
    ///
    /// - Parameters:
    ///   - suite: the OUI in the high three bytes and the type in the low one (IEEE 802.11-2020, table 9-151; 802.11az
    ///     adds 21, 802.11be 24 and 25). Those of direct links (7) and of access points among each other (10) are for
    ///     no association, and OSEN (50-6F-9A:1) lets anybody in: they have no name here.
    ///   - protectionRequired: whether the network requires management frame protection (MFPR). WPA3-Enterprise is the
    ///     suites with SHA-256 or stronger with it (Wi-Fi Alliance, WPA3 specification 3.4, section 3).
    public init(suite: UInt32, protectionRequired: Bool) {
        switch suite {
        case 0x000f_ac01: self = .wpa2Enterprise
        case 0x000f_ac03, 0x000f_ac05, 0x000f_ac0b, 0x000f_ac16, 0x000f_ac17:
            self = protectionRequired ? .wpa3Enterprise : .wpa2Enterprise
        case 0x000f_ac02, 0x000f_ac04, 0x000f_ac06, 0x000f_ac13, 0x000f_ac14: self = .wpa2Personal
        case 0x000f_ac08, 0x000f_ac09, 0x000f_ac18, 0x000f_ac19: self = .wpa3Personal
        case 0x000f_ac0c, 0x000f_ac0d: self = .wpa3Enterprise192
        case 0x000f_ac0e, 0x000f_ac0f, 0x000f_ac10, 0x000f_ac11: self = .fils
        case 0x000f_ac12: self = .owe
        case 0x506f_9a02: self = .dpp
        default: self = .other
        }
    }
}

extension [InformationElement] {
    /// Everything that the access point offers, one name for each suite, and what it says that the other links of its
    /// device offer.
    ///
    /// An element that cannot be read gives ``Security/other``, which no minimum of evidence accepts. The elements
    /// come from frames that nobody has authenticated: they say what is offered, not what was negotiated.
    ///
    /// - Parameter privacy: the privacy bit of the capability field (IEEE 802.11-2020, 9.4.1.4).
    public func offeredSecurity(privacy: Bool) -> Set<Security> {
        let own = suites.isEmpty ? [privacy ? .wep : .open] : suites
        return multiLinks.reduce(into: own) { $0.formUnion($1.offered) }
    }

    /// What the elements that name suites say, if there are any.
    var suites: Set<Security> {
        var offered: Set<Security> = []
        for element in self {
            switch Suites.Carrier(element) {
            case .rsn(let body): offered.formUnion(Suites(rsn: body)?.securities ?? [.other])
            case .wpa: offered.insert(.wpa1)
            case .wapi: offered.insert(.other)
            case nil: break
            }
        }
        if filter({ $0.id == 48 }).count > 1 { offered.insert(.other) }
        return offered
    }
}
