import FoundationEssentials
import Testing
import Wireless

@testable import Radio

/// What a kernel answered in one state of a machine, or told of while it changed.
struct Fixture {
    /// The attributes of each reply, by the request.
    private(set) var replies: [FakeKernel.Request: [[UInt8]]] = [:]
    /// The attributes of each event, in turn.
    private(set) var events: [(command: UInt8, attributes: [UInt8])] = []

    init(_ name: String) throws {
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
        let file = directory.appending(path: "Fixtures/\(name).hex")
        var request: FakeKernel.Request?
        var isEvent = false
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("#") {
                request = Self.request(line) ?? request
                isEvent = line.hasPrefix("# event")
                continue
            }
            let message = try #require(bytes(hexadecimal: line))
            if isEvent {
                events.append((try #require(message.dropFirst(16).first), Array(message.dropFirst(20))))
                continue
            }
            let request = try #require(request)
            // 16 bytes of netlink header, whose bytes 4 and 5 are the type, and 4 of generic netlink header.
            guard message.dropFirst(4).prefix(2) != [3, 0] else { continue }
            replies[request, default: []].append(Array(message.dropFirst(20)))
        }
        try #require(!replies.isEmpty || !events.isEmpty)
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

    /// The elements of every frame that the messages hold.
    func frames() throws -> Set<[UInt8]> {
        var frames: Set<[UInt8]> = []
        for message in replies.values.joined() + events.map(\.attributes) {
            let attributes = try Attributes(message)
            // NL80211_ATTR_BSS with the elements of the last frame (6) and of the last beacon (11), NL80211_ATTR_REQ_IE
            // and NL80211_ATTR_RESP_IE.
            let record = try attributes.nested(0x2f)
            for elements in [
                try record?.bytes(6), try record?.bytes(11), try attributes.bytes(0x4d), try attributes.bytes(0x4e),
            ] { if let elements { frames.insert(Array(elements)) } }
            // NL80211_ATTR_FRAME, a whole frame: 24 bytes of header, and fields of a length that the kind of frame says.
            guard let frame = try attributes.bytes(0x33), let kind = frame.first else { continue }
            // Association request and response, probe response, beacon.
            let fields: [UInt8: Int] = [0x00: 4, 0x10: 6, 0x50: 12, 0x80: 12]
            if let count = fields[kind] { frames.insert(Array(frame.dropFirst(24 + count))) }
        }
        return frames
    }
}
