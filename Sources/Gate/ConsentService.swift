import CProcess
import Glibc
import ProtectedFiles
import Sessions
public import Trust

/// A user's decision on its way to the service that stores it: eight bytes of magic, the state in one, and the user's name.
private enum ConsentMessage {
    static let magic = Array("onsiteC1".utf8)
    static let longest = magic.count + 1 + 128
    static let done: UInt8 = 0, refused: UInt8 = 1, failed: UInt8 = 2
}

/// Why a decision was not stored.
public enum ConsentFailure: Error {
    /// Nobody listens: `onsite-consent.socket` is not there, or does not answer.
    case noService
    /// The name is not one of the caller's account, as far as can be told.
    case refused
    /// It could not be written.
    case failed
}

/// The socket on which the service listens.
private let consentSocket = "/run/onsite/consent.sock"

/// Stores the decision of whoever connected to descriptor 0. This process is root's and ends with that.
///
/// Whoever calls can decide for their own account only, by the kernel's word on who that is.
///
/// - Returns: the exit status, 0 when it was stored.
public func storeConsent() -> Int32 {
    cprocess_limit_life(10)
    var caller: UInt32 = 0
    var process: Int32 = 0
    guard unsafe cprocess_peer(0, &caller, &process), process > 0 else { return 1 }
    var bytes = [UInt8](repeating: 0, count: ConsentMessage.longest + 1)
    let count = unsafe recv(0, &bytes, bytes.count, 0)
    guard count > 0, count <= ConsentMessage.longest, bytes.starts(with: ConsentMessage.magic) else { return 1 }
    let rest = bytes.prefix(count).dropFirst(ConsentMessage.magic.count)
    guard let place = rest.first, let state = ConsentState.allCases.dropFirst(Int(place)).first,
        let user = String(validating: rest.dropFirst(), as: UTF8.self)
    else { return 1 }
    var answer = ConsentMessage.refused
    if caller == 0 || Directory().number(of: user, is: caller) == true {
        do {
            try Consents(in: .system).store(state, of: user)
            recordConsent(state, of: user)
            answer = ConsentMessage.done
        } catch {
            answer = ConsentMessage.failed
        }
    }
    _ = unsafe send(0, &answer, 1, CInt(MSG_NOSIGNAL))
    return answer == ConsentMessage.done ? 0 : 1
}

/// Has the service store what the caller decided for their own account.
public func requestConsent(_ state: ConsentState, of user: String) throws(ConsentFailure) {
    let descriptor = socket(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .noService }
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // There is room for 108 bytes, and the path is shorter.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: consentSocket.utf8) }
    // All pointers are good for the call.
    guard unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size) == 0,
        unsafe withUnsafePointer(
            to: &address,
            {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }) == 0
    else { throw .noService }
    let place = ConsentState.allCases.firstIndex(of: state).flatMap { UInt8(exactly: $0) } ?? 0
    let request = ConsentMessage.magic + [place] + Array(user.utf8)
    var answer: UInt8 = ConsentMessage.failed
    guard unsafe send(descriptor, request, request.count, CInt(MSG_NOSIGNAL)) == request.count,
        unsafe recv(descriptor, &answer, 1, 0) == 1
    else { throw .noService }
    switch answer {
    case ConsentMessage.done: return
    case ConsentMessage.refused: throw .refused
    default: throw .failed
    }
}
