public import Wireless

/// The rules that hold for the whole machine: `policy.toml`.
public struct Rules: Equatable, Sendable {
    /// What a network must have proven, unless its own entry says otherwise.
    public var minimumEvidence = EvidenceLevel.protected
    public var stations = Stations.all
    public var remoteSessions = RemoteSessions.require
    /// How long to wait while an association is in progress, in milliseconds, 0 to 10 000.
    public var wait: UInt32 = 0
    /// Who and what is asked for a second factor everywhere.
    public var alwaysRequire = Askers()
    public var identifiers = Identifiers.hashed
    public var consent = Consent.notNeeded
    /// Whether a login session is locked when the machine leaves a trusted network, if no second factor was asked for
    /// when it was opened or unlocked.
    public var locksSessions = false
    /// What `--purpose` accepts, no key twice.
    public var purposes = [
        Purpose(key: "enrolment", sentence: "Adding the network that this machine is on to the allowlist")
    ]

    public init() {}

    /// Which of several stations must be on a trusted network.
    public enum Stations: String, CaseIterable, Sendable {
        case all, any
    }

    /// What becomes of an asker who is not at the machine.
    public enum RemoteSessions: String, CaseIterable, Sendable {
        case require, allow
    }

    /// What a log says about the network.
    public enum Identifiers: String, CaseIterable, Sendable {
        case hashed, none, clear
    }

    /// Whether each user must agree before their network is looked at.
    public enum Consent: String, CaseIterable, Sendable {
        case notNeeded = "not-needed"
        case needed
    }
}

/// A reason to show SSID and BSSID to somebody.
public struct Purpose: Equatable, Sendable {
    /// What `--purpose` is given.
    public var key: String
    /// What people are shown.
    public var sentence: String

    public init(key: String, sentence: String) {
        self.key = key
        self.sentence = sentence
    }
}

/// Names of users, groups and services.
public struct Askers: Equatable, Sendable {
    public var users: [String]
    public var groups: [String]
    public var services: [String]

    public init(users: [String] = [], groups: [String] = [], services: [String] = []) {
        self.users = users
        self.groups = groups
        self.services = services
    }
}

/// One network of the allowlist: `networks.d/NAME.toml`.
public struct Network: Equatable, Sendable {
    /// Its name in the allowlist, not the SSID.
    public var name: String
    public var ssids: [SSID]
    /// Whether only listed access points are meant. The list of a network to trust may hold a million, so it is asked
    /// through ``Policy/lists(_:in:)`` and does not stand here.
    public var isPinned: Bool
    /// The access points of a network never to trust; empty: all of them.
    public var denied: [BSSIDPattern]
    /// What the network may offer; empty: anything that satisfies the minimum of evidence.
    public var security: Set<Security>
    public var minimumEvidence: EvidenceLevel
    public var action: Action
    /// A label for logs and people.
    public var site: String?
    /// Whom the network is trusted for; an empty list: everybody, everywhere.
    public var askers: Askers
    /// The last day on which the network is trusted (UTC).
    public var expires: Day?

    public init(
        name: String, ssids: [SSID], isPinned: Bool = false, denied: [BSSIDPattern] = [],
        security: Set<Security> = [], minimumEvidence: EvidenceLevel = .protected, action: Action = .skip,
        site: String? = nil, askers: Askers = Askers(), expires: Day? = nil
    ) {
        self.name = name
        self.ssids = ssids
        self.isPinned = isPinned
        self.denied = denied
        self.security = security
        self.minimumEvidence = minimumEvidence
        self.action = action
        self.site = site
        self.askers = askers
        self.expires = expires
    }

    public enum Action: String, CaseIterable, Sendable {
        /// The second factor is not required here.
        case skip
        /// The network is never trusted, whatever another entry says.
        case require
    }
}

/// What the decision asks of a policy, compiled or not.
public protocol Policy {
    var rules: Rules { get }

    /// Every network that goes by this name.
    ///
    /// - Throws: ``PolicyFault`` when the answer cannot be relied on.
    func networks(named ssid: SSID) throws(PolicyFault) -> [Network]

    /// Whether the list of a pinned network has this access point.
    func lists(_ bssid: BSSID, in network: Network) throws(PolicyFault) -> Bool
}

/// A policy that cannot be relied on.
public struct PolicyFault: Error, Equatable, Sendable {
    /// One of the reasons of step 1.
    public let reason: Reason
    /// What is wrong, for administrators: one line.
    public let detail: String

    public init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}

extension PolicyFault: CustomStringConvertible {
    public var description: String { detail }
}
