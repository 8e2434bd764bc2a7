import Glibc
public import ProtectedFiles
import Sessions
import Trust

/// A login that no second factor was asked of, and what tells which login session it opened or unlocked.
public enum Pass: Equatable, Sendable {
    /// A program of this login session asked.
    case session(String)
    /// A program of root in no session asked: it is about to lead one, or unlocks one of the user's.
    case process(Int32, startTime: UInt64, user: String)
    /// A program of this user in no session asked, or one of the user's own service manager.
    case user(UInt32)
    /// It cannot be told.
    case unknown
}

extension Pass {
    /// A process that started at a time which is not known.
    public static let unknownTime: UInt64 = 0
    /// A user whose name is not known, or none that a directory could know.
    public static let unknownUser = "-"

    init(of login: Login, by user: UInt32) {
        if let session = nameOfSession(of: login.process) {
            self = .session(session)
        } else if let user = user == 0 ? ownerOfService(login.process) : user {
            self = .user(user)
        } else {
            let name = login.user ?? ""
            let isPlain = (1...256).contains(name.utf8.count) && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
            self = .process(
                login.process, startTime: startTime(of: login.process) ?? Self.unknownTime,
                user: isPlain ? name : Self.unknownUser)
        }
    }

    /// Reads a line of the record.
    init(_ line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        self = .unknown
        if words.count == 2, words[0] == "session", !words[1].isEmpty { self = .session(words[1]) }
        if words.count == 2, words[0] == "user", let user = UInt32(words[1]) { self = .user(user) }
        if words.count == 4, words[0] == "process", let process = Int32(words[1]), let time = UInt64(words[2]) {
            self = .process(process, startTime: time, user: words[3])
        }
    }

    /// The line of the record, without its end.
    var line: String {
        switch self {
        case .session(let name): "session \(name)"
        case .process(let process, let time, let user): "process \(process) \(time) \(user)"
        case .user(let user): "user \(user)"
        case .unknown: "unknown"
        }
    }
}

/// What the record holds: a line a pass, and lines that say up to which byte of it the sessions were locked.
public struct PassRecord: Equatable, Sendable {
    /// The passes whose sessions were not locked yet.
    public private(set) var open: [Pass] = []
    /// Those after the last line that is none.
    private(set) var newest: [Pass] = []
    /// Up to which byte the sessions were locked, and how many bytes there are.
    private(set) var done = 0
    public let length: Int

    init(_ bytes: [UInt8]) {
        length = bytes.count
        var passes: [(pass: Pass, offset: Int)] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if let end = Self.end(line), end <= line.startIndex {
                done = max(done, end)
                newest = []
            } else {
                passes.append((Pass(line), line.startIndex))
                newest.append(Pass(line))
            }
        }
        open = passes.filter { $0.offset >= done }.map(\.pass)
    }

    private static let mark = "done "

    private static func end(_ line: ArraySlice<UInt8>) -> Int? {
        guard line.starts(with: mark.utf8) else { return nil }
        return Int(String(decoding: line.dropFirst(mark.utf8.count), as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
    }

    static func line(doneUpTo end: Int) -> String { mark + "\(end)" }
}

/// The record of passes, to which lines are added at its end. It lasts as long as the process.
///
/// It says no more than who is logged in, so everybody may read it: the gate has no rights of its own.
public struct Passes: Sendable {
    public static let path = "/run/onsite/passes"
    /// How many bytes it may have for a pass to be added. There are some thirty in one.
    static let longest = 1 << 20

    private let descriptor: CInt
    private let tree: ProtectedTree

    init(descriptor: CInt, tree: ProtectedTree = .system) {
        self.descriptor = descriptor
        self.tree = tree
    }

    /// The record that systemd has opened as the service's standard output, or `nil` when that is none.
    static func standardOutput() -> Passes? {
        let flags = fcntl(1, F_GETFL)
        guard flags >= 0, flags & O_APPEND != 0 else { return nil }
        return Passes(descriptor: 1)
    }

    /// Opens the record, if there is one and the caller may write it.
    static func open() -> Passes? {
        let flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = unsafe Glibc.open(path, flags)
        // It must not be taken for standard input, output or error.
        guard descriptor > 2 else {
            close(descriptor)
            return nil
        }
        return Passes(descriptor: descriptor)
    }

    /// Opens the record of a tree and makes it if there is none.
    public static func make(in tree: ProtectedTree) throws(ProtectedFileError) -> Passes {
        try tree.makeDirectory("/run/onsite")
        let shown = tree.systemPath(path)
        // Not a new file in the place of an old one: gates may have that open.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = unsafe Glibc.open(shown, flags, 0o644)
        guard descriptor >= 0 else { throw .system(path: shown, SystemError(call: "open", code: errno)) }
        guard fchmod(descriptor, 0o644) == 0 else {
            throw .system(path: shown, SystemError(call: "fchmod", code: errno))
        }
        let passes = Passes(descriptor: descriptor, tree: tree)
        _ = try passes.read()
        return passes
    }

    /// Reads the record, which has to be the file that is open, and written by nobody but root.
    public func read() throws(ProtectedFileError) -> PassRecord {
        let contents = try tree.contents(of: Self.path, limit: 2 * Self.longest)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, UInt64(status.st_ino) == contents.identity.inode else {
            throw .notRegular(path: tree.systemPath(Self.path))
        }
        return PassRecord(contents.bytes)
    }

    /// How many bytes there are.
    public var length: Int {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : -1
    }

    /// Adds a pass, unless it stands there since sessions were last locked.
    ///
    /// - Returns: whether it stands there.
    func note(_ pass: Pass) -> Bool {
        guard let record = try? read(), record.length < Self.longest else { return false }
        return record.newest.contains(pass) || append(pass.line)
    }

    /// Has every pass from now on added again, though it stand there already: sessions are about to be locked.
    public func begin(after record: PassRecord) -> Bool {
        record.newest.isEmpty || append(PassRecord.line(doneUpTo: record.done))
    }

    /// Notes that the sessions of these passes were locked.
    public func finish(_ record: PassRecord) -> Bool {
        append(PassRecord.line(doneUpTo: record.length))
    }

    private func append(_ line: String) -> Bool {
        let bytes = Array((line + "\n").utf8)
        return unsafe write(descriptor, bytes, bytes.count) == bytes.count
    }
}

/// Services that neither open a login session nor unlock one.
private let servicesWithinSessions = [
    "sudo", "sudo-i", "su", "su-l", "runuser", "runuser-l", "doas", "polkit-1", "cron", "crond", "atd",
]

extension Finding {
    /// Puts a login on record before it is told that no second factor is required, if the policy locks sessions. What
    /// cannot be put on record could not be locked, so the second factor is then required.
    ///
    /// - Parameter user: whose program asks.
    func recorded(_ login: Login, by user: UInt32, in passes: Passes?) -> Finding {
        guard decision.answer == .notRequired, lack == nil, rules?.locksSessions == true,
            !servicesWithinSessions.contains(login.service ?? "")
        else { return self }
        if let passes, passes.note(Pass(of: login, by: user)) { return self }
        var finding = self
        finding.decision = Decision(
            .sessionUnknown,
            detail:
                "lock-sessions: \(Passes.path) cannot be written (start onsite-watch.service and onsite-gate.socket)")
        finding.lack = .reach
        return finding
    }
}
