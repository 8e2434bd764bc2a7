import Glibc
import PolicyFiles
import Radio
import Trust
import Wireless

extension Command {
    static let allowSurvey = Command(
        "allow survey",
        "Collects the access points in range, as a table for allow import.\n\n"
            + "On a terminal it shows them as they are found. Ctrl-C ends it, and what was found is kept.",
        options: [
            Option("--ssid", "TEXT", "only of this name; may be repeated"),
            Option("--interface", "IF", "only what this station hears"),
            Option("--duration", "D", "how long to collect, 1s to 3600s (default 10s; not on a terminal: one look)"),
            Option("--scan", nil, "scan again and again, which needs root; otherwise only what the system has heard"),
            Option("--output", "FILE", "write the table to FILE and not to standard output"),
        ]
    ) { (invocation) throws(Failure) in
        let output = invocation.output
        let configuration = try loadConfiguration(invocation.tree())
        var duration = output.isTerminal ? UInt32(10_000) : 0
        if let text = try invocation.value("--duration") {
            guard let given = milliseconds(text), (1000...3_600_000).contains(given) else {
                throw .usage("--duration cannot be \"\(printable(text))\" (1s to 3600s)")
            }
            duration = given
        }
        var survey = Survey(names: invocation.values("--ssid").map { Array($0.utf8) }, configuration: configuration)
        recordPreciseRead(purpose: "enrolment", command: "allow survey")
        let interrupted = Interruption()
        let end = ContinuousClock.now + .milliseconds(Int(duration))
        let path = try invocation.value("--output")
        let interface = try invocation.value("--interface")
        repeat {
            do throws(NetlinkError) {
                survey.add(
                    try surroundings(of: interface, trigger: invocation.has("--scan")))
            } catch {
                throw Failure("\(error.reason.message) (\(error.reason.hint ?? "\(error)"))")
            }
            if output.isTerminal { survey.draw(output) }
        } while ContinuousClock.now < end && !interrupted.wait(milliseconds: 1000)

        let table = ([csvRow(["ssid", "ssid_hex", "bssid", "security", "frequency", "signal"])] + survey.rows).map {
            $0 + "\n"
        }
        if let path {
            try writeOutput(Array(table.joined().utf8), to: path)
            complain("\(counted(survey.rows.count, "access point")) written to \(printable(path))")
        } else if !output.isTerminal {
            for line in table { output.print(String(line.dropLast())) }
        }
        return 0
    }
}

/// The access points that were heard so far, each once, as it was heard best.
private struct Survey {
    let names: [[UInt8]]
    let configuration: Configuration
    private var heard: [BSSID: HeardAccessPoint] = [:]
    private var drawn = 0

    init(names: [[UInt8]], configuration: Configuration) {
        self.names = names
        self.configuration = configuration
    }

    mutating func add(_ points: [HeardAccessPoint]) {
        for point in points where names.isEmpty || point.ssid.map({ names.contains($0.bytes) }) == true {
            if let known = heard[point.bssid], (known.signal ?? .min) >= (point.signal ?? .min) { continue }
            heard[point.bssid] = point
        }
    }

    private var sorted: [HeardAccessPoint] {
        heard.values.sorted {
            ($0.ssid?.description ?? "", $0.bssid.rawValue) < ($1.ssid?.description ?? "", $1.bssid.rawValue)
        }
    }

    /// A row for each access point that has a name.
    var rows: [String] {
        sorted.compactMap { point in
            point.ssid.map { ssid in
                let text = ssid.writableText ?? ""
                return csvRow([
                    text, hexadecimal(ssid.bytes), "\(point.bssid)",
                    point.offered.map(\.rawValue).sorted().joined(separator: " "),
                    "\(point.frequency)", point.signal.map { "\($0 / 100)" } ?? "",
                ])
            }
        }
    }

    /// Draws the table over the last one.
    mutating func draw(_ output: Output) {
        if drawn > 0, output.isColourful { output.print("\u{1b}[\(drawn + 1)A\u{1b}[J", terminator: "") }
        let header = ["SSID", "BSSID", "CHANNEL", "dBm", "SECURITY", "ALLOWLIST"].map { output.styled($0, .heading) }
        output.printTable(
            [header]
                + sorted.map { point in
                    [
                        point.ssid.map(shown) ?? "hidden", "\(point.bssid)",
                        channel(at: point.frequency).map { "\($0)" } ?? "-",
                        point.signal.map { "\($0 / 100)" } ?? "-",
                        point.offered.map(\.rawValue).sorted().joined(separator: " "), place(of: point, output),
                    ]
                })
        drawn = heard.count
        try? output.flush()
    }

    /// Whether the access point is on the allowlist.
    private func place(of point: HeardAccessPoint, _ output: Output) -> String {
        guard let ssid = point.ssid else { return "-" }
        let named = configuration.networks(named: ssid)
        if let listing = named.first(where: { !$0.isPinned || configuration.lists(point.bssid, in: $0) }) {
            return output.styled(listing.name, .good)
        }
        return named.first.map { output.styled("new to \($0.name)", .careful) } ?? "-"
    }
}

/// The number of the channel at a frequency in MHz (IEEE 802.11-2020, annex E), or `nil` where none is known.
func channel(at frequency: UInt32) -> UInt32? {
    switch frequency {
    case 2412...2472: (frequency - 2407) / 5
    case 2484: 14
    case 5160...5885: (frequency - 5000) / 5
    case 5935: 2
    case 5955...7115: (frequency - 5950) / 5
    default: nil
    }
}

/// Waits, and notices Ctrl-C without a handler: the signal is kept back and asked for.
private struct Interruption {
    private var signals = sigset_t()

    init() {
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM] { unsafe sigaddset(&signals, signal) }
        unsafe sigprocmask(SIG_BLOCK, &signals, nil)
    }

    /// - Returns: whether the signal came.
    func wait(milliseconds: Int) -> Bool {
        var limit = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        var signals = signals
        return unsafe sigtimedwait(&signals, nil, &limit) > 0
    }
}
