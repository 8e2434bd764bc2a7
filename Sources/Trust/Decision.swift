public import Wireless

/// The answer to "is a second factor needed?", and where it comes from.
public struct Decision: Equatable, Sendable {
    public var reason: Reason
    /// The entry of the allowlist that the answer is about.
    public var network: String?
    public var site: String?
    /// How much the network has proven.
    public var evidence: EvidenceLevel
    /// The station that the answer is about.
    public var interface: String?
    /// What the station is connected to. For the hash in the log, and for people who gave a purpose.
    public var ssid: SSID?
    public var bssids: [BSSID]
    /// Whether a network of this name lists access points, so that the answer depended on them.
    public var dependsOnAccessPoint = false
    /// What is wrong with the policy or the probe, for administrators: one line.
    public var detail: String?

    public init(
        _ reason: Reason, network: String? = nil, site: String? = nil, evidence: EvidenceLevel = .none,
        interface: String? = nil, ssid: SSID? = nil, bssids: [BSSID] = [], detail: String? = nil
    ) {
        self.reason = reason
        self.network = network
        self.site = site
        self.evidence = evidence
        self.interface = interface
        self.ssid = ssid
        self.bssids = bssids
        self.detail = detail
    }

    /// The decision where the policy cannot be relied on.
    public init(_ fault: PolicyFault) {
        self.init(fault.reason, detail: fault.detail)
    }

    init(_ reason: Reason, _ network: Network? = nil, at station: Interface) {
        self.init(
            reason, network: network?.name, site: network?.site, evidence: station.evidence, interface: station.name,
            ssid: station.ssid, bssids: station.links)
    }

    public var answer: Answer { reason.answer }
}
