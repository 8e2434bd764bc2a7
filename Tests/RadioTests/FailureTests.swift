import Glibc
import Testing
import Trust
import Wireless

@testable import Radio

@Suite("A kernel that fails")
struct FailureTests {
    /// Two stations on the company's network, of which the first fails.
    private func twoStations(failing command: Command, with code: Int32) -> FakeKernel {
        let kernel = FakeKernel.good()
        kernel.answer(
            .getInterface,
            with: [Message.interface("wlan1", 2), Message.interface("wlan0", 3, ssid: "CorpNet")])
        kernel.answer(.getScan, 2, with: [Message.bss(1, interface: 2, ssid: "CorpNet")])
        kernel.answer(.getStation, 2, with: [Message.station(1, interface: 2)])
        kernel.fail(command, 2, with: code)
        return kernel
    }

    @Test("E06: with an interface that was unplugged leaves the others", arguments: [Command.getScan, .getStation])
    func unplugged(command: Command) {
        let kernel = twoStations(failing: command, with: ENODEV)
        #expect(kernel.evidence().all.map(\.name) == ["wlan0"])
        #expect(kernel.reason() == .trustedNetwork)
        let alone = FakeKernel.good()
        alone.fail(command, 3, with: ENODEV)
        #expect(alone.reason() == .noWifiInterface)
    }

    @Test("N09: with an interface that was taken down says so", arguments: [Command.getScan, .getStation])
    func down(command: Command) {
        let kernel = twoStations(failing: command, with: ENETDOWN)
        #expect(kernel.evidence().all.map(\.state) == [.down, .connected])
        #expect(kernel.evidence().all.first?.ssid == nil)
        let alone = FakeKernel.good()
        alone.fail(command, 3, with: ENETDOWN)
        #expect(alone.reason() == .notConnected)
    }

    @Test(
        "E06: in any other way is not decided on, and quickly", arguments: [EBUSY, EAGAIN, EIO, ENOMEM, EINVAL, ENOENT])
    func otherwise(code: Int32) {
        for command in [Command.getScan, .getStation] {
            let kernel = twoStations(failing: command, with: code)
            #expect(kernel.evidence().unavailability == .probeFailed)
            #expect(kernel.requests.count <= 3)
        }
        let kernel = FakeKernel.good()
        kernel.fail(.getInterface, with: code)
        #expect(kernel.evidence().unavailability == .probeFailed)
        #expect(kernel.requests.count == 1)
    }

    @Test("to keep scan results is not decided on")
    func noScanResults() {
        let kernel = FakeKernel.good()
        kernel.fail(.getScan, 3, with: EOPNOTSUPP)
        #expect(kernel.reason() == .probeFailed)
    }

    struct Failure: CustomTestStringConvertible {
        let step: NetlinkError.Step
        let code: Int32
        let reason: Reason
        var testDescription: String { "\(step.rawValue), error \(code)" }
    }

    static let failures = [
        Failure(step: .open, code: EAFNOSUPPORT, reason: .wifiAccessDenied),
        Failure(step: .open, code: EPERM, reason: .wifiAccessDenied),
        Failure(step: .open, code: EACCES, reason: .wifiAccessDenied),
        Failure(step: .open, code: EPROTONOSUPPORT, reason: .wifiUnavailable),
        Failure(step: .open, code: EMFILE, reason: .probeFailed),
        Failure(step: .open, code: ENOMEM, reason: .probeFailed),
        Failure(step: .open, code: 0, reason: .probeFailed),
        Failure(step: .resolve, code: ENOENT, reason: .wifiUnavailable),
        Failure(step: .resolve, code: EPERM, reason: .wifiAccessDenied),
        Failure(step: .resolve, code: EBUSY, reason: .probeFailed),
        Failure(step: .send, code: EPERM, reason: .wifiAccessDenied),
        Failure(step: .send, code: EACCES, reason: .wifiAccessDenied),
        Failure(step: .send, code: ENOENT, reason: .probeFailed),
        Failure(step: .receive, code: EPERM, reason: .wifiAccessDenied),
        Failure(step: .receive, code: EACCES, reason: .wifiAccessDenied),
        Failure(step: .receive, code: ENOENT, reason: .probeFailed),
        Failure(step: .receive, code: EBUSY, reason: .probeFailed),
        Failure(step: .receive, code: 0, reason: .probeFailed),
        Failure(step: .timeOut, code: 0, reason: .probeTimeout),
        Failure(step: .timeOut, code: EPERM, reason: .probeTimeout),
        Failure(step: .interrupted, code: 0, reason: .probeInconsistent),
        Failure(step: .parse, code: 0, reason: .probeFailed),
    ]

    @Test("E02, E03: has one reason for each step and error", arguments: failures)
    func reason(row: Failure) {
        let error = NetlinkError(row.step, code: row.code)
        #expect(error.reason == row.reason)
        #expect(error.reason.isUnavailability)
        #expect(!error.description.contains("\n"))
        #expect(row.code == 0 || error.description.contains("\(row.code)"))
        for command in [Command.getInterface, .getScan, .getStation] {
            let kernel = FakeKernel.good()
            kernel.answer(command, command == .getInterface ? nil : 3, inTurn: [.failure(error)])
            #expect(kernel.evidence().unavailability == row.reason)
        }
    }

    @Test("once, after it answered, is not decided on either")
    func failsLater() {
        for (command, interface) in [(Command.getScan, UInt32(3)), (.getInterface, nil)] as [(Command, UInt32?)] {
            let kernel = FakeKernel.good()
            let good: [[UInt8]] =
                command == .getScan
                ? [Message.bss(1, interface: 3, ssid: "CorpNet")] : [Message.interface("wlan0", 3, ssid: "Other")]
            kernel.answer(command, interface, inTurn: [.success(good), .failure(NetlinkError(.receive, code: EIO))])
            #expect(kernel.evidence().unavailability == .probeFailed)
        }
    }
}
