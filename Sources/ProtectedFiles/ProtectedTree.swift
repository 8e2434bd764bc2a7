import Glibc

/// A file system tree in which only files are believed that nobody but their owner could have written.
///
/// A file counts if it is regular, owned by root, not writable by group or others, and if the same holds for every
/// directory up to the tree's root. A symbolic link is followed only if root owns it. All of it is checked on opened
/// descriptors, so nothing can be exchanged between the check and the reading.
public struct ProtectedTree: Sendable {
    /// The directory that stands for `/`, without a slash at its end: empty for the real root.
    public let root: String
    /// Who may own files beside root: with another root, the caller.
    let owner: uid_t

    /// The whole system, where root alone may own what is believed.
    public static let system = ProtectedTree(root: "", owner: 0)

    /// A directory that stands for `/`, in which the caller's files are believed as well.
    public init(root: String) {
        self.init(root: root, owner: geteuid())
    }

    init(root: String, owner: uid_t) {
        self.root = String(root.reversed().drop { $0 == "/" }.reversed())
        self.owner = owner
    }

    /// Where a file of the tree is for the rest of the system.
    public func systemPath(_ path: String) -> String {
        root + path
    }

    /// Opens a regular file for reading.
    public func open(_ path: String) throws(ProtectedFileError) -> ProtectedFile {
        let place = try locate(path)
        let shown = systemPath(path)
        guard place.status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: shown) }
        // A FIFO that takes the file's place now cannot block.
        let file = try naming(shown) { () throws(SystemError) in
            try FileDescriptor(place.name, in: place.directory.rawValue, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        }
        let status = try naming(shown) { () throws(SystemError) in try file.status() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: shown) }
        try judge(status, shown)
        return ProtectedFile(path: shown, descriptor: file, identity: FileIdentity(status))
    }

    /// Reads a regular file of at most `limit` bytes.
    public func contents(of path: String, limit: Int) throws(ProtectedFileError) -> (
        bytes: [UInt8], identity: FileIdentity
    ) {
        let file = try open(path)
        guard file.identity.size <= UInt64(limit) else { throw .tooLarge(path: file.path, limit: limit) }
        let bytes = try naming(file.path) { () throws(SystemError) in try file.descriptor.readAll(limit: limit) }
        guard bytes.count <= limit else { throw .tooLarge(path: file.path, limit: limit) }
        return (bytes, file.identity)
    }

    /// What is at a path, whatever it is; `nil` when there is nothing.
    public func entry(at path: String) throws(ProtectedFileError) -> Entry? {
        do throws(ProtectedFileError) {
            let place = try locate(path)
            guard place.status.st_mode & S_IFMT == S_IFDIR else { return Entry(place.status, names: []) }
            let shown = systemPath(path)
            let directory = try naming(shown) { () throws(SystemError) in
                try FileDescriptor(place.name, in: place.directory.rawValue, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            }
            return Entry(place.status, names: try allNames(of: directory, shown).filter { !$0.hasPrefix(".") })
        } catch {
            if error.isNotFound { return nil }
            throw error
        }
    }

    /// The names in a directory, sorted by their bytes, without those that begin with a dot; `nil` when there is no
    /// directory.
    public func names(in path: String) throws(ProtectedFileError) -> [String]? {
        try allNames(in: path)?.filter { !$0.hasPrefix(".") }
    }

    /// The names in a directory, hidden ones too.
    func allNames(in path: String) throws(ProtectedFileError) -> [String]? {
        guard let directory = try openDirectoryIfPresent(path) else { return nil }
        return try allNames(of: directory, systemPath(path))
    }

    private func allNames(
        of directory: borrowing FileDescriptor, _ shown: String
    ) throws(ProtectedFileError) -> [String] {
        // The stream closes its descriptor, so it gets one of its own.
        let own = try naming(shown) { () throws(SystemError) in
            try retryingOnInterrupt("fcntl") { fcntl(directory.rawValue, F_DUPFD_CLOEXEC, 0) }
        }
        guard let stream = unsafe fdopendir(own) else {
            let code = errno
            Glibc.close(own)
            throw .system(path: shown, SystemError(call: "fdopendir", code: code))
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let record = unsafe readdir(stream) {
            // The name lives in the record until the next call; it is copied here.
            let name = unsafe withUnsafePointer(to: &record.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
            }
            // What cannot be named cannot be read, and could be a file that denies.
            guard let name else { throw .system(path: shown, SystemError(call: "readdir", code: EILSEQ)) }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

/// `O_PATH` of the kernel's generic `fcntl.h`, which the C library's Swift module leaves out.
private let openPath: CInt = 0o10000000

extension ProtectedTree {
    /// The last directory on the way to a file, the file's name there, and what it is. It is no symbolic link.
    struct Place: ~Copyable {
        let directory: FileDescriptor
        let name: String
        let status: stat
    }

    /// Walks to a file from the root, one component at a time.
    func locate(_ path: String) throws(ProtectedFileError) -> Place {
        let shown = systemPath(path)
        guard path.hasPrefix("/") else { throw .notAbsolute(path: shown) }
        var directory = try openRoot(root)
        var components = Self.components(path)
        // How many directories below the root. As in the real root, nothing is above it.
        var depth = 0
        var links = 0
        // How many of the components were named by a link. If one of them is missing, the link points at nothing.
        var linked = 0
        while let name = components.popFirst() {
            let isLinked = linked > 0
            linked = max(0, linked - 1)
            if name == "..", depth == 0 { continue }
            let found = try step(to: name, in: directory, isLinked: isLinked, shown)
            let status = found.status
            switch status.st_mode & S_IFMT {
            case S_IFLNK:
                links += 1
                guard links <= 40 else { throw .tooManyLinks(path: shown) }
                guard isTrusted(status.st_uid) else {
                    throw .wrongOwner(path: shown, owner: status.st_uid)
                }
                let target = try naming(shown) { () throws(SystemError) in
                    try readLink(name, in: directory.rawValue)
                }
                // What masks a file masks it in a tree without devices, too.
                if target.hasPrefix("/") {
                    directory = try openRoot(target == "/dev/null" ? "" : root)
                    depth = 0
                }
                let named = Self.components(target)
                linked += named.count
                components = named + components
            case S_IFDIR where !components.isEmpty:
                try judge(status, shown)
                directory = found.descriptor
                depth += name == ".." ? -1 : 1
            default:
                guard components.isEmpty else { throw .notDirectory(path: shown) }
                try judge(status, shown)
                return Place(directory: directory, name: name, status: status)
            }
        }
        throw .notRegular(path: shown)
    }

    /// One component of a path, opened without being read.
    private struct Component: ~Copyable {
        let descriptor: FileDescriptor
        let status: stat
    }

    private func step(
        to name: String, in directory: borrowing FileDescriptor, isLinked: Bool, _ shown: String
    ) throws(ProtectedFileError) -> Component {
        do throws(SystemError) {
            let descriptor = try FileDescriptor(name, in: directory.rawValue, flags: openPath | O_NOFOLLOW)
            let status = try descriptor.status()
            return Component(descriptor: descriptor, status: status)
        } catch {
            if isLinked, error.code == ENOENT { throw .brokenLink(path: shown) }
            throw .system(path: shown, error)
        }
    }

    /// Opens a directory for reading, checked like a file: the way to it may be the tree's own links.
    func openDirectory(_ path: String) throws(ProtectedFileError) -> FileDescriptor {
        let shown = systemPath(path)
        let flags = O_RDONLY | O_DIRECTORY
        if Self.components(path).isEmpty {
            _ = try openRoot(root)
            return try naming(shown) { () throws(SystemError) in
                try FileDescriptor(root.isEmpty ? "/" : root, flags: flags)
            }
        }
        let place = try locate(path)
        guard place.status.st_mode & S_IFMT == S_IFDIR else { throw .notDirectory(path: shown) }
        return try naming(shown) { () throws(SystemError) in
            try FileDescriptor(place.name, in: place.directory.rawValue, flags: flags | O_NOFOLLOW)
        }
    }

    private func openDirectoryIfPresent(_ path: String) throws(ProtectedFileError) -> FileDescriptor? {
        do { return try openDirectory(path) } catch {
            if error.isNotFound { return nil }
            throw error
        }
    }

    private func openRoot(_ root: String) throws(ProtectedFileError) -> FileDescriptor {
        let shown = root.isEmpty ? "/" : root
        let directory = try naming(shown) { () throws(SystemError) in
            try FileDescriptor(shown, flags: openPath | O_DIRECTORY)
        }
        try judge(try naming(shown) { () throws(SystemError) in try directory.status() }, shown)
        return directory
    }

    /// The names in a path, split where the kernel splits: at bytes, not at characters.
    private static func components(_ path: String) -> ArraySlice<String> {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }[...]
    }

    /// Throws unless root alone could have written what has this status.
    private func judge(_ status: stat, _ path: String) throws(ProtectedFileError) {
        guard isTrusted(status.st_uid) else { throw .wrongOwner(path: path, owner: status.st_uid) }
        // Devices such as /dev/null, which masks a file, are root's; nothing is ever read from them.
        guard status.st_mode & S_IFMT != S_IFCHR else { return }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw .writableByOthers(path: path, mode: status.st_mode & 0o7777)
        }
    }

    private func isTrusted(_ uid: uid_t) -> Bool {
        uid == 0 || uid == owner
    }
}

/// What the file system has at a path.
public struct Entry: Equatable, Sendable {
    public let identity: FileIdentity
    public let isDirectory: Bool
    public let isRegular: Bool
    /// Whether a directory can be read and entered by everybody, as the gate has to, which runs as nobody.
    public let isOpen: Bool
    /// Whether this hides a file of the same name further down: an empty file, or a link to `/dev/null`.
    public let isMask: Bool

    /// - Parameter names: what is in a directory.
    init(_ status: stat, names: [String]) {
        let kind = status.st_mode & S_IFMT
        let isNullDevice = kind == S_IFCHR && status.st_rdev == nullDevice
        isDirectory = kind == S_IFDIR
        isRegular = kind == S_IFREG
        isOpen = status.st_mode & 0o005 == 0o005
        isMask = isNullDevice || (isRegular && status.st_size == 0)
        // Devices are made anew at every boot, but they mask as before.
        identity =
            if isNullDevice {
                FileIdentity(inode: 0, size: 0, modified: 0)
            } else if isDirectory {
                FileIdentity(directory: status, names: names)
            } else {
                FileIdentity(status)
            }
    }
}

/// The number of `/dev/null` (Documentation/admin-guide/devices.txt of the kernel): memory device 1, minor 3.
private let nullDevice: dev_t = 1 << 8 | 3

/// A file that passed the checks, open for reading.
public struct ProtectedFile: ~Copyable {
    /// Where it is, for messages.
    public let path: String
    let descriptor: FileDescriptor
    public let identity: FileIdentity

    /// The open file, for a library that reads it by itself.
    public consuming func takeDescriptor() -> FileDescriptor {
        descriptor
    }
}

private func readLink(_ name: String, in directory: CInt) throws(SystemError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try retryingOnInterrupt("readlinkat") {
        unsafe readlinkat(directory, name, &buffer, buffer.count)
    }
    guard let target = String(validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) else {
        throw SystemError(call: "readlinkat", code: EILSEQ)
    }
    return target
}

/// Adds the path to what a system call threw.
func naming<Value: ~Copyable>(
    _ path: String, _ body: () throws(SystemError) -> Value
) throws(ProtectedFileError) -> Value {
    do { return try body() } catch { throw .system(path: path, error) }
}
