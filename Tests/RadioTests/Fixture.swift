import FoundationEssentials
import Testing
import Wireless

@testable import Radio

/// What a kernel answered in one state of a machine.
struct Fixture {
    /// The attributes of each reply, by the request.
    private(set) var replies: [FakeKernel.Request: [[UInt8]]] = [:]

    init(_ name: String) throws {
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
        let file = directory.appending(path: "Fixtures/\(name).hex")
        var request: FakeKernel.Request?
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("#") {
                request = Self.request(line) ?? request
                continue
            }
            let message = try #require(bytes(hexadecimal: line))
            let request = try #require(request)
            // 16 bytes of netlink header, whose bytes 4 and 5 are the type, and 4 of generic netlink header.
            guard message.dropFirst(4).prefix(2) != [3, 0] else { continue }
            replies[request, default: []].append(Array(message.dropFirst(20)))
        }
        try #require(!replies.isEmpty)
    }

    private static func request(_ comment: Substring) -> FakeKernel.Request? {
        let words = comment.split(separator: " ")
        let commands = ["GET_INTERFACE": Command.getInterface, "GET_SCAN": .getScan, "GET_STATION": .getStation]
        guard let command = words.dropFirst().first.flatMap({ commands[String($0)] }),
            let index = words.last?.split(separator: "=").last.flatMap({ UInt32($0) })
        else { return nil }
        return FakeKernel.Request(command: command, interface: index == 0 ? nil : index)
    }

    /// A kernel that answers so.
    ///
    /// - Parameter change: changes one reply, given its request and its place in the answer.
    func kernel(changing change: (FakeKernel.Request, Int, [UInt8]) -> [UInt8] = { $2 }) -> FakeKernel {
        let kernel = FakeKernel()
        for (request, messages) in replies {
            kernel.answer(
                request.command, request.interface,
                with: messages.enumerated().map { change(request, $0.offset, $0.element) })
        }
        return kernel
    }
}
