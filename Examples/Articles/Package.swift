// swift-tools-version: 6.2

import PackageDescription

func program(_ name: String, _ products: String...) -> Target {
  .executableTarget(
    name: name,
    dependencies: products.map { .product(name: $0, package: "LocalAuth") },
    swiftSettings: [.treatAllWarnings(as: .error)]
  )
}

// The programs of the articles of the reference (`make docs`), one for each module that people import. A package of
// its own, because some link modules with Apple's names: see docs/apple-source.md.
let package = Package(
  name: "Articles",
  dependencies: [.package(name: "LocalAuth", path: "../..")],
  targets: [
    program("approve", "LocalAuth"),
    program("reminder", "LocalAuthEmbedded"),
    program("receipts", "LocalAuthVerifier"),
    program("unlock", "AppleSource", "LocalAuthTestKit"),
    program("vault", "AppleSource", "LocalAuthTestKit"),
    program("sign", "AppleSource", "LocalAuthTestKit"),
    program("digest", "AppleSource"),
    program("settings", "LocalAuthKeyValue"),
    program("journal", "LocalAuthDocuments"),
    program("groceries", "LocalAuthTables"),
    .testTarget(
      name: "DeploymentTests",
      dependencies: [.product(name: "LocalAuthTestKit", package: "LocalAuth")],
      swiftSettings: [.treatAllWarnings(as: .error)]
    ),
  ],
  swiftLanguageModes: [.v6]
)
