import CLogin
import CProcess
import Glibc

/// The machine's directory of users and groups (NSS), which is asked for a limited time in all.
///
/// It may be far away and slow, and its libraries are not ours: a process of its own asks, and what it does not answer
/// in time is not known.
public final class Directory {
    private var budget: Duration

    /// - Parameter budget: how long all questions together may take. A group of many thousand members, or a server at
    ///   the far end of a continent, answers in a tenth of it.
    public init(budget: Duration = .milliseconds(500)) {
        self.budget = budget
    }

    /// Whether a user is a member of each of these groups, or `nil` where that cannot be found out.
    public func isMember(_ user: String, of groups: [String]) -> [Bool?] {
        ask(CLOGIN_IS_MEMBER, user, groups)
    }

    /// Whether each of these names is one of the user's account, or `nil` where that cannot be found out.
    public func isSameUser(_ user: String, as names: [String]) -> [Bool?] {
        ask(CLOGIN_IS_SAME, user, names)
    }

    /// Whether a number is that of the user's account, or `nil` when that cannot be found out.
    public func number(of user: String, is number: UInt32) -> Bool? {
        ask(CLOGIN_HAS_NUMBER, user, ["\(number)"]).first ?? nil
    }

    /// Whether there is a group of each name, or `nil` where that cannot be found out.
    public func groupExists(_ groups: [String]) -> [Bool?] {
        ask(CLOGIN_GROUP_EXISTS, "", groups)
    }

    private func ask(_ question: clogin_question, _ user: String, _ names: [String]) -> [Bool?] {
        let start = ContinuousClock.now
        defer { budget -= ContinuousClock.now - start }
        let left = max(budget, .zero).components
        let limit = UInt32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
        let texts = [user] + names
        var answers = [UInt8](repeating: 2, count: names.count)
        // A NUL would cut a name short, and make it another.
        guard !texts.contains(where: { $0.utf8.contains(0) }) else { return names.map { _ in nil } }
        // The copies live until the call is over, and the process that asks has its own.
        let copies = unsafe texts.map { unsafe UnsafePointer(strdup($0)) }
        defer { unsafe copies.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        unsafe copies.withUnsafeBufferPointer { strings in
            var inquiry = unsafe clogin_inquiry(question: question, texts: strings.baseAddress, count: names.count)
            _ = unsafe cprocess_answer(limit, clogin_ask_directory, &inquiry, &answers, answers.count)
        }
        return answers.map { $0 > 1 ? nil : $0 == 1 }
    }
}
