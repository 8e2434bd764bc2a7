import Gate
import Glibc
import PolicyFiles
import ProtectedFiles
import Trust
import Wireless

extension Command {
    static let test = Command(
        "test", operands: "FILE…", count: 1...1000,
        "Runs policy tests: what is seen, who asks, and the decision that is expected.\n\n"
            + "Exit status: 0 all passed, 1 one failed.",
        options: [Option("--policy", "DIR", "test the policy.toml and networks.d in DIR")]
    ) { (invocation) throws(Failure) in
        let configuration = try testedConfiguration(invocation)
        var (passed, failed) = (0, 0)
        for path in invocation.operands {
            let bytes = try readInput(path, limit: 1 << 20)
            let file: PolicyTestFile
            do throws(FileProblems) {
                file = try PolicyTestFile.parse(bytes, file: printable(path))
            } catch {
                throw Failure(error.all.map(\.description))
            }
            for test in file.cases {
                let differences = try test.differences(with: configuration, beside: path)
                if differences.isEmpty {
                    passed += 1
                    invocation.output.print("\(invocation.output.styled("ok", .good)) - \(printable(test.name))")
                } else {
                    failed += 1
                    invocation.output.print(
                        "\(invocation.output.styled("not ok", .bad)) - \(printable(test.name)) (\(printable(path)):\(test.line))"
                    )
                    for line in differences { invocation.output.print("  " + line) }
                }
            }
        }
        invocation.output.print("\(passed) passed, \(failed) failed")
        return failed == 0 ? 0 : 1
    }
}

/// The configuration of `--policy DIR`, or the one of the machine.
private func testedConfiguration(_ invocation: Invocation) throws(Failure) -> Configuration {
    guard let directory = try invocation.value("--policy") else { return try loadConfiguration(invocation.tree()) }
    return try loadConfiguration(sourceTree(directory, invocation), directories: [""])
}

extension PolicyTestFile.Case {
    /// How the decision differs from the expected one, a line with `-` for what was expected and one with `+` for what
    /// came; empty when it does not.
    fileprivate func differences(with policy: Configuration, beside path: String) throws(Failure) -> [String] {
        let recorded = try recordedEvidence(beside: path)
        var inquiry = Inquiry(login: nil, evidence: recorded.evidence)
        if let asker {
            inquiry.login = Login(
                user: asker.user, service: asker.service, rhost: asker.rhost, tty: "tty1", process: getpid())
            inquiry.session = asker.isRemote.map { $0 ? .remote : .local } ?? recorded.whereabouts ?? .local
        }
        let decision = decide(inquiry, policy: policy).decision
        var lines: [String] = []
        func compare(_ key: String, _ expected: String?, _ found: String?) {
            guard let expected, expected != found else { return }
            lines += ["- \(key) = \(printable(expected))", "+ \(key) = \(printable(found ?? "none"))"]
        }
        let found = decision.answer == .notRequired ? "not-required" : "required"
        compare("second_factor", expected.isRequired ? "required" : "not-required", found)
        compare("reason", expected.reason?.rawValue, decision.reason.rawValue)
        compare("network", expected.network, decision.network)
        return lines
    }

    private func recordedEvidence(beside path: String) throws(Failure) -> EvidenceFile {
        switch evidence {
        case .inline(let evidence): return EvidenceFile(evidence: evidence, whereabouts: nil)
        case .file(let name):
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            return try Command.readEvidence(name.hasPrefix("/") || folder.isEmpty ? name : "\(folder)/\(name)")
        }
    }
}
