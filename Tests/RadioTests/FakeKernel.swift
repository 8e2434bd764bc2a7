import Glibc
import Trust
import Wireless

@testable import Radio

/// A kernel that answers from a list.
final class FakeKernel: Kernel, WirelessExtensions {
    typealias Answer = Result<[[UInt8]], NetlinkError>

    struct Request: Hashable {
        let command: Command
        let interface: UInt32?
    }

    /// The answers to each request in turn; the last one is given again and again.
    private var answers: [Request: [Answer]] = [:]
    /// Whether an interface is up, by its name.
    var isUp: [String: Bool] = [:]
    private(set) var requests: [Request] = []

    func answer(_ command: Command, _ interface: UInt32? = nil, with replies: [[UInt8]]...) {
        answers[Request(command: command, interface: interface)] = replies.map { .success($0) }
    }

    func answer(_ command: Command, _ interface: UInt32? = nil, inTurn list: [Answer]) {
        answers[Request(command: command, interface: interface)] = list
    }

    func fail(_ command: Command, _ interface: UInt32? = nil, with code: Int32) {
        answer(command, interface, inTurn: [.failure(NetlinkError(.receive, code: code))])
    }

    func dump(_ command: Command, interface: UInt32?) throws(NetlinkError) -> [[UInt8]] {
        let request = Request(command: command, interface: interface)
        requests.append(request)
        guard var list = answers[request], let next = list.first else { return [] }
        if list.count > 1 {
            list.removeFirst()
            answers[request] = list
        }
        return try next.get()
    }

    func isUp(_ name: String) -> Bool? { isUp[name] }

    /// The answers of the drivers that have the Wireless Extensions, by the name of the interface. Each question is
    /// answered in turn, and the last answer is given again and again; what has none is not supported.
    var drivers: [String: [Question: [Result<Radio.Answer, NetlinkError>]]] = [:]
    private(set) var questions: [(question: Question, name: String)] = []

    func interfaceNames() -> [String] { drivers.keys.sorted() }

    func ask(_ question: Question, about name: String) throws(NetlinkError) -> Radio.Answer {
        questions.append((question, name))
        guard var list = drivers[name]?[question], let next = list.first else {
            throw NetlinkError(.receive, code: EOPNOTSUPP)
        }
        if list.count > 1 {
            list.removeFirst()
            drivers[name]?[question] = list
        }
        return try next.get()
    }

    /// What one look shows.
    func evidence() -> Evidence { Probe(kernel: self).evidence() }

    /// The reason of the decision where one network is trusted by name alone, provided that it proves its key.
    func reason(trusting ssid: SSID = .corp) -> Reason {
        decide(onNetwork: evidence(), policy: OneNetwork(ssid: ssid), today: nil).reason
    }
}

/// A policy that trusts one network, at some access points where it names any.
struct OneNetwork: Policy {
    let ssid: SSID
    var bssids: Set<BSSID> = []
    let rules = Rules()

    func networks(named name: SSID) throws(PolicyFault) -> [Network] {
        name == ssid ? [Network(name: "corp", ssids: [ssid], isPinned: !bssids.isEmpty)] : []
    }

    func lists(_ address: BSSID, in network: Network) throws(PolicyFault) -> Bool { bssids.contains(address) }
}

extension FakeKernel {
    /// On the company's network at the access point 02:00:00:00:00:01, with the key proven.
    static func good() -> FakeKernel {
        let kernel = FakeKernel()
        kernel.answer(.getInterface, with: [Message.interface("wlan0", 3, ssid: "CorpNet")])
        kernel.answer(.getScan, 3, with: [Message.bss(1, interface: 3, ssid: "CorpNet")])
        kernel.answer(.getStation, 3, with: [Message.station(1, interface: 3)])
        return kernel
    }
}

extension SSID {
    static let corp = named("CorpNet")

    static func named(_ text: String) -> SSID { named(Array(text.utf8)) }

    static func named(_ bytes: [UInt8]) -> SSID {
        guard let ssid = SSID(bytes: bytes) else { fatalError("a test names a network by \(bytes)") }
        return ssid
    }
}

func address(_ text: String) -> BSSID {
    guard let address = try? BSSID(text) else { fatalError("a test has no address in \(text)") }
    return address
}

extension Evidence {
    /// The interfaces, or none when they could not be read.
    var all: [Interface] {
        switch self {
        case .interfaces(let interfaces, _): interfaces
        default: []
        }
    }

    var unavailability: Reason? {
        switch self {
        case .unavailable(let reason, _): reason
        default: nil
        }
    }
}
