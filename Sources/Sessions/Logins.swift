import CLogin
import Glibc

/// What the machine's login manager knows.
protocol Logins {
    func session(of process: Int32) -> LoginSession
    func userOfService(_ process: Int32) -> ServiceUser
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

/// Where the user is whose own service manager started a process.
enum ServiceUser: Equatable {
    /// The process was not started by one.
    case noUserService
    /// Every session of the user is at a seat of this machine.
    case local
    /// The user has another session too, or it could not be found out.
    case unknown
}

/// systemd-logind.
struct Logind: Logins {
    func session(of process: Int32) -> LoginSession {
        var session = clogin_session()
        switch unsafe clogin_session_of(process, &session) {
        case CLOGIN_IN_SESSION: return .session(isRemote: session.is_remote, hasSeat: session.has_seat)
        case CLOGIN_NO_SESSION: return .none
        case CLOGIN_UNAVAILABLE: return .noLogind
        default: return .unknown
        }
    }

    func userOfService(_ process: Int32) -> ServiceUser {
        switch clogin_user_of_service(process) {
        case CLOGIN_NO_USER_SERVICE: .noUserService
        case CLOGIN_USER_IS_LOCAL: .local
        default: .unknown
        }
    }

    func seatShows(display: String) -> Bool {
        unsafe clogin_seat_shows(display)
    }
}

/// Whether a user is a member of a group, or `nil` when that cannot be found out.
public func isMember(_ user: String, of group: String) -> Bool? {
    switch unsafe clogin_is_member(user, group) {
    case 0: false
    case 1: true
    default: nil
    }
}

/// Whether two names are of one account, or `nil` when that cannot be found out.
public func isSameUser(_ user: String, as other: String) -> Bool? {
    switch unsafe clogin_is_same_user(user, other) {
    case 0: false
    case 1: true
    default: nil
    }
}

/// Whether the machine knows a group; yes as well when that cannot be found out.
public func groupExists(_ group: String) -> Bool {
    unsafe clogin_group_exists(group) != 0
}

/// The name of this machine, or `nil` when it has none.
func ownHostName() -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    return String(validating: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
