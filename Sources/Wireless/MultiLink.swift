/// What a Basic Multi-Link element says of the device that an access point is a link of (IEEE 802.11be-2024,
/// 9.4.2.322.2).
struct MultiLink {
    /// The address of the device, or `nil` when the element cannot be read.
    let device: BSSID?
    /// What the profiles of the other links name. It is empty where they offer what this link does.
    let offered: Set<Security>

    /// What an element says that cannot be read: it may hold anything.
    static let damaged = MultiLink(device: nil, offered: [.other])
}

extension MultiLink {
    /// Reads the element from its control field on.
    ///
    /// - Returns: `nil` when it is of another type, or about another device than that of the sender.
    static func read(_ body: some Collection<UInt8>) -> MultiLink? {
        var reader = ByteReader(body)
        guard let control = reader.readLittleEndianUInt16() else { return damaged }
        guard control & 0x0007 == 0 else { return nil }
        // The length counts itself. Later editions may add to the end.
        guard let length = reader.readByte(), let information = reader.readBytes(Int(length) - 1) else {
            return damaged
        }
        var common = ByteReader(information)
        let address = common.readBytes(6)
        // A link number, a counter and three times two bytes may stand before the number of the device. An access point
        // that answers for others gives theirs; its own is 0.
        let before = [(0x0010, 1), (0x0020, 1), (0x0040, 2), (0x0080, 2), (0x0100, 2)].reduce(0) {
            Int(control) & $1.0 == 0 ? $0 : $0 + $1.1
        }
        let isComplete = common.readBytes(before) != nil
        let number = control & 0x0200 == 0 ? 0 : common.readByte()
        guard isComplete, let address, let device = try? BSSID(bytes: address), let number else { return damaged }
        guard number == 0 else { return nil }
        guard let offered = profiles(reader.readRest()) else { return damaged }
        return MultiLink(device: device, offered: offered)
    }

    /// What the profiles of the other links name, or `nil` when one cannot be read.
    private static func profiles(_ body: ArraySlice<UInt8>) -> Set<Security>? {
        guard let parts = try? informationElements(in: body) else { return nil }
        var offered: Set<Security> = []
        // Subelement 0 is a profile, and 254 the rest of what is longer than 255 bytes.
        for profile in parts.joined(by: 254) where profile.id == 0 {
            var reader = ByteReader(profile.payload)
            guard let control = reader.readLittleEndianUInt16(), let length = reader.readByte(),
                reader.readBytes(Int(length) - 1) != nil
            else { return nil }
            // A partial profile says what changes about a link and names no suite.
            guard control & 0x0010 != 0 else { continue }
            // The capability field stands before the elements.
            guard reader.readBytes(2) != nil, let elements = try? informationElements(in: reader.readRest()) else {
                return nil
            }
            offered.formUnion(elements.suites)
        }
        return offered
    }
}

extension [InformationElement] {
    /// What the Basic Multi-Link elements (255, extension 107) say of the device that the sender is a link of.
    var multiLinks: [MultiLink] {
        // Element 242 is the rest of one that is longer than 255 bytes.
        joined(by: 242).compactMap { element in
            guard element.id == 255, element.payload.first == 107 else { return nil }
            return MultiLink.read(element.payload.dropFirst())
        }
    }

    /// The addresses of the multi-link devices that the access point says it is a link of: one, or none before Wi-Fi 7.
    public var devices: Set<BSSID> {
        Set(multiLinks.compactMap(\.device))
    }

    /// These with every fragment joined to what it continues: a piece of 255 bytes (IEEE 802.11-2020, 10.28.12).
    func joined(by fragment: UInt8) -> [InformationElement] {
        var result: [InformationElement] = []
        var isFull = false
        for element in self {
            if element.id == fragment, isFull, let start = result.popLast() {
                result.append(InformationElement(id: start.id, payload: start.payload + element.payload))
            } else {
                result.append(element)
            }
            isFull = element.payload.count == 255
        }
        return result
    }
}
