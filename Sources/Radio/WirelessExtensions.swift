import CNetlink
import Glibc
import Trust
import Wireless

extension Probe {
    /// The interfaces of drivers that have the Wireless Extensions and no nl80211.
    ///
    /// They tell of a name and an address, and of no key: the evidence is `claimed` at most.
    ///
    /// - Parameter known: the names of those that nl80211 knows. They are not asked: it would be asked twice, and the
    ///   kernel logs a warning of every program that uses the extensions there.
    func interfacesWithExtensions(besides known: [String]) throws(ProbeError) -> [Interface] {
        var interfaces: [Interface] = []
        let names: [String]
        do throws(NetlinkError) { names = try kernel.interfaceNames() } catch { throw .netlink(error) }
        for name in names where !known.contains(name) {
            do throws(NetlinkError) { _ = try kernel.ask(.protocolName, about: name) } catch {
                // Most interfaces are no Wi-Fi. One that only cannot be asked may be.
                guard notWireless.contains(error.code) else { throw .netlink(error) }
                continue
            }
            if let interface = try interface(named: name) { interfaces.append(interface) }
        }
        return interfaces.sorted { $0.index < $1.index }
    }

    private func interface(named name: String) throws(ProbeError) -> Interface? {
        let interface: Interface
        do throws(NetlinkError) {
            interface = Interface(
                name: name, index: try kernel.ask(.index, about: name).value,
                type: Interface.Kind(extensions: try kernel.ask(.mode, about: name).value),
                state: kernel.isUp(name) == false ? .down : .disconnected)
        } catch {
            if error.code == noDevice { return nil }
            throw .netlink(error)
        }
        return try settled(interface) { (interface, _) throws(NetlinkError) in try fill(&interface) }
    }

    /// Reads where a station is connected.
    ///
    /// - Returns: whether the access point was the same before and after its name.
    private func fill(_ interface: inout Interface) throws(NetlinkError) -> Bool {
        let address = try kernel.ask(.accessPoint, about: interface.name).bytes
        let name = try kernel.ask(.ssid, about: interface.name)
        guard try kernel.ask(.accessPoint, about: interface.name).bytes == address else { return false }
        // The flags are 0 where no name is set. Drivers without an access point give one of three addresses.
        guard name.value != 0, !name.bytes.isEmpty,
            ![0x00, 0x44, 0xff].contains(where: { byte in
                address.allSatisfy { $0 == byte }
            })
        else { return true }
        guard name.bytes.count <= SSID.maximumLength, let link = try? BSSID(bytes: address) else {
            throw NetlinkError(.parse)
        }
        interface.state = .connected
        // The bytes are taken as they are, also a NUL at the end that some old drivers count: to take it off would turn
        // one network's name into that of another.
        interface.ssid = name.bytes.contains { $0 != 0 } ? SSID(bytes: name.bytes) : nil
        interface.links = [link]
        return true
    }
}

/// What the kernel says of an interface that is no Wi-Fi, or gone.
private let notWireless = [notSupported, noTerminalCall, invalid, noDevice]

extension Interface.Kind {
    /// The meaning of the mode of the Wireless Extensions.
    init(extensions mode: UInt32) {
        switch CInt(truncatingIfNeeded: mode) {
        case IW_MODE_INFRA: self = .station
        case IW_MODE_MASTER: self = .accessPoint
        case IW_MODE_ADHOC: self = .ibss
        case IW_MODE_MESH: self = .meshPoint
        case IW_MODE_MONITOR: self = .monitor
        default: self = .other
        }
    }
}

extension LinuxKernel: WirelessExtensions {
    func interfaceNames() throws(NetlinkError) -> [String] {
        // Not /sys/class/net: it may show another network namespace, and to ask for what is not there makes the kernel
        // look for a module of that name.
        guard let stream = unsafe fopen("/proc/self/net/dev", "re") else {
            // A system without it has no such interfaces either.
            if errno == ENOENT { return [] }
            throw NetlinkError(.open, code: errno)
        }
        defer { unsafe fclose(stream) }
        var names: [String] = []
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        // The library makes room for each line, and it is given back at the end.
        defer { unsafe free(line) }
        while unsafe getline(&line, &room, stream) >= 0 {
            // "  eth0: 123 ...". The two lines at the head have no colon, and no name has one.
            guard let text = unsafe line.flatMap({ unsafe String(validatingCString: $0) })?.utf8,
                let colon = text.firstIndex(of: UInt8(ascii: ":")),
                let name = String(text[..<colon].drop { $0 == UInt8(ascii: " ") })
            else { continue }
            names.append(name)
        }
        return names
    }

    func ask(_ question: Question, about name: String) throws(NetlinkError) -> Answer {
        let answer = unsafe cnetlink_ask(descriptor, name, question.rawValue)
        guard answer.error == 0 else { throw NetlinkError(.receive, code: answer.error) }
        // The length is at most the room that there is.
        let bytes = unsafe withUnsafeBytes(of: answer.bytes) { unsafe Array($0.prefix(Int(answer.length))) }
        return Answer(value: answer.value, bytes: bytes)
    }
}
