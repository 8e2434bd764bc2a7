public import Trust

/// How long one look at the machine's Wi-Fi may take, in milliseconds.
public let probeLimit: UInt32 = 500

/// Looks at every Wi-Fi interface of this network namespace.
///
/// It reads what the kernel knows. It never triggers a scan, and needs no privilege.
///
/// - Parameters:
///   - limit: how long each look may take, in milliseconds.
///   - wait: how long to wait in all while an association is in progress, in milliseconds.
public func observe(within limit: UInt32 = probeLimit, waiting wait: UInt32 = 0) -> Evidence {
    // Follow events before looking, so that none can fall between the look and the wait.
    let events = wait > 0 ? associationEvents(for: wait) : nil
    var evidence = look(limit)
    while evidence.isAssociating, let events, events.waitForEvent() {
        evidence = look(limit)
    }
    return evidence
}

private func look(_ limit: UInt32) -> Evidence {
    Probe(kernel: LinuxKernel(deadline: .now + .milliseconds(Int(limit)))).evidence()
}

/// A socket that hears of associations, or `nil` when there is none to be had: then nothing is waited for.
private func associationEvents(for wait: UInt32) -> NetlinkSocket? {
    do throws(NetlinkError) {
        let socket = try NetlinkSocket(deadline: .now + .milliseconds(Int(wait)))
        guard let group = try Family(on: socket).associationEvents else { return nil }
        try socket.join(group: group)
        return socket
    } catch {
        return nil
    }
}

extension Evidence {
    /// Whether no station is connected and one is on its way.
    var isAssociating: Bool {
        guard case .interfaces(let interfaces, _) = self else { return false }
        let states = interfaces.filter { $0.type == .station }.map(\.state)
        return !states.contains(.connected) && states.contains(.associating)
    }
}
