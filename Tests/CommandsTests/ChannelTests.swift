import Testing

@testable import Commands

@Suite("A channel")
struct ChannelTests {
    static let channels: [(frequency: UInt32, channel: UInt32?)] = [
        (2412, 1), (2437, 6), (2472, 13), (2484, 14), (5180, 36), (5825, 165), (5885, 177), (5955, 1), (6415, 93),
        (7115, 233), (5935, 2), (0, nil), (2400, nil), (900, nil), (.max, nil),
    ]

    @Test("has a number by its frequency", arguments: channels)
    func number(frequency: UInt32, channel: UInt32?) {
        #expect(Commands.channel(at: frequency) == channel)
    }
}
