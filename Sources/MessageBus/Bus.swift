import CBus
import Glibc

/// Methods that other programs offer on the system bus.
public protocol Bus {
    /// Calls a method.
    ///
    /// - Returns: the values of the reply, each by the way to it: the keys of dictionaries and the indexes of arrays and
    ///   arguments. Texts are as they are, numbers and booleans decimal, bytes hexadecimal. `nil` when it failed.
    func call(_ method: Method, _ argument: Argument) -> [[String]: String]?
}

/// A method of an object of a program on the bus.
public struct Method {
    public var destination: String
    public var path: String
    public var interface: String
    public var name: String

    public init(destination: String, path: String, interface: String, name: String) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.name = name
    }
}

/// The argument of a method.
public enum Argument: Equatable {
    case none
    case text(String)
    case number(UInt32)
}

extension Bus {
    /// The program that owns a name, by the unique name of its connection, if it runs as root.
    public func rootOwner(of name: String) -> String? {
        func ask(_ method: String, _ argument: String) -> String? {
            call(
                Method(
                    destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                    interface: "org.freedesktop.DBus", name: method), .text(argument))?[["0"]]
        }
        guard let owner = ask("GetNameOwner", name), ask("GetConnectionUnixUser", owner) == "0" else { return nil }
        return owner
    }

    /// The properties of one interface of an object.
    public func properties(of interface: String, _ destination: String, _ path: String) -> [String: String]? {
        let reply = call(
            Method(
                destination: destination, path: path, interface: "org.freedesktop.DBus.Properties", name: "GetAll"),
            .text(interface))
        return reply.map { values in
            var properties: [String: String] = [:]
            for (way, value) in values where way.count == 2 {
                if let name = way.last { properties[name] = value }
            }
            return properties
        }
    }
}

/// The bus of the running system. Its calls wait for as long as the other side does.
@safe public final class SystemBus: Bus {
    private let bus: OpaquePointer

    /// Connects, or `nil` when there is no bus, or no library to speak with it.
    public init?() {
        guard let bus = unsafe cbus_open_bus() else { return nil }
        unsafe self.bus = bus
    }

    deinit {
        unsafe cbus_close_bus(bus)
    }

    public func call(_ method: Method, _ argument: Argument) -> [[String]: String]? {
        switch argument {
        case .none: call(method, type: "", text: "", number: 0)
        case .text(let text): call(method, type: "s", text: text, number: 0)
        case .number(let number): call(method, type: "u", text: "", number: number)
        }
    }

    private func call(_ method: Method, type: String, text: String, number: UInt32) -> [[String]: String]? {
        var size = 0
        // The strings live until the call returns, and the reply until it is freed.
        let reply = unsafe type.withCString { type in
            unsafe text.withCString { text in
                var argument = unsafe cbus_argument(type: type, text: text, number: number)
                return unsafe cbus_call(
                    bus, method.destination, method.path, method.interface, method.name, &argument, &size)
            }
        }
        guard let reply = unsafe reply else { return nil }
        defer { unsafe free(reply) }
        let bytes = unsafe UnsafeRawBufferPointer(start: reply, count: size)
        let parts = unsafe bytes.split(separator: 0, omittingEmptySubsequences: false).map {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        var values: [[String]: String] = [:]
        var rest = parts[...]
        while let way = rest.popFirst(), let value = rest.popFirst() {
            values[way.split(separator: "\u{1f}", omittingEmptySubsequences: false).dropLast().map(String.init)] = value
        }
        return values
    }
}
