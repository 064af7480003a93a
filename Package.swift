// swift-tools-version: 6.2

import PackageDescription

/// Every Swift target is built in Swift 6 mode with strict memory safety, and a warning is an error.
let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Settings of targets that explore, solve and simulate, which takes minutes in tests unless they are optimised.
///
/// The Makefile asks for that. Nobody else can, because a package with unsafe flags cannot be depended on.
let calculating: [SwiftSetting] =
  Context.environment["LOCALAUTH_OPTIMISED"] == nil
  ? settings : settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Tests of Apple's names are written as their clients are, who know no strict memory safety.
let clientSettings: [SwiftSetting] = [.treatAllWarnings(as: .error)]

func library(
  _ name: String,
  _ dependencies: [Target.Dependency] = [],
  settings: [SwiftSetting] = settings
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
  _ name: String,
  _ dependencies: [Target.Dependency],
  path: String? = nil,
  settings: [SwiftSetting] = settings,
  plugins: [Target.PluginUsage] = []
) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies + ["LocalAuthTestSupport"],
    path: path,
    exclude: [
      "LocalAuthPAMTests": ["Modules"],
      "LocalAuthEndToEndTests": [
        "authenticator.py", "bus-world.py", "daemon-relay.py", "mounted-files.py",
        "polkit-dialog.py", "third-party-client.py", "verify-assertion.py",
      ],
    ][name] ?? [],
    resources: name == "LocalAuthJSONTests" ? [.copy("Corpus")] : [],
    swiftSettings: settings,
    plugins: plugins
  )
}

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
  name: "LocalAuth",
  products: [
    .library(name: "LocalAuth", targets: ["LocalAuth"]),
    .library(name: "LocalAuthFiles", targets: ["LocalAuthFiles"]),
    .library(name: "LocalAuthKeyValue", targets: ["LocalAuthKeyValue"]),
    .library(name: "LocalAuthDocuments", targets: ["LocalAuthDocuments"]),
    .library(name: "LocalAuthTables", targets: ["LocalAuthTables"]),
    .library(name: "LocalAuthSQLite", targets: ["LocalAuthSQLite"]),
    .library(
      name: "mod_localauth",
      type: .dynamic,
      targets: ["LocalAuthSQLiteExtension"]
    ),
    .library(name: "LocalAuthEmbedded", targets: ["LocalAuthEmbedded"]),
    .library(name: "LocalAuthTestKit", targets: ["LocalAuthTestKit"]),
    // For services that check assertions.
    .library(name: "LocalAuthVerifier", targets: ["LocalAuthVerifier"]),
    // Apple's names, apart: a module called Security makes `canImport(Security)` true for everybody.
    .library(
      name: "AppleSource",
      targets: [
        "LocalAuthentication", "Security", "SecureEnclave", "CommonCrypto", "RNCryptor",
        "DataProtection",
      ]
    ),
    .plugin(name: "DataProtectionPlugin", targets: ["DataProtectionPlugin"]),
    .executable(name: "authctl", targets: ["authctl"]),
    .executable(name: "localauthd", targets: ["localauthd"]),
    .executable(name: "localauth-pam-worker", targets: ["localauth-pam-worker"]),
    .executable(name: "localauth-bus", targets: ["localauth-bus"]),
    .executable(name: "localauth-fuse", targets: ["localauth-fuse"]),
    .executable(name: "localauth-sync", targets: ["localauth-sync"]),
  ],
  targets: [
    // C: module maps and thin shims.
    .target(
      name: "CLocalAuthLinux",
      cSettings: [.define("_GNU_SOURCE")]
    ),
    system("CLocalAuthSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    .target(name: "CLocalAuthVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    system("CLocalAuthSodium", pkgConfig: "libsodium", apt: "libsodium-dev"),
    system("CLocalAuthOpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
    system("CLocalAuthPAM", pkgConfig: "pam", apt: "libpam0g-dev"),
    system("CLocalAuthPostgreSQL", pkgConfig: "libpq", apt: "libpq-dev"),
    system("CLocalAuthSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),

    // Loads libfuse3 at run time: a build without its headers gives a program that says so.
    .target(
      name: "CLocalAuthFuse",
      cSettings: [.define("_GNU_SOURCE"), .define("_FILE_OFFSET_BITS", to: "64")]
    ),

    .systemLibrary(name: "CLocalAuthMath"),

    // Pure: no clock, randomness, input, output or threads.
    library("LocalAuthCore", settings: calculating),
    library("LocalAuthJSON"),
    .target(
      name: "LocalAuthWire",
      dependencies: ["LocalAuthCore", "LocalAuthKeychain", "LocalAuthJSON"],
      resources: [.embedInCode("Interfaces")],
      swiftSettings: settings
    ),
    library("LocalAuthToken", ["LocalAuthJSON"]),
    library("LocalAuthSensor", ["LocalAuthCore", "CLocalAuthMath"], settings: calculating),
    library(
      "LocalAuthAnalysis",
      ["LocalAuthCore", "LocalAuthSensor", "CLocalAuthMath"],
      settings: calculating
    ),
    library("LocalAuthKeychain", ["LocalAuthCore"]),
    library("LocalAuthProver", ["LocalAuthCore", "LocalAuthKeychain"], settings: calculating),
    library("LocalAuthBackup", ["LocalAuthCore", "LocalAuthKeychain"]),
    library(
      "LocalAuthSync",
      ["LocalAuthPropertyList", "LocalAuthCore", "LocalAuthKeychain"],
      settings: calculating
    ),
    library("LocalAuthReader", ["LocalAuthCore"]),
    library("LocalAuthPropertyList"),
    .target(
      name: "LocalAuthPolicies",
      dependencies: ["LocalAuthCore", "LocalAuthJSON", "LocalAuthSensor"],
      path: "policies",
      exclude: ["schema", "README.md"],
      sources: ["Sources"],
      resources: [
        .embedInCode("policy"), .embedInCode("lockout"), .embedInCode("passcode-delay"),
        .embedInCode("sensor"),
      ],
      swiftSettings: settings
    ),

    // Adapters: each wraps one part of the system and knows no other adapter.
    library("LocalAuthSecret", ["CLocalAuthLinux"]),
    library("LocalAuthUnix", ["LocalAuthCore", "CLocalAuthLinux"]),
    library(
      "LocalAuthStore",
      ["LocalAuthCore", "LocalAuthKeychain", "CLocalAuthLinux", "CLocalAuthSQLite"]
    ),
    library(
      "LocalAuthCrypto",
      [
        "LocalAuthBackup", "LocalAuthSync", "LocalAuthKeychain", "LocalAuthCore",
        "LocalAuthSecret", "CLocalAuthSodium", "CLocalAuthOpenSSL",
      ]
    ),
    library(
      "LocalAuthPAM",
      [
        "LocalAuthCore", "LocalAuthWire", "LocalAuthSecret", "CLocalAuthPAM", "CLocalAuthLinux",
      ]
    ),
    library("LocalAuthTerminal", ["LocalAuthSecret", "CLocalAuthLinux"]),
    library("LocalAuthPKI", ["LocalAuthSecret", "CLocalAuthOpenSSL"]),
    library("LocalAuthFileFormat", ["LocalAuthKeychain", "LocalAuthSecret", "CLocalAuthOpenSSL"]),
    library("LocalAuthPolicyFiles", ["LocalAuthPolicies", "LocalAuthUnix"]),
    .target(
      name: "LocalAuthHub",
      dependencies: ["LocalAuthSync", "LocalAuthCore", "LocalAuthSecret", "CLocalAuthPostgreSQL"],
      resources: [.embedInCode("Migrations")],
      swiftSettings: settings
    ),

    // The service performs what the machines ask for; the host gives it adapters and sockets.
    library(
      "LocalAuthService",
      [
        "LocalAuthBackup", "LocalAuthCore", "LocalAuthSensor", "LocalAuthPolicies",
        "LocalAuthKeychain", "LocalAuthToken", "LocalAuthSecret", "LocalAuthSync",
        "LocalAuthPropertyList",
      ]
    ),
    library(
      "LocalAuthHost",
      [
        "LocalAuthBackup", "LocalAuthService", "LocalAuthWire", "LocalAuthUnix", "LocalAuthStore",
        "LocalAuthCrypto", "LocalAuthSync",
        "LocalAuthSensor", "LocalAuthPolicies", "LocalAuthPolicyFiles", "LocalAuthKeychain",
        "LocalAuthSecret",
        "LocalAuthToken", "LocalAuthCore", "LocalAuthJSON",
      ]
    ),

    // What people link.
    library(
      "LocalAuthClient",
      [
        "LocalAuthCore", "LocalAuthKeychain", "LocalAuthWire", "LocalAuthJSON", "LocalAuthUnix",
        "LocalAuthSecret",
      ]
    ),
    // What is asked of a person, and the terminal that it is asked on.
    library(
      "LocalAuthDialog",
      [
        "LocalAuthClient", "LocalAuthTerminal", "LocalAuthCore", "LocalAuthWire",
        "LocalAuthSecret", "LocalAuthUnix",
      ]
    ),
    library(
      "LocalAuth",
      [
        "LocalAuthClient", "LocalAuthDialog", "LocalAuthTerminal", "LocalAuthCore",
        "LocalAuthKeychain",
        "LocalAuthWire", "LocalAuthToken", "LocalAuthSecret", "LocalAuthUnix",
      ]
    ),
    library(
      "LocalAuthFiles",
      [
        "LocalAuth", "LocalAuthClient", "LocalAuthFileFormat", "LocalAuthKeychain",
        "LocalAuthWire", "LocalAuthUnix", "LocalAuthSecret", "LocalAuthCore", "CLocalAuthLinux",
      ]
    ),
    library(
      "LocalAuthKeyValue",
      [
        "LocalAuth", "LocalAuthClient", "LocalAuthPropertyList", "LocalAuthSync", "LocalAuthWire",
        "LocalAuthUnix", "LocalAuthCore",
      ]
    ),
    library(
      "LocalAuthDocuments",
      ["LocalAuth", "LocalAuthClient", "LocalAuthWire", "LocalAuthCore"]
    ),
    library(
      "LocalAuthTables",
      ["LocalAuth", "LocalAuthClient", "LocalAuthSync", "LocalAuthWire", "LocalAuthCore"]
    ),
    library(
      "LocalAuthSQLite",
      [
        "LocalAuthFiles", "LocalAuthFileFormat", "LocalAuthKeychain", "LocalAuthUnix",
        "CLocalAuthLinux", "CLocalAuthSQLite", "CLocalAuthVFS",
      ]
    ),
    .target(
      name: "LocalAuthSQLiteExtension",
      dependencies: ["LocalAuthSQLite", "LocalAuthFiles", "CLocalAuthVFS"],
      exclude: ["exports.map"],
      swiftSettings: settings
    ),
    library(
      "LocalAuthEmbedded",
      [
        "LocalAuth", "LocalAuthClient", "LocalAuthHost", "LocalAuthUnix", "LocalAuthWire",
        "LocalAuthCore", "LocalAuthSecret",
      ]
    ),
    library(
      "LocalAuthTestKit",
      [
        "LocalAuthEmbedded", "LocalAuth", "LocalAuthBackup", "LocalAuthClient", "LocalAuthUnix",
        "LocalAuthWire", "LocalAuthCore", "LocalAuthSecret",
      ]
    ),

    library(
      "LocalAuthVerifier",
      ["LocalAuthToken", "LocalAuthCrypto", "LocalAuthKeychain"]
    ),

    // Apple's names.
    library(
      "LocalAuthSecurity",
      [
        "LocalAuth", "LocalAuthEmbedded", "LocalAuthClient", "LocalAuthKeychain", "LocalAuthPKI",
        "LocalAuthSecret", "LocalAuthCore", "CLocalAuthLinux",
      ]
    ),
    library("LocalAuthSecurityObjects", ["LocalAuthSecurity"]),
    library("Security", ["LocalAuthSecurity", "LocalAuthSecurityObjects"]),
    library(
      "LocalAuthentication",
      [
        "Security", "LocalAuthSecurity", "LocalAuth", "LocalAuthEmbedded", "LocalAuthKeychain",
        "LocalAuthSecret", "LocalAuthCore",
      ]
    ),
    library(
      "SecureEnclave",
      [
        "LocalAuthentication", "Security", "LocalAuthSecurity", "LocalAuthPKI",
        "LocalAuthKeychain", "LocalAuthSecret",
      ]
    ),
    // This one is C, so that Swift imports each name as it does Apple's.
    .target(name: "CommonCrypto", dependencies: ["CLocalAuthOpenSSL"]),
    library("LocalAuthRNCryptor", ["CommonCrypto", "LocalAuthSecret"]),
    library("RNCryptor", ["LocalAuthRNCryptor", "LocalAuthSecret"]),
    library(
      "DataProtection",
      [
        "LocalAuthFiles", "LocalAuthKeyValue", "LocalAuthEmbedded", "LocalAuth",
        "LocalAuthKeychain", "LocalAuthSecret",
      ]
    ),
    // Runs in the build of a client: its calls take the place of Foundation's there.
    .plugin(
      name: "DataProtectionPlugin",
      capability: .buildTool(),
      path: "Sources/DataProtectionPlugin"
    ),

    // Programs.
    program(
      "authctl",
      [
        "LocalAuthClient", "LocalAuthDialog", "LocalAuthTerminal", "LocalAuthCore",
        "LocalAuthKeychain",
        "LocalAuthWire", "LocalAuthToken", "LocalAuthJSON", "LocalAuthSecret", "LocalAuthUnix",
        "LocalAuthPolicies", "LocalAuthPolicyFiles", "LocalAuthAnalysis", "LocalAuthSensor",
        "LocalAuthProver", "LocalAuth", "LocalAuthFiles", "LocalAuthBackup", "LocalAuthRNCryptor",
        "LocalAuthPropertyList",
        "CLocalAuthOpenSSL", "CLocalAuthLinux",
      ]
    ),
    program(
      "localauthd",
      ["LocalAuthHost", "LocalAuthWire", "LocalAuthPolicyFiles", "LocalAuthUnix", "LocalAuthCore"]
    ),
    program("localauth-pam-worker", ["LocalAuthPAM", "LocalAuthWire", "LocalAuthCore"]),
    // The only one that links the bus's library.
    program(
      "localauth-bus",
      [
        "LocalAuthReader", "LocalAuthWire", "LocalAuthJSON", "LocalAuthUnix", "LocalAuthCrypto",
        "LocalAuthCore", "CLocalAuthSystemd",
      ]
    ),
    // The only one that links PostgreSQL's library. It has no keys.
    program(
      "localauth-sync",
      [
        "LocalAuthHub", "LocalAuthSync", "LocalAuthUnix", "LocalAuthCrypto", "LocalAuthSecret",
        "LocalAuthCore",
      ]
    ),
    // The file system that shows protected files.
    program(
      "localauth-fuse",
      [
        "LocalAuthFiles", "LocalAuth", "LocalAuthClient", "LocalAuthFileFormat",
        "LocalAuthKeychain", "LocalAuthUnix", "LocalAuthCore", "CLocalAuthLinux", "CLocalAuthFuse",
      ]
    ),

    // What `make bench` compares with C; it is no product.
    .executableTarget(
      name: "localauth-bench",
      dependencies: ["LocalAuthCore", "LocalAuthSensor", "LocalAuthAnalysis"],
      path: "Tests/Benchmarks/Machine",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "localauth-items",
      dependencies: [
        "LocalAuthHost", "LocalAuthService", "LocalAuthStore", "LocalAuthCrypto",
        "LocalAuthKeychain", "LocalAuthSecret", "LocalAuthUnix", "LocalAuthCore",
      ],
      path: "Tests/Benchmarks/Items",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "localauth-hubs",
      dependencies: [
        "LocalAuthSync", "LocalAuthCrypto", "LocalAuthUnix", "LocalAuthSecret", "LocalAuthCore",
      ],
      path: "Tests/Benchmarks/Hub",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "localauth-chunks",
      dependencies: ["LocalAuthFileFormat", "LocalAuthKeychain", "LocalAuthSecret"],
      path: "Tests/Benchmarks/Chunks",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "localauth-stored",
      dependencies: ["LocalAuthKeyValue", "LocalAuthTables"],
      path: "Tests/Benchmarks/Stored",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "localauth-apple",
      dependencies: ["Security", "CommonCrypto", "LocalAuth", "LocalAuthTestKit"],
      path: "Tests/Benchmarks/AppleSource",
      swiftSettings: clientSettings
    ),

    // Tests mirror sources.
    .target(
      name: "LocalAuthTestSupport",
      dependencies: [
        "LocalAuthCore", "LocalAuthKeychain", "LocalAuthSecret", "LocalAuthUnix", "CLocalAuthLinux",
      ],
      path: "Tests/LocalAuthTestSupport",
      swiftSettings: settings
    ),
    tests("LocalAuthCoreTests", ["LocalAuthCore"]),
    tests("LocalAuthJSONTests", ["LocalAuthJSON"]),
    tests(
      "LocalAuthWireTests",
      ["LocalAuthWire", "LocalAuthCore", "LocalAuthKeychain", "LocalAuthJSON"]
    ),
    tests("LocalAuthTokenTests", ["LocalAuthToken", "LocalAuthJSON"]),
    tests("LocalAuthSensorTests", ["LocalAuthSensor", "LocalAuthCore"]),
    tests(
      "LocalAuthAnalysisTests",
      ["LocalAuthAnalysis", "LocalAuthSensor", "LocalAuthPolicies", "LocalAuthCore"]
    ),
    tests(
      "LocalAuthProverTests",
      ["LocalAuthProver", "LocalAuthCore", "LocalAuthPolicies"]
    ),
    tests("LocalAuthKeychainTests", ["LocalAuthKeychain", "LocalAuthCore"]),
    tests(
      "LocalAuthBackupTests",
      [
        "LocalAuthBackup", "LocalAuthCrypto", "LocalAuthKeychain", "LocalAuthCore",
        "LocalAuthSecret",
      ]
    ),
    tests("LocalAuthSyncTests", ["LocalAuthSync", "LocalAuthKeychain", "LocalAuthCore"]),
    tests("LocalAuthReaderTests", ["LocalAuthReader", "LocalAuthCore"]),
    tests("LocalAuthPropertyListTests", ["LocalAuthPropertyList"]),
    tests(
      "LocalAuthPolicyFilesTests",
      ["LocalAuthPolicyFiles", "LocalAuthPolicies", "LocalAuthCore"]
    ),
    tests(
      "LocalAuthPoliciesTests",
      ["LocalAuthPolicies", "LocalAuthSensor", "LocalAuthCore", "LocalAuthJSON"]
    ),
    tests("LocalAuthSecretTests", ["LocalAuthSecret"]),
    tests("LocalAuthUnixTests", ["LocalAuthUnix", "LocalAuthCore", "CLocalAuthLinux"]),
    tests(
      "LocalAuthStoreTests",
      ["LocalAuthStore", "LocalAuthKeychain", "LocalAuthCore", "CLocalAuthSQLite"]
    ),
    tests(
      "LocalAuthCryptoTests",
      [
        "LocalAuthCrypto", "LocalAuthSync", "LocalAuthKeychain", "LocalAuthCore", "LocalAuthSecret",
      ]
    ),
    tests("LocalAuthPKITests", ["LocalAuthPKI", "LocalAuthSecret"]),
    tests(
      "LocalAuthPAMTests",
      [
        "LocalAuthPAM", "LocalAuthWire", "LocalAuthCore", "LocalAuthSecret", "CLocalAuthLinux",
        "localauth-pam-worker",
      ]
    ),
    tests(
      "LocalAuthTerminalTests",
      ["LocalAuthTerminal", "LocalAuthSecret", "CLocalAuthLinux"]
    ),
    tests(
      "LocalAuthDialogTests",
      ["LocalAuthDialog", "LocalAuthTerminal", "LocalAuthWire", "LocalAuthCore"]
    ),
    tests(
      "LocalAuthTests",
      [
        "LocalAuth", "LocalAuthEmbedded", "LocalAuthTestKit", "LocalAuthClient", "LocalAuthUnix",
        "LocalAuthCore", "LocalAuthKeychain", "LocalAuthSecret",
        "LocalAuthToken", "LocalAuthWire", "CLocalAuthLinux", "localauthd",
      ]
    ),
    tests(
      "LocalAuthEmbeddedTests",
      [
        "LocalAuthEmbedded", "LocalAuth", "LocalAuthHost", "LocalAuthSecret", "LocalAuthUnix",
      ]
    ),
    tests(
      "LocalAuthVerifierTests",
      [
        "LocalAuthVerifier", "LocalAuthToken", "LocalAuthCrypto", "LocalAuthKeychain",
      ]
    ),
    tests("LocalAuthTestKitTests", ["LocalAuthTestKit"]),
    tests(
      "SecurityTests",
      [
        "Security", "CommonCrypto", "LocalAuth", "LocalAuthEmbedded", "LocalAuthTestKit",
        "LocalAuthKeychain",
      ],
      settings: clientSettings
    ),
    tests(
      "LocalAuthenticationTests",
      ["LocalAuthentication", "LocalAuthTestKit"],
      settings: clientSettings
    ),
    tests(
      "SecureEnclaveTests",
      ["SecureEnclave", "LocalAuthTestKit"],
      settings: clientSettings
    ),
    tests(
      "CryptoKitTests",
      ["SecureEnclave", "CommonCrypto", "LocalAuthTestKit"],
      settings: clientSettings
    ),
    tests(
      "AppleSourceTests",
      ["Security", "LocalAuthentication", "CommonCrypto", "LocalAuthTestKit"],
      settings: clientSettings
    ),
    tests(
      "LocalAuthServiceTests",
      [
        "LocalAuthService", "LocalAuthBackup", "LocalAuthCore", "LocalAuthPolicies",
        "LocalAuthKeychain", "LocalAuthToken", "LocalAuthSecret", "LocalAuthSensor",
        "LocalAuthSync",
      ]
    ),
    tests(
      "LocalAuthHostTests",
      [
        "LocalAuthHost", "LocalAuthService", "LocalAuthBackup", "LocalAuthCrypto",
        "LocalAuthKeychain", "LocalAuthPolicies", "LocalAuthStore", "LocalAuthCore",
        "LocalAuthSecret", "LocalAuthSync", "LocalAuthToken", "LocalAuthUnix", "LocalAuthWire",
      ]
    ),
    tests(
      "LocalAuthClientTests",
      [
        "LocalAuthClient", "LocalAuthWire", "LocalAuthUnix", "LocalAuthCore", "LocalAuthKeychain",
        "LocalAuthSecret",
      ]
    ),
    tests(
      "authctlTests",
      [
        "authctl", "localauthd", "localauth-pam-worker", "LocalAuthClient", "LocalAuthTerminal",
        "LocalAuthCore", "LocalAuthKeychain", "LocalAuthWire", "LocalAuthJSON", "LocalAuthUnix",
        "LocalAuthToken", "LocalAuthSecret", "LocalAuthRNCryptor",
        "CLocalAuthLinux",
      ]
    ),
    // As a client writes it: nothing in here says `unsafe`.
    .testTarget(
      name: "CommonCryptoTests",
      dependencies: ["CommonCrypto", "LocalAuthTestSupport"],
      swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    tests(
      "LocalAuthFileFormatTests",
      ["LocalAuthFileFormat", "LocalAuthKeychain", "LocalAuthSecret"]
    ),
    tests(
      "LocalAuthFilesTests",
      [
        "LocalAuthFiles", "LocalAuthTestKit", "LocalAuth", "LocalAuthFileFormat",
        "LocalAuthClient", "LocalAuthKeychain", "LocalAuthSecret", "LocalAuthUnix",
      ]
    ),
    tests(
      "LocalAuthKeyValueTests",
      [
        "LocalAuthKeyValue", "LocalAuthTestKit", "LocalAuth", "LocalAuthClient", "LocalAuthSync",
        "LocalAuthPropertyList", "LocalAuthUnix", "LocalAuthWire",
      ]
    ),
    tests(
      "LocalAuthDocumentsTests",
      [
        "LocalAuthDocuments", "LocalAuthTestKit", "LocalAuth", "LocalAuthClient", "LocalAuthWire",
        "LocalAuthUnix",
      ]
    ),
    tests(
      "LocalAuthTablesTests",
      ["LocalAuthTables", "LocalAuthTestKit", "LocalAuth"]
    ),
    tests(
      "LocalAuthSQLiteTests",
      [
        "LocalAuthSQLite", "LocalAuthFiles", "LocalAuthFileFormat", "LocalAuthTestKit", "LocalAuth",
        "LocalAuthKeychain", "CLocalAuthSQLite",
      ]
    ),
    tests(
      "DataProtectionTests",
      ["DataProtection", "LocalAuthTestKit"],
      settings: clientSettings,
      plugins: ["DataProtectionPlugin"]
    ),
    tests("RNCryptorTests", ["RNCryptor", "LocalAuthRNCryptor", "LocalAuthSecret"]),
    tests("LocalAuthHouseRulesTests", []),

    // The programs as people run them, over real sockets.
    tests(
      "LocalAuthEndToEndTests",
      [
        "localauthd", "localauth-pam-worker", "localauth-bus", "localauth-fuse", "localauth-sync",
        "authctl",
        "LocalAuthHost",
        "LocalAuthWire", "LocalAuthJSON", "LocalAuthUnix", "LocalAuthCore", "LocalAuthKeychain",
        "LocalAuthSecret",
        "LocalAuthCrypto", "LocalAuthStore", "LocalAuthToken", "LocalAuthVerifier",
        "LocalAuthHub", "LocalAuthSync",
        "LocalAuthSensor", "LocalAuthAnalysis", "LocalAuthPolicies", "CLocalAuthLinux",
      ],
      path: "Tests/EndToEndTests"
    ),
  ],
  swiftLanguageModes: [.v6]
)
