public import Trust

/// The facts about a login that say where the user is.
public struct Origin: Equatable, Sendable {
    /// The host that the request comes from (`PAM_RHOST`); empty when there is none.
    public var rhost: String
    /// The program that asks (`PAM_SERVICE`).
    public var service: String
    /// The terminal (`PAM_TTY`), such as `/dev/tty1` or `:0`; empty when there is none.
    public var tty: String
    /// The process that the login is for.
    public var process: Int32
    /// The process that asks in its place, or `nil` when it asks itself.
    public var proxy: Int32?

    public init(rhost: String, service: String, tty: String, process: Int32, proxy: Int32? = nil) {
        self.rhost = rhost
        self.service = service
        self.tty = tty
        self.process = process
        self.proxy = proxy
    }
}

/// Where an asker is, and the fact that decided it.
public struct Location: Equatable, Sendable {
    public let whereabouts: Whereabouts
    /// One line for administrators, without text from the asker.
    public let because: String
}

/// Finds out whether a user is at this machine.
///
/// A host name is never looked up, and nothing is read from the environment: both are the asker's to choose.
///
/// - Parameter session: where the login session is, when that was recorded; otherwise it is looked up.
public func locate(_ origin: Origin, session: Whereabouts? = nil) -> Location {
    locate(origin, session: session, hostName: ownHostName(), logins: Logind())
}

func locate(
    _ origin: Origin, session: Whereabouts? = nil, hostName: @autoclosure () -> String?, logins: some Logins
) -> Location {
    if !origin.rhost.isEmpty, !isThisMachine(origin.rhost, hostName: hostName()) {
        return Location(whereabouts: .remote, because: "PAM_RHOST names another machine")
    }
    if remoteServices.contains(where: { $0.utf8.elementsEqual(origin.service.utf8) }) {
        return Location(whereabouts: .remote, because: "the service serves other machines only")
    }
    if let session {
        return Location(whereabouts: session, because: "the recorded session says so")
    }
    let location = locateProcess(origin, logins)
    // Who was there when the other began to ask, and is there still, had its number all the while. Without that, all of the
    // above may be about another process.
    guard origin.proxy.map({ isOlder(origin.process, than: $0, logins) }) ?? true else {
        return Location(whereabouts: .unknown, because: "the process that the login is for is gone")
    }
    return location
}

/// Whether a process was started no later than another one. In the same hundredth of a second, that is a yes.
private func isOlder(_ process: Int32, than other: Int32, _ logins: some Logins) -> Bool {
    guard let start = logins.program(process)?.start, let end = logins.program(other)?.start else { return false }
    return start <= end
}

/// Where the user of a process is.
private func locateProcess(_ origin: Origin, _ logins: some Logins) -> Location {
    switch logins.session(of: origin.process) {
    case .session(isRemote: true, _):
        return Location(whereabouts: .remote, because: "the login session was opened from another machine")
    case .session(isRemote: false, hasSeat: false):
        return Location(whereabouts: .unknown, because: "the login session has no seat, or its user has left")
    case .session(isRemote: false, hasSeat: true):
        return atSeat(origin, logins)
    case .unknown:
        return Location(whereabouts: .unknown, because: "the login session cannot be found out")
    case .none, .noLogind:
        break
    }
    // Desktops start their programs through the user's own service manager, which belongs to no session.
    switch logins.userOfService(origin.process) {
    case .user(let user):
        if logins.presence(of: user) == .atSeat {
            return Location(
                whereabouts: .local, because: "the user is logged in at a seat of this machine, and nobody elsewhere")
        }
        return Location(whereabouts: .unknown, because: "a service of the user, and who uses it may be elsewhere")
    case .unknown:
        return Location(whereabouts: .unknown, because: "the user of the service cannot be found out")
    case .none:
        break
    }
    if isAtVirtualTerminal(origin, logins) {
        return Location(whereabouts: .local, because: "the terminal is one of this machine")
    }
    if isDisplay(origin.tty), logins.isSetUserID(origin.process) == false,
        logins.seatShows(display: origin.tty)
    {
        return Location(whereabouts: .local, because: "the display is one of this machine")
    }
    return Location(whereabouts: .unknown, because: "no login session and no terminal of this machine")
}

/// Where the user of a process is whose login session has a seat of this machine.
///
/// A session does not say who looks at its programs: a terminal multiplexer that was started in it can be attached to
/// over ssh, by its user or by somebody who has become that user. So as long as anybody is logged in elsewhere, the
/// process could be either's, except at a virtual terminal, whose keyboard is here.
private func atSeat(_ origin: Origin, _ logins: some Logins) -> Location {
    if isAtVirtualTerminal(origin, logins) {
        return Location(whereabouts: .local, because: "the login session and the terminal are of this machine's seat")
    }
    // Whose presence is asked for does not matter here.
    if logins.presence(of: 0) == .elsewhere {
        return Location(
            whereabouts: .unknown, because: "somebody is logged in elsewhere, and could be at this terminal as well")
    }
    return Location(whereabouts: .local, because: "the login session has a seat of this machine")
}

/// Whether the terminal is a virtual one, and truly so.
///
/// A set-uid program such as `su` takes its name from a descriptor that the caller may have chosen. The controlling
/// terminal is the kernel's word.
private func isAtVirtualTerminal(_ origin: Origin, _ logins: some Logins) -> Bool {
    guard isVirtualTerminal(origin.tty), let isSetUserID = logins.isSetUserID(origin.process) else { return false }
    return !isSetUserID || isVirtualTerminal(logins.program(origin.process)?.terminal ?? "")
}

/// Services that users of other machines reach, whatever they say about the host.
private let remoteServices = [
    "sshd", "ssh", "dropbear", "cockpit", "xrdp-sesman", "xrdp", "vsftpd", "proftpd", "pure-ftpd", "ftp", "rlogin",
    "rsh",
    "remote", "telnet", "dovecot", "imap", "pop", "smtp", "samba", "openvpn", "radiusd", "httpd", "nginx", "webmin",
    "usermin", "vncserver", "x2go", "teleport", "mosh", "postgresql", "cups", "squid", "gnome-remote-desktop",
]

/// Whether a host name or address means this machine: `localhost`, the loopback addresses, its own name.
func isThisMachine(_ rhost: String, hostName: String?) -> Bool {
    let name = rhost.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    if name.elementsEqual("localhost".utf8) || name.elementsEqual("::1".utf8) { return true }
    let mapped = name.starts(with: "::ffff:".utf8) ? name.dropFirst(7) : name[...]
    if isLoopbackAddress(mapped) { return true }
    guard let hostName, !hostName.isEmpty else { return false }
    return name.elementsEqual(hostName.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 })
}

/// Whether this is an address of 127.0.0.0/8 in four decimal numbers.
private func isLoopbackAddress(_ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> Int? in
        guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return part.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
    return parts.count == 4 && numbers.count == 4 && numbers.first == 127 && numbers.allSatisfy { $0 <= 255 }
}

/// Whether a terminal is a virtual one: a keyboard and a screen of this machine. A serial line may lead anywhere.
func isVirtualTerminal(_ tty: String) -> Bool {
    let name = tty.hasPrefix("/dev/") ? tty.dropFirst(5) : tty[...]
    let number = name.utf8.dropFirst(3)
    return name.hasPrefix("tty") && (1...2).contains(number.count) && number.first != 0x30
        && number.allSatisfy { (0x30...0x39).contains($0) }
}

/// Whether a terminal is an X display of this machine's naming, such as `:0`.
private func isDisplay(_ tty: String) -> Bool {
    let number = tty.utf8.dropFirst()
    return tty.hasPrefix(":") && (1...4).contains(number.count) && number.allSatisfy { (0x30...0x39).contains($0) }
}
