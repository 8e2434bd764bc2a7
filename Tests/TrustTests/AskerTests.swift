import Testing

@testable import Trust

@Suite("Whom a rule is for")
struct AskerTests {
    struct Case: CustomTestStringConvertible {
        let what: String
        let users: [String]
        let groups: [String]
        let services: [String]
        let user: String?
        let service: String?
        let member: Bool?
        /// Whether a network for these is trusted for the asker.
        let among: Bool
        /// Why an asker who is to be asked always, is.
        let excluded: Reason?
        var testDescription: String { what }

        init(
            _ what: String, users: [String] = [], groups: [String] = [], services: [String] = [],
            user: String? = "anna", service: String? = "sudo", member: Bool? = false, among: Bool,
            excluded: Reason? = nil
        ) {
            self.what = what
            self.users = users
            self.groups = groups
            self.services = services
            self.user = user
            self.service = service
            self.member = member
            self.among = among
            self.excluded = excluded
        }
    }

    static let cases = [
        Case("no list", among: true),
        Case("no list, nothing known", user: nil, service: nil, member: nil, among: true),
        Case("a listed user", users: ["bob", "anna"], among: true, excluded: .userExcluded),
        Case("another user", users: ["bob"], among: false),
        Case("an unknown user", users: ["bob"], user: nil, among: false, excluded: .userExcluded),
        Case("a user who differs in case", users: ["Anna"], among: false),
        Case("a user who is equal only as text", users: ["Café"], user: "Cafe\u{301}", among: false),
        Case("an empty name of a user", users: [""], among: false),
        Case("a member", groups: ["staff"], member: true, among: true, excluded: .userExcluded),
        Case("no member", groups: ["staff"], member: false, among: false),
        Case("a group that cannot be looked up", groups: ["staff"], member: nil, among: false, excluded: .userExcluded),
        Case(
            "a listed user who is no member", users: ["anna"], groups: ["staff"], member: false, among: true,
            excluded: .userExcluded),
        Case(
            "a member who is not a listed user", users: ["bob"], groups: ["staff"], member: true, among: true,
            excluded: .userExcluded),
        Case(
            "a listed user in a group that cannot be looked up", users: ["anna"], groups: ["staff"], member: nil,
            among: true, excluded: .userExcluded),
        Case("neither user nor member", users: ["bob"], groups: ["staff"], member: false, among: false),
        Case(
            "an unknown user who is known as a member", users: ["bob"], groups: ["staff"], user: nil, member: true,
            among: true, excluded: .userExcluded),
        Case("a listed service", services: ["su", "sudo"], among: true, excluded: .serviceExcluded),
        Case("another service", services: ["su"], among: false),
        Case("an unknown service", services: ["su"], service: nil, among: false, excluded: .serviceExcluded),
        Case("a service that differs in case", services: ["SUDO"], among: false),
        Case("a user and a service", users: ["anna"], services: ["sudo"], among: true, excluded: .userExcluded),
        Case("a user at another service", users: ["anna"], services: ["su"], among: false, excluded: .userExcluded),
        Case(
            "a service and another user", users: ["bob"], services: ["sudo"], among: false, excluded: .serviceExcluded),
        Case(
            "a member at a listed service", groups: ["staff"], services: ["sudo"], member: true, among: true,
            excluded: .userExcluded),
        Case(
            "a member at another service", groups: ["staff"], services: ["su"], member: true, among: false,
            excluded: .userExcluded),
    ]

    private func scene(_ row: Case) -> Scene {
        Scene {
            $0.user = row.user
            $0.service = row.service
            $0.groups = ["staff": row.member]
        }
    }

    @Test("a network is for the listed users and members, at the listed services", arguments: cases)
    func network(row: Case) {
        var scene = scene(row)
        scene.network.askers = Askers(users: row.users, groups: row.groups, services: row.services)
        #expect(scene.reason == (row.among ? .trustedNetwork : .notForUser))
    }

    @Test("whoever may be listed is always asked", arguments: cases)
    func always(row: Case) {
        var scene = scene(row)
        scene.policy.rules.alwaysRequire = Askers(users: row.users, groups: row.groups, services: row.services)
        #expect(scene.reason == (row.excluded ?? .trustedNetwork))
    }

    @Test("one group of many is enough, and one that cannot be looked up is no other's no")
    func manyGroups() {
        var scene = Scene { $0.groups = ["a": false, "b": nil, "c": true] }
        scene.network.askers.groups = ["a", "b", "c"]
        #expect(scene.reason == .trustedNetwork)
        scene.network.askers.groups = ["a", "b"]
        #expect(scene.reason == .notForUser)
        scene.network.askers.groups = []
        scene.policy.rules.alwaysRequire.groups = ["a"]
        #expect(scene.reason == .trustedNetwork)
        scene.policy.rules.alwaysRequire.groups = ["a", "b"]
        #expect(scene.reason == .userExcluded)
    }
}
