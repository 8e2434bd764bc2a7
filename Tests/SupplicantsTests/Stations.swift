import MessageBus
import Trust
import Wireless

@testable import Supplicants

extension Interface {
    /// A station on "Corp" at one access point, whose keys are in place.
    static func corp(_ security: Set<Security>, mld: Bool = false) throws -> Interface {
        Interface(
            name: "wlan0", index: 3, type: .station, state: .connected, ssid: SSID(bytes: Array("Corp".utf8)),
            links: [try BSSID("02:00:00:00:00:01")], mld: mld ? try BSSID("02:00:00:00:00:aa") : nil, authorized: true,
            security: security)
    }
}

/// A supplicant with a status and a configuration.
final class FakeControl: Control {
    var status: [String]
    var settings: [String: String] = [:]
    /// The status from the second question on, where it is another one.
    var laterStatus: [String]?
    private(set) var commands: [String] = []

    init(status: [String]) { self.status = status }

    func ask(_ command: String) -> String? {
        commands.append(command)
        if command == "STATUS" {
            let isFirst = commands.filter { $0 == "STATUS" }.count == 1
            return (isFirst ? status : laterStatus ?? status).joined(separator: "\n")
        }
        return settings[command]
    }
}

/// A bus on which some methods answer.
final class FakeBus: Bus {
    /// By the method's name, and the argument where it has one.
    var replies: [String: [[String]: String]] = [:]
    private(set) var destinations: Set<String> = []

    func call(_ method: Method, _ argument: Argument) -> [[String]: String]? {
        if method.destination != "org.freedesktop.DBus" { destinations.insert(method.destination) }
        switch argument {
        case .text(let text):
            return replies["\(method.name) \(text)"] ?? replies["\(method.name) \(text) \(method.path)"]
        case .none, .number: return replies[method.name]
        }
    }
}
