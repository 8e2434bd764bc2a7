import CExpat
import Wireless

extension Inventory {
    /// Reads the XML of Kismet or airodump-ng: `wireless-network` elements with `BSSID`, `SSID/essid` and
    /// `SSID/encryption`.
    init(netxml bytes: [UInt8], file: String) {
        self.init(file: file)
        isFromTheAir = true
        var collector = NetxmlCollector()
        guard let parser = unsafe XML_ParserCreate(nil) else {
            fail(nil, "out of memory")
            return
        }
        defer { unsafe XML_ParserFree(parser) }
        let isParsed = unsafe withUnsafeMutablePointer(to: &collector) { context in
            // The handlers get a pointer to this frame, which outlives the parse.
            unsafe XML_SetUserData(parser, context)
            unsafe XML_SetElementHandler(parser, beginElement, endElement)
            unsafe XML_SetCharacterDataHandler(parser, addText)
            return unsafe bytes.withUnsafeBytes { buffer in
                unsafe XML_Parse(
                    parser, buffer.assumingMemoryBound(to: CChar.self).baseAddress, CInt(clamping: buffer.count), 1)
                    == XML_STATUS_OK
            }
        }
        guard isParsed else {
            let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) } ?? "error"
            fail(Int(unsafe XML_GetCurrentLineNumber(parser)), "not XML: \(reason)")
            return
        }
        for network in collector.networks where network.isInfrastructure {
            guard let ssid = SSID(bytes: Array(network.name.utf8)) else {
                hidden += 1
                continue
            }
            guard network.provesKey else {
                weak += 1
                continue
            }
            add(ssid, Array(network.address.utf8)[...].trimmed(), line: nil)
        }
        if rows.isEmpty, weak == 0, hidden == 0, messages.isEmpty { fail(nil, "there is no access point in it") }
    }
}

/// What the handlers saw of a document.
private struct NetxmlCollector {
    struct Network {
        var isInfrastructure = false
        var address = ""
        var name = ""
        var encryption: [String] = []

        /// Whether a key is proven: WPA2 or later and nothing older.
        var provesKey: Bool {
            let words = encryption.joined(separator: " ").uppercased()
            let weak = ["NONE", "OPEN", "WEP", "TKIP", "OWE"].contains { words.contains($0) }
            return !weak && ["AES-CCM", "PSK", "SAE", "MGT", "EAP", "WPA2", "WPA3"].contains { words.contains($0) }
        }
    }

    var networks: [Network] = []
    var path: [String] = []
    var text = ""
}

// The functions below run on a frame of the library and must not throw. The context is the collector of `init(netxml:)`.

private func beginElement(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<CChar>?,
    attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
    guard let collector = unsafe context?.assumingMemoryBound(to: NetxmlCollector.self), let name = unsafe name else {
        return
    }
    let element = unsafe String(cString: name)
    unsafe collector.pointee.path.append(element)
    unsafe collector.pointee.text = ""
    guard element == "wireless-network" else { return }
    var network = NetxmlCollector.Network()
    // Name and value in turn, until a null.
    var next = unsafe attributes
    while let pair = unsafe next, let key = unsafe pair[0], let value = unsafe pair[1] {
        if unsafe String(cString: key) == "type" {
            network.isInfrastructure = unsafe String(cString: value) == "infrastructure"
        }
        unsafe next = pair + 2
    }
    unsafe collector.pointee.networks.append(network)
}

private func endElement(context: UnsafeMutableRawPointer?, name: UnsafePointer<CChar>?) {
    guard let collector = unsafe context?.assumingMemoryBound(to: NetxmlCollector.self) else { return }
    let path = unsafe collector.pointee.path.suffix(3).joined(separator: "/")
    let text = unsafe collector.pointee.text
    let last = unsafe collector.pointee.networks.count - 1
    if last >= 0 {
        if path.hasSuffix("wireless-network/BSSID") { unsafe collector.pointee.networks[last].address = text }
        // A client's element holds names that it looked for, which are not this access point's.
        if path.hasSuffix("wireless-network/SSID/essid") { unsafe collector.pointee.networks[last].name = text }
        if path.hasSuffix("wireless-network/SSID/encryption") {
            unsafe collector.pointee.networks[last].encryption.append(text)
        }
    }
    unsafe collector.pointee.path.removeLast(min(1, collector.pointee.path.count))
    unsafe collector.pointee.text = ""
}

private func addText(context: UnsafeMutableRawPointer?, text: UnsafePointer<CChar>?, length: CInt) {
    guard let collector = unsafe context?.assumingMemoryBound(to: NetxmlCollector.self), let text = unsafe text else {
        return
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(length))
    unsafe collector.pointee.text += String(decoding: bytes, as: UTF8.self)
}
