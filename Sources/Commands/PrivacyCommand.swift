import Gate
import ProtectedFiles
import Wireless

extension Command {
    static let privacyRotateKey = Command(
        "privacy rotate-key",
        """
        Replaces the key that turns networks into identifiers for logs.

        What stands in logs from before can no longer be matched with what comes. With --fleet-key several machines have
        the same identifiers: FILE holds 64 hexadecimal digits, as openssl rand -hex 32 writes them.
        """,
        options: [Option("--fleet-key", "FILE", "take the key from FILE (-: standard input)")]
    ) { (invocation) throws(Failure) in
        var key = PrivacyKey()
        if let path = try invocation.value("--fleet-key") {
            let text = String(decoding: try readInput(path, limit: 256), as: UTF8.self)
            let digits = text.split(whereSeparator: \.isWhitespace).joined()
            guard let bytes = bytes(hexadecimal: digits), let given = PrivacyKey(bytes: bytes) else {
                let shown = path == "-" ? "standard input" : printable(path)
                throw Failure("\(shown): is no key (64 hexadecimal digits, as from: openssl rand -hex 32)")
            }
            key = given
        }
        let tree = try invocation.tree()
        let lock = try locked(tree)
        do throws(ProtectedFileError) { try key.store(in: tree) } catch { throw Failure(error) }
        _ = consume lock
        if !invocation.has("--root") { recordKeyRotation() }
        invocation.output.print("networks have other identifiers from now on")
        return 0
    }
}
