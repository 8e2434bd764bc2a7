import Gate
import Glibc
import PolicyStore
import ProtectedFiles
import Trust
import Wireless

extension Command {
    static let consentGrant = Command(
        "consent grant",
        """
        Agrees that your network is looked at when a login asks whether you need a second factor.

        Where policy.toml says consent = "needed", you are asked for the second factor everywhere without this.
        """,
        options: [
            Option("--always", nil, "also in the background, as onsite watch does"),
            Option("--yes", nil, "do not ask"), .ofUser,
        ]
    ) { (invocation) throws(Failure) in
        let isAlways = invocation.has("--always")
        complain(consentSentence)
        if isAlways { complain(consentSentenceAlways) }
        if !invocation.has("--yes"), isatty(0) == 1, isatty(2) == 1 {
            complain("do you agree? [y/N]")
            guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
                throw Failure("nothing was changed")
            }
        }
        return try store(isAlways ? .grantedAlways : .granted, invocation)
    }

    static let consentDeny = Command(
        "consent deny", "Does not let your network be looked at: you are asked for the second factor everywhere.",
        options: [.ofUser]
    ) { (invocation) throws(Failure) in
        try store(.denied, invocation)
    }

    static let consentReset = Command(
        "consent reset", "Forgets what you decided about the reading of your network.", options: [.ofUser]
    ) { (invocation) throws(Failure) in
        try store(.notDetermined, invocation)
    }

    static let consentStatus = Command(
        "consent status", "Shows what you decided about the reading of your network, and whether it matters.",
        options: [.json, .ofUser]
    ) { (invocation) throws(Failure) in
        let tree = try invocation.tree()
        let user = try user(of: invocation)
        let state: ConsentState
        do throws(ProtectedFileError) { state = try Consents(in: tree).read(of: user) } catch {
            throw Failure("\(printable("\(error)")) (decide again: onsite consent grant, or deny)")
        }
        let rules = (try? CompiledPolicy(in: tree))?.rules
        let isNeeded = rules?.consent == .needed
        if invocation.has("--json") {
            invocation.output.print(
                JSON.object([
                    "format": .integer(1), "user": .string(user), "consent": .string(state.rawValue),
                    "needed": .bool(isNeeded),
                ]).text)
            return 0
        }
        let lack = state.lack(forWatching: rules?.locksSessions ?? false)
        let style: Output.Style = lack == nil ? .good : .careful
        let effect =
            isNeeded
            ? lack.map { "\($0.message)\($0.hint.map { "; \($0)" } ?? "")" } : "this policy does not ask for it"
        invocation.output.print(
            printable(user) + ": " + invocation.output.styled(state.rawValue, style) + (effect.map { " (\($0))" } ?? "")
        )
        return 0
    }

    /// Whose decision a command is about.
    private static func user(of invocation: Invocation) throws(Failure) -> String {
        if let name = try invocation.value("--user") {
            guard !name.isEmpty else { throw .usage("--user is empty") }
            return name
        }
        guard let name = ownUserName() else { throw Failure("user \(getuid()) has no name") }
        return name
    }

    /// Stores a decision: root by itself, everybody else through the service, which takes their own only.
    private static func store(_ state: ConsentState, _ invocation: Invocation) throws(Failure) -> Int32 {
        let user = try user(of: invocation)
        if geteuid() == 0 || invocation.has("--root") {
            let tree = try invocation.tree()
            if !invocation.has("--root"), unsafe getpwnam(user) == nil {
                throw Failure("there is no user \"\(printable(user))\"")
            }
            do throws(ProtectedFileError) { try Consents(in: tree).store(state, of: user) } catch {
                throw Failure(error)
            }
            if !invocation.has("--root") { recordConsent(state, of: user) }
        } else {
            guard user == ownUserName() else { throw Failure("only root decides for others (run it as root)") }
            do throws(ConsentFailure) { try requestConsent(state, of: user) } catch {
                switch error {
                case .noService:
                    throw Failure(
                        "nobody stores it (as root: systemctl enable --now onsite-consent.socket, "
                            + "or: onsite consent with --user \(printable(user)))")
                case .refused: throw Failure("it was not taken as a decision of your own account (try again)")
                case .failed: throw Failure("it could not be stored (see: journalctl -u 'onsite-consent@*')")
                }
            }
        }
        invocation.output.print("\(printable(user)): \(state.rawValue)")
        return 0
    }
}

extension Option {
    fileprivate static let ofUser = Option("--user", "NAME", "for another user; needs root (default: you)")
}

/// What is read and why, as it is shown before anything is stored.
private let consentSentence =
    "whenever a login asks, the name of the Wi-Fi network that this machine is on is read, and the address of its access "
    + "point where the allowlist has such addresses, to decide whether you need a second factor; neither is kept, and "
    + "logs hold a keyed hash at most"

private let consentSentenceAlways =
    "with --always it is also read in between, in the background, to notice that the machine leaves a network"
