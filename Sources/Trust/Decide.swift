import Wireless

/// Decides whether the second factor may be skipped for a login: steps 2 to 10.
///
/// The second factor is skipped only when every step says so. Wi-Fi is looked at only when the answer can depend on it.
///
/// - Parameters:
///   - asker: who asks.
///   - policy: a policy that passed step 1.
///   - today: the day in UTC, or `nil` when the clock is of no use; then an entry that expires has expired.
///   - prove: asks the programs that run the machine's Wi-Fi about a connected station. It is asked only where its
///     answer can make a network a trusted one.
///   - observe: looks at the machine's Wi-Fi.
public func decide(
    for asker: Asker, policy: some Policy, today: Day?, prove: (Interface) -> Proof? = { _ in nil },
    observe: () -> Evidence
) -> Decision {
    if let reason = exclusion(of: asker, by: policy.rules) {
        return Decision(reason)
    }
    return decide(on: observe(), policy: policy, today: today, prove: prove) { asker.isAmong($0) }
}

/// Decides whether the network is trusted, whoever asks: steps 5 to 10.
///
/// A network that is trusted for some users, groups or services only is judged as if everybody was among them.
public func decide(
    onNetwork evidence: Evidence, policy: some Policy, today: Day?, prove: (Interface) -> Proof? = { _ in nil }
) -> Decision {
    decide(on: evidence, policy: policy, today: today, prove: prove) { _ in true }
}

/// Why this asker needs a second factor wherever the machine is: steps 2 to 4.
private func exclusion(of asker: Asker, by rules: Rules) -> Reason? {
    if let reason = asker.exclusion(by: rules.alwaysRequire) { return reason }
    if rules.remoteSessions == .require {
        switch asker.whereabouts() {
        case .local: break
        case .remote: return .remoteSession
        case .unknown: return .sessionUnknown
        }
    }
    if rules.consent == .needed {
        // Who is let in without a second factor is watched afterwards, if sessions are locked.
        if let reason = asker.consent().lack(forWatching: rules.locksSessions) { return reason }
    }
    return nil
}

private func decide(
    on evidence: Evidence, policy: some Policy, today: Day?, prove: (Interface) -> Proof?,
    isTrustedFor: (Askers) -> Bool
) -> Decision {
    let interfaces: [Interface]
    switch evidence {
    case .unavailable(let reason, _):
        return Decision(reason.isUnavailability ? reason : .probeFailed)
    case .interfaces(let all, _):
        interfaces = all
    }
    let stations = interfaces.filter { $0.type == .station }.sorted { $0.index < $1.index }
    guard !stations.isEmpty else { return Decision(.noWifiInterface) }
    let connected = stations.filter { $0.state == .connected }
    guard !connected.isEmpty else {
        return Decision(stations.contains { $0.state == .associating } ? .associating : .notConnected)
    }

    do {
        let decisions = try connected.map { (station) throws(PolicyFault) in
            var decision = try judge(station, policy: policy, today: today, isTrustedFor: isTrustedFor)
            if station.couldPass(decision.reason), let proof = prove(station) {
                decision = try judge(station.adding(proof), policy: policy, today: today, isTrustedFor: isTrustedFor)
            }
            decision.dependsOnAccessPoint = try policy.listsAccessPoints(ofNetworksLike: station)
            return decision
        }
        return combine(decisions, policy.rules.stations)
    } catch {
        return Decision(error)
    }
}

/// Joins what was decided for each station, in the order of their indexes.
private func combine(_ decisions: [Decision], _ rule: Rules.Stations) -> Decision {
    // A network that is never trusted wins over every other, also where one trusted station would do.
    let denied = decisions.first { $0.reason == .networkDenied }
    let untrusted = decisions.first { $0.answer != .notRequired }
    let trusted = decisions.first { $0.answer == .notRequired }
    let first: Decision? =
        switch rule {
        case .all: untrusted ?? trusted
        case .any: denied ?? trusted ?? untrusted
        }
    return first ?? Decision(.probeFailed)
}

/// Judges one connected station: steps 7 to 10.
private func judge(
    _ station: Interface, policy: some Policy, today: Day?, isTrustedFor: (Askers) -> Bool
) throws(PolicyFault) -> Decision {
    // A hidden name is no name, and none is like it.
    guard let ssid = station.ssid else { return Decision(.networkNotListed, at: station) }
    let named = try policy.networks(named: ssid)

    if let denying = named.first(where: { $0.action == .require && $0.denies(station) }) {
        return Decision(.networkDenied, denying, at: station)
    }
    var furthest: (network: Network, progress: Progress)?
    for network in named where network.action == .skip {
        let progress = try progress(
            of: station, in: network, policy: policy, today: today, isTrustedFor: isTrustedFor)
        if furthest.map({ progress > $0.progress }) ?? true {
            furthest = (network, progress)
        }
    }
    guard let furthest else { return Decision(.networkNotListed, at: station) }
    return Decision(furthest.progress.reason, furthest.network, at: station)
}

/// How far a station came in the checks of one network: steps 9 and 10.
private func progress(
    of station: Interface, in network: Network, policy: some Policy, today: Day?, isTrustedFor: (Askers) -> Bool
) throws(PolicyFault) -> Progress {
    if let last = network.expires {
        guard let today, today <= last else { return .expired }
    }
    guard isTrustedFor(network.askers) else { return .notForUser }
    if network.isPinned {
        guard try isListed(station, in: network, policy: policy) else { return .bssidNotListed }
    }
    guard network.accepts(station.decidingSecurity) else { return .securityTooWeak }
    switch station.authorized {
    case false?: return .notAuthorized
    case nil where network.minimumEvidence >= .protected: return .authorizationUnknown
    case nil, true?: break
    }
    // A minimum of nothing does not exist: an association is the least.
    guard station.evidence >= max(network.minimumEvidence, .claimed) else { return .evidenceTooWeak }
    return .trusted
}

/// Whether the access points in use are on the network's list: every link, or the device that they belong to.
private func isListed(
    _ station: Interface, in network: Network, policy: some Policy
) throws(PolicyFault) -> Bool {
    guard !station.links.isEmpty else { return false }
    if let mld = station.mld, try policy.lists(mld, in: network) { return true }
    for link in station.links {
        guard try policy.lists(link, in: network) else { return false }
    }
    return true
}

extension Policy {
    /// Whether a network of the station's name lists access points.
    fileprivate func listsAccessPoints(ofNetworksLike station: Interface) throws(PolicyFault) -> Bool {
        guard let ssid = station.ssid else { return false }
        return try networks(named: ssid).contains { $0.isPinned || !$0.denied.isEmpty }
    }
}

extension Network {
    /// Whether this is a network never to trust that the station is on, by name and, where it lists any, access point.
    fileprivate func denies(_ station: Interface) -> Bool {
        let addresses = station.links + (station.mld.map { [$0] } ?? [])
        return denied.isEmpty || denied.contains { pattern in addresses.contains { pattern.matches($0) } }
    }

    /// Whether the network may offer this.
    fileprivate func accepts(_ offered: Set<Security>) -> Bool {
        if security.isEmpty {
            return minimumEvidence < .protected || (!offered.isEmpty && offered.allSatisfy(\.provesKey))
        }
        return !offered.isEmpty && offered.isSubset(of: security)
    }
}

/// The checks of one network in their order; a later case came further.
private enum Progress: Int, Comparable {
    case expired, notForUser, bssidNotListed, securityTooWeak, notAuthorized, authorizationUnknown, evidenceTooWeak
    case trusted

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    var reason: Reason {
        switch self {
        case .expired: .entryExpired
        case .notForUser: .notForUser
        case .bssidNotListed: .bssidNotListed
        case .securityTooWeak: .securityTooWeak
        case .notAuthorized: .notAuthorized
        case .authorizationUnknown: .authorizationUnknown
        case .evidenceTooWeak: .evidenceTooWeak
        case .trusted: .trustedNetwork
        }
    }
}
