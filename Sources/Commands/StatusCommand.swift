import Gate
import Glibc
import PolicyStore
import ProtectedFiles
import Radio
import Sessions
import Supplicants
import Trust
import Wireless

extension Command {
    static let status = Command(
        "status",
        "Shows what this machine sees: access to Wi-Fi information, stations, evidence.\n\n"
            + "With --json --precise --purpose KEY it writes the evidence that check --evidence reads.",
        options: [.json, .precise, .purpose]
    ) { (invocation) throws(Failure) in
        let policy = PolicyState(in: try invocation.tree())
        let precise = try isPrecise(invocation, rules: policy.rules, command: "status")
        let evidence = observe().proven
        let location = locate(Origin(rhost: "", service: "onsite", tty: ownTerminal(), process: getpid()))
        if invocation.has("--json") {
            let file = EvidenceFile(evidence: evidence, whereabouts: location.whereabouts)
            invocation.output.print(file.json(precise: precise).text)
        } else {
            Status(policy: policy, evidence: evidence, location: location)
                .print(to: invocation.output, precise: precise)
        }
        return 0
    }
}

extension Evidence {
    /// With what the programs that run the machine's Wi-Fi say of each connected station.
    fileprivate var proven: Evidence {
        guard case .interfaces(let interfaces, let source) = self else { return self }
        let supplicants = Supplicants()
        return .interfaces(
            interfaces.map { station in
                station.state == .connected
                    ? supplicants.ask(about: station).map { station.adding($0.proof) } ?? station : station
            }, source: source)
    }
}

/// The compiled policy, or why there is none to rely on.
private enum PolicyState {
    case inForce(CompiledPolicy)
    case unreliable(PolicyFault)

    init(in tree: ProtectedTree) {
        do { self = .inForce(try CompiledPolicy(in: tree)) } catch { self = .unreliable(error) }
    }

    var rules: Rules? {
        if case .inForce(let policy) = self { return policy.rules }
        return nil
    }
}

private struct Status {
    let policy: PolicyState
    let evidence: Evidence
    let location: Location

    func print(to output: Output, precise: Bool) {
        var rows = [["Wi-Fi access", access(output)]]
        switch policy {
        case .inForce: rows.append(["policy", output.styled("in force", .good)])
        case .unreliable(let fault):
            rows.append(["policy", output.styled(fault.reason.rawValue, .bad) + ": " + printable(fault.detail)])
        }
        let place =
            switch location.whereabouts {
            case .local: output.styled("at this machine", .good)
            case .remote: output.styled("at another machine", .careful)
            case .unknown: output.styled("unknown", .careful)
            }
        rows.append(["you are", "\(place): \(location.because)"])
        output.printTable(rows)

        guard case .interfaces(let interfaces, _) = evidence, !interfaces.isEmpty else { return }
        output.print("")
        let header = ["interface", "type", "state", "evidence", "security", "verdict"].map {
            output.styled($0, .heading)
        }
        output.printTable(
            [header + (precise ? [output.styled("network", .heading)] : [])]
                + interfaces.sorted { $0.index < $1.index }.map { row($0, precise: precise) })
    }

    /// Whether this program may read Wi-Fi information, as a state with a name.
    private func access(_ output: Output) -> String {
        switch evidence {
        case .interfaces(_, let source): output.styled("authorized", .good) + " (\(source.rawValue))"
        case .unavailable(.wifiAccessDenied, _):
            output.styled("denied", .bad) + ": \(Reason.wifiAccessDenied.message)"
        case .unavailable(let reason, _): output.styled("not-determined", .careful) + ": \(reason.message)"
        }
    }

    private func row(_ interface: Interface, precise: Bool) -> [String] {
        let security = interface.security.map(\.rawValue).sorted().joined(separator: " ")
        let addresses = (interface.links + (interface.mld.map { [$0] } ?? [])).map { "\($0)" }.joined(separator: " ")
        return [
            printable(interface.name), interface.type.rawValue, interface.state.rawValue, interface.evidence.rawValue,
            security.isEmpty ? "-" : security, verdict(on: interface),
        ] + (precise ? ["\(interface.ssid.map { "\($0)" } ?? "-") \(addresses)"] : [])
    }

    /// What the policy says of one station, by the names of the allowlist.
    private func verdict(on interface: Interface) -> String {
        guard case .inForce(let policy) = policy, interface.type == .station, interface.state == .connected else {
            return "-"
        }
        let decision = decide(
            onNetwork: .interfaces([interface], source: .nl80211), policy: policy,
            today: Day(secondsSince1970: time(nil)))
        let place = [decision.network, decision.site].compactMap { $0 }.map { printable($0) }.joined(separator: ", ")
        return decision.reason.rawValue + (place.isEmpty ? "" : " (\(place))")
    }
}
