import Glibc

/// An open file descriptor that is closed exactly once, when its owner goes away.
public struct FileDescriptor: ~Copyable {
    /// The number. It is valid for as long as this value lives.
    public let rawValue: CInt

    /// Takes over a descriptor that the caller opened.
    public init(owning rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// Opens `name` in a directory, or an absolute path.
    init(_ name: String, in directory: CInt = AT_FDCWD, flags: CInt, mode: mode_t = 0) throws(SystemError) {
        rawValue = try retryingOnInterrupt("openat") {
            unsafe openat(directory, name, flags | O_CLOEXEC | O_NOCTTY, mode)
        }
    }

    deinit {
        close(rawValue)
    }

    /// The file's owner, mode and identity.
    func status() throws(SystemError) -> stat {
        var status = stat()
        _ = try retryingOnInterrupt("fstat") { unsafe fstat(rawValue, &status) }
        return status
    }

    /// Reads to the end, but no more than one byte over `limit`.
    func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while contents.count <= limit {
            let wanted = min(buffer.count, limit + 1 - contents.count)
            let count = try retryingOnInterrupt("read") { unsafe read(rawValue, &buffer, wanted) }
            if count == 0 { break }
            contents.append(contentsOf: buffer.prefix(count))
        }
        return contents
    }

    /// Writes all bytes.
    public func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        try ProtectedFiles.writeAll(bytes, to: rawValue)
    }

    func synchronize() throws(SystemError) {
        _ = try retryingOnInterrupt("fsync") { fsync(rawValue) }
    }
}

/// Writes all bytes to a descriptor that somebody else closes.
public func writeAll(_ bytes: [UInt8], to descriptor: CInt) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = try retryingOnInterrupt("write") {
            unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        }
        guard count > 0 else { throw SystemError(call: "write", code: EIO) }
        rest = rest.dropFirst(count)
    }
}
