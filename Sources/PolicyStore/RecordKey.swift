import CSodium
import Wireless

/// The keys of a compiled policy, a constant database (cr.yp.to/cdb) with four kinds of records.
///
/// What makes a login skip the second factor must be found; a record that damage has hidden can only make it ask. So
/// all networks of one name share one record, access points never to trust stand in that record, and only the access
/// points to trust have records of their own.
enum RecordKey {
    /// The only ``Head``.
    case head
    /// Every network with this SSID.
    case networks(SSID)
    /// The ``PinIndex`` of a network, by its name.
    case pins(network: String)
    /// One pin. Its value is empty: that it exists says all.
    case pin(network: UInt32, prefix: UInt64, length: Int)

    var bytes: [UInt8] {
        var writer = FieldWriter(capacity: 16)
        switch self {
        case .head:
            return Array("onsite policy".utf8)
        case .networks(let ssid):
            return [UInt8(ascii: "S")] + ssid.bytes
        case .pins(let name):
            return [UInt8(ascii: "P")] + Array(name.utf8)
        case .pin(let network, let prefix, let length):
            writer.write(UInt8(ascii: "B"))
            writer.write(network)
            writer.write(prefix | UInt64(clamping: length) << 48)
            return writer.bytes
        }
    }
}

/// The last eight bytes of every value: SipHash-2-4 over the key and what the value says.
///
/// It finds damage, not malice: who can write the file can compute it.
struct Checksum {
    static let length = Int(crypto_shorthash_BYTES)
    /// The key of the head's checksum, which cannot depend on the head.
    static let headKey = [UInt8](repeating: 0, count: Head.generationLength)

    let bytes: [UInt8]

    init(of payload: [UInt8], under recordKey: [UInt8], generation: [UInt8]) {
        // A million of these are made, so each is one array.
        var writer = FieldWriter(capacity: 4 + recordKey.count + payload.count)
        writer.write(bytes: recordKey)
        writer.write(raw: payload)
        var result = [UInt8](repeating: 0, count: Self.length)
        let input = writer.bytes
        // The generation has the 16 bytes that the function reads; both ends are arrays that outlive the call.
        unsafe crypto_shorthash(&result, input, UInt64(input.count), generation)
        bytes = result
    }
}
