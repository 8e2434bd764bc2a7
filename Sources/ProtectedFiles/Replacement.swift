import CAttributes
import Glibc

extension ProtectedTree {
    /// Replaces a file whole: afterwards either the old or the new contents are there, also after a power failure.
    ///
    /// The new contents go to a temporary file beside it, which is synchronised and then renamed. Where root's link leads
    /// to another file, that one is replaced. Callers hold ``lock(_:)``, so the temporary file of an interrupted
    /// replacement is nobody else's and is removed first.
    ///
    /// - Parameters:
    ///   - attributes: whose the file is and who may do what with it.
    ///   - write: writes the contents to the descriptor.
    public func replace(
        _ path: String, attributes: FileAttributes = .kept(orMode: 0o644),
        write: (borrowing FileDescriptor) throws(SystemError) -> Void
    ) throws(ProtectedFileError) {
        switch attributes {
        case .fresh(let mode):
            let (parent, name) = split(path)
            try replace(name, in: try openDirectory(parent), mode: mode, shown: systemPath(path), write: write)
        case .kept(let mode):
            guard let place = try existingFile(path) else {
                try replace(path, attributes: .fresh(mode: mode), write: write)
                return
            }
            let shown = systemPath(path)
            let directory = try naming(shown) { () throws(SystemError) in
                try FileDescriptor(".", in: place.directory.rawValue, flags: O_RDONLY | O_DIRECTORY)
            }
            let old = try naming(shown) { () throws(SystemError) in
                try FileDescriptor(place.name, in: directory.rawValue, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            }
            let status = place.status
            try replace(
                place.name, in: directory, mode: status.st_mode & 0o7777, shown: shown
            ) { (file) throws(SystemError) in
                try write(file)
                _ = try retryingOnInterrupt("fchown") { fchown(file.rawValue, status.st_uid, status.st_gid) }
                _ = try retryingOnInterrupt("fsetxattr") { cattributes_copy(old.rawValue, file.rawValue) }
            }
        }
    }

    private func replace(
        _ name: String, in directory: borrowing FileDescriptor, mode: mode_t, shown: String,
        write: (borrowing FileDescriptor) throws(SystemError) -> Void
    ) throws(ProtectedFileError) {
        try naming(shown) { () throws(SystemError) in
            let temporary = ".\(name).onsite-new"
            unsafe unlinkat(directory.rawValue, temporary, 0)
            let file = try FileDescriptor(
                temporary, in: directory.rawValue, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            do throws(SystemError) {
                try write(file)
                _ = try retryingOnInterrupt("fchmod") { fchmod(file.rawValue, mode) }
                try file.synchronize()
                _ = try retryingOnInterrupt("renameat") {
                    unsafe renameat(directory.rawValue, temporary, directory.rawValue, name)
                }
                try directory.synchronize()
            } catch {
                unsafe unlinkat(directory.rawValue, temporary, 0)
                throw error
            }
        }
    }

    /// Removes what interrupted replacements have left in a directory. Callers hold ``lock(_:)``.
    public func removeLeftovers(in path: String) throws(ProtectedFileError) {
        for name in try allNames(in: path) ?? [] where name.hasPrefix(".") && name.hasSuffix(".onsite-new") {
            try remove("\(path)/\(name)")
        }
    }

    /// Removes a file for good. Of a symbolic link, the link is removed and not what it points at.
    public func remove(_ path: String) throws(ProtectedFileError) {
        _ = try locate(path)
        let (parent, name) = split(path)
        let directory = try openDirectory(parent)
        try naming(systemPath(path)) { () throws(SystemError) in
            _ = try retryingOnInterrupt("unlinkat") { unsafe unlinkat(directory.rawValue, name, 0) }
            try directory.synchronize()
        }
    }

    /// The directory of a file and its name there.
    private func split(_ path: String) -> (parent: String, name: String) {
        let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
        let parent = path.utf8.dropLast(name + 1)
        return (String(Substring(parent)), String(Substring(path.utf8.suffix(name))))
    }

    /// Makes a directory and those above it, with mode 0755 whatever the umask.
    public func makeDirectory(_ path: String) throws(ProtectedFileError) {
        if try entry(at: path) != nil { return }
        let (parent, name) = split(path)
        if !parent.isEmpty { try makeDirectory(parent) }
        let directory = try openDirectory(parent)
        try naming(systemPath(path)) { () throws(SystemError) in
            guard unsafe mkdirat(directory.rawValue, name, 0o755) == 0 else {
                // Another command made it in the meantime.
                if errno == EEXIST { return }
                throw SystemError(call: "mkdirat", code: errno)
            }
            _ = try retryingOnInterrupt("fchmodat") { unsafe fchmodat(directory.rawValue, name, 0o755, 0) }
        }
    }

    /// Waits until no other command changes the configuration, and keeps the others waiting for as long as the result
    /// lives.
    ///
    /// - Parameter path: the file that is locked, made if it is missing. Nobody but its owner can open it, and so nobody
    ///   else can hold the lock.
    public func lock(_ path: String) throws(ProtectedFileError) -> FileDescriptor {
        let (parent, name) = split(path)
        let directory = try openDirectory(parent)
        return try naming(systemPath(path)) { () throws(SystemError) in
            let lock = try FileDescriptor(
                name, in: directory.rawValue, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
            _ = try retryingOnInterrupt("flock") { flock(lock.rawValue, LOCK_EX) }
            return lock
        }
    }

    /// Where the file at a path is, `nil` when there is none.
    private func existingFile(_ path: String) throws(ProtectedFileError) -> Place? {
        do throws(ProtectedFileError) {
            let place = try locate(path)
            guard place.status.st_mode & S_IFMT == S_IFREG else {
                throw ProtectedFileError.notRegular(path: systemPath(path))
            }
            return place
        } catch {
            if error.isNotFound { return nil }
            throw error
        }
    }
}

/// The owner, the mode and the extended attributes of a file that replaces another.
public enum FileAttributes: Equatable, Sendable {
    /// Those of the old file; a new one is the caller's, with this mode.
    case kept(orMode: UInt32)
    /// The caller's, with this mode, whatever the old file was.
    case fresh(mode: UInt32)
}
