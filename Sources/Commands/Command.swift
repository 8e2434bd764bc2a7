/// One command of `onsite`. The help is made from this; so is the reading of the command line.
struct Command: Sendable {
    /// Its words, such as `allow add`.
    let name: String
    /// What stands after the words, such as `NAME`; empty when nothing does.
    let operands: String
    let summary: String
    let options: [Option]
    /// How many operands it takes.
    let operandCount: ClosedRange<Int>
    /// Does the work and returns the exit status.
    let run: @Sendable (Invocation) throws(Failure) -> Int32

    init(
        _ name: String, operands: String = "", count: ClosedRange<Int> = 0...0, _ summary: String,
        options: [Option] = [],
        run: @escaping @Sendable (Invocation) throws(Failure) -> Int32
    ) {
        self.name = name
        self.operands = operands
        self.summary = summary
        self.options = options + [.root, .help]
        operandCount = count
        self.run = run
    }

    /// The text of `--help`.
    var help: String {
        let usage = "onsite \(name)" + (operands.isEmpty ? "" : " \(operands)") + " [OPTION…]"
        let lines = options.map { option in
            let form = option.value.map { "\(option.name) \($0)" } ?? option.name
            return "  " + form.padded(to: 26) + option.help
        }
        return "usage: \(usage)\n\n\(summary)\n\n" + lines.joined(separator: "\n")
    }
}

/// One option of a command.
struct Option: Sendable {
    /// With its dashes.
    let name: String
    /// What stands for its value in the help, or `nil` for a flag.
    let value: String?
    let help: String

    init(_ name: String, _ value: String? = nil, _ help: String) {
        self.name = name
        self.value = value
        self.help = help
    }

    static let root = Option("--root", "DIR", "work on DIR instead of /")
    static let help = Option("--help", "show this help")
    static let json = Option("--json", "print JSON")
    static let precise = Option("--precise", "show SSID and BSSID; needs --purpose")
    static let purpose = Option("--purpose", "KEY", "why they are read: a key of [privacy.purposes]")

    private init(_ name: String, _ help: String) {
        self.init(name, nil, help)
    }
}

/// A command that cannot go on.
struct Failure: Error {
    /// What is wrong, one line each, as they are printed after `onsite: `.
    let messages: [String]
    let status: Int32

    init(_ message: String, status: Int32 = 1) {
        messages = [message]
        self.status = status
    }

    init(_ messages: [String]) {
        self.messages = messages
        status = 1
    }

    /// The command line itself is wrong: exit status 2.
    static func usage(_ message: String) -> Failure {
        Failure(message, status: 2)
    }
}

extension String {
    /// The text with blanks after it up to a width, and always one.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(1, width - count))
    }
}
