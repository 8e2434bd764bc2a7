import Glibc
import ProtectedFiles
import Wireless

/// The name of the user who runs this command, or `nil` when the user has none.
func ownUserName() -> String? {
    guard let entry = unsafe getpwuid(getuid()), let name = unsafe entry.pointee.pw_name else { return nil }
    // The entry lives until the next look-up; it is copied here.
    return unsafe String(validatingCString: name)
}

/// The path of a directory from the root, without symbolic links, or `nil` with `errno`.
func absolutePath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(validatingCString: resolved)
}

/// Writes a file of the caller's own.
func writeOutput(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o644)
    guard descriptor >= 0 else { throw Failure("\(path): \(errorText())") }
    do { try FileDescriptor(owning: descriptor).writeAll(bytes) } catch { throw Failure("\(path): \(error)") }
}

/// Reads a file or, for `-`, standard input.
func readInput(_ path: String, limit: Int, status: Int32 = 2) throws(Failure) -> [UInt8] {
    let shown = path == "-" ? "standard input" : printable(path)
    let descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure("\(shown): \(errorText())", status: status) }
    defer { if path != "-" { close(descriptor) } }
    // A FIFO that nobody writes is empty; one that somebody writes is waited for.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw Failure("\(shown): \(errorText())", status: status) }
        if count == 0 { return contents }
        contents += buffer.prefix(count)
        guard contents.count <= limit else { throw Failure("\(shown): larger than \(limit) bytes", status: status) }
    }
}
