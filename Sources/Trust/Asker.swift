/// Who asks, and what has to be found out about them.
///
/// The closures run only when the decision gets to them.
public struct Asker {
    /// The account that logs in, or `nil` when it is not known.
    public var user: String?
    /// The program that asks, or `nil` when it is not known.
    public var service: String?
    /// Whether each name is another one of this user, or `nil` where that cannot be found out.
    public var isAlias: (_ names: [String]) -> [Bool?]
    /// Whether the user is a member of each group, or `nil` where that cannot be found out.
    public var isMember: (_ groups: [String]) -> [Bool?]
    /// Whether the user is at this machine.
    public var whereabouts: () -> Whereabouts
    /// Whether the user lets their location be read.
    public var consent: () -> ConsentState

    public init(
        user: String?, service: String?, isMember: @escaping ([String]) -> [Bool?],
        whereabouts: @escaping () -> Whereabouts, consent: @escaping () -> ConsentState = { .notDetermined },
        isAlias: @escaping ([String]) -> [Bool?] = { $0.map { _ in false } }
    ) {
        self.isAlias = isAlias
        self.user = user
        self.service = service
        self.isMember = isMember
        self.whereabouts = whereabouts
        self.consent = consent
    }
}

/// Where an asker is.
public enum Whereabouts: String, Equatable, Sendable {
    /// At this machine.
    case local
    /// At another machine.
    case remote
    /// It cannot be shown that they are at this machine.
    case unknown
}

/// What a user decided about the reading of their location.
public enum ConsentState: String, CaseIterable, Sendable {
    case notDetermined = "not-determined"
    case denied
    /// Whenever a login asks.
    case granted
    /// And in between, by a program that watches in the background.
    case grantedAlways = "granted-always"
}

extension ConsentState {
    /// Why the network may not be looked at, or `nil` when it may.
    ///
    /// - Parameter isWatching: whether it is looked at in the background, and not because a login asks.
    public func lack(forWatching isWatching: Bool) -> Reason? {
        switch self {
        case .grantedAlways: nil
        case .granted: isWatching ? .consentMissing : nil
        case .denied: .consentDenied
        case .notDetermined: .consentMissing
        }
    }
}

extension Asker {
    /// Why this asker is asked for a second factor everywhere, or `nil`.
    ///
    /// What cannot be found out counts as a yes.
    func exclusion(by always: Askers) -> Reason? {
        if !always.users.isEmpty {
            guard let user, !always.users.has(user) else { return .userExcluded }
            if isAlias(always.users).contains(where: { $0 ?? true }) { return .userExcluded }
        }
        if !always.groups.isEmpty, isMember(always.groups).contains(where: { $0 ?? true }) { return .userExcluded }
        if !always.services.isEmpty, service.map({ always.services.has($0) }) ?? true { return .serviceExcluded }
        return nil
    }

    /// Whether a network that is trusted for some is trusted for this asker.
    ///
    /// What cannot be found out counts as a no. Users and groups are one list: to be in either is enough.
    func isAmong(_ trusted: Askers) -> Bool {
        let isNamed = user.map { trusted.users.has($0) } ?? false
        let anybody = trusted.users.isEmpty && trusted.groups.isEmpty
        let isMember = { !trusted.groups.isEmpty && self.isMember(trusted.groups).contains(true) }
        guard anybody || isNamed || isMember() else { return false }
        return trusted.services.isEmpty || service.map { trusted.services.has($0) } ?? false
    }
}

extension [String] {
    /// Whether one of these names has the same bytes. `String ==` would hold different accounts for one.
    func has(_ name: String) -> Bool {
        contains { $0.utf8.elementsEqual(name.utf8) }
    }
}
