public import ProtectedFiles
public import Trust

/// The compiled policy of a tree, kept open from one decision to the next for as long as nothing about it changes.
public final class PolicyInForce {
    private let tree: ProtectedTree
    private var kept: (policy: CompiledPolicy, footprint: Footprint)?

    public init(in tree: ProtectedTree) {
        self.tree = tree
    }

    /// The policy that is in force now: what ``CompiledPolicy/init(in:)`` would open, at less cost.
    public func policy() throws(PolicyFault) -> CompiledPolicy {
        if let kept, kept.footprint.isUnchanged { return kept.policy }
        kept = nil
        let policy = try CompiledPolicy(in: tree)
        guard let footprint = Footprint(of: policy.files.map(tree.systemPath)) else { return policy }
        // What it is to stand for was opened after it was taken.
        let again = try CompiledPolicy(in: tree)
        if again.files == policy.files { kept = (again, footprint) }
        return again
    }
}
