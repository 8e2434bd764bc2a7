import PolicyFiles
import ProtectedFiles
import Sessions
import Trust
import Wireless

extension Configuration {
    /// What is read, but not to be left so: purposes that tell nobody why their location is looked at.
    func errors(_ tree: ProtectedTree) -> [FileProblem] {
        rules.purposes.filter { saysNothing($0.sentence) }.map {
            FileProblem(
                file: tree.systemPath("/etc/onsite/policy.toml"), "the purpose \"\($0.key)\" says nothing",
                hint: "write what is done with the location and for whom, in 20 letters or more")
        }
    }

    /// What is legal but unwise.
    func warnings(_ tree: ProtectedTree, today: Day?) -> [FileProblem] {
        var found = networks.flatMap { listing in
            listing.warnings(today: today).map {
                FileProblem(file: tree.systemPath(listing.path), $0.problem, hint: $0.hint)
            }
        }
        if rules.consent == .needed, rules.locksSessions {
            found.append(
                FileProblem(
                    file: tree.systemPath("/etc/onsite/policy.toml"),
                    "consent is needed and sessions are locked, which watches in the background",
                    hint: "only who agrees with onsite consent grant --always can do without the second factor"))
        }
        return found + alikeNames(tree) + sharedPins(tree)
    }

    /// Names that differ by what people do not see, in two networks.
    private func alikeNames(_ tree: ProtectedTree) -> [FileProblem] {
        let names = networks.flatMap { listing in listing.network.ssids.map { (listing, $0) } }
        return names.enumerated().compactMap { index, entry in
            let twin = names.prefix(index).first {
                $0.1 != entry.1 && $0.1.text != nil && $0.1.text.map(folded) == entry.1.text.map(folded)
            }
            return twin.map { twin in
                FileProblem(
                    file: tree.systemPath(entry.0.path),
                    "the SSID \"\(entry.1)\" differs from \"\(twin.1)\" of \(twin.0.network.name) by case, blanks, quotes or "
                        + "the form of its letters only", hint: "is it one network?")
            }
        }
    }

    /// Access points that stand in two networks.
    private func sharedPins(_ tree: ProtectedTree) -> [FileProblem] {
        var owners: [BSSIDPattern: Listing] = [:]
        var found: [FileProblem] = []
        for listing in networks {
            var isTold = false
            for pin in listing.allPins {
                if let other = owners[pin], !isTold {
                    isTold = true
                    found.append(
                        FileProblem(
                            file: tree.systemPath(listing.path), "\(pin) stands in \(other.network.name) too",
                            hint: "an access point has an address for each of its networks"))
                }
                owners[pin] = listing
            }
        }
        return found
    }

    /// Users and groups that this machine does not have.
    func strangers() -> [FileProblem] {
        func problems(_ askers: Askers, _ file: String) -> [FileProblem] {
            let directory = Directory(budget: .seconds(5))
            let users = askers.users.filter { directory.isSameUser($0, as: [$0]) == [false] }
            let groups = zip(askers.groups, directory.groupExists(askers.groups)).filter { $0.1 == false }.map(\.0)
            return users.map {
                FileProblem(file: file, "there is no user \"\($0)\" on this machine", hint: "is the name right?")
            }
                + groups.map {
                    FileProblem(file: file, "there is no group \"\($0)\" on this machine", hint: "is the name right?")
                }
        }
        return problems(rules.alwaysRequire, "/etc/onsite/policy.toml")
            + networks.flatMap { problems($0.network.askers, $0.path) }
    }
}

extension Configuration.Listing {
    fileprivate func warnings(today: Day?) -> [(problem: String, hint: String?)] {
        (network.action == .skip ? trustWarnings() : denialWarnings()) + dateWarnings(today: today) + nameWarnings()
    }

    private func trustWarnings() -> [(problem: String, hint: String?)] {
        var found: [(problem: String, hint: String?)] = []
        if !network.isPinned, network.minimumEvidence < .protected {
            found.append(("trusted by its name alone, which any radio can claim", "list bssid, or ask for evidence"))
        }
        for weak in Security.allCases where network.security.contains(weak) && !weak.provesKey {
            found.append(("security \"\(weak)\" proves nothing", "leave it out of security"))
        }
        let isPersonal = network.security.isEmpty || !network.security.isDisjoint(with: [.wpa2Personal, .wpa3Personal])
        for ssid in network.ssids {
            let name = folded(ssid.text ?? "")
            if !network.isPinned, commonNames.contains(name) {
                found.append(("the SSID \"\(ssid)\" is in use everywhere", "list bssid"))
            } else if isPersonal, guestWords.contains(where: { name.contains($0) }) {
                found.append(
                    ("the SSID \"\(ssid)\" looks like a network for guests, whose passphrase many know", "is it meant?")
                )
            }
        }
        if let pin = pins.first(where: { $0.prefixLength < 28 }) {
            found.append(("\(pin) covers all that a vendor makes", "use a longer prefix"))
        }
        return found
    }

    private func denialWarnings() -> [(problem: String, hint: String?)] {
        let askers = network.askers
        guard !(askers.users + askers.groups + askers.services).isEmpty || network.expires != nil else { return [] }
        return [
            (
                "a network with action = \"require\" denies everybody, always",
                "leave out users, groups, services and expires"
            )
        ]
    }

    private func dateWarnings(today: Day?) -> [(problem: String, hint: String?)] {
        guard let last = network.expires, let today else { return [] }
        if last < today {
            return [("expired on \(last)", "extend it with: onsite allow add \(network.name) --expires DATE")]
        }
        let isSoon =
            last.year * 372 + last.month * 31 + last.day - (today.year * 372 + today.month * 31 + today.day) <= 31
        return isSoon ? [("expires on \(last)", "extend it with: onsite allow add \(network.name) --expires DATE")] : []
    }

    private func nameWarnings() -> [(problem: String, hint: String?)] {
        var found: [(problem: String, hint: String?)] = []
        for ssid in network.ssids {
            if ssid.bytes.first == 0x20 || ssid.bytes.last == 0x20 {
                found.append(("the SSID \"\(ssid)\" has a blank at an end", "is it meant?"))
            }
            if let unescaped = unescapingAsPrintedByIw(ssid.bytes) {
                found.append(
                    (
                        "the SSID \"\(printable(ssid.text ?? ""))\" looks like an escape printed by iw",
                        "did you mean ssid-hex = \"\(hexadecimal(unescaped))\"?"
                    ))
            } else if let text = ssid.text, text.utf8.count >= 8, let decoded = bytes(hexadecimal: text),
                SSID(bytes: decoded) != nil
            {
                found.append(
                    ("the SSID \"\(text)\" looks like hexadecimal digits", "did you mean ssid-hex = \"\(text)\"?"))
            }
        }
        return found
    }
}

/// Names that stand in factory settings, or that many organisations share.
private let commonNames: Set<String> = [
    "eduroam", "linksys", "netgear", "dlink", "d-link", "tp-link", "asus", "default", "wireless", "wlan", "wifi",
    "guest",
    "free wifi", "home", "xfinitywifi", "fritz!box", "belkin", "cisco", "ubnt", "mikrotik", "openwrt",
]

/// Words in the names of networks that are made for strangers.
private let guestWords = ["guest", "gast", "visitor", "public", "invite", "kunden", "customer"]

/// Whether a sentence gives no reason for looking at somebody's location: it is short, or made of words that would do for
/// everything.
private func saysNothing(_ sentence: String) -> Bool {
    let words = sentence.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.reduce(0) { $0 + $1.count } + max(0, words.count - 1) < 20
        || words.allSatisfy(wordsForEverything.contains)
}

private let wordsForEverything: Set = [
    "a", "an", "all", "and", "any", "as", "be", "better", "business", "data", "enhance", "enhancing", "experience",
    "experiences",
    "for", "functionality", "general", "improve", "improved", "improvement", "improvements", "improving", "internal",
    "is", "it", "its", "legitimate", "location", "make", "making", "more", "needed", "of", "operation", "operational",
    "optimisation", "optimise", "optimization", "optimize", "other", "our", "performance", "personalised",
    "personalized", "product", "products", "provide", "providing", "purpose", "purposes", "quality", "reason",
    "reasons",
    "required", "service", "services", "system", "technical", "the", "this", "to", "use", "used", "user", "users",
    "various", "we", "with", "your",
]
