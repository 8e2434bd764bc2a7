/// A question of the PAM module, as it stands on the wire (pam/onsite_client.h).
struct Request: Equatable {
    /// `PAM_USER`, `PAM_SERVICE`, `PAM_RHOST` and `PAM_TTY`; empty: not known.
    let user, service, rhost, tty: [UInt8]
    /// The process that the login is for, or `nil` when that is the one that asks.
    let process: Int32?

    /// Eight bytes of magic, the length of the whole, the process, and the length of each of the four strings.
    static let headerLength = 8 + 4 + 4 + 4 * 2
    static let longestString = 1024
    /// The longest request, in bytes.
    static let longest = headerLength + 4 * longestString

    private static let magic = Array("onsiteQ2".utf8)

    /// Reads a request.
    ///
    /// - Parameter fromRoot: whether root asks. Nobody else may ask in the place of another process.
    /// - Returns: `nil` unless every byte has its place: no more, no less, no NUL in a string.
    init?(_ bytes: [UInt8], fromRoot: Bool) {
        guard bytes.count >= Self.headerLength, bytes.count <= Self.longest, bytes.starts(with: Self.magic) else {
            return nil
        }
        let numbers = bytes.dropFirst(Self.magic.count).prefix(Self.headerLength - Self.magic.count)
        guard Self.integer(numbers.prefix(4)) == bytes.count,
            let number = Int32(exactly: Self.integer(numbers.dropFirst(4).prefix(4))), number == 0 || fromRoot
        else { return nil }
        var lengths: [Int] = []
        var rest = numbers.dropFirst(8)
        while !rest.isEmpty {
            lengths.append(Self.integer(rest.prefix(2)))
            rest = rest.dropFirst(2)
        }
        guard lengths.allSatisfy({ $0 <= Self.longestString }),
            lengths.reduce(Self.headerLength, +) == bytes.count
        else { return nil }

        var strings: [[UInt8]] = []
        var text = bytes.dropFirst(Self.headerLength)
        for length in lengths {
            strings.append(Array(text.prefix(length)))
            text = text.dropFirst(length)
        }
        guard strings.count == 4, !strings.contains(where: { $0.contains(0) }) else { return nil }
        (user, service, rhost, tty) = (strings[0], strings[1], strings[2], strings[3])
        process = number == 0 ? nil : number
    }

    /// Whether further bytes could make a request of these.
    static func isPart(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= headerLength else { return magic.starts(with: bytes.prefix(magic.count)) }
        let length = integer(bytes.dropFirst(magic.count).prefix(4))
        return bytes.starts(with: magic) && length <= longest && bytes.count < length
    }

    /// An unsigned integer of up to four bytes in the machine's byte order: both ends run on the same machine.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
        #if _endian(little)
            bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        #else
            bytes.reduce(0) { $0 << 8 | Int($1) }
        #endif
    }
}

extension Request {
    /// The login that the request is about.
    ///
    /// - Parameter asking: the process that asks.
    ///
    /// Text that is not UTF-8 names no user and no service; a host that cannot be read is another host.
    func login(of asking: Int32) -> Login {
        func known(_ bytes: [UInt8]) -> String? {
            bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
        }
        return Login(
            user: known(user), service: known(service), rhost: String(decoding: rhost, as: UTF8.self),
            tty: known(tty) ?? "", process: process ?? asking, proxy: process == nil ? nil : asking)
    }
}
