import CRecord
import Glibc
public import Trust
import Wireless

/// Notes in the log of authentication that somebody saw SSID and BSSID, and why.
public func recordPreciseRead(by user: String, purpose: String, command: String) {
    record(
        CRECORD_PRECISE_READ, "precise location read",
        [("USER", user), ("PURPOSE", purpose), ("COMMAND", command)])
}

/// Notes in the log of authentication what was decided about the reading of a user's location.
public func recordConsent(_ state: ConsentState, of user: String) {
    record(CRECORD_CONSENT, "consent changed", [("USER", user), ("CONSENT", state.rawValue)])
}

/// Notes in the log of authentication that networks have other identifiers from now on.
public func recordKeyRotation() {
    record(CRECORD_KEY_ROTATED, "privacy key rotated", [])
}

/// Writes one line for every log, and one record with fields for a journal, if there is one.
private func record(_ id: String, _ event: String, _ values: [(name: String, text: String)]) {
    let values = values.map { (name: $0.name, text: printable($0.text)) }
    let line = ([event] + values.map { "\($0.name.lowercased())=\($0.text)" }).joined(separator: " ")
    unsafe line.withCString { text in
        unsafe withVaList([text]) { unsafe vsyslog(authorizationLog | LOG_NOTICE, "%s", $0) }
    }
    let fields =
        [
            ("MESSAGE", line), ("MESSAGE_ID", id), ("PRIORITY", "\(LOG_NOTICE)"), ("SYSLOG_FACILITY", "10"),
            ("SYSLOG_IDENTIFIER", "onsite"),
        ] + values.map { ("ONSITE_\($0.name)", $0.text) }
    // The copies live until the call is over.
    let copies = unsafe fields.map { unsafe (strdup($0.0), strdup($0.1)) }
    defer {
        unsafe copies.forEach {
            unsafe free($0.0)
            unsafe free($0.1)
        }
    }
    let pointers = unsafe copies.map { unsafe crecord_field(name: $0.0, text: $0.1) }
    unsafe crecord_send(pointers, pointers.count)
}

/// `LOG_AUTHPRIV` of syslog.h, a macro that Swift does not read.
private let authorizationLog: CInt = 10 << 3
