@testable import Sessions

/// A login manager that knows one process, and when another one was started that asks in its place.
final class FakeLogins: Logins {
    var session = LoginSession.none
    var serviceUser = ServiceUser.none
    var isSomebodyElsewhere = false
    var program: Program? = Program(isSetUserID: false, terminal: "pts/0")
    var proxy: Program?
    /// The displays of local sessions with a seat.
    var displays: Set<String> = []
    /// How often anything was asked.
    private(set) var questions = 0

    func session(of process: Int32) -> LoginSession {
        questions += 1
        return process == 4711 ? session : .unknown
    }

    func userOfService(_ process: Int32) -> ServiceUser {
        questions += 1
        return process == 4711 ? serviceUser : .unknown
    }

    func presence(of user: UInt32) -> Presence {
        questions += 1
        return isSomebodyElsewhere ? .elsewhere : user == 999 ? .absent : .atSeat
    }

    func program(_ process: Int32) -> Program? {
        questions += 1
        return process == 4711 ? program : process == 815 ? proxy : nil
    }

    func isSetUserID(_ process: Int32) -> Bool? { program(process)?.isSetUserID }

    func seatShows(display: String) -> Bool {
        questions += 1
        return displays.contains(display)
    }
}
