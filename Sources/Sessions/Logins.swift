import CLogin
import Glibc

/// What the machine's login manager knows.
protocol Logins {
    func session(of process: Int32) -> LoginSession
    func userOfService(_ process: Int32) -> ServiceUser
    func presence(of user: UInt32) -> Presence
    func program(_ process: Int32) -> Program?
    /// The same of a program, where that is all that matters.
    func isSetUserID(_ process: Int32) -> Bool?
    func seatShows(display: String) -> Bool
}

/// The login session of a process.
enum LoginSession: Equatable {
    case session(isRemote: Bool, hasSeat: Bool)
    /// The process is in no session.
    case none
    /// The machine has no login manager.
    case noLogind
    /// It could not be found out.
    case unknown
}

/// The user whose own service manager started a process.
enum ServiceUser: Equatable {
    case user(UInt32)
    /// The process was not started by one.
    case none
    /// It could not be found out.
    case unknown
}

/// Where those are who are logged in. Root does not count: root can do everything anyway.
enum Presence: Equatable {
    /// Nobody is elsewhere, and the user has no session.
    case absent
    /// Nobody is elsewhere, and the user has a session at a seat of this machine.
    case atSeat
    /// Somebody has a session from another machine or without a seat, or it could not be found out.
    case elsewhere
}

/// What the kernel says of a process.
struct Program: Equatable {
    /// Whether it runs with the rights of somebody else than who started it, as `su` and `sudo` do.
    var isSetUserID: Bool
    /// The controlling terminal, such as `tty1` or `pts/3`; empty when there is none of these kinds.
    var terminal: String
    /// When it was started, in ticks since the machine was, or `nil` when that cannot be found out.
    var start: UInt64?
}

/// systemd-logind, and the kernel.
struct Logind: Logins {
    func session(of process: Int32) -> LoginSession {
        var session = clogin_session()
        switch unsafe clogin_session_of(process, &session) {
        case CLOGIN_FOUND: return .session(isRemote: session.is_remote, hasSeat: session.has_seat)
        case CLOGIN_NONE: return .none
        case CLOGIN_UNAVAILABLE: return .noLogind
        default: return .unknown
        }
    }

    func userOfService(_ process: Int32) -> ServiceUser {
        var user: uid_t = 0
        switch unsafe clogin_user_of_service(process, &user) {
        case CLOGIN_FOUND: return .user(user)
        case CLOGIN_NONE, CLOGIN_UNAVAILABLE: return .none
        default: return .unknown
        }
    }

    func presence(of user: UInt32) -> Presence {
        switch clogin_presence_of(user) {
        case CLOGIN_ABSENT: .absent
        case CLOGIN_AT_SEAT: .atSeat
        default: .elsewhere
        }
    }

    func program(_ process: Int32) -> Program? {
        guard let status = contents(of: "/proc/\(process)/status"), let stat = contents(of: "/proc/\(process)/stat")
        else { return nil }
        return Program(status: status, stat: stat)
    }

    func isSetUserID(_ process: Int32) -> Bool? {
        contents(of: "/proc/\(process)/status").flatMap(Program.isSetUserID(status:))
    }

    func seatShows(display: String) -> Bool {
        unsafe clogin_seat_shows(display)
    }
}

/// The name of a terminal by its number, which has the minor in the bits 0 to 7 and 20 to 31, and the major in 8 to 19.
///
/// 4 are the virtual terminals and, from 64 on, serial lines; 136 are the pseudo-terminals
/// (Documentation/admin-guide/devices.txt).
func nameOfTerminal(_ number: UInt32) -> String {
    let minor = number & 0xff | (number >> 12) & 0xfff00
    switch (number >> 8) & 0xfff {
    case 4 where (1...63).contains(minor): return "tty\(minor)"
    case 136: return "pts/\(minor)"
    default: return ""
    }
}

/// The controlling terminal of this process, such as `tty1` or `pts/3`; empty when there is none of these kinds.
public func ownTerminal() -> String {
    Logind().program(getpid())?.terminal ?? ""
}

extension Program {
    /// Reads `/proc/PID/status` and `/proc/PID/stat` (proc_pid_status(5), proc_pid_stat(5)).
    ///
    /// The name of the program stands in both. Whoever starts it chooses its bytes, so bytes are what is looked at.
    init?(status: [UInt8], stat: [UInt8]) {
        guard let isSetUserID = Self.isSetUserID(status: status),
            // After the name and its parenthesis, the terminal is the fifth, and the start the twentieth.
            let end = stat.lastIndex(of: UInt8(ascii: ")")), let number = word(5, of: stat[end...], UInt8(ascii: " ")),
            let terminal = Int32(String(decoding: number, as: UTF8.self))
        else { return nil }
        self.init(
            isSetUserID: isSetUserID, terminal: nameOfTerminal(UInt32(bitPattern: terminal)),
            start: word(20, of: stat[end...], UInt8(ascii: " ")).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
        )
    }

    static func isSetUserID(status: [UInt8]) -> Bool? {
        // The real, the effective, the saved and the file system user. In the name, a line feed is escaped here.
        var rest = status[...]
        while !rest.starts(with: "Uid:\t".utf8) {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            rest = rest[(end + 1)...]
        }
        let users = rest.prefix { $0 != UInt8(ascii: "\n") }
        guard let real = word(1, of: users, UInt8(ascii: "\t")), let effective = word(2, of: users, UInt8(ascii: "\t"))
        else { return nil }
        return real != effective
    }
}

/// One of the words that a byte separates, counted from 0.
private func word(_ number: Int, of line: ArraySlice<UInt8>, _ separator: UInt8) -> ArraySlice<UInt8>? {
    var rest = line
    for _ in 0..<number {
        guard let end = rest.firstIndex(of: separator) else { return nil }
        rest = rest[(end + 1)...]
    }
    return rest.prefix { $0 != separator }
}

/// The name that logind has for the login session of a process, or `nil` when it is in none that can be found out.
public func nameOfSession(of process: Int32) -> String? {
    var name = [CChar](repeating: 0, count: 64)
    // 0 would be this process.
    guard process > 0, unsafe clogin_session_name(process, &name, name.count) == CLOGIN_FOUND else { return nil }
    return String(validating: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The user whose own service manager started a process, or `nil` when none did that can be found out.
public func ownerOfService(_ process: Int32) -> UInt32? {
    guard process > 0, case .user(let user) = Logind().userOfService(process) else { return nil }
    return user
}

/// When a process was started, in clock ticks since the machine was (proc_pid_stat(5), 22), or `nil` when there is none.
/// With its number, it tells one process from all others.
public func startTime(of process: Int32) -> UInt64? {
    Logind().program(process)?.start
}

/// What one of the kernel's files about a process begins with, or `nil` when it cannot be read.
private func contents(of path: String) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // More than stands before and in what is looked for.
    return unsafe [UInt8](unsafeUninitializedCapacity: 1024) { bytes, count in
        count = max(0, unsafe read(file, bytes.baseAddress, bytes.count))
    }
}

/// The name of this machine, or `nil` when it has none.
func ownHostName() -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    return String(validating: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
