/// Which changes of something that is looked at again and again are told of.
///
/// A difference to what was told is told of when it has lasted for some time. What has come back by then never was one.
/// However often it becomes something else meanwhile, it is told of no later.
struct Changes<State: Equatable> {
    /// How long a difference must last, in milliseconds.
    let delay: Int64
    /// The last state that was told of; `nil` before the first look.
    private(set) var told: State?
    private var different: (state: State, since: Int64)?

    init(delay: Int64) {
        self.delay = delay
    }

    /// When to call ``settle(at:)`` at the latest, or `nil` when there is no difference.
    var deadline: Int64? { different.map { $0.since + delay } }

    /// Takes in what a look showed. Times are in milliseconds, by a clock that is never set.
    ///
    /// - Returns: what is to be told of, if anything.
    mutating func see(_ state: State, at now: Int64) -> State? {
        guard let told else {
            told = state
            return state
        }
        different = state == told ? nil : (state, different?.since ?? now)
        return settle(at: now)
    }

    /// Tells of the difference if it has lasted.
    mutating func settle(at now: Int64) -> State? {
        guard let different, let deadline, deadline <= now else { return nil }
        told = different.state
        self.different = nil
        return told
    }
}
