import Glibc
public import ProtectedFiles
public import Trust

/// What users decided about the reading of their location: a file each, named after the user, that holds one word.
///
/// Only root's files count. Everybody may read them: the gate has no rights of its own.
public struct Consents: Sendable {
    public static let directory = "/var/lib/onsite/consent"
    private let tree: ProtectedTree

    public init(in tree: ProtectedTree) {
        self.tree = tree
    }

    /// What a user decided. What cannot be relied on is no decision.
    public func state(of user: String) -> ConsentState {
        (try? read(of: user)) ?? .notDetermined
    }

    /// What a user decided, or what is wrong with the file that says so.
    public func read(of user: String) throws(ProtectedFileError) -> ConsentState {
        guard let path = Self.path(of: user) else { return .notDetermined }
        let bytes: [UInt8]
        do throws(ProtectedFileError) { bytes = try tree.contents(of: path, limit: 64).bytes } catch {
            if error.isNotFound { return .notDetermined }
            throw error
        }
        let state = ConsentState.allCases.first { bytes.elementsEqual("\($0.rawValue)\n".utf8) }
        return state ?? .notDetermined
    }

    /// Stores what a user decided; `notDetermined` forgets it.
    ///
    /// - Throws: also for a name that no file can have.
    public func store(_ state: ConsentState, of user: String) throws(ProtectedFileError) {
        guard let path = Self.path(of: user) else { throw .notRegular(path: "\(Self.directory)/\(user)") }
        for directory in ["/var/lib/onsite", Self.directory] { try tree.makeDirectory(directory) }
        let lock = try tree.lock("\(Self.directory)/.lock")
        try tree.removeLeftovers(in: Self.directory)
        if state == .notDetermined {
            do { try tree.remove(path) } catch { if !error.isNotFound { throw error } }
        } else {
            try tree.replace(path, attributes: .fresh(mode: 0o644)) { (file) throws(SystemError) in
                try file.writeAll(Array("\(state.rawValue)\n".utf8))
            }
        }
        _ = consume lock
    }

    /// The file of a user, or `nil` for a name that could be another file or none.
    private static func path(of user: String) -> String? {
        let isPlain =
            (1...128).contains(user.utf8.count) && !user.hasPrefix(".")
            && user.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }
        return isPlain ? "\(directory)/\(user)" : nil
    }
}
