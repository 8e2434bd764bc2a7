import CProcess
import CSupplicant
import Glibc
import MessageBus
public import Trust
import Wireless

/// A program that runs the machine's Wi-Fi, and knows what an association has proven.
public enum Supplicant: String, CaseIterable, Sendable {
    case wpaSupplicant = "wpa_supplicant"
    case networkManager = "NetworkManager"
    case iwd
}

/// What the programs that run the machine's Wi-Fi say of the network that a station is on, and who said it.
public struct Testimony: Equatable, Sendable {
    public var proof: Proof
    public var witnesses: [Supplicant]
}

/// The programs that run the machine's Wi-Fi, which are asked for a limited time in all.
///
/// Each is optional, and believed only when it runs as root and speaks of this interface, this network and this access
/// point. Each is asked by a process of its own, so that one that hangs, or answers nonsense, costs its time and no more.
public final class Supplicants {
    /// How long one of them may take to answer, in milliseconds.
    public static let limit = 50
    private var budget: Duration

    /// - Parameter budget: how long all answers about all stations together may take.
    public init(budget: Duration = .milliseconds(limit * Supplicant.allCases.count)) {
        self.budget = budget
    }

    /// What they say of a connected station, or `nil` when none of them says anything.
    public func ask(about station: Interface) -> Testimony? {
        var testimony: Testimony?
        for supplicant in Supplicant.allCases where supplicant.mayRun(station.name) {
            let start = ContinuousClock.now
            let left = max(budget, .zero).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            let proof = supplicant.ask(about: station, within: UInt32(clamping: min(Int64(Self.limit), milliseconds)))
            budget -= ContinuousClock.now - start
            guard let proof else { continue }
            let before = testimony ?? Testimony(proof: Proof(), witnesses: [])
            testimony = Testimony(
                proof: Proof(
                    negotiated: before.proof.negotiated ?? proof.negotiated,
                    verified: before.proof.verified || proof.verified),
                witnesses: before.witnesses + [supplicant])
            if proof.verified { break }
        }
        return testimony
    }
}

extension Supplicant {
    /// Whether there may be such a program. A look at the file system is all that one costs which is absent.
    fileprivate func mayRun(_ interface: String) -> Bool {
        let path =
            switch self {
            case .wpaSupplicant: WPASupplicant.path(of: interface)
            case .networkManager: "/run/NetworkManager"
            case .iwd: "/var/lib/iwd"
            }
        return unsafe access(path, F_OK) == 0
    }

    /// Asks this program, in a process of its own.
    fileprivate func ask(about station: Interface, within limit: UInt32) -> Proof? {
        var errand = Errand(supplicant: self, station: station)
        var answer: [UInt8] = [0, 0]
        // The errand lives until the call returns, and the other process has its own copy.
        let count = unsafe withUnsafeMutablePointer(to: &errand) { errand in
            unsafe cprocess_answer(limit, runErrand, errand, &answer, answer.count)
        }
        return count == answer.count ? Proof(answer) : nil
    }

    /// Asks this program. The caller may be kept waiting for ever.
    fileprivate func answer(about station: Interface) -> Proof? {
        switch self {
        case .wpaSupplicant:
            return ControlInterface(WPASupplicant.path(of: station.name)).flatMap {
                WPASupplicant(control: $0).proof(of: station)
            }
        case .networkManager: return SystemBus().flatMap { NetworkManager(bus: $0).proof(of: station) }
        case .iwd: return SystemBus().flatMap { Iwd(bus: $0).proof(of: station) }
        }
    }
}

/// What a process of its own is to find out.
private struct Errand {
    let supplicant: Supplicant
    let station: Interface
}

private func runErrand(descriptor: CInt, context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let errand = unsafe context.assumingMemoryBound(to: Errand.self).pointee
    guard let proof = errand.supplicant.answer(about: errand.station) else { return }
    let bytes = proof.bytes
    _ = unsafe write(descriptor, bytes, bytes.count)
}

extension Proof {
    /// Two bytes: the place of what was negotiated among all securities, 255 for none, and 1 for verified.
    fileprivate init?(_ bytes: [UInt8]) {
        guard let place = bytes.first, let flag = bytes.last, flag <= 1 else { return nil }
        let security = Security.allCases.dropFirst(Int(place)).first
        guard security != nil || place == 255 else { return nil }
        self.init(negotiated: security, verified: flag == 1)
    }

    fileprivate var bytes: [UInt8] {
        let place = negotiated.flatMap { Security.allCases.firstIndex(of: $0) }.flatMap { UInt8(exactly: $0) }
        return [place ?? 255, verified ? 1 : 0]
    }
}
