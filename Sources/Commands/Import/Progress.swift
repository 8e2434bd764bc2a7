import Glibc

/// A line on the terminal that says how far a long piece of work is. It appears after a second, and goes away at the end.
final class Progress {
    private let label: String
    private let start = ContinuousClock.now
    private let isShown: Bool
    private var isDrawn = false

    init(_ label: String) {
        self.label = label
        isShown = isatty(2) == 1
    }

    /// - Parameter fraction: how much is done, 0 to 1.
    func update(_ fraction: Double) {
        guard isShown, ContinuousClock.now - start > .seconds(1) else { return }
        isDrawn = true
        let done = Int(fraction * 30)
        let bar = String(repeating: "█", count: done) + String(repeating: "░", count: max(0, 30 - done))
        draw("\r\(label) \(bar) \(Int(fraction * 100)) %")
    }

    func finish() {
        if isDrawn { draw("\r\u{1b}[K") }
    }

    private func draw(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }
}
