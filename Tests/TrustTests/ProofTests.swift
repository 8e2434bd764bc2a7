import Testing
import Wireless

@testable import Trust

@Suite("What the supplicant proves")
struct ProofTests {
    /// Decides with a proof; `questions` says how often it was asked for.
    static func decide(_ scene: Scene, _ proof: Proof?) -> (decision: Decision, questions: Int) {
        var questions = 0
        let decision = Trust.decide(onNetwork: scene.evidence, policy: scene.policy, today: scene.today) { _ in
            questions += 1
            return proof
        }
        return (decision, questions)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let what: String
        let proof: Proof?
        let reason: Reason
        var evidence = EvidenceLevel.protected
        var questions = 1
        let change: @Sendable (inout Scene) -> Void
        var testDescription: String { what }
    }

    static let proven = Proof(verified: true)
    static let verified: @Sendable (inout Scene) -> Void = { $0.network.minimumEvidence = .verified }
    static let transition: @Sendable (inout Scene) -> Void = {
        $0.network.security = [.wpa3Personal]
        $0.station.security = [.wpa2Personal, .wpa3Personal]
    }

    static let cases = [
        Case(what: "more than is asked for", proof: proven, reason: .trustedNetwork, questions: 0) { _ in },
        Case(what: "what is asked for", proof: proven, reason: .trustedNetwork, evidence: .verified, change: verified),
        Case(what: "nothing", proof: nil, reason: .evidenceTooWeak, change: verified),
        Case(what: "less", proof: Proof(negotiated: .wpa2Personal), reason: .evidenceTooWeak, change: verified),
        Case(
            what: "something that the access point does not offer",
            proof: Proof(negotiated: .wpa3Personal, verified: true),
            reason: .evidenceTooWeak, change: verified),
        Case(
            what: "the better half of a transition network", proof: Proof(negotiated: .wpa3Personal),
            reason: .trustedNetwork, change: transition),
        Case(
            what: "the other half of a transition network", proof: Proof(negotiated: .wpa2Personal),
            reason: .securityTooWeak, change: transition),
        Case(
            what: "nothing of a transition network", proof: proven, reason: .securityTooWeak, evidence: .verified,
            change: transition),
        Case(what: "an unlisted network", proof: proven, reason: .networkNotListed, questions: 0) {
            $0.station.ssid = .cafe
        },
        Case(what: "an unlisted access point", proof: proven, reason: .bssidNotListed, questions: 0) {
            $0.network.isPinned = true
            $0.network.minimumEvidence = .verified
        },
        Case(what: "keys that are not there", proof: proven, reason: .notAuthorized, evidence: .claimed, questions: 0) {
            $0.network.minimumEvidence = .verified
            $0.station.authorized = false
        },
        Case(
            what: "keys of which the driver says nothing", proof: proven, reason: .authorizationUnknown,
            evidence: .claimed, questions: 0
        ) {
            $0.network.minimumEvidence = .verified
            $0.station.authorized = nil
        },
        Case(what: "an open network", proof: proven, reason: .securityTooWeak, evidence: .claimed, questions: 0) {
            $0.network.minimumEvidence = .verified
            $0.station.security = [.open]
        },
        Case(
            what: "the stronger half of a mixed network", proof: Proof(negotiated: .wpa2Personal),
            reason: .trustedNetwork
        ) { $0.station.security = [.wpa1, .wpa2Personal] },
        Case(
            what: "the weaker half of a mixed network", proof: Proof(negotiated: .wpa1, verified: true),
            reason: .securityTooWeak, evidence: .claimed
        ) { $0.station.security = [.wpa1, .wpa2Personal] },
        Case(what: "a network that is never trusted", proof: proven, reason: .networkDenied, questions: 0) {
            $0.network.action = .require
        },
        Case(what: "an expired entry", proof: proven, reason: .entryExpired, questions: 0) {
            $0.network.minimumEvidence = .verified
            $0.network.expires = Day(year: 2001, month: 1, day: 31)
        },
    ]

    @Test("is asked for only where it can decide, and decides no more than it says", arguments: cases)
    func proof(row: Case) {
        let (decision, questions) = Self.decide(Scene(row.change), row.proof)
        #expect(decision.reason == row.reason)
        #expect(questions == row.questions)
        let isAboutStation = decision.interface != nil
        #expect(!isAboutStation || row.questions == 0 || decision.evidence == row.evidence)
    }

    @Test("never takes anything back")
    func monotone() {
        let securities = Security.allCases
        for offered in securities.flatMap({ first in securities.map { Set([first, $0]) } }) {
            for negotiated in securities.map(Optional.some) + [nil] {
                for isVerified in [false, true] {
                    var station = Interface.corp
                    station.security = offered
                    station.verified = !isVerified
                    let more = station.adding(Proof(negotiated: negotiated, verified: isVerified))
                    #expect(more.verified || !station.verified)
                    #expect(more.evidence >= station.evidence)
                    #expect(more.negotiated == nil || offered.contains(more.negotiated ?? .other))
                    // Everything else is as it was observed.
                    var same = more
                    same.negotiated = station.negotiated
                    same.verified = station.verified
                    #expect(same == station)
                }
            }
        }
    }

    @Test("adds nothing if it is of something else than what is known to be negotiated")
    func contradiction() {
        var station = Interface.corp
        station.security = [.wpa2Personal, .wpa3Personal]
        station.negotiated = .wpa2Personal
        #expect(station.adding(Proof(negotiated: .wpa3Personal, verified: true)) == station)
        #expect(station.adding(Proof(negotiated: .wpa2Personal, verified: true)).evidence == .verified)
        #expect(station.adding(Proof(verified: true)).evidence == .verified)
    }

    @Test("is not asked for an asker who is asked anyway")
    func remote() {
        var questions = 0
        let asker = Asker(user: "anna", service: "sudo", isMember: { $0.map { _ in false } }, whereabouts: { .remote })
        let scene = Scene(Self.verified)
        let decision = Trust.decide(
            for: asker, policy: scene.policy, today: scene.today,
            prove: { _ in
                questions += 1
                return Self.proven
            }, observe: { scene.evidence })
        #expect(decision.reason == .remoteSession)
        #expect(questions == 0)
    }
}
