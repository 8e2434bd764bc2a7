import Glibc
import Testing

@testable import Sessions

@Suite("What tells one process from another")
struct ProcessTests {
    @Test("a process has the time at which it was started")
    func ofProcess() throws {
        let own = try #require(startTime(of: getpid()))
        let first = try #require(startTime(of: 1))
        #expect(own == startTime(of: getpid()))
        #expect(own > first)
    }

    @Test("and one that is not there has none", arguments: [0, -1, Int32.max])
    func nobody(process: Int32) {
        #expect(startTime(of: process) == nil)
        #expect(nameOfSession(of: process) == nil)
        #expect(ownerOfService(process) == nil)
    }
}
