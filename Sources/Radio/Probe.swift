public import Trust
import Wireless

/// One look at every Wi-Fi interface, from recorded or real replies.
struct Probe {
    let kernel: any Kernel & WirelessExtensions

    /// Reads the evidence, and gives up at once on what cannot be read.
    func evidence() -> Evidence {
        do throws(ProbeError) {
            let records = try readInterfaces()
            var interfaces: [Interface] = []
            for record in records {
                if let interface = try interface(record) { interfaces.append(interface) }
            }
            interfaces += try interfacesWithExtensions(besides: records.map(\.name))
            return .interfaces(interfaces, source: .nl80211)
        } catch {
            // Where nl80211 refuses or fails, nothing takes its place. Where the kernel has none, older drivers may.
            guard error.reason == .wifiUnavailable else { return .unavailable(error.reason, source: .nl80211) }
            return evidenceWithoutNl80211()
        }
    }

    private func evidenceWithoutNl80211() -> Evidence {
        do throws(ProbeError) {
            let interfaces = try interfacesWithExtensions(besides: [])
            return interfaces.isEmpty
                ? .unavailable(.wifiUnavailable, source: .nl80211) : .interfaces(interfaces, source: .wext)
        } catch {
            return .unavailable(error.reason, source: .wext)
        }
    }

    private func readInterfaces() throws(ProbeError) -> [InterfaceRecord] {
        do throws(NetlinkError) {
            var records: [InterfaceRecord] = []
            for reply in try kernel.dump(.getInterface, interface: nil) {
                if let record = try InterfaceRecord(reply) { records.append(record) }
            }
            return records
        } catch {
            throw .netlink(error)
        }
    }

    /// What one interface shows, or `nil` when it went away.
    private func interface(_ record: InterfaceRecord) throws(ProbeError) -> Interface? {
        let interface = Interface(
            name: record.name, index: record.index, type: record.type,
            state: kernel.isUp(record.name) == false ? .down : .disconnected)
        return try settled(interface) { (interface, isFirst) throws(NetlinkError) in
            // What the interface calls its network is read again as well, so that both are of the same moment.
            guard let named = isFirst ? record : try reread(record) else { return nil }
            return try fill(&interface, named)
        }
    }

    /// Reads where a station is connected until everything fits together, or gives up.
    ///
    /// - Parameter fill: reads it once, given whether for the first time. It returns whether everything fits together
    ///   and still held at the end, or `nil` when the interface went away.
    /// - Returns: `nil` when the interface went away.
    func settled(
        _ interface: Interface, _ fill: (inout Interface, Bool) throws(NetlinkError) -> Bool?
    ) throws(ProbeError) -> Interface? {
        var interface = interface
        // What is down is associated with nothing.
        guard interface.type == .station, interface.state != .down else { return interface }
        do throws(NetlinkError) {
            // A roam may come between two of the requests. It comes again if the machine is in motion, but not for ever.
            for isFirst in [true, false] {
                guard let fits = try fill(&interface, isFirst) else { return nil }
                if fits { return interface }
            }
        } catch {
            // Unplugged, or taken down, since it was listed.
            if error.code == noDevice { return nil }
            if error.code == networkDown {
                interface.state = .down
                return interface
            }
            throw .netlink(error)
        }
        throw .inconsistent
    }

    private func reread(_ record: InterfaceRecord) throws(NetlinkError) -> InterfaceRecord? {
        for reply in try kernel.dump(.getInterface, interface: nil) {
            if let again = try InterfaceRecord(reply), again.index == record.index { return again }
        }
        return nil
    }

    /// Reads where a station is connected.
    ///
    /// - Returns: whether everything that was read fits together and still held at the end.
    private func fill(_ interface: inout Interface, _ record: InterfaceRecord) throws(NetlinkError) -> Bool {
        let associations = try readAssociations(record.index)
        let stations = try readStations(record.index)
        guard try readAssociations(record.index) == associations else { return false }

        guard let first = associations.first else {
            // The driver knows a peer before the association is complete.
            if !stations.isEmpty, interface.state != .down { interface.state = .associating }
            return true
        }
        guard associations.allSatisfy({ !$0.contradictsItself && $0.ssid == first.ssid && $0.mld == first.mld }),
            first.mld != nil || associations.count == 1,
            record.ssid == nil || first.ssid == nil || record.ssid == first.ssid
        else { return false }

        let addresses = associations.map(\.bssid) + (first.mld.map { [$0] } ?? [])
        let station = stations.first { addresses.contains($0.address) }
        guard station != nil || stations.isEmpty else { return false }

        interface.state = .connected
        interface.ssid = first.ssid
        interface.links = associations.map(\.bssid)
        interface.mld = first.mld
        interface.authorized = station?.authorized
        interface.mfp = station?.mfp
        interface.began = station?.began
        interface.security = associations.reduce(into: []) { $0.formUnion($1.offered) }
        return true
    }

    /// The associated access point, or one for each link, in the order of their addresses.
    private func readAssociations(_ interface: UInt32) throws(NetlinkError) -> [AssociationRecord] {
        var records: [AssociationRecord] = []
        for reply in try kernel.dump(.getScan, interface: interface) {
            if let record = try AssociationRecord(reply, interface: interface) { records.append(record) }
        }
        return records.sorted { $0.bssid.rawValue < $1.bssid.rawValue }
    }

    /// The peers that can be access points.
    private func readStations(_ interface: UInt32) throws(NetlinkError) -> [StationRecord] {
        let replies: [[UInt8]]
        do { replies = try kernel.dump(.getStation, interface: interface) } catch {
            // A driver that keeps no such table: whether the key exchange finished is not known.
            if error.code == notSupported { return [] }
            throw error
        }
        var records: [StationRecord] = []
        for reply in replies {
            if let record = try StationRecord(reply, interface: interface), !record.isDirectPeer {
                records.append(record)
            }
        }
        return records
    }
}

/// Why there is no evidence.
enum ProbeError: Error {
    case netlink(NetlinkError)
    case inconsistent

    /// The reason of step 5.
    var reason: Reason {
        switch self {
        case .inconsistent: .probeInconsistent
        case .netlink(let error): error.reason
        }
    }
}

extension NetlinkError {
    /// The reason of step 5 that a failed request stands for.
    public var reason: Reason {
        switch step {
        case .resolve where code == noEntry: .wifiUnavailable
        case .open, .resolve, .send:
            switch code {
            case notPermitted, accessDenied, noAddressFamily: .wifiAccessDenied
            case noProtocol: .wifiUnavailable
            default: .probeFailed
            }
        case .timeOut: .probeTimeout
        case .receive:
            switch code {
            case notPermitted, accessDenied: .wifiAccessDenied
            default: .probeFailed
            }
        case .interrupted: .probeInconsistent
        case .parse: .probeFailed
        }
    }
}
