/// The bodies of nl80211 messages, put together by the numbers of `linux/nl80211.h`.
enum Message {
    /// One attribute: length, type, payload, and padding to four bytes.
    static func attribute(_ type: UInt16, _ payload: [UInt8]) -> [UInt8] {
        let length = UInt16(truncatingIfNeeded: payload.count + 4)
        let padding = [UInt8](repeating: 0, count: (4 - payload.count % 4) % 4)
        return number(length) + number(type) + payload + padding
    }

    /// A number in the byte order of the machine.
    static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        let size = type(of: value).bitWidth / 8
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        #if _endian(little)
            return bytes
        #else
            return bytes.reversed()
        #endif
    }

    static func mac(_ last: UInt8) -> [UInt8] { [2, 0, 0, 0, 0, last] }

    /// A reply to `GET_INTERFACE`.
    static func interface(
        _ name: String, _ index: UInt32, type: UInt32 = 2, ssid: String? = nil, wdev: UInt64 = 1,
        extra: [UInt8] = []
    ) -> [UInt8] {
        attribute(3, number(index)) + attribute(4, Array(name.utf8) + [0]) + attribute(5, number(type))
            + attribute(0x99, number(wdev)) + attribute(6, mac(0xee))
            + (ssid.map { attribute(0x34, Array($0.utf8)) } ?? []) + extra
    }

    /// A reply to `GET_INTERFACE` about a Wi-Fi Direct device, which has no network interface.
    static func directDevice(wdev: UInt64) -> [UInt8] {
        attribute(1, number(UInt32(0))) + attribute(5, number(UInt32(10))) + attribute(0x99, number(wdev))
            + attribute(6, mac(0xdd))
    }

    /// What becomes of the record of an access point.
    enum Status: UInt32 {
        case authenticated = 0
        case associated = 1
        case joined = 2
    }

    /// A reply to `GET_SCAN`.
    ///
    /// - Parameters:
    ///   - elements: further elements of the last frame.
    ///   - beacon: the elements of the last beacon, where they are not those of the last frame.
    ///   - extra: further attributes of the record.
    static func bss(
        _ last: UInt8, interface: UInt32, status: Status? = .associated, ssid: String?, rsn: [UInt8]? = psk,
        mld: UInt8? = nil, link: UInt8? = nil, elements more: [UInt8] = [], beacon: [UInt8]? = nil, extra: [UInt8] = []
    ) -> [UInt8] {
        let frame = elements(ssid: ssid, rsn: rsn) + more
        let capability: UInt16 = rsn == nil ? 0x0401 : 0x0411
        return record(
            attribute(1, mac(last)) + attribute(6, frame) + attribute(11, beacon ?? frame)
                + attribute(5, number(capability)) + (status.map { attribute(9, number($0.rawValue)) } ?? [])
                + (link.map { attribute(0x15, [$0]) } ?? []) + (mld.map { attribute(0x16, mac($0)) } ?? []) + extra,
            interface: interface)
    }

    /// A reply to `GET_SCAN` with these attributes in its record.
    static func record(_ attributes: [UInt8], interface: UInt32) -> [UInt8] {
        attribute(0x2e, number(UInt32(1))) + attribute(3, number(interface)) + attribute(0x2f, attributes)
    }

    static func elements(ssid: String?, rsn: [UInt8]? = psk) -> [UInt8] {
        element(0, ssid.map { Array($0.utf8) } ?? []) + element(1, [2, 4, 11, 22]) + (rsn.map { element(48, $0) } ?? [])
    }

    static func element(_ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [id, UInt8(truncatingIfNeeded: payload.count)] + payload
    }

    /// A Multi-Link element of an access point, which may hold the profile of another link.
    static func multiLink(device: UInt8, profile: [UInt8]? = nil) -> [UInt8] {
        element(
            255,
            [107, 0, 0, 7] + mac(device)
                + (profile.map { element(0, [0x11, 0, 1, 0x11, 0x04] + element(48, $0)) } ?? []))
    }

    /// An RSN element of WPA2 with a passphrase.
    static let psk: [UInt8] = [1, 0, 0, 15, 172, 4, 1, 0, 0, 15, 172, 4, 1, 0, 0, 15, 172, 2, 0, 0]

    /// The flags of a peer, by their bits.
    enum Flag {
        static let authorized: UInt32 = 1 << 1
        static let mfp: UInt32 = 1 << 4
        static let authenticated: UInt32 = 1 << 5
        static let directPeer: UInt32 = 1 << 6
        static let associated: UInt32 = 1 << 7
        static let all: UInt32 = 0xfe
        static let usual = authorized | authenticated | associated
    }

    /// A reply to `GET_STATION`.
    static func station(
        _ last: UInt8, interface: UInt32, known: UInt32? = Flag.all, set: UInt32 = Flag.usual
    ) -> [UInt8] {
        let flags = known.map { attribute(17, number($0) + number(set)) } ?? []
        return attribute(3, number(interface)) + attribute(6, mac(last)) + attribute(0x2e, number(UInt32(1)))
            + attribute(0x15, attribute(16, number(UInt32(0))) + flags)
    }
}
