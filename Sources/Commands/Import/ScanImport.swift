import Wireless

extension Inventory {
    /// Reads the output of `iw dev IF scan`.
    ///
    /// `iw` asks not to be read by programs; the four lines that are read here have not changed since 2012.
    init(iw bytes: [UInt8], file: String) {
        self.init(file: file)
        isFromTheAir = true
        var current: Station?
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            if line.starts(with: "BSS ".utf8) {
                if let current { add(current) }
                current = Station(
                    address: line.dropFirst(4).prefix { $0 != UInt8(ascii: "(") && $0 > 0x20 }, line: number)
            } else if line.starts(with: "\tSSID: ".utf8) {
                current?.name = line.dropFirst(7)
            } else if line.starts(with: "\tRSN:".utf8) {
                current?.hasRSN = true
            } else if line.starts(with: "\tWPA:".utf8) {
                current?.hasWPA = true
            }
        }
        if let current { add(current) }
        if number > 0, rows.isEmpty, weak == 0, hidden == 0, messages.isEmpty {
            fail(nil, "there is no access point in it")
        }
    }

    private struct Station {
        let address: ArraySlice<UInt8>
        let line: Int
        var name: ArraySlice<UInt8> = []
        var hasRSN = false
        var hasWPA = false
    }

    private mutating func add(_ station: Station) {
        let name = station.name.last == 0x0d ? station.name.dropLast() : station.name
        guard let ssid = SSID(bytes: unescaped(name)), ssid.bytes.contains(where: { $0 != 0 }) else {
            hidden += 1
            return
        }
        guard station.hasRSN, !station.hasWPA else {
            weak += 1
            return
        }
        add(ssid, station.address, line: station.line)
    }
}

/// The bytes of a name as `iw` prints it: what is not printable, a backslash among it, as `\xNN`.
private func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
            let value = Wireless.bytes(hexadecimal: String(decoding: rest.dropFirst().prefix(2), as: UTF8.self))?.first
        {
            result.append(value)
            rest = rest.dropFirst(3)
        } else {
            result.append(byte)
        }
    }
    return result
}
