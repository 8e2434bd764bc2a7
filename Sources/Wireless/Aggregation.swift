/// Patterns that cover exactly the same addresses as these, as few as possible: full halves become one shorter prefix,
/// and what another pattern covers goes.
public func aggregated(_ patterns: [BSSIDPattern]) -> [BSSIDPattern] {
    var byLength: [Int: Set<UInt64>] = [:]
    for pattern in patterns { byLength[pattern.prefixLength, default: []].insert(pattern.rawValue) }
    // From the narrowest up: two halves of a prefix are the prefix.
    for length in BSSIDPattern.prefixLengths.reversed() where length > BSSIDPattern.prefixLengths.lowerBound {
        let bit = UInt64(1) << UInt64(48 - length)
        for value in byLength[length] ?? [] where value & bit == 0 && byLength[length]?.contains(value | bit) == true {
            byLength[length]?.subtract([value, value | bit])
            byLength[length - 1, default: []].insert(value)
        }
    }
    // From the widest down: nothing stays that a wider one covers.
    var result: [BSSIDPattern] = []
    for length in BSSIDPattern.prefixLengths {
        for value in (byLength[length] ?? []).sorted() {
            let pattern = BSSIDPattern(rawValue: value, prefixLength: length)
            let isCovered = BSSIDPattern.prefixLengths.prefix { $0 < length }.contains { wider in
                pattern.shortened(to: wider).map { byLength[wider]?.contains($0.rawValue) == true } ?? false
            }
            if !isCovered { result.append(pattern) }
        }
    }
    return result
}

/// A prefix that could stand for several patterns.
public struct PrefixSuggestion: Equatable, Sendable {
    public let prefix: BSSIDPattern
    /// How many patterns it would replace.
    public let replaced: Int
    /// How many addresses it would trust that none of them does.
    public let extra: UInt64
}

/// The widest prefixes that cover several of these patterns and trust at most `limit` addresses more; none lies in another.
public func suggestedPrefixes(for patterns: [BSSIDPattern], extra limit: UInt64) -> [PrefixSuggestion] {
    var rest = aggregated(patterns)
    var suggestions: [PrefixSuggestion] = []
    for length in BSSIDPattern.prefixLengths where length < 48 {
        var groups: [UInt64: [BSSIDPattern]] = [:]
        for pattern in rest where pattern.prefixLength > length {
            if let prefix = pattern.shortened(to: length) { groups[prefix.rawValue, default: []].append(pattern) }
        }
        for (value, members) in groups.sorted(by: { $0.key < $1.key }) where members.count > 1 {
            let covered = members.reduce(0) { $0 + (UInt64(1) << UInt64(48 - $1.prefixLength)) }
            let extra = (UInt64(1) << UInt64(48 - length)) - covered
            guard extra <= limit else { continue }
            suggestions.append(
                PrefixSuggestion(
                    prefix: BSSIDPattern(rawValue: value, prefixLength: length), replaced: members.count, extra: extra))
            rest.removeAll { $0.prefixLength > length && $0.shortened(to: length)?.rawValue == value }
        }
    }
    return suggestions
}
