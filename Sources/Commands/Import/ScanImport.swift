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
        guard let ssid = SSID(bytes: unescapingAsPrintedByIw(name) ?? Array(name)),
            ssid.bytes.contains(where: { $0 != 0 })
        else {
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
