// swift-tools-version: 6.2

import PackageDescription

// A package of its own, because it links modules with Apple's names: see docs/apple-source.md.
let package = Package(
  name: "Vault",
  dependencies: [.package(name: "LocalAuth", path: "../..")],
  targets: [
    .target(name: "Vault", dependencies: [.product(name: "AppleSource", package: "LocalAuth")]),
    .testTarget(
      name: "VaultTests",
      dependencies: ["Vault", .product(name: "LocalAuthTestKit", package: "LocalAuth")]
    ),
  ]
)
