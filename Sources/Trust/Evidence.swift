public import Wireless

/// How much a network has proven about itself, weakest first.
public enum EvidenceLevel: String, CaseIterable, Comparable, Sendable {
    /// Nothing.
    case none
    /// An associated access point goes by this SSID and BSSID. Any radio can claim that.
    case claimed
    /// And the key exchange has finished, on a network whose security proves a key.
    case protected
    /// And the name or the operator is proven.
    case verified

    public static func < (left: Self, right: Self) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .none: 0
        case .claimed: 1
        case .protected: 2
        case .verified: 3
        }
    }
}

/// What one look at the machine's Wi-Fi showed.
public enum Evidence: Equatable, Sendable {
    /// Every Wi-Fi interface of the network namespace.
    case interfaces([Interface], source: Source)
    /// Wi-Fi could not be read. The reason is one of step 5.
    case unavailable(Reason, source: Source)

    /// The kernel interface that evidence was read from.
    public enum Source: String, CaseIterable, Sendable {
        case nl80211
        /// The Wireless Extensions, which know less.
        case wext
    }
}

/// One Wi-Fi interface.
public struct Interface: Equatable, Sendable {
    /// The kernel's name, such as `wlan0`.
    public var name: String
    /// The kernel's index, above zero.
    public var index: UInt32
    public var type: Kind
    public var state: State
    /// The name of the network, or `nil` when there is none or it is hidden.
    public var ssid: SSID?
    /// The access points in use: one, or with multi-link operation one a link.
    public var links: [BSSID]
    /// The address of the multi-link device that the links belong to.
    public var mld: BSSID?
    /// Whether the key exchange has finished, or `nil` when the driver does not say.
    public var authorized: Bool?
    /// Whether management frames are protected, or `nil` when the driver does not say.
    public var mfp: Bool?
    /// What the access points offer.
    public var security: Set<Security>
    /// What was negotiated, where that is known.
    public var negotiated: Security?
    /// Whether the name or the operator of the network is proven.
    public var verified: Bool
    /// When the association began, in nanoseconds of `CLOCK_BOOTTIME`, or `nil` when the driver does not say.
    public var began: UInt64?

    public init(
        name: String, index: UInt32, type: Kind, state: State, ssid: SSID? = nil, links: [BSSID] = [],
        mld: BSSID? = nil, authorized: Bool? = nil, mfp: Bool? = nil, security: Set<Security> = [],
        negotiated: Security? = nil, verified: Bool = false
    ) {
        self.name = name
        self.index = index
        self.type = type
        self.state = state
        self.ssid = ssid
        self.links = links
        self.mld = mld
        self.authorized = authorized
        self.mfp = mfp
        self.security = security
        self.negotiated = negotiated
        self.verified = verified
    }

    /// What the interface is (`NL80211_ATTR_IFTYPE`). Only a station joins networks of others.
    public enum Kind: String, CaseIterable, Sendable {
        case station
        case accessPoint = "ap"
        case accessPointVLAN = "ap-vlan"
        case ibss
        case meshPoint = "mesh-point"
        case monitor
        case p2pClient = "p2p-client"
        case p2pGroupOwner = "p2p-go"
        case p2pDevice = "p2p-device"
        case other
    }

    public enum State: String, CaseIterable, Sendable {
        case down
        case disconnected
        case associating
        case connected
    }
}

extension Interface {
    /// What counts of the network's security: the negotiated one where it is known, otherwise all that is offered.
    var decidingSecurity: Set<Security> {
        negotiated.map { [$0] } ?? security
    }

    /// How much the network of this station has proven.
    public var evidence: EvidenceLevel {
        guard type == .station, state == .connected, ssid != nil, !links.isEmpty else { return .none }
        guard authorized == true, !decidingSecurity.isEmpty, decidingSecurity.allSatisfy(\.provesKey) else {
            return .claimed
        }
        return verified ? .verified : .protected
    }
}

/// What a program that runs the machine's Wi-Fi says of one association.
public struct Proof: Equatable, Sendable {
    /// What was negotiated, where the program knows it.
    public var negotiated: Security?
    /// Whether the name or the operator of the network is proven.
    public var verified: Bool

    public init(negotiated: Security? = nil, verified: Bool = false) {
        self.negotiated = negotiated
        self.verified = verified
    }
}

extension Interface {
    /// This station with what a proof adds to it; nothing of what is known is taken back.
    ///
    /// A proof of something else than what was negotiated, or than what the access point offers, is of another association,
    /// and adds nothing.
    public func adding(_ proof: Proof) -> Interface {
        if let other = proof.negotiated, !decidingSecurity.contains(other) { return self }
        var station = self
        station.negotiated = negotiated ?? proof.negotiated
        station.verified = verified || proof.verified
        return station
    }

    /// What a suite that was negotiated is called among what the access point offers, or `nil` when it offers none such.
    public func security(ofSuite suite: UInt32) -> Security? {
        // Where protection of management frames is required, the station has it.
        [true, false].filter { !$0 || mfp == true }.map { Security(suite: suite, protectionRequired: $0) }
            .first { security.contains($0) }
    }

    /// Whether a proof could bring this station past what it failed.
    func couldPass(_ reason: Reason) -> Bool {
        guard authorized == true else { return false }
        let isOpen = negotiated == nil && security.count > 1
        return switch reason {
        case .securityTooWeak: isOpen
        case .evidenceTooWeak: isOpen || evidence == .protected
        default: false
        }
    }
}
