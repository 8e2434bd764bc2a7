import Glibc

/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable {
    /// The call's name, such as `openat`.
    public let call: String
    /// The value of `errno`.
    public let code: Int32

    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }
}

extension SystemError: CustomStringConvertible {
    public var description: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Makes a system call again for as long as a signal interrupts it.
func retryingOnInterrupt<Value: FixedWidthInteger & SignedInteger>(
    _ call: String, _ body: () -> Value
) throws(SystemError) -> Value {
    while true {
        let result = body()
        if result != -1 { return result }
        if errno != EINTR { throw SystemError(call: call, code: errno) }
    }
}
