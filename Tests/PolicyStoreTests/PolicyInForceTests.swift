import Glibc
import Testing
import Trust
import Wireless

@testable import PolicyStore

@Suite("A policy that is kept open")
struct PolicyInForceTests {
    /// What a change leaves, after a policy that was kept.
    private struct Kept {
        let change: FreshnessTests.Change
        let sandbox: Sandbox
        let policies: PolicyInForce

        init(_ change: FreshnessTests.Change) throws {
            self.change = change
            sandbox = try FreshnessTests.sandbox()
            policies = PolicyInForce(in: sandbox.tree)
            try sandbox.apply()
        }

        var fault: PolicyFault? {
            do throws(PolicyFault) { _ = try policies.policy() } catch { return error }
            return nil
        }
    }

    @Test("counts as little after every change as one that is opened anew")
    func changes() throws {
        let all = try FreshnessTests.changes.map { try Kept($0) }
        // Until then a second change could leave the same times.
        for kept in all { #expect(try kept.policies.policy() !== kept.policies.policy()) }
        sleep(3)
        for kept in all {
            let policy = try kept.policies.policy()
            #expect(try kept.policies.policy() === policy)
            #expect(try policy.networks(named: ssid("Corp")).map(\.name) == ["a"])
            try kept.change.make(kept.sandbox)
            #expect(kept.fault?.reason == kept.change.reason, "\(kept.change)")
            #expect(kept.fault == kept.sandbox.fault(), "\(kept.change)")
        }
    }

    @Test("is the new one at the next question, and never half of it")
    func applying() throws {
        let sandbox = try FreshnessTests.sandbox()
        try sandbox.apply()
        sleep(3)
        let policies = PolicyInForce(in: sandbox.tree)
        let first = try policies.policy()
        #expect(try policies.policy() === first)
        for name in ["Other", "Corp", "Another"] {
            try sandbox.write("/etc/onsite/networks.d/a.toml", "ssid = '\(name)'")
            try sandbox.apply()
            let policy = try policies.policy()
            #expect(policy !== first)
            #expect(try policy.networks(named: ssid(name)).map(\.name) == ["a"])
        }
        // What was handed out goes on saying what it said.
        #expect(try first.networks(named: ssid("Corp")).map(\.name) == ["a"])
    }

    @Test("is opened anew each time where a link is on the way to it")
    func links() throws {
        let sandbox = try FreshnessTests.sandbox()
        try sandbox.apply()
        #expect(unsafe rename(sandbox.root + "/etc", sandbox.root + "/private") == 0)
        #expect(unsafe symlink("private", sandbox.root + "/etc") == 0)
        try sandbox.apply()
        sleep(3)
        let policies = PolicyInForce(in: sandbox.tree)
        #expect(try policies.policy() !== policies.policy())
    }

    private func ssid(_ name: String) throws -> SSID { try #require(SSID(bytes: Array(name.utf8))) }
}
