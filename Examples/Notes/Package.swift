// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]

func localAuth(_ product: String) -> Target.Dependency {
  .product(name: product, package: "LocalAuth")
}

// An app that keeps notes: what it decides, what it has a device do, and what a person sees. A package of its own, because
// it links modules with Apple's names: see docs/apple-source.md.
let package = Package(
  name: "Notes",
  dependencies: [.package(name: "LocalAuth", path: "../..")],
  targets: [
    // What happens when: a value, without input, output or clock.
    .target(name: "NotesCore", swiftSettings: settings),
    // One file for each thing of the device: account, touch, notes, shared notes, inbox, settings, export.
    .target(
      name: "NotesDevice",
      dependencies: [
        "NotesCore", localAuth("AppleSource"), localAuth("LocalAuth"), localAuth("LocalAuthFiles"),
        localAuth("LocalAuthDocuments"),
      ],
      swiftSettings: settings,
      plugins: [.plugin(name: "DataProtectionPlugin", package: "LocalAuth")]
    ),
    // What a person sees: a program for a terminal.
    .executableTarget(
      name: "notes",
      dependencies: ["NotesDevice", localAuth("LocalAuthEmbedded"), localAuth("LocalAuthFiles")],
      swiftSettings: settings
    ),
    // Another program of the app's group, which reads what the app remembers for it.
    .executableTarget(
      name: "notes-open",
      dependencies: ["NotesDevice", localAuth("LocalAuthEmbedded"), localAuth("LocalAuthFiles")],
      swiftSettings: settings
    ),
    .testTarget(name: "NotesCoreTests", dependencies: ["NotesCore"], swiftSettings: settings),
    .testTarget(
      name: "NotesDeviceTests",
      dependencies: ["NotesDevice", localAuth("AppleSource"), localAuth("LocalAuthTestKit")],
      swiftSettings: settings,
      // Its calls would be ambiguous otherwise: it sees those of the target that it tests.
      plugins: [.plugin(name: "DataProtectionPlugin", package: "LocalAuth")]
    ),
    // It runs the programs, in a pseudo terminal if they need one.
    .testTarget(
      name: "NotesProgramTests",
      dependencies: ["notes", "notes-open", "NotesCore"],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
