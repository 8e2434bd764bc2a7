import ProtectedFiles
import Wireless

/// A command line that has been read.
struct Invocation {
    let operands: [String]
    /// Each option that was given, with its value; a flag has an empty one.
    private let given: [(option: String, value: String)]
    let output: Output

    /// Reads what stands after the words of a command.
    init(_ arguments: ArraySlice<String>, of command: Command, output: Output) throws(Failure) {
        var operands: [String] = []
        var given: [(option: String, value: String)] = []
        var rest = arguments
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts.first ?? argument
            guard let option = command.options.first(where: { $0.name == name }) else {
                throw .usage("unknown option \(printable(name)) (see: onsite \(command.name) --help)")
            }
            var value = parts.dropFirst().first
            if option.value == nil {
                guard value == nil else { throw .usage("\(name) takes no value") }
                value = ""
            } else if value == nil {
                value = rest.popFirst()
            }
            guard let value else { throw .usage("\(name) needs a value: \(name) \(option.value ?? "")") }
            given.append((name, value))
        }
        guard command.operandCount.contains(operands.count) || given.contains(where: { $0.option == "--help" }) else {
            let wanted = command.operands.isEmpty ? "takes no operand" : "takes \(command.operands)"
            throw .usage("onsite \(command.name) \(wanted) (see: onsite \(command.name) --help)")
        }
        self.operands = operands
        self.given = given
        self.output = output
    }

    /// Whether a flag was given.
    func has(_ option: String) -> Bool { given.contains { $0.option == option } }

    /// The value of an option that may be given once.
    func value(_ option: String) throws(Failure) -> String? {
        let all = values(option)
        guard all.count <= 1 else { throw .usage("\(option) stands more than once") }
        return all.first
    }

    /// The values of an option that may be given several times.
    func values(_ option: String) -> [String] { given.filter { $0.option == option }.map(\.value) }

    /// A value out of a fixed list.
    func choice<Choice>(_ option: String, _ choices: [Choice]) throws(Failure) -> Choice?
    where Choice: RawRepresentable<String> {
        guard let text = try value(option) else { return nil }
        return try choice(option, text, choices)
    }

    /// Several values out of a fixed list.
    func choices<Choice>(_ option: String, _ all: [Choice]) throws(Failure) -> [Choice]
    where Choice: RawRepresentable<String> {
        var found: [Choice] = []
        for text in values(option) { found.append(try choice(option, text, all)) }
        return found
    }

    private func choice<Choice>(_ option: String, _ text: String, _ choices: [Choice]) throws(Failure) -> Choice
    where Choice: RawRepresentable<String> {
        if let choice = choices.first(where: { $0.rawValue == text }) { return choice }
        let names = choices.map(\.rawValue).joined(separator: ", ")
        throw .usage("\(option) cannot be \"\(printable(text))\" (one of: \(names))")
    }

    /// Where the files are: `/`, or what `--root` says.
    func tree() throws(Failure) -> ProtectedTree {
        guard let root = try value("--root") else { return .system }
        guard let path = absolutePath(root) else { throw .usage("--root \(printable(root)): \(errorText())") }
        return ProtectedTree(root: path)
    }
}
