import CLogin
import Glibc

/// What the machine's login manager knows.
protocol Logins {
    func session(of process: Int32) -> LoginSession
    func userOfService(_ process: Int32) -> ServiceUser
    func presence(of user: UInt32) -> Presence
    func program(_ process: Int32) -> Program?
    func seatShows(display: String) -> Bool
}

/// The login session of a process.
enum LoginSession: Equatable {
    case session(user: UInt32, isRemote: Bool, hasSeat: Bool)
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

/// Where a user is, by all of the user's sessions.
enum Presence: Equatable {
    /// The user has no session.
    case absent
    /// Every session is at a seat of this machine.
    case atSeat
    /// There is another session too, or it could not be found out.
    case elsewhere
}

/// What the kernel says of a process.
struct Program: Equatable {
    var realUser: UInt32
    /// Whether it runs with the rights of somebody else than who started it, as `su` and `sudo` do.
    var isSetUserID: Bool
    /// The controlling terminal, such as `tty1` or `pts/3`; empty when there is none of these kinds.
    var terminal: String
}

/// systemd-logind, and the kernel.
struct Logind: Logins {
    func session(of process: Int32) -> LoginSession {
        var session = clogin_session()
        switch unsafe clogin_session_of(process, &session) {
        case CLOGIN_IN_SESSION:
            return .session(user: session.user, isRemote: session.is_remote, hasSeat: session.has_seat)
        case CLOGIN_NO_SESSION: return .none
        case CLOGIN_UNAVAILABLE: return .noLogind
        default: return .unknown
        }
    }

    func userOfService(_ process: Int32) -> ServiceUser {
        var user: uid_t = 0
        switch unsafe clogin_user_of_service(process, &user) {
        case CLOGIN_IN_SESSION: return .user(user)
        case CLOGIN_NO_SESSION, CLOGIN_UNAVAILABLE: return .none
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
        // proc_pid_status(5): the real, the effective, the saved and the file system user.
        guard let status = lines(of: "/proc/\(process)/status"),
            let users = status.first(where: { $0.hasPrefix("Uid:") })?.split(separator: "\t").dropFirst(),
            let real = users.first.flatMap({ UInt32($0) }), let effective = users.dropFirst().first,
            // proc_pid_stat(5): after the name, which may hold anything, the terminal is the fifth.
            let rest = lines(of: "/proc/\(process)/stat")?.last?.split(separator: ")").last,
            let terminal = rest.split(separator: " ").dropFirst(4).first.flatMap({ Int32($0) })
        else { return nil }
        return Program(
            realUser: real, isSetUserID: UInt32(effective) != real,
            terminal: nameOfTerminal(UInt32(bitPattern: terminal)))
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

/// The lines of a small file, or `nil` when it cannot be read.
private func lines(of path: String) -> [Substring]? {
    guard let file = unsafe fopen(path, "re") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
}

/// The name of this machine, or `nil` when it has none.
func ownHostName() -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    return String(validating: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
