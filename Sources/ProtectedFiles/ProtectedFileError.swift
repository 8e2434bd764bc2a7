import Glibc

/// A reason not to believe a file, or not to have written one.
public enum ProtectedFileError: Error, Equatable, Sendable {
    case notAbsolute(path: String)
    case system(path: String, SystemError)
    case notRegular(path: String)
    case notDirectory(path: String)
    case tooManyLinks(path: String)
    case brokenLink(path: String)
    case wrongOwner(path: String, owner: UInt32)
    case writableByOthers(path: String, mode: UInt32)
    case tooLarge(path: String, limit: Int)

    /// Whether there is nothing at the path.
    public var isNotFound: Bool {
        if case .system(_, let error) = self { return error.code == ENOENT }
        return false
    }

    /// Whether somebody else could have written the file.
    public var isInsecure: Bool {
        switch self {
        case .wrongOwner, .writableByOthers, .notRegular, .tooManyLinks: true
        case .notAbsolute, .system, .notDirectory, .brokenLink, .tooLarge: false
        }
    }

    /// The path that the message begins with.
    public var path: String {
        switch self {
        case .notAbsolute(let path), .system(let path, _), .notRegular(let path), .notDirectory(let path),
            .tooManyLinks(let path), .brokenLink(let path), .wrongOwner(let path, _), .writableByOthers(let path, _),
            .tooLarge(let path, _):
            path
        }
    }

    /// What is wrong and what to do, without the path.
    public var problem: String {
        switch self {
        case .notAbsolute: "not an absolute path"
        case .system(_, let error): "\(error)"
        case .notRegular: "not a regular file"
        case .notDirectory: "not a directory"
        case .tooManyLinks: "too many symbolic links"
        case .brokenLink: "it, or a directory above it, is a symbolic link to nothing"
        case .wrongOwner(_, let owner):
            "it, or a directory above it, is owned by uid \(owner), must be root's (chown root)"
        case .writableByOthers(_, let mode):
            "it, or a directory above it, has mode 0\(String(mode, radix: 8)), which lets others write (chmod go-w)"
        case .tooLarge(_, let limit): "larger than \(limit) bytes"
        }
    }
}

extension ProtectedFileError: CustomStringConvertible {
    public var description: String { "\(path): \(problem)" }
}
