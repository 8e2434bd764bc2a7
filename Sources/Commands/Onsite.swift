import Glibc
import Wireless

/// The version of the product.
public let version = "0.1.0"

private let commands: [Command] = [
    .check, .status, .allowList, .allowShow, .allowAdd, .allowCurrent, .allowRemove, .allowImport, .allowExport,
    .allowCompact, .allowSurvey, .apply,
    .lint, .test, .watch,
    .consentGrant, .consentDeny, .consentStatus, .consentReset, .privacyRotateKey,
]

/// Runs one command line, without the name of the program.
///
/// - Returns: the exit status: 0 done, 1 failed, 2 wrong command line; `check` has its own.
public func run(_ arguments: [String]) -> Int32 {
    // A reader that went away is noticed by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    let output = Output()
    do throws(Failure) {
        try refuseOtherBytes()
        let status = try dispatch(arguments, output)
        try output.flush()
        return status
    } catch {
        // What was found before it went wrong is shown before what went wrong.
        try? output.flush()
        for message in error.messages { complain(message) }
        return error.status
    }
}

/// Throws when an argument is not UTF-8. Swift has put other bytes in the place of its bytes, which must not become the
/// name of a network or a user.
private func refuseOtherBytes() throws(Failure) {
    for number in 1..<max(1, CommandLine.argc) {
        // The arguments of the process live as long as it does.
        guard let argument = unsafe CommandLine.unsafeArgv[Int(number)] else { continue }
        if unsafe String(validatingCString: argument) != nil { continue }
        let bytes = unsafe UnsafeRawBufferPointer(start: argument, count: strlen(argument))
        throw .usage("\"\(unsafe printable(bytes))\" is not UTF-8 (for a network with such a name: --ssid-hex)")
    }
}

private func dispatch(_ arguments: [String], _ output: Output) throws(Failure) -> Int32 {
    switch arguments.first {
    case nil:
        throw .usage("no command (see: onsite --help)")
    case "--help", "-h", "help":
        output.print(overview)
        return 0
    case "--version":
        output.print("onsite \(version)")
        return 0
    default:
        break
    }
    let command = commands.first {
        $0.name.split(separator: " ").map(String.init) == Array(arguments.prefix($0.wordCount))
    }
    guard let command else {
        let first = arguments.first ?? ""
        let isGroup = commands.contains { $0.name.hasPrefix(first + " ") }
        if isGroup {
            if arguments.dropFirst().first == "--help" {
                output.print(overview)
                return 0
            }
            if arguments.count == 1 { throw .usage("\(first) what? (see: onsite --help)") }
        }
        if arguments.first?.hasPrefix("-") == true {
            throw .usage("options follow the command (see: onsite --help)")
        }
        let words = arguments.prefix(isGroup ? 2 : 1).map { printable($0) }.joined(separator: " ")
        throw .usage("unknown command \"\(words)\" (see: onsite --help)")
    }
    let invocation = try Invocation(arguments[command.wordCount...], of: command, output: output)
    if invocation.has("--help") {
        output.print(command.help)
        return 0
    }
    return try command.run(invocation)
}

extension Command {
    fileprivate var wordCount: Int { name.split(separator: " ").count }

    /// The first sentence of its summary.
    fileprivate var brief: String {
        String(summary.prefix { $0 != "\n" })
    }
}

private var overview: String {
    let lines = commands.map { command in
        "  " + (command.name + (command.operands.isEmpty ? "" : " \(command.operands)")).padded(to: 22) + command.brief
    }
    return """
        usage: onsite COMMAND [OPTION…]

        Decides from the Wi-Fi network that this machine is on whether a login needs a second factor.

        \(lines.joined(separator: "\n"))

        onsite COMMAND --help shows the options of a command; onsite --version the version.
        """
}
