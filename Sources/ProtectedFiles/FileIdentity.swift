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
