@testable import Sessions

/// A login manager that knows one process.
final class FakeLogins: Logins {
    var session = LoginSession.none
    var isInUserService = false
    /// The displays of local sessions with a seat.
    var displays: Set<String> = []
    /// How often anything was asked.
    private(set) var questions = 0

    func session(of process: Int32) -> LoginSession {
        questions += 1
        return process == 4711 ? session : .unknown
    }

    func isUserService(_ process: Int32) -> Bool {
        questions += 1
        return process == 4711 && isInUserService
    }

    func seatShows(display: String) -> Bool {
        questions += 1
        return displays.contains(display)
    }
}
