import Testing
import Trust

@testable import Sessions

@Suite("Where an asker is")
struct WhereaboutsTests {
    struct Case: CustomTestStringConvertible {
        let what: String
        var service = "sudo"
        var rhost = ""
        var tty = ""
        var session = LoginSession.none
        var serviceUser = ServiceUser.none
        var elsewhere = false
        var program: Program? = Program(isSetUserID: false, terminal: "pts/0")
        let whereabouts: Whereabouts
        var testDescription: String { what }
    }

    static let seat = LoginSession.session(isRemote: false, hasSeat: true)
    static let noSeat = LoginSession.session(isRemote: false, hasSeat: false)
    static let remote = LoginSession.session(isRemote: true, hasSeat: false)

    static let cases = [
        Case(what: "a session with a seat", session: seat, whereabouts: .local),
        Case(
            what: "a session with a seat, on a pseudo-terminal", tty: "/dev/pts/0", session: seat, whereabouts: .local),
        Case(
            what: "a multiplexer that was started at the seat, whose user came over ssh as well", tty: "/dev/pts/0",
            session: seat, elsewhere: true, whereabouts: .unknown),
        Case(
            what: "the same without a terminal", session: seat, elsewhere: true, whereabouts: .unknown),
        Case(
            what: "a virtual terminal of the seat, whose user came over ssh as well", tty: "tty1", session: seat,
            elsewhere: true, whereabouts: .local),
        Case(
            what: "sudo at a virtual terminal of the seat, whose user came over ssh as well", tty: "tty1",
            session: seat, elsewhere: true,
            program: Program(isSetUserID: true, terminal: "tty1"), whereabouts: .local),
        Case(
            what: "su on a pseudo-terminal that writes to a virtual one, whose user came over ssh as well", tty: "tty1",
            session: seat, elsewhere: true,
            program: Program(isSetUserID: true, terminal: "pts/0"), whereabouts: .unknown),
        Case(
            what: "a session with a seat, of a program that cannot be looked at", tty: "tty1", session: seat,
            elsewhere: true, program: nil, whereabouts: .unknown),
        Case(what: "a session without a seat", session: noSeat, whereabouts: .unknown),
        Case(
            what: "a session without a seat, on a virtual terminal", tty: "tty1", session: noSeat, whereabouts: .unknown
        ),
        Case(what: "a session from another machine", session: remote, whereabouts: .remote),
        Case(
            what: "a session from another machine, on a virtual terminal", tty: "tty1", session: remote,
            whereabouts: .remote),
        Case(
            what: "a session from another machine with a seat",
            session: .session(isRemote: true, hasSeat: true),
            whereabouts: .remote),
        Case(
            what: "a session from another machine that names this host", rhost: "localhost", session: remote,
            whereabouts: .remote),
        Case(what: "a session that cannot be found out", session: .unknown, whereabouts: .unknown),
        Case(
            what: "a session that cannot be found out, on a virtual terminal", tty: "tty1", session: .unknown,
            whereabouts: .unknown),
        Case(what: "no session and no terminal", whereabouts: .unknown),
        Case(what: "no session on a virtual terminal", service: "login", tty: "tty1", whereabouts: .local),
        Case(
            what: "no session on a virtual terminal, given as a path", service: "login", tty: "/dev/tty1",
            whereabouts: .local),
        Case(
            what: "su in no session that writes to a virtual terminal", service: "su", tty: "tty1",
            program: Program(isSetUserID: true, terminal: "pts/0"), whereabouts: .unknown),
        Case(
            what: "su in no session at a virtual terminal", service: "su", tty: "tty1", session: .noLogind,
            program: Program(isSetUserID: true, terminal: "tty1"), whereabouts: .local),
        Case(
            what: "a virtual terminal of a program that cannot be looked at", tty: "tty1", program: nil,
            whereabouts: .unknown),
        Case(what: "no login manager, a virtual terminal", tty: "tty2", session: .noLogind, whereabouts: .local),
        Case(what: "no login manager, no terminal", session: .noLogind, whereabouts: .unknown),
        Case(
            what: "a user's own service on a virtual terminal, whose user is elsewhere", tty: "tty1",
            serviceUser: .user(1000), elsewhere: true, whereabouts: .unknown),
        Case(what: "a user's own service on a display", tty: ":0", serviceUser: .unknown, whereabouts: .unknown),
        Case(what: "a user's own service, whose user has no session", serviceUser: .user(999), whereabouts: .unknown),
        Case(
            what: "a terminal of the desktop, whose user is nowhere else", tty: "pts/0", serviceUser: .user(1000),
            whereabouts: .local),
        Case(
            what: "a terminal of the desktop, and a host", rhost: "203.0.113.9", tty: "pts/0", serviceUser: .user(1000),
            whereabouts: .remote),
        Case(
            what: "a remote session, whose user is at a seat too", tty: "pts/0",
            session: .session(isRemote: true, hasSeat: false), serviceUser: .user(1000),
            whereabouts: .remote),
        Case(what: "a display of a seat", service: "gdm-password", tty: ":0", whereabouts: .local),
        Case(
            what: "a display that a set-uid program names", tty: ":0",
            program: Program(isSetUserID: true, terminal: ""), whereabouts: .unknown),
        Case(what: "a display of no seat", service: "gdm-password", tty: ":1", whereabouts: .unknown),
        Case(what: "a display forwarded over a network", tty: ":10.0", whereabouts: .unknown),
        Case(what: "a screen of a display", tty: ":0.0", whereabouts: .unknown),
        Case(what: "a display of another machine", tty: "203.0.113.9:0", whereabouts: .unknown),
        Case(
            what: "a greeter for another machine", service: "gdm-password", rhost: "203.0.113.9", tty: ":0",
            whereabouts: .remote),
        Case(what: "a remote service at a seat", service: "sshd", tty: "tty1", session: seat, whereabouts: .remote),
        Case(what: "a remote service that names this host", service: "sshd", rhost: "127.0.0.1", whereabouts: .remote),
        Case(what: "no service, at a seat", service: "", session: seat, whereabouts: .local),
        Case(what: "nothing known", service: "", whereabouts: .unknown),
    ]

    @Test("is shown by the host, the service, the session and the terminal, in this order", arguments: cases)
    func whereabouts(row: Case) {
        let logins = FakeLogins()
        logins.session = row.session
        logins.serviceUser = row.serviceUser
        logins.isSomebodyElsewhere = row.elsewhere
        logins.program = row.program
        logins.displays = [":0"]
        let origin = Origin(rhost: row.rhost, service: row.service, tty: row.tty, process: 4711)
        let location = locate(origin, hostName: "laptop", logins: logins)
        #expect(location.whereabouts == row.whereabouts)
        #expect(!location.because.isEmpty)
        #expect(!location.because.contains("\n"))
    }

    @Test(
        "is never here for a service of other machines",
        arguments: [
            "sshd", "cockpit", "xrdp-sesman", "vsftpd", "dropbear", "proftpd", "remote", "rlogin", "smtp", "dovecot",
            "openvpn",
        ])
    func remoteService(service: String) {
        let logins = FakeLogins()
        logins.session = Self.seat
        let origin = Origin(rhost: "", service: service, tty: "tty1", process: 4711)
        #expect(locate(origin, hostName: "laptop", logins: logins).whereabouts == .remote)
        #expect(logins.questions == 0)
    }

    @Test(
        "is decided by the session for a service of this machine",
        arguments: ["sudo", "su", "su-l", "login", "polkit-1", "gdm-password", "lightdm", "swaylock", "sshd2", "SSHD"])
    func localService(service: String) {
        for (session, expected) in [(Self.seat, Whereabouts.local), (Self.remote, .remote), (Self.noSeat, .unknown)] {
            let logins = FakeLogins()
            logins.session = session
            let origin = Origin(rhost: "", service: service, tty: "", process: 4711)
            #expect(locate(origin, hostName: "laptop", logins: logins).whereabouts == expected)
        }
    }

    @Test(
        "a terminal is one of this machine by its name",
        arguments: [
            "tty1", "tty2", "tty9", "tty10", "tty12", "tty63", "/dev/tty1", "/dev/tty12",
        ])
    func virtual(tty: String) {
        #expect(isVirtualTerminal(tty))
    }

    @Test(
        "no other terminal is one of this machine",
        arguments: [
            "", "tty", "tty0", "tty01", "tty00", "tty100", "tty1 ", " tty1", "tty1\n", "tty-1", "tty+1", "ttyS0",
            "ttyUSB0",
            "ttyAMA0", "TTY1", "pts/0", "/dev/pts/1", "pts/tty1", "/dev/pts/tty1", "/dev/", "/dev/tty", "/dev//tty1",
            "/dev/dev/tty1", "dev/tty1", "/tmp/tty1", "../tty1", "tty1/..", "console", "/dev/console", "ssh", "cron",
            ":0",
            "tty１", "tty\u{661}", "ttÿ1", "tty1\0", "xtty1", "\u{1b}tty1", "tty1a",
        ])
    func notVirtual(tty: String) {
        #expect(!isVirtualTerminal(tty))
        let origin = Origin(rhost: "", service: "login", tty: tty, process: 4711)
        #expect(locate(origin, hostName: "laptop", logins: FakeLogins()).whereabouts == .unknown)
    }

    @Test("a program's name is not taken for what the kernel says of it")
    func names() {
        let status = Array("Name:\tsu\nUid:\t1000\t0\t0\t0\n".utf8)
        let names: [[UInt8]] =
            (1...255).map { [$0] } + (1...255).map { Array("a b c 1025 d".utf8) + [$0] }
            + ["a) S 1 1 1 1025 1 (b", "a b c 1025 d\u{600}", ") S 1 1 1 1025", "\u{1f3fb}", "a\nUid:\t0\t0"].map {
                Array($0.utf8)
            }
        for name in names {
            let stat = Array("7 (".utf8) + name + Array(") S 1 1 1 34816 -1 4194304 1\n".utf8)
            #expect(Program(status: status, stat: stat) == Program(isSetUserID: true, terminal: "pts/0"), "\(name)")
        }
        let own = Array("Name:\ta\nUid:\t1000\t1000\t1000\t1000\n".utf8)
        #expect(
            Program(status: own, stat: Array("7 (a) S 1 1 1 0 -1".utf8)) == Program(isSetUserID: false, terminal: ""))
        for (fields, start) in [("", nil), (" 4711", 4711), (" -1", nil), (" x", nil), (" 4711 5", 4711)]
            as [(String, UInt64?)]
        {
            let stat = Array(("7 (a 4) S 1 1 1 0 -1 4194304 9 8 7 6 5 4 3 2 20 0 1 0" + fields).utf8)
            #expect(Program(status: own, stat: stat)?.start == start, "\(fields)")
        }
        for (status, stat) in [
            ("", "7 (a) S 1 1 1 0 -1"), ("Uid:\t0", "7 (a) S 1 1 1 0"), ("Uid:\t0\t0", "7 (a) S 1 1"),
            ("Uid:\t0\t0", ""),
        ] {
            #expect(Program(status: Array(status.utf8), stat: Array(stat.utf8)) == nil, "\(status) \(stat)")
        }
    }

    @Test("a terminal has a name by its number")
    func terminals() {
        let rows: [(UInt32, String)] = [
            (0, ""), (0x400, ""), (0x401, "tty1"), (0x43f, "tty63"), (0x440, ""), (0x10_0401, ""), (0x500, ""),
            (0x8800, "pts/0"), (0x88ff, "pts/255"), (0x10_8800, "pts/256"), (0xffff_ffff, ""), (0x8900, ""),
        ]
        for (number, name) in rows { #expect(nameOfTerminal(number) == name, "\(number)") }
    }

    @Test("a display is asked for only by a name that can be one")
    func displays() {
        for tty in [":", ":a", ":-1", ":0.0", ":0 ", ": 0", ":10000", "0:0", "::0", ":０", "unix:0", "localhost:0"] {
            let logins = FakeLogins()
            logins.displays = [tty]
            let origin = Origin(rhost: "", service: "gdm", tty: tty, process: 4711)
            #expect(locate(origin, hostName: "laptop", logins: logins).whereabouts == .unknown, "\(tty)")
        }
        for tty in [":0", ":1", ":99", ":1024"] {
            let logins = FakeLogins()
            logins.displays = [tty]
            let origin = Origin(rhost: "", service: "gdm", tty: tty, process: 4711)
            #expect(locate(origin, hostName: "laptop", logins: logins).whereabouts == .local, "\(tty)")
        }
    }

    struct Ages: CustomTestStringConvertible {
        let what: String
        let process, proxy: UInt64?
        var isKnown = true
        let whereabouts: Whereabouts
        var testDescription: String { what }
    }

    static let ages = [
        Ages(what: "was there before", process: 500, proxy: 501, whereabouts: .local),
        Ages(what: "was started at the same time", process: 500, proxy: 500, whereabouts: .local),
        Ages(what: "was there from the beginning", process: 0, proxy: .max, whereabouts: .local),
        Ages(what: "came later", process: 501, proxy: 500, whereabouts: .unknown),
        Ages(what: "has no age", process: nil, proxy: 500, whereabouts: .unknown),
        Ages(what: "is asked for by one without an age", process: 500, proxy: nil, whereabouts: .unknown),
        Ages(what: "and the other have no age", process: nil, proxy: nil, whereabouts: .unknown),
        Ages(what: "is gone", process: 500, proxy: 501, isKnown: false, whereabouts: .unknown),
    ]

    @Test("is that of another process only if that one", arguments: ages)
    func proxy(row: Ages) {
        let logins = FakeLogins()
        logins.session = Self.seat
        logins.program = row.isKnown ? Program(isSetUserID: false, terminal: "", start: row.process) : nil
        logins.proxy = Program(isSetUserID: false, terminal: "", start: row.proxy)
        var origin = Origin(rhost: "", service: "polkit-1", tty: "", process: 4711, proxy: 815)
        #expect(locate(origin, hostName: "laptop", logins: logins).whereabouts == row.whereabouts)
        origin.proxy = 816
        #expect(locate(origin, hostName: "laptop", logins: logins).whereabouts == .unknown)
        origin.proxy = nil
        #expect(locate(origin, hostName: "laptop", logins: logins).whereabouts == .local)
    }

    @Test("of another process is where that one is, and not where the one is that asks")
    func placeOfProxy() {
        for (session, expected) in [(Self.seat, Whereabouts.local), (Self.remote, .remote), (.none, .unknown)] {
            let logins = FakeLogins()
            logins.session = session
            logins.program = Program(isSetUserID: false, terminal: "", start: 1)
            logins.proxy = Program(isSetUserID: false, terminal: "tty1", start: 2)
            var origin = Origin(rhost: "", service: "polkit-1", tty: "", process: 4711, proxy: 815)
            #expect(locate(origin, hostName: "laptop", logins: logins).whereabouts == expected)
            origin.rhost = "203.0.113.9"
            #expect(locate(origin, hostName: "laptop", logins: logins).whereabouts == .remote)
        }
    }

    @Test("every item may be missing, in every combination")
    func missingItems() {
        for rhost in ["", "localhost", "203.0.113.9"] {
            for service in ["", "sudo", "sshd"] {
                for tty in ["", "tty1", ":0"] {
                    for process in [Int32(4711), 0, -1, .max, .min] {
                        let logins = FakeLogins()
                        let origin = Origin(rhost: rhost, service: service, tty: tty, process: process)
                        let found = locate(origin, hostName: "laptop", logins: logins).whereabouts
                        let isHere = rhost != "203.0.113.9" && service != "sshd" && tty == "tty1" && process == 4711
                        #expect((found == .local) == isHere)
                    }
                }
            }
        }
    }

    @Test(
        "the real login manager, or its absence, shows nobody at a process that does not exist",
        arguments: [
            Int32.max, -1,
        ])
    func realLogins(process: Int32) {
        let origin = Origin(rhost: "", service: "sudo", tty: "", process: process)
        #expect(locate(origin).whereabouts == .unknown)
        #expect(Logind().program(process) == nil)
        #expect(!Logind().seatShows(display: ":4711"))
    }
}
