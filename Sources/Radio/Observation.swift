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
    let deadline = ContinuousClock.now + .milliseconds(Int(wait))
    // Follow events before looking, so that none can fall between the look and the wait. Where there are none to be had,
    // nothing is waited for.
    let monitor = wait > 0 ? try? Monitor() : nil
    var evidence = look(limit)
    guard evidence.isJoining, let monitor else { return evidence }
    announce(wait)
    while evidence.isJoining, monitor.waitForEvent(until: deadline) { evidence = monitor.observe(within: limit) }
    return evidence
}

private func look(_ limit: UInt32) -> Evidence {
    Probe(kernel: LinuxKernel(deadline: .now + .milliseconds(Int(limit)))).evidence()
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
