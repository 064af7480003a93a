// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// A package as yours would be: a service that asks for proof, and a client that has a person give it.
let package = Package(
  name: "StepUpService",
  dependencies: [.package(name: "LocalAuth", path: "../..")],
  targets: [
    // What a service copies: whom it believes, and what for.
    .target(
      name: "StepUp",
      dependencies: [.product(name: "LocalAuthVerifier", package: "LocalAuth")],
      swiftSettings: settings
    ),
    // What a service has already: its HTTP framework. This one is as small as it can be.
    .target(name: "LoopbackHTTP", swiftSettings: settings),
    .executableTarget(
      name: "step-up-service",
      dependencies: ["StepUp", "LoopbackHTTP"],
      swiftSettings: settings
    ),
    // It knows nothing of the service but what the service answers.
    .executableTarget(
      name: "step-up-client",
      dependencies: [.product(name: "LocalAuth", package: "LocalAuth")],
      swiftSettings: settings
    ),
    .testTarget(name: "StepUpTests", dependencies: ["StepUp"], swiftSettings: settings),
    .testTarget(
      name: "LoopbackHTTPTests",
      dependencies: ["LoopbackHTTP"],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
