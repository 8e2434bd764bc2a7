import Glibc
import PolicyFiles
import Radio
import Trust
import Wireless

extension Command {
    static let allowCurrent = Command(
        "allow current", operands: "NAME", count: 1...1,
        "Adds the network that this machine is on: its name, its access point and the security that it offers.",
        options: [
            Option("--interface", "IF", "the station, where several are connected"),
            Option("--site", "TEXT", "a label for logs and people"),
            Option("--yes", nil, "do not ask"),
            Option("--no-apply", nil, "change the file, but leave the running policy as it is"),
        ]
    ) { (invocation) throws(Failure) in
        let name = try networkName(invocation)
        let station = try connectedStation(invocation)
        guard let ssid = station.ssid else { throw Failure("the network hides its name (add it with allow add)") }
        guard station.evidence >= .protected else {
            let why: Reason =
                switch station.authorized {
                case true?: .securityTooWeak
                case false?: .notAuthorized
                case nil: .authorizationUnknown
                }
            throw Failure(
                "the network has proven nothing: \(why.message) (if you mean it: allow add --minimum-evidence claimed)")
        }
        var pins: [BSSIDPattern] = []
        for address in station.mld.map({ [$0] }) ?? station.links {
            do { pins.append(try BSSIDPattern(address: address)) } catch { throw Failure("\(error)") }
        }
        recordPreciseRead(purpose: "enrolment", command: "allow current")
        try confirm(station, ssid, pins, invocation)
        return try change(name, invocation) { (old, rules) throws(Failure) in
            var file =
                old?.file
                ?? NetworkFile(network: Network(name: name, ssids: [], minimumEvidence: rules.minimumEvidence))
            var all = old?.allPins ?? []
            // The new access point must not narrow an entry that trusts any.
            if old == nil || !all.isEmpty { all += pins.filter { !all.contains($0) } }
            if !file.network.ssids.contains(ssid) { file.network.ssids.append(ssid) }
            if old == nil || !file.network.security.isEmpty { file.network.security.formUnion(station.security) }
            file.network.site = try invocation.value("--site") ?? file.network.site
            return Changed(file, pins: all)
        }
    }

    /// The one station that is meant.
    private static func connectedStation(_ invocation: Invocation) throws(Failure) -> Interface {
        let evidence = observe()
        guard case .interfaces(let interfaces, _) = evidence else {
            if case .unavailable(let reason, _) = evidence { throw Failure("\(reason.message) (\(reason.hint ?? ""))") }
            throw Failure(Reason.probeFailed.message)
        }
        var stations = interfaces.filter { $0.type == .station && $0.state == .connected }
        if let name = try invocation.value("--interface") { stations = stations.filter { $0.name == name } }
        guard let station = stations.first else {
            throw Failure("\(Reason.notConnected.message) (join the network first)")
        }
        guard stations.count == 1 else {
            let names = stations.map { printable($0.name) }.joined(separator: ", ")
            throw .usage("several stations are connected: \(names) (choose one with --interface)")
        }
        return station
    }

    /// Shows the network and waits for a yes.
    private static func confirm(
        _ station: Interface, _ ssid: SSID, _ pins: [BSSIDPattern], _ invocation: Invocation
    ) throws(Failure) {
        let output = invocation.output
        output.printTable([
            ["SSID", shown(ssid)], ["access point", pins.map(\.description).joined(separator: ", ")],
            ["security", station.security.map(\.rawValue).sorted().joined(separator: " ")],
            ["evidence", station.evidence.rawValue], ["interface", printable(station.name)],
        ])
        try output.flush()
        if invocation.has("--yes") { return }
        guard isatty(0) == 1, isatty(2) == 1 else { throw .usage("there is nobody to ask (use --yes)") }
        complain("trust this network? [y/N]")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure("nothing was changed")
        }
    }
}
