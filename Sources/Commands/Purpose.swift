import Gate
import Glibc
import Trust
import Wireless

/// Whether SSID and BSSID of this machine's network may be shown, and notes it in the log when they are.
///
/// - Parameter rules: the rules in force, or `nil` when there are none to rely on: then the defaults count.
func isPrecise(_ invocation: Invocation, rules: Rules?, command: String) throws(Failure) -> Bool {
    let key = try invocation.value("--purpose")
    guard invocation.has("--precise") else {
        guard key == nil else { throw .usage("--purpose goes with --precise") }
        return false
    }
    let purposes = (rules ?? Rules()).purposes
    let known = "the policy has: \(purposes.map(\.key).joined(separator: ", "))"
    guard let key else { throw .usage("--precise needs --purpose KEY (\(known))") }
    guard let purpose = purposes.first(where: { $0.key == key }) else {
        throw .usage("there is no purpose \"\(printable(key))\" (\(known))")
    }
    if isatty(2) == 1 { complain(printable(purpose.sentence)) }
    recordPreciseRead(purpose: key, command: command)
    return true
}

/// Notes in the log that whoever runs this command saw SSID and BSSID, and why.
func recordPreciseRead(purpose: String, command: String) {
    recordPreciseRead(by: ownUserName() ?? "uid \(getuid())", purpose: purpose, command: command)
}
