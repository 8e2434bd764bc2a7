import Wireless

/// What is wrong with a file of the configuration, and what to do about it.
public struct FileProblem: Error, Equatable, Sendable {
    public var file: String
    /// The line, from 1, or `nil` when the whole file is meant.
    public var line: Int?
    /// What is wrong.
    public var problem: String
    /// What to do.
    public var hint: String?

    public init(file: String, line: Int? = nil, _ problem: String, hint: String? = nil) {
        self.file = file
        self.line = line
        self.problem = problem
        self.hint = hint
    }
}

extension FileProblem: CustomStringConvertible {
    /// One line: `FILE:LINE: what is wrong (what to do)`.
    public var description: String {
        let file = printable(file)
        let place = line.map { "\(file):\($0)" } ?? file
        return "\(place): \(problem)" + (hint.map { " (\($0))" } ?? "")
    }
}

/// Everything that is wrong with a configuration, in the order in which it was read. Never empty.
public struct FileProblems: Error, Sendable {
    public let all: [FileProblem]

    /// - Parameter all: at least one.
    public init(all: [FileProblem]) {
        self.all = all
    }
}
