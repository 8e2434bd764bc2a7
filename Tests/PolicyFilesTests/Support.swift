import FoundationEssentials
import Glibc
import ProtectedFiles
import Testing
import Trust
import Wireless

@testable import PolicyFiles

/// A directory that stands for `/` for as long as this lives.
final class Sandbox: Sendable {
    let root: String
    var tree: ProtectedTree { ProtectedTree(root: root) }

    init(_ files: [String: String] = [:]) throws {
        root = "/tmp/onsite-files-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        unsafe chmod(root, 0o755)
        for (path, text) in files { try write(path, Array(text.utf8)) }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func write(_ path: String, _ bytes: [UInt8]) throws {
        var parent = ""
        for name in path.split(separator: "/").dropLast() {
            parent += "/" + name
            unsafe mkdir(root + parent, 0o755)
            unsafe chmod(root + parent, 0o755)
        }
        try Data(bytes).write(to: URL(filePath: root + path))
        unsafe chmod(root + path, 0o644)
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: target)
    }

    /// What is wrong with the configuration; empty when nothing is.
    func problems() -> [FileProblem] {
        do throws(FileProblems) {
            _ = try Configuration.load(from: tree)
            return []
        } catch {
            return error.all
        }
    }
}

// A test that gets these wrong cannot go on.
// swift-format-ignore: NeverForceUnwrap, NeverUseForceTry
func ssid(_ text: String) -> SSID { SSID(bytes: Array(text.utf8))! }
// swift-format-ignore: NeverForceUnwrap, NeverUseForceTry
func ssid(bytes: [UInt8]) -> SSID { SSID(bytes: bytes)! }
// swift-format-ignore: NeverForceUnwrap, NeverUseForceTry
func pattern(_ text: String) -> BSSIDPattern { try! BSSIDPattern(text) }

/// Reads the text of a network's file.
func parse(_ text: String) -> (network: NetworkFile, problems: [FileProblem]) {
    NetworkFile.parse(Array(text.utf8), name: "corp", file: "corp.toml", minimumEvidence: .protected)
}

/// A mistake in a file: where it is, and words that the message must hold.
struct Mistake: CustomTestStringConvertible, Sendable {
    let text: String
    let line: Int?
    let words: [String]
    var testDescription: String { words.joined(separator: ", ") + ": " + text.prefix(60) }

    init(_ text: String, _ line: Int?, _ words: String...) {
        (self.text, self.line, self.words) = (text, line, words)
    }

    /// What is missing in the problems that were found; `nil` when the mistake was named as it should be.
    func isMissing(in problems: [FileProblem]) -> String? {
        let named = problems.contains { problem in
            problem.line == line && words.allSatisfy { "\(problem)".contains($0) }
        }
        return named ? nil : "line \(line ?? 0) with \(words) in: \(problems.map(\.description))"
    }
}
