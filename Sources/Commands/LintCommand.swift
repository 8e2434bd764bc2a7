import Glibc
import PolicyFiles
import Radio
import Trust
import Wireless

extension Command {
    static let lint = Command(
        "lint",
        "Checks the configuration. Mistakes are errors; what is legal but unwise is a warning.\n\n"
            + "Exit status: 0 no error, 1 an error was found.",
        options: [Option("--strict", nil, "a warning is an error")]
    ) { (invocation) throws(Failure) in
        let tree = try invocation.tree()
        let configuration = try loadConfiguration(tree)
        var warnings = configuration.warnings(tree, today: Day(secondsSince1970: time(nil)))
        // Only this machine's own configuration has to do with where this machine is, and who has an account on it.
        if try invocation.value("--root") == nil {
            warnings += configuration.nearMisses(of: observe()) + configuration.strangers()
        }
        for warning in warnings {
            invocation.output.print("\(invocation.output.styled("warning", .careful)): \(warning)")
        }
        let errors = configuration.errors(tree).map(\.description)
        guard errors.isEmpty else { throw Failure(errors) }
        if warnings.isEmpty {
            invocation.output.print("no problem found in \(counted(configuration.networks.count, "network"))")
        }
        return invocation.has("--strict") && !warnings.isEmpty ? 1 : 0
    }
}

extension Configuration {
    /// The networks whose name is nearly the one that the machine is on. What it is on is not shown.
    func nearMisses(of evidence: Evidence) -> [FileProblem] {
        guard case .interfaces(let interfaces, _) = evidence else { return [] }
        let names = Set(interfaces.compactMap(\.ssid))
        return networks.flatMap { listing in
            listing.network.ssids.filter { entry in
                !names.contains(entry) && names.contains { $0.text.map(folded) == entry.text.map(folded) }
            }.map { entry in
                FileProblem(
                    file: listing.path,
                    "the SSID \"\(entry)\" differs from the network that this machine is on by case, "
                        + "blanks or quotes only", hint: "names are compared byte by byte")
            }
        }
    }
}

/// A name without the differences that people do not see: case, outer blanks, styles of quotes.
func folded(_ text: String) -> String {
    let plain = text.map { character -> Character in
        switch character {
        case "\u{2018}", "\u{2019}", "`": "'"
        case "\u{201c}", "\u{201d}": "\""
        case "\u{a0}": " "
        default: character
        }
    }
    let trimmed = plain.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return String(trimmed).lowercased()
}

/// The bytes that a name such as `Caf\xc3\xa9` stands for in the output of `iw`, or `nil` when it is no such name.
func unescapingAsPrintedByIw(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = ArraySlice(bytes)
    var isEscaped = false
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
            let value = Wireless.bytes(hexadecimal: String(decoding: rest.dropFirst().prefix(2), as: UTF8.self))?.first
        {
            result.append(value)
            rest = rest.dropFirst(3)
            isEscaped = true
        } else {
            result.append(byte)
        }
    }
    return isEscaped ? result : nil
}
