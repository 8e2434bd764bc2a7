import CNetlink
public import Trust

/// How long one look at the machine's Wi-Fi may take, in milliseconds.
public let probeLimit: UInt32 = 500

/// Looks at every Wi-Fi interface of this network namespace.
///
/// It reads what the kernel knows. It never triggers a scan, and needs no privilege.
///
/// - Parameters:
///   - limit: how long each look may take, in milliseconds.
///   - wait: how long to wait in all while a network is being joined, in milliseconds.
///   - announce: is told, once, when there is something to wait for.
public func observe(
    within limit: UInt32 = probeLimit, waiting wait: UInt32 = 0, announce: (UInt32) -> Void = { _ in }
) -> Evidence {
    // Follow events before looking, so that none can fall between the look and the wait.
    let events = wait > 0 ? Events(for: wait) : nil
    var evidence = look(limit)
    guard evidence.isJoining, let events else { return evidence }
    announce(wait)
    while evidence.isJoining, events.next() { evidence = look(limit) }
    return evidence
}

private func look(_ limit: UInt32) -> Evidence {
    Probe(kernel: LinuxKernel(deadline: .now + .milliseconds(Int(limit)))).evidence()
}

/// What wakes a program that waits for a network. Nothing is read from an event: everything is looked at again.
private struct Events {
    /// nl80211 tells that a station associates or is sent away.
    let associations: NetlinkSocket
    /// The supplicant brings the interface into operation when the keys are in place, of which nl80211 says nothing.
    let operation: NetlinkSocket

    /// Follows events for some milliseconds.
    ///
    /// - Returns: `nil` when there are none to be had: then nothing is waited for.
    init?(for wait: UInt32) {
        let deadline = ContinuousClock.now + .milliseconds(Int(wait))
        do throws(NetlinkError) {
            associations = try NetlinkSocket(deadline: deadline)
            guard let group = try Family(on: associations).associationEvents else { return nil }
            try associations.join(group: group)
            operation = try NetlinkSocket(deadline: deadline, protocol: NETLINK_ROUTE)
            try operation.join(group: UInt32(RTNLGRP_LINK.rawValue))
        } catch {
            return nil
        }
    }

    /// Waits for the next event.
    ///
    /// - Returns: `false` when the time is over.
    func next() -> Bool { NetlinkSocket.waitForEvent(on: [associations, operation]) }
}

extension Evidence {
    /// Whether no station is on a network that has proven its key, and one is on its way there.
    public var isJoining: Bool {
        switch self {
        case .unavailable(let reason, _):
            return reason == .probeInconsistent
        case .interfaces(let interfaces, _):
            let stations = interfaces.filter { $0.type == .station }
            return !stations.contains { $0.state == .connected && $0.authorized != false }
                && stations.contains { $0.state == .associating || $0.state == .connected }
        }
    }
}
