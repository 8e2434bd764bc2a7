import FoundationEssentials
import Testing

@testable import Sessions

@Suite("Groups of a user")
struct MembershipTests {
    struct Case: CustomTestStringConvertible {
        let user: String
        let group: String
        let isMember: Bool?
        var testDescription: String { "\(user.debugDescription) in \(group.debugDescription)" }
    }

    static let cases = [
        Case(user: "root", group: "root", isMember: true),
        Case(user: "daemon", group: "daemon", isMember: true),
        Case(user: "nobody", group: "root", isMember: false),
        Case(user: "daemon", group: "root", isMember: false),
        Case(user: "root", group: "no-such-group", isMember: false),
        Case(user: "root", group: "", isMember: false),
        Case(user: "root", group: "ROOT", isMember: false),
        Case(user: "root", group: "0", isMember: false),
        Case(user: "no-such-user", group: "root", isMember: nil),
        Case(user: "", group: "root", isMember: nil),
        Case(user: "ROOT", group: "root", isMember: nil),
        Case(user: "0", group: "root", isMember: nil),
        Case(user: "root\0", group: "root", isMember: nil),
        Case(user: "root", group: "root\0", isMember: nil),
        Case(user: "root\n", group: "root", isMember: nil),
        Case(user: String(repeating: "a", count: 1024), group: "root", isMember: nil),
        Case(user: "root", group: String(repeating: "a", count: 1024), isMember: false),
    ]

    @Test("are found by the accounts of this machine", arguments: cases)
    func membership(row: Case) {
        #expect(Directory().isMember(row.user, of: [row.group]) == [row.isMember])
    }

    @Test("include those that list the user")
    func listed() throws {
        let accounts = try String(contentsOf: URL(filePath: "/etc/passwd"), encoding: .utf8).split(separator: "\n")
            .compactMap { $0.split(separator: ":").first }
        for line in try String(contentsOf: URL(filePath: "/etc/group"), encoding: .utf8).split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 4, let group = fields.first, let members = fields.last else { continue }
            for member in members.split(separator: ",") where accounts.contains(member) {
                #expect(Directory().isMember(String(member), of: [String(group)]) == [true])
            }
        }
    }

    @Test("are asked for in one go, each with its own answer")
    func several() {
        let directory = Directory()
        #expect(directory.isMember("root", of: ["no-such-group", "root", "daemon"]) == [false, true, false])
        #expect(directory.isMember("no-such-user", of: ["root", "no-such-group"]) == [nil, false])
        #expect(directory.isMember("root", of: []) == [])
        #expect(directory.isSameUser("root", as: ["root", "daemon", "no-such-user"]) == [true, false, false])
        #expect(directory.groupExists(["root", "no-such-group"]) == [true, false])
    }

    @Test("are not known once the time is over")
    func noTime() {
        let directory = Directory(budget: .zero)
        #expect(directory.isMember("root", of: ["root", "daemon"]) == [nil, nil])
        #expect(directory.isSameUser("root", as: ["root"]) == [nil])
    }
}
