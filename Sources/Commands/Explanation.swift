import Gate
import Sessions
import Supplicants
import Trust
import Wireless

/// Prints the steps of a decision, down to the one that gave the answer.
func explain(_ finding: Finding, _ inquiry: Inquiry, to output: Output) {
    let last = finding.decision.reason.step
    let steps = steps(of: finding, inquiry)
    output.print("")
    for (number, step) in steps.enumerated().map({ ($0 + 1, $1) }) {
        let question = "\(number)  \(step.question.padded(to: 36))"
        if last < step.numbers.lowerBound {
            output.print("  " + output.styled("· \(question)not looked at", .faint))
        } else if step.numbers.contains(last), finding.decision.answer != .notRequired {
            output.print(
                "  " + output.styled("✗", .bad) + " \(question)\(step.refusal ?? finding.decision.reason.message)")
        } else {
            let mark = step.isAsked ? output.styled("✓", .good) : output.styled("–", .faint)
            output.print("  \(mark) \(question)\(step.note)")
        }
    }
}

/// One line of an explanation: some steps of the decision that answer one question.
private struct Step {
    let numbers: ClosedRange<Int>
    let question: String
    /// What was found when the step did not give the answer.
    let note: String
    /// What was found when it did, where that is more than the reason says.
    var refusal: String?
    var isAsked = true
}

private func steps(of finding: Finding, _ inquiry: Inquiry) -> [Step] {
    let isAboutPerson = inquiry.login != nil
    let rules = finding.rules ?? Rules()
    let left = "left out (--network-only)"
    let whereabouts = finding.location?.because ?? "remote sessions are allowed"
    let said =
        finding.witnesses.isEmpty ? "" : ", as \(finding.witnesses.map(\.rawValue).joined(separator: ", ")) has it"
    return [
        Step(numbers: 1...1, question: "is the policy to be relied on?", note: "yes"),
        Step(
            numbers: 2...2, question: "is the asker always asked?", note: isAboutPerson ? asker(inquiry) : left,
            isAsked: isAboutPerson),
        Step(
            numbers: 3...3, question: "is the asker at this machine?", note: isAboutPerson ? whereabouts : left,
            refusal: finding.location?.because, isAsked: isAboutPerson),
        Step(
            numbers: 4...4, question: "may the network be looked at?",
            note: !isAboutPerson ? left : rules.consent == .needed ? "the user agreed" : "no consent is needed",
            isAsked: isAboutPerson),
        Step(numbers: 5...6, question: "is the machine on Wi-Fi?", note: stations(finding.evidence)),
        Step(
            numbers: 7...10, question: "is the network trusted?",
            note: "\(finding.decision.network ?? "yes"), evidence \(finding.decision.evidence.rawValue)\(said)",
            refusal: finding.decision.reason.message + said),
    ]
}

private func asker(_ inquiry: Inquiry) -> String {
    let user = inquiry.login?.user.map { printable($0) } ?? "unknown user"
    let service = inquiry.login?.service.map { printable($0) } ?? "unknown service"
    return "no: \(user), service \(service)"
}

private func stations(_ evidence: Evidence?) -> String {
    guard case .interfaces(let interfaces, _)? = evidence else { return "yes" }
    let connected = interfaces.filter { $0.type == .station && $0.state == .connected }.map { printable($0.name) }
    return "yes: \(connected.joined(separator: ", "))"
}
