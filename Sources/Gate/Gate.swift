import CProcess
import Glibc
import ProtectedFiles
import Trust
import Wireless

/// Answers the one request on descriptor 0 with one verdict on descriptor 1.
///
/// Without a request that is whole and well formed there is no verdict: the asker then asks for the second factor.
///
/// - Returns: the exit status, 0 when a verdict was written. It is not the verdict.
public func answerOneRequest() -> Int32 {
    // No login waits longer, so nothing is left behind by one that gave up.
    cprocess_limit_life(45)
    // A limit of the asker's choosing would decide what can be found out.
    guard cprocess_lift_limits() else { return 1 }
    let key = PrivacyKey(in: .system)
    let isRoot = getuid() == 0
    let passes = Passes.open()
    guard dropPrivileges() else { return 1 }
    guard let request = Request(readRequest(), fromRoot: isRoot) else { return 1 }
    // The asker started this process.
    let asker = getppid()
    let login = request.login(of: asker)
    let finding = decide(Inquiry(login: login), in: .system) { milliseconds in
        try? writeAll(announcement(ofWaiting: milliseconds), to: 1)
    }.recorded(login, by: 0, in: passes)
    // Its number stood for nobody else all the while, if it is still there.
    guard getppid() == asker else { return 1 }
    let verdict = Verdict(finding.decision, id: identifier(of: finding, key: key), detail: finding.detail)
    do { try writeAll(verdict.bytes, to: 1) } catch { return 1 }
    return 0
}

/// Leaves a process that root started with no privilege but to ask the programs that run the machine's Wi-Fi, and no
/// process open to tracing.
///
/// A process with the asker's own identity could be traced by the asker, who would then write the verdict.
func dropPrivileges() -> Bool {
    if geteuid() == 0 {
        // "nobody" and "nogroup": the kernel's own overflow identities.
        let groups = supplicantGroups()
        guard unsafe cprocess_become(65534, 65534, groups, groups.count) else { return false }
    }
    return cprocess_hide()
}

/// The groups that may talk to the programs that run the machine's Wi-Fi: Debian's own, and the one that the supplicant
/// was told to let in.
private func supplicantGroups() -> [UInt32] {
    var groups = [unsafe cprocess_local_group("netdev")]
    var folder = stat()
    if unsafe stat("/run/wpa_supplicant", &folder) == 0, folder.st_uid == 0 { groups.append(folder.st_gid) }
    return groups.filter { $0 != 0 }
}

/// What a log calls the network that a decision is about: empty when there is none, or nothing is to be said.
func identifier(of finding: Finding, key: PrivacyKey?) -> String {
    guard let rules = finding.rules, let ssid = finding.decision.ssid else { return "" }
    let bssid = finding.decision.bssids.first
    switch rules.identifiers {
    case .none: return ""
    case .hashed: return key?.identifier(ssid: ssid, bssid: bssid) ?? ""
    case .clear:
        // What could be taken for another field of the line, or for the separator, is written in hexadecimal.
        let isPlain = ssid.bytes.allSatisfy { isLetterOrDigit($0) || $0 == 0x2d }
        return (isPlain ? String(decoding: ssid.bytes, as: UTF8.self) : "hex:" + hexadecimal(ssid.bytes))
            + (bssid.map { "@\($0)" } ?? "")
    }
}

/// Reads until there is a whole request or something that cannot become one.
private func readRequest() -> [UInt8] {
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: Request.longest + 1)
    // The asker keeps the socket open for the verdict, so there may be no end to read to.
    while Request.isPart(request) {
        let count = unsafe read(0, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        request.append(contentsOf: buffer.prefix(count))
    }
    return request
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
}
