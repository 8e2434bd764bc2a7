import Glibc

/// What the file system showed of some files and of every directory on the way to them.
///
/// It tells later, by one system call a path, whether a walk to any of them would find anything else.
public struct Footprint: Sendable {
    private let marks: [(path: String, mark: Mark)]

    /// Looks at files, and at directories for what is in them. The paths are those of the whole system.
    ///
    /// - Returns: `nil` where it could not tell of a change: a symbolic link is on the way, or something changed so
    ///   lately that its times could stay the same at the next change.
    public init?(of paths: [String]) {
        var seen: Set<String> = []
        var marks: [(path: String, mark: Mark)] = []
        for path in paths {
            var way = ""
            for name in [""] + path.utf8.split(separator: UInt8(ascii: "/")).map({ String(Substring($0)) }) {
                way += way.hasSuffix("/") ? name : "/" + name
                let isWanted = way == path
                // With its times it counts as one that is passed through as well.
                guard !seen.contains(way + " with times"), seen.insert(isWanted ? way + " with times" : way).inserted
                else { continue }
                guard let mark = Mark(of: way, withTimes: isWanted), !mark.isLink, mark.isSettled else { return nil }
                marks.append((way, mark))
                // Nothing is below what is not there.
                if mark.isAbsent { break }
            }
        }
        self.marks = marks
    }

    /// Whether all of it is as it was.
    public var isUnchanged: Bool {
        marks.allSatisfy { Mark(of: $0.path, withTimes: $0.mark.hasTimes) == $0.mark }
    }
}

/// What tells one state of a path from another.
private struct Mark: Equatable {
    private var device: dev_t = 0
    private var inode: ino_t = 0
    private var kind: mode_t = 0
    private var owner: uid_t = 0
    /// The times and the size, in nanoseconds since 1970 and bytes; zeros for a directory that is only passed through.
    private var changed: Int64 = 0, modified: Int64 = 0, size: off_t = 0
    let hasTimes: Bool

    /// - Returns: `nil` when it cannot be looked at.
    init?(of path: String, withTimes: Bool) {
        hasTimes = withTimes
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            return nil
        }
        (device, inode, kind, owner) = (status.st_dev, status.st_ino, status.st_mode, status.st_uid)
        guard withTimes else { return }
        (changed, modified, size) = (nanoseconds(status.st_ctim), nanoseconds(status.st_mtim), status.st_size)
    }

    /// Whether nothing is there.
    var isAbsent: Bool { kind == 0 }
    var isLink: Bool { kind & S_IFMT == S_IFLNK }

    /// Whether its last change was long enough ago that another one would show. File systems count time in steps.
    var isSettled: Bool {
        guard hasTimes, !isAbsent else { return true }
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return changed < nanoseconds(now) - 2_000_000_000
    }
}

private func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
