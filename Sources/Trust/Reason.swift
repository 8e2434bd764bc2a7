/// Why the second factor is or is not required: the code of one row of the decision.
///
/// The codes stand in logs, in JSON and in scripts. None is ever renamed.
public enum Reason: String, CaseIterable, Sendable {
    // 1. The policy.
    case policyMissing = "policy-missing"
    case policyStale = "policy-stale"
    case policyInsecure = "policy-insecure"
    case policyInvalid = "policy-invalid"
    // 2. Who is always asked.
    case userExcluded = "user-excluded"
    case serviceExcluded = "service-excluded"
    // 3. Where the asker is.
    case remoteSession = "remote-session"
    case sessionUnknown = "session-unknown"
    // 4. Whether the asker lets their location be read.
    case consentMissing = "consent-missing"
    case consentDenied = "consent-denied"
    // 5. Whether Wi-Fi can be read.
    case wifiUnavailable = "wifi-unavailable"
    case wifiAccessDenied = "wifi-access-denied"
    case noWifiInterface = "no-wifi-interface"
    case probeTimeout = "probe-timeout"
    case probeInconsistent = "probe-inconsistent"
    case probeFailed = "probe-failed"
    // 6. Whether there is a network.
    case associating
    case notConnected = "not-connected"
    // 7, 8 and 9. Whether the network is trusted.
    case networkDenied = "network-denied"
    case networkNotListed = "network-not-listed"
    case entryExpired = "entry-expired"
    case notForUser = "not-for-user"
    case bssidNotListed = "bssid-not-listed"
    case securityTooWeak = "security-too-weak"
    case notAuthorized = "not-authorized"
    case authorizationUnknown = "authorization-unknown"
    case evidenceTooWeak = "evidence-too-weak"
    // 10. The one path to "not required".
    case trustedNetwork = "trusted-network"
}

/// The three kinds of answer.
public enum Answer: Equatable, Sendable {
    /// The second factor may be skipped.
    case notRequired
    /// A rule asks for the second factor (steps 2 to 4 and 6 to 9).
    case required
    /// It could not be decided, so the second factor is asked for (steps 1 and 5).
    case undecided
}

extension Reason {
    /// The kind of answer that this reason stands for.
    public var answer: Answer {
        switch self {
        case .trustedNetwork: .notRequired
        case .policyMissing, .policyStale, .policyInsecure, .policyInvalid, .wifiUnavailable, .wifiAccessDenied,
            .noWifiInterface, .probeTimeout, .probeInconsistent, .probeFailed:
            .undecided
        case .userExcluded, .serviceExcluded, .remoteSession, .sessionUnknown, .consentMissing, .consentDenied,
            .associating, .notConnected, .networkDenied, .networkNotListed, .entryExpired, .notForUser,
            .bssidNotListed, .securityTooWeak, .notAuthorized, .authorizationUnknown, .evidenceTooWeak:
            .required
        }
    }

    /// The step of the decision that gave the answer, 1 to 10.
    public var step: Int {
        switch self {
        case .policyMissing, .policyStale, .policyInsecure, .policyInvalid: 1
        case .userExcluded, .serviceExcluded: 2
        case .remoteSession, .sessionUnknown: 3
        case .consentMissing, .consentDenied: 4
        case .wifiUnavailable, .wifiAccessDenied, .noWifiInterface, .probeTimeout, .probeInconsistent, .probeFailed: 5
        case .associating, .notConnected: 6
        case .networkDenied: 7
        case .networkNotListed: 8
        case .entryExpired, .notForUser, .bssidNotListed, .securityTooWeak, .notAuthorized, .authorizationUnknown,
            .evidenceTooWeak:
            9
        case .trustedNetwork: 10
        }
    }

    /// Whether Wi-Fi could not be read: the reasons of step 5.
    public var isUnavailability: Bool { step == 5 }

    /// One line for people: what was found.
    public var message: String {
        switch self {
        case .policyMissing: "there is no compiled policy"
        case .policyStale: "the policy files changed since they were compiled"
        case .policyInsecure: "the policy could be changed by others than root"
        case .policyInvalid: "the compiled policy is damaged or of another version"
        case .userExcluded: "this user is always asked for a second factor"
        case .serviceExcluded: "this service always asks for a second factor"
        case .remoteSession: "the login comes from another machine"
        case .sessionUnknown: "it cannot be shown that the user is at this machine"
        case .consentMissing: "the user has not agreed that their network is looked at"
        case .consentDenied: "the user does not want their network to be looked at"
        case .wifiUnavailable: "this system has no Wi-Fi information (nl80211)"
        case .wifiAccessDenied: "the system does not let this program read Wi-Fi information"
        case .noWifiInterface: "there is no Wi-Fi station interface"
        case .probeTimeout: "Wi-Fi information did not arrive in time"
        case .probeInconsistent: "the Wi-Fi connection changed or contradicted itself while it was read"
        case .probeFailed: "Wi-Fi information could not be read"
        case .associating: "the machine is still joining a Wi-Fi network"
        case .notConnected: "the machine is not on a Wi-Fi network"
        case .networkDenied: "this network is never trusted"
        case .networkNotListed: "this Wi-Fi network is not on the allowlist"
        case .entryExpired: "the allowlist entry of this network has expired"
        case .notForUser: "this network is not trusted for this user or service"
        case .bssidNotListed: "a listed network name at an access point that is not listed"
        case .securityTooWeak: "the network offers weaker security than the allowlist asks for"
        case .notAuthorized: "the network has not finished the key exchange"
        case .authorizationUnknown: "the Wi-Fi driver does not say whether the key exchange finished"
        case .evidenceTooWeak: "the network has not proven enough about itself"
        case .trustedNetwork: "the machine is on a trusted network"
        }
    }

    /// What can be done about it, or `nil` when nothing is wrong.
    public var hint: String? {
        switch self {
        case .policyMissing: "compile the policy with: onsite apply"
        case .policyStale: "compile it with: onsite apply"
        case .policyInsecure: "give the policy and its directories to root, not writable by others, then: onsite apply"
        case .policyInvalid: "compile the policy again with: onsite apply"
        case .userExcluded, .serviceExcluded: "see always-require in policy.toml"
        case .remoteSession, .sessionUnknown: "see remote-sessions in policy.toml"
        case .consentMissing: "to agree: onsite consent grant (with lock-sessions = true: grant --always)"
        case .consentDenied: "to agree after all: onsite consent grant"
        case .wifiUnavailable: "is there a Wi-Fi driver? see: iw dev"
        case .wifiAccessDenied: "allow AF_NETLINK sockets where this program runs"
        case .noWifiInterface: "is the Wi-Fi adapter present? see: iw dev"
        case .probeTimeout, .probeInconsistent, .probeFailed: "try again, then see: onsite status"
        case .associating: "try again in a moment"
        case .notConnected: "join a trusted network"
        case .networkDenied: nil
        case .networkNotListed: "if this is a company network, add it with: onsite allow current NAME"
        case .entryExpired: "extend it with: onsite allow add NAME --expires DATE"
        case .notForUser: "see users, groups and services of the network"
        case .bssidNotListed: "if this is your access point, add it with: onsite allow add NAME --bssid BSSID"
        case .securityTooWeak: "see security of the network, and beware of an imitation"
        case .notAuthorized: "wait until the network is joined, and beware of an imitation"
        case .authorizationUnknown: "this driver needs minimum-evidence = \"claimed\", which trusts the name alone"
        case .evidenceTooWeak: "see minimum-evidence of the network"
        case .trustedNetwork: nil
        }
    }
}
