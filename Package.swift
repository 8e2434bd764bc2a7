// swift-tools-version: 6.2
import PackageDescription

/// Every target is built alike: what the compiler can prove, it has to.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Dependencies point one way: Wireless ← Trust ← {PolicyStore, PolicyFiles, Radio, Sessions, Supplicants} ← Gate
/// ← Commands.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, _ others: Target.Dependency..., fixtures: [String] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.target(name: name)] + others, exclude: fixtures, swiftSettings: strict)
}

let package = Package(
    name: "onsite",
    targets: [
        .executableTarget(name: "onsite", dependencies: ["Commands"], swiftSettings: strict),
        .executableTarget(name: "onsite-gate", dependencies: ["Gate"], swiftSettings: strict),

        module("Wireless"),
        module("Trust", ["Wireless"]),
        module("ProtectedFiles", ["CAttributes"]),
        module("PolicyStore", ["Trust", "Wireless", "ProtectedFiles", "CConstantDatabase", "CSodium"]),
        module("PolicyFiles", ["Trust", "Wireless", "ProtectedFiles", "CTOML"]),
        .target(
            name: "Radio", dependencies: ["Trust", "Wireless", "CNetlink"],
            swiftSettings: strict + [.unsafeFlags(["-Xcc", "-I/usr/include/libnl3"])]),
        module("Sessions", ["Trust", "CLogin", "CProcess"]),
        module("MessageBus", ["CBus"]),
        module("Supplicants", ["Trust", "Wireless", "MessageBus", "CSupplicant", "CProcess"]),
        module(
            "Gate",
            [
                "Trust", "Wireless", "PolicyStore", "Radio", "Sessions", "Supplicants", "ProtectedFiles", "CSodium",
                "CProcess", "CRecord",
            ]),
        module(
            "Commands",
            [
                "Trust", "Wireless", "PolicyStore", "PolicyFiles", "Radio", "Sessions", "Supplicants", "Gate",
                "MessageBus", "ProtectedFiles",
                "CJSON", "CExpat", "CProcess", "CWatch",
            ]),

        // Without pkgConfig: it would put the system's directory before the one with the archives that are linked in.
        .systemLibrary(name: "CNetlink", providers: [.apt(["libnl-genl-3-dev"])]),
        .systemLibrary(name: "CConstantDatabase", providers: [.apt(["libcdb-dev"])]),
        .systemLibrary(name: "CJSON", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        .target(name: "CTOML", cxxSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        .target(name: "CAttributes", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Wconversion", "-Werror"])]),
        .target(name: "CRecord", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Wconversion", "-Werror"])]),
        .target(name: "CProcess", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Wconversion", "-Werror"])]),
        .target(name: "CSupplicant", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Wconversion", "-Werror"])]),
        .target(name: "CBus", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Wconversion", "-Werror"])]),
        .target(name: "CWatch", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Wconversion", "-Werror"])]),
        .target(name: "CLogin", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Wconversion", "-Werror"])]),

        tests(of: "Wireless"),
        tests(of: "Trust", "Wireless"),
        tests(of: "ProtectedFiles"),
        tests(of: "PolicyFiles", "ProtectedFiles", "Trust", "Wireless"),
        tests(of: "PolicyStore", "PolicyFiles", "ProtectedFiles", "Trust", "Wireless"),
        tests(of: "Radio", "Trust", "Wireless", fixtures: ["Fixtures"]),
        tests(of: "Sessions", "Trust"),
        tests(of: "Supplicants", "MessageBus", "Trust", "Wireless"),
        tests(of: "Gate", "Sessions", "Trust", "Wireless", "PolicyStore", "ProtectedFiles"),
        tests(of: "Commands", "Gate", "MessageBus", "PolicyFiles", "ProtectedFiles", "Trust", "Wireless"),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
