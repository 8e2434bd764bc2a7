import Glibc
import Testing
import Trust

@testable import Radio

@Suite("The kernel of this machine")
struct LinuxKernelTests {
    /// `NLM_F_DUMP`, the family of the families, and its request for them (linux/netlink.h, linux/genetlink.h).
    private static let dump: CInt = 0x300
    private static let controller: UInt16 = 16
    private static let getFamily: UInt8 = 3

    private func families() throws -> [String: UInt16] {
        let socket = try NetlinkSocket(deadline: .now + .seconds(2))
        var numbers: [String: UInt16] = [:]
        for reply in unsafe try socket.request(family: Self.controller, command: Self.getFamily, flags: Self.dump) {
            let attributes = try Attributes(reply)
            if let name = try attributes.text(2) { numbers[name] = try attributes.uint16(1) }
        }
        return numbers
    }

    @Test("E02: answers at once, also where there is no Wi-Fi")
    func observeAtOnce() throws {
        let hasWifi = try families()["nl80211"] != nil
        let start = ContinuousClock.now
        let evidence = observe()
        #expect(ContinuousClock.now - start < .seconds(1))
        switch evidence {
        case .interfaces(_, let source):
            #expect(source == (hasWifi ? .nl80211 : .wext))
        case .unavailable(let reason, let source):
            #expect(!hasWifi)
            #expect(reason == .wifiUnavailable)
            #expect(source == .nl80211)
        }
    }

    @Test("is not waited for where nothing is on its way")
    func noWait() {
        let start = ContinuousClock.now
        let evidence = observe(waiting: 10_000)
        guard !evidence.isJoining else { return }
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test("gives a table of many replies whole")
    func table() throws {
        let families = try families()
        #expect(families["nlctrl"] == Self.controller)
        #expect(families.count > 1)
    }

    @Test("gives a family by its name, or says that there is none")
    func family() throws {
        let socket = try NetlinkSocket(deadline: .now + .seconds(2))
        let number = try families()["nl80211"]
        do throws(NetlinkError) {
            #expect(try Family(on: socket).number == number)
        } catch {
            #expect(number == nil)
            #expect(error == NetlinkError(.resolve, code: ENOENT))
        }
    }

    @Test("E01: says in the last message of a table why the table is not whole")
    func failsAtTheEnd() throws {
        // Tunnel offloads of every device: devices without any are passed over, and when the last one has none, the
        // kernel ends the table with that as an error.
        let ethtool = try #require(try families()["ethtool"])
        let socket = try NetlinkSocket(deadline: .now + .seconds(2))
        do throws(NetlinkError) {
            let replies = unsafe try socket.request(family: ethtool, command: 28, flags: Self.dump)
            #expect(!replies.isEmpty)
        } catch {
            #expect(error == NetlinkError(.receive, code: EOPNOTSUPP))
        }
    }

    @Test("says why it refuses a request")
    func refuses() throws {
        let socket = try NetlinkSocket(deadline: .now + .seconds(2))
        #expect(throws: NetlinkError(.receive, code: EOPNOTSUPP)) {
            unsafe try socket.request(family: Self.controller, command: 200)
        }
    }

    @Test("is not asked after the deadline")
    func deadline() {
        let kernel = LinuxKernel(deadline: .now - .milliseconds(1))
        #expect(throws: NetlinkError(.timeOut)) { try kernel.dump(.getInterface, interface: nil) }
        #expect(Probe(kernel: kernel).evidence() == .unavailable(.probeTimeout, source: .nl80211))
        #expect(observe(within: 0) == .unavailable(.probeTimeout, source: .nl80211))
    }

    @Test("is waited for until the deadline and no longer")
    func waitsUntilDeadline() throws {
        let start = ContinuousClock.now
        let socket = try NetlinkSocket(deadline: start + .milliseconds(60))
        #expect(!socket.waitForEvent())
        let waited = ContinuousClock.now - start
        #expect(waited >= .milliseconds(50))
        #expect(waited < .seconds(1))
        #expect(!socket.waitForEvent())
    }

    @Test("is not waited for after the deadline, also when it goes on talking")
    func talksOn() throws {
        let socket = try NetlinkSocket(deadline: .now + .milliseconds(60))
        // A request for all families, whose answer nobody takes.
        let request =
            Message.number(UInt32(20)) + Message.number(Self.controller) + Message.number(UInt16(0x301))
            + Message.number(UInt32(1)) + Message.number(UInt32(0)) + [Self.getFamily, 1, 0, 0]
        #expect(unsafe send(socket.descriptor, request, request.count, 0) == request.count)
        #expect(socket.waitForEvent())
        #expect(unsafe send(socket.descriptor, request, request.count, 0) == request.count)
        usleep(70_000)
        #expect(!socket.waitForEvent())
    }

    @Test("knows whether an interface is up, also before it is asked anything else")
    func isUp() {
        let kernel = LinuxKernel(deadline: .now + .seconds(1))
        #expect(kernel.isUp("lo") != nil)
        #expect(kernel.isUp("none-such") == nil)
        #expect(kernel.isUp("a-name-that-is-too-long") == nil)
    }

    @Test("names its interfaces, of which those without the extensions say so")
    func extensions() throws {
        let kernel = LinuxKernel(deadline: .now + .seconds(1))
        #expect((try kernel.interfaceNames()).contains("lo"))
        for name in (try kernel.interfaceNames()) {
            let index = unsafe if_nametoindex(name)
            #expect(try kernel.ask(.index, about: name).value == index)
            #expect(index > 0)
        }
        for question in [Question.protocolName, .mode, .accessPoint, .ssid] {
            // ENOTTY where the kernel is built without them.
            let error = #expect(throws: NetlinkError.self) { try kernel.ask(question, about: "lo") }
            #expect([EOPNOTSUPP, ENOTTY].contains(error?.code))
        }
        for name in ["none-such", "a-name-that-is-too-long", "lo\u{0}x"] {
            #expect(throws: NetlinkError.self) { try kernel.ask(.protocolName, about: name) }
        }
    }

    @Test("leaves no descriptor behind")
    func descriptors() {
        let first = unsafe open("/dev/null", O_RDONLY)
        close(first)
        for _ in 0..<50 { _ = observe(waiting: 1) }
        let last = unsafe open("/dev/null", O_RDONLY)
        close(last)
        // Tests run beside each other, so a few may be open by chance, but not fifty.
        #expect(last < first + 40)
    }
}
