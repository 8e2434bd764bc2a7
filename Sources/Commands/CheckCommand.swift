import Gate
import Glibc
import PolicyFiles
import ProtectedFiles
import Sessions
import Trust
import Wireless

extension Command {
    static let check = Command(
        "check",
        "Decides whether a second factor is required here and now.\n\nExit status: 0 not required, "
            + "1 required by rule, 3 required because it could not be decided, 2 wrong command line.",
        options: [
            Option("--user", "NAME", "who logs in (default: you)"),
            Option("--service", "NAME", "the program that asks (default: onsite)"),
            Option("--rhost", "HOST", "the host that the login comes from"),
            Option("--tty", "TTY", "the terminal of the login (default: yours)"),
            Option("--wait", "D", "wait up to 10s while a network is being joined"),
            Option("--network-only", nil, "ask about the network, not about who asks"),
            Option("--quiet", nil, "print nothing: the exit status says it"),
            Option("--explain", nil, "show every step of the decision"),
            .json, .precise, .purpose,
            Option("--policy", "DIR", "decide with the policy.toml and networks.d in DIR, uncompiled"),
            Option("--evidence", "FILE", "decide on recorded evidence (-: standard input)"),
        ]
    ) { (invocation) throws(Failure) in
        let recorded = try invocation.value("--evidence").map { (path) throws(Failure) in try readEvidence(path) }
        var inquiry = Inquiry(
            login: invocation.has("--network-only") ? nil : try login(of: invocation),
            session: recorded?.whereabouts, evidence: recorded?.evidence)
        inquiry.isPrecise = invocation.has("--precise")
        if let text = try invocation.value("--wait") {
            guard let wait = milliseconds(text), wait <= 10_000 else {
                throw .usage("--wait cannot be \"\(printable(text))\" (0s to 10s, or milliseconds such as 500ms)")
            }
            inquiry.wait = wait
        }
        if invocation.has("--quiet"), invocation.has("--json") || invocation.has("--explain") {
            throw .usage("--quiet goes without --json and --explain")
        }
        if invocation.has("--json"), invocation.has("--explain") { throw .usage("--json goes without --explain") }

        let finding = try finding(inquiry, invocation)
        // Recorded evidence is the caller's own; what is read of this machine needs a purpose.
        let precise =
            recorded == nil
            ? try isPrecise(invocation, rules: finding.rules, command: "check") : invocation.has("--precise")
        if let detail = finding.decision.detail, !invocation.has("--quiet") { complain(printable(detail)) }
        if invocation.has("--json") {
            invocation.output.print(finding.decision.json(precise: precise).text)
        } else if !invocation.has("--quiet") {
            finding.decision.print(to: invocation.output, precise: precise)
            if invocation.has("--explain") { explain(finding, inquiry, to: invocation.output) }
        }
        switch finding.decision.answer {
        case .notRequired: return 0
        case .required: return 1
        case .undecided: return 3
        }
    }

    private static func login(of invocation: Invocation) throws(Failure) -> Login {
        Login(
            user: try invocation.value("--user") ?? ownUserName(),
            service: try invocation.value("--service") ?? "onsite",
            rhost: try invocation.value("--rhost") ?? "", tty: try invocation.value("--tty") ?? ownTerminal(),
            process: getpid())
    }

    private static func finding(_ inquiry: Inquiry, _ invocation: Invocation) throws(Failure) -> Finding {
        guard let directory = try invocation.value("--policy") else {
            return decide(inquiry, in: try invocation.tree())
        }
        let tree = try sourceTree(directory, invocation)
        do throws(FileProblems) {
            return decide(inquiry, policy: try Configuration.load(from: tree, directories: [""]))
        } catch {
            if !invocation.has("--quiet") {
                for problem in error.all { complain("\(problem)") }
            }
            return Finding(decision: Decision(.policyInvalid))
        }
    }

    static func readEvidence(_ path: String) throws(Failure) -> EvidenceFile {
        let shown = path == "-" ? "standard input" : printable(path)
        let bytes = try readInput(path, limit: 4 << 20)
        do throws(EvidenceFile.Problem) { return try EvidenceFile(parsing: bytes) } catch {
            throw .usage("\(shown): \(error)")
        }
    }
}

extension Decision {
    /// The decision as `check --json` prints it: always the same keys.
    func json(precise: Bool) -> JSON {
        .object([
            "format": .integer(1),
            "second_factor": .string(answer == .notRequired ? "not-required" : "required"),
            "reason": .string(reason.rawValue), "message": .string(reason.message), "hint": .optional(reason.hint),
            "network": .optional(network), "site": .optional(site), "evidence": .string(evidence.rawValue),
            "interface": .optional(interface),
            "ssid": .optional(precise ? ssid?.text : nil),
            "ssid_hex": .optional(precise ? ssid.map { hexadecimal($0.bytes) } : nil),
            "bssids": precise && ssid != nil ? .array(bssids.map { .string("\($0)") }) : .null,
        ])
    }

    /// Prints the decision for people: the answer, why, and what can be done.
    func print(to output: Output, precise: Bool) {
        let isNotRequired = answer == .notRequired
        let answer = output.styled(
            isNotRequired ? "second factor not required" : "second factor required", isNotRequired ? .good : .bad)
        let place = [network, site].compactMap { $0 }.map { " \u{b7} " + printable($0) }.joined()
        output.print("\(answer): \(reason.message) (\(reason.rawValue))\(place)")
        if let hint = reason.hint { output.print(output.styled("  hint: \(hint)", .faint)) }
        if precise, let ssid {
            let addresses = bssids.map { "\($0)" }.joined(separator: ", ")
            output.print("  ssid: \(ssid)  bssid: \(addresses)")
        }
    }
}
