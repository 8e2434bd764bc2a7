import Glibc

/// What tells one state of a file from another without reading it.
public struct FileIdentity: Equatable, Sendable {
    public let inode: UInt64
    public let size: UInt64
    /// The time of the last change of the contents, in nanoseconds since 1970.
    public let modified: Int64

    public init(inode: UInt64, size: UInt64, modified: Int64) {
        self.inode = inode
        self.size = size
        self.modified = modified
    }

    /// A directory is what is in it. An editor that makes a hidden file there and removes it again changes nothing.
    ///
    /// The sum of the names is FNV-1a, of 64 bits (draft-eastlake-fnv).
    init(directory status: stat, names: [String]) {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for name in names {
            for byte in Array(name.utf8) + [0] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        self.init(inode: UInt64(status.st_ino), size: UInt64(names.count), modified: Int64(bitPattern: sum))
    }

    init(_ status: stat) {
        self.init(
            inode: UInt64(status.st_ino), size: UInt64(clamping: status.st_size),
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
    }
}

/// A file or a directory as it was at one moment; without an identity, it was not there.
public struct FileSnapshot: Equatable, Sendable {
    public let path: String
    public let identity: FileIdentity?

    public init(path: String, identity: FileIdentity?) {
        self.path = path
        self.identity = identity
    }
}
