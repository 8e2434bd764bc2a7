import Trust
import Wireless

/// A decision as it stands on the wire: 512 bytes (pam/onsite_client.h).
struct Verdict {
    static let length = 512

    let bytes: [UInt8]

    /// Writes a decision.
    ///
    /// - Parameters:
    ///   - id: what a log says about the network; may be empty.
    ///   - detail: the fact that decided, for administrators; may be empty.
    init(_ decision: Decision, id: String, detail: String = "") {
        var record = Array("onsiteV1".utf8)
        record.reserveCapacity(Self.length)
        unsafe withUnsafeBytes(of: Self.word(for: decision.answer)) { unsafe record.append(contentsOf: $0) }
        record.appendText(decision.reason.rawValue, padding: 32)
        record.appendText(decision.network ?? "", padding: 64)
        record.appendText(decision.evidence.rawValue, padding: 16)
        record.appendText(id, padding: 104)
        let warning: UInt32 = decision.reason == .bssidNotListed ? 1 : 0
        unsafe withUnsafeBytes(of: warning) { unsafe record.append(contentsOf: $0) }
        record += [0, 0, 0, 0]
        let need = decision.answer == .notRequired ? "No second factor is needed" : "A second factor is needed"
        record.appendText("\(need): \(decision.reason.message).", padding: 128)
        record.appendText(printable(detail), padding: 144)
        bytes = record
    }

    /// The three words. Any two differ in at least 29 bits, so that no damaged answer reads as "not required".
    private static func word(for answer: Answer) -> UInt64 {
        switch answer {
        case .notRequired: 0x6d3a_c592_5b8e_19f4
        case .required: 0x92c5_3a6d_a471_e60b
        case .undecided: 0x6235_ca9d_5481_16fb
        }
    }
}

/// What may come before a verdict (pam/onsite_client.h): the policy lets the gate wait while a network is joined.
func announcement(ofWaiting milliseconds: UInt32) -> [UInt8] {
    var record = Array("onsiteW1".utf8)
    unsafe withUnsafeBytes(of: milliseconds) { unsafe record.append(contentsOf: $0) }
    return record + [0, 0, 0, 0]
}

extension [UInt8] {
    /// Appends text and as many zeros as fill `length`; there is at least one. What is too long is cut, at a character.
    fileprivate mutating func appendText(_ text: String, padding length: Int) {
        let end = count + length
        append(contentsOf: text.utf8.prefix(length))
        if count == end {
            while popLast().map({ $0 & 0xc0 == 0x80 }) ?? false {}
        }
        append(contentsOf: repeatElement(0, count: end - count))
    }
}
