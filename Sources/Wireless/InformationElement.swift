/// One element of a beacon, a probe response or an association request (IEEE 802.11-2020, 9.4.2).
public struct InformationElement: Equatable, Sendable {
    /// The element ID, such as 0 for the SSID and 48 for the RSN element.
    public let id: UInt8
    /// What follows the length: 0 to 255 bytes, or more where fragments were joined.
    public let payload: [UInt8]
}

/// What is wrong with the elements that an access point sent.
public enum ElementError: Error, Equatable, Sendable {
    /// The element at this offset runs past the end.
    case truncated(offset: Int)
    /// An element that may stand once stands twice, so that two readers could see two networks.
    case repeated(id: UInt8)
    /// The name is longer than ``SSID/maximumLength``.
    case longName(Int)
}

extension ElementError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated(let offset): "the element at byte \(offset) is cut short"
        case .repeated(let id): "element \(id) stands more than once"
        case .longName(let count): "a name of \(count) bytes, the limit is \(SSID.maximumLength)"
        }
    }
}

/// Splits the body of a frame into its elements.
///
/// - Throws: ``ElementError/truncated(offset:)`` when an element runs past the end. A half-read beacon is never
///   returned, because a missing element would look the same as an absent one.
public func informationElements(in body: some Collection<UInt8>) throws(ElementError) -> [InformationElement] {
    var elements: [InformationElement] = []
    var reader = ByteReader(body)
    var offset = 0
    while let id = reader.readByte() {
        guard let length = reader.readByte(), let payload = reader.readBytes(Int(length)) else {
            throw .truncated(offset: offset)
        }
        elements.append(InformationElement(id: id, payload: Array(payload)))
        offset += 2 + payload.count
    }
    return elements
}

extension [InformationElement] {
    /// The only element with this ID, or `nil` when there is none.
    ///
    /// - Throws: ``ElementError/repeated(id:)`` when there are several.
    func only(_ id: UInt8) throws(ElementError) -> InformationElement? {
        let all = filter { $0.id == id }
        guard all.count <= 1 else { throw .repeated(id: id) }
        return all.first
    }

    /// The name in the SSID element (ID 0), or `nil` when it is absent or hidden.
    ///
    /// A hidden network sends an empty name, or as many zeros as its name has bytes.
    public func ssid() throws(ElementError) -> SSID? {
        guard let element = try only(0) else { return nil }
        guard element.payload.count <= SSID.maximumLength else { throw .longName(element.payload.count) }
        guard element.payload.contains(where: { $0 != 0 }) else { return nil }
        return SSID(bytes: element.payload)
    }
}
