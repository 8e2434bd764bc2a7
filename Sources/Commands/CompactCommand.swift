import PolicyFiles
import Wireless

extension Command {
    static let allowCompact = Command(
        "allow compact", operands: "NAME", count: 1...1,
        "Replaces full sets of access points by prefixes, without trusting one address more.",
        options: [
            Option("--suggest", "N", "change nothing; list prefixes that would trust at most N addresses more"),
            .dryRun, .noApply,
        ]
    ) { (invocation) throws(Failure) in
        let name = try networkName(invocation)
        if let text = try invocation.value("--suggest") {
            guard let limit = UInt64(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw .usage("--suggest cannot be \"\(printable(text))\" (a whole number)")
            }
            let listing = try loadConfiguration(invocation.tree()).listing(named: name)
            let suggestions = suggestedPrefixes(for: listing.allPins, extra: limit)
            guard !suggestions.isEmpty else {
                complain(
                    "no prefix would replace several access points of \(name) and trust at most \(counted(Int(clamping: limit), "address")) more"
                )
                return 0
            }
            let header = ["PREFIX", "REPLACES", "TRUSTS MORE"].map { invocation.output.styled($0, .heading) }
            invocation.output.printTable(
                [header] + suggestions.map { ["\($0.prefix)", "\($0.replaced)", "\($0.extra)"] })
            return 0
        }
        return try change(name, invocation) { (old, _) throws(Failure) in
            guard let old else { throw Failure("there is no network \"\(name)\"") }
            let before = old.allPins
            // What stays keeps its place; the new prefixes come last.
            let after = aggregated(before)
            let (kept, wanted) = (PatternSet(before), PatternSet(after))
            let result = before.filter(wanted.contains) + after.filter { !kept.contains($0) }
            for pin in after where !kept.contains(pin) {
                let inside = before.filter {
                    $0.prefixLength > pin.prefixLength && $0.shortened(to: pin.prefixLength) == pin
                }
                invocation.output.print("\(pin) stands for \(inside.count) of them")
            }
            invocation.output.print("\(before.count) before, \(result.count) after")
            return Changed(old.file, pins: result)
        }
    }
}
