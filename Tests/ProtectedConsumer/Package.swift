// swift-tools-version: 6.2

import PackageDescription

// A client that writes as on Apple's systems, and gets protected files.
let package = Package(
  name: "ProtectedConsumer",
  dependencies: [.package(name: "LocalAuth", path: "../..")],
  targets: [
    .executableTarget(
      name: "ProtectedConsumer",
      dependencies: [.product(name: "AppleSource", package: "LocalAuth")],
      plugins: [.plugin(name: "DataProtectionPlugin", package: "LocalAuth")]
    )
  ]
)
