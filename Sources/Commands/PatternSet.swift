import Wireless

/// Patterns that can be asked quickly whether they have a pattern, or one that covers it. A list may hold a million.
struct PatternSet {
    /// The leading bits of the patterns, by the lengths of their prefixes.
    private var groups: [(length: Int, values: Set<UInt64>)] = []

    init(_ patterns: [BSSIDPattern]) {
        for length in BSSIDPattern.prefixLengths {
            let values = patterns.lazy.filter { $0.prefixLength == length }.map(\.rawValue)
            if !values.isEmpty { groups.append((length, Set(values))) }
        }
    }

    /// Adds a pattern, unless it or one that covers it is there.
    ///
    /// - Returns: whether it was added.
    mutating func insertUnlessCovered(_ pattern: BSSIDPattern) -> Bool {
        for (length, values) in groups where length < pattern.prefixLength {
            if let wider = pattern.shortened(to: length), values.contains(wider.rawValue) { return false }
        }
        guard let index = groups.firstIndex(where: { $0.length == pattern.prefixLength }) else {
            groups.append((pattern.prefixLength, [pattern.rawValue]))
            return true
        }
        return groups[index].values.insert(pattern.rawValue).inserted
    }

    func contains(_ pattern: BSSIDPattern) -> Bool {
        groups.contains { $0.length == pattern.prefixLength && $0.values.contains(pattern.rawValue) }
    }

    /// A pattern of the set that covers everything that `pattern` covers, or `nil`.
    func covering(_ pattern: BSSIDPattern) -> BSSIDPattern? {
        for (length, values) in groups where length <= pattern.prefixLength {
            if let wider = pattern.shortened(to: length), values.contains(wider.rawValue) { return wider }
        }
        return nil
    }
}
