// swift-tools-version: 6.2

import PackageDescription

// Who links LocalAuth alone must not find modules with Apple's names: `canImport` asks the whole build.
let package = Package(
  name: "Consumer",
  dependencies: [.package(name: "LocalAuth", path: "../..")],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [.product(name: "LocalAuth", package: "LocalAuth")]
    )
  ]
)
