import Testing

/// Rules that the compiler cannot keep; each failure names file, line, and what to do instead.
@Suite struct HouseRulesTests {
  private static let sources = SourceTree.swiftFiles(in: "Sources", "policies/Sources")
  private static let pure: Set = [
    "LocalAuthCore", "LocalAuthJSON", "LocalAuthWire", "LocalAuthSensor", "LocalAuthPolicies",
    "LocalAuthKeychain", "LocalAuthToken", "LocalAuthAnalysis", "LocalAuthProver",
    "LocalAuthBackup", "LocalAuthSync", "LocalAuthPropertyList",
  ]

  @Test func theSourcesAreFound() { #expect(Self.sources.count > 100) }

  @Test func pureTargetsTouchNoClockNoRandomnessNoThreadAndNoFile() {
    let banned = [
      "import Foundation", "import Glibc", "import Dispatch", "import Synchronization", " async ",
      "await ", "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator", "Task {",
      "Date(",
    ]
    for file in Self.sources where Self.pure.contains(file.target) {
      for (number, text) in file.code {
        for word in banned where text.contains(word) {
          Issue.record("\(file.path):\(number): '\(word)' in a pure target; pass it in instead")
        }
      }
    }
  }

  /// What each target may import, besides Swift's own modules; arrows point down only.
  private static let arrows: [String: Set<String>] = [
    "LocalAuthCore": [],
    "LocalAuthJSON": [],
    "LocalAuthWire": ["LocalAuthCore", "LocalAuthKeychain", "LocalAuthJSON"],
    "LocalAuthToken": ["LocalAuthJSON"],
    "LocalAuthSensor": ["LocalAuthCore", "CLocalAuthMath"],
    "LocalAuthAnalysis": ["LocalAuthCore", "LocalAuthSensor", "CLocalAuthMath"],
    "LocalAuthProver": ["LocalAuthCore", "LocalAuthKeychain"],
    "LocalAuthKeychain": ["LocalAuthCore"],
    "LocalAuthBackup": ["LocalAuthCore", "LocalAuthKeychain"],
    "LocalAuthSync": ["LocalAuthCore", "LocalAuthKeychain", "LocalAuthPropertyList"],
    "LocalAuthPropertyList": [],
    "LocalAuthPolicies": ["LocalAuthCore", "LocalAuthJSON", "LocalAuthSensor"],
    "LocalAuthSecret": ["CLocalAuthLinux"],
    "LocalAuthUnix": ["LocalAuthCore", "CLocalAuthLinux"],
    "LocalAuthStore": [
      "LocalAuthCore", "LocalAuthKeychain", "CLocalAuthSQLite", "CLocalAuthLinux",
    ],
    "LocalAuthCrypto": [
      "LocalAuthBackup", "LocalAuthSync", "LocalAuthKeychain", "LocalAuthCore", "LocalAuthSecret",
      "CLocalAuthSodium",
      "CLocalAuthOpenSSL",
    ],
    "LocalAuthPAM": [
      "LocalAuthCore", "LocalAuthSecret", "LocalAuthWire", "CLocalAuthPAM", "CLocalAuthLinux",
    ],
    "LocalAuthTerminal": ["LocalAuthSecret", "CLocalAuthLinux"],
    "LocalAuthPKI": ["LocalAuthSecret", "CLocalAuthOpenSSL"],
    "LocalAuthRNCryptor": ["LocalAuthSecret", "CommonCrypto"],
    "LocalAuthFileFormat": ["LocalAuthKeychain", "LocalAuthSecret", "CLocalAuthOpenSSL"],
    "LocalAuthPolicyFiles": ["LocalAuthPolicies", "LocalAuthUnix"],
    "LocalAuthService": [
      "LocalAuthBackup",
      "LocalAuthCore", "LocalAuthSensor", "LocalAuthPolicies", "LocalAuthKeychain",
      "LocalAuthToken", "LocalAuthSecret", "LocalAuthSync", "LocalAuthPropertyList",
    ],
    "LocalAuthVerifier": ["LocalAuthToken", "LocalAuthCrypto", "LocalAuthKeychain"],
  ]

  @Test func everyImportPointsDown() {
    let system: Set = ["Glibc", "Synchronization"]
    for file in Self.sources {
      guard let allowed = Self.arrows[file.target] else { continue }
      for module in file.imports where !allowed.contains(module) && !system.contains(module) {
        Issue.record("\(file.path): imports \(module), which is not below \(file.target)")
      }
    }
  }

  /// One name, one thing: whoever searches for a type finds the one that is meant.
  @Test func noTopLevelNameIsDeclaredTwice() {
    var places: [String: String] = [:]
    for file in Self.sources {
      for (number, name) in file.topLevelTypes {
        let place = "\(file.path):\(number)"
        guard let first = places.updateValue(place, forKey: name) else { continue }
        Issue.record("\(place): \(name) is also declared at \(first); name one of them differently")
      }
    }
    #expect(places.count > 500)
  }

  /// The modules with names that Apple's platforms have, whose types are Foundation's.
  private static let appleSource: Set = [
    "LocalAuthSecurity", "LocalAuthSecurityObjects", "Security", "LocalAuthentication",
    "SecureEnclave", "CommonCrypto", "RNCryptor", "DataProtection",
    "DataProtectionPlugin",
  ]

  /// Whether a module of these names is there depends on the rest of the build.
  @Test func ourOwnSourcesNeverAskForApplesNames() {
    for file in Self.sources where !Self.appleSource.contains(file.target) {
      // What the module RNCryptor and `authctl rncrypt` share is built on the ciphers of CommonCrypto.
      let allowed = file.target == "LocalAuthRNCryptor" ? ["CommonCrypto"] : []
      for name in file.imports where Self.appleSource.contains(name) && !allowed.contains(name) {
        Issue.record("\(file.path): imports \(name), which is for clients of AppleSource")
      }
      for (number, text) in file.code {
        for name in Self.appleSource where text.contains("canImport(\(name))") {
          Issue.record("\(file.path):\(number): asks for \(name)")
        }
      }
    }
  }

  @Test func nothingShippedUsesFoundationOrDispatch() {
    for file in Self.sources where !Self.appleSource.contains(file.target) {
      for module in file.imports where ["Foundation", "Dispatch"].contains(module) {
        Issue.record("\(file.path): imports \(module); Glibc and our own loop are enough")
      }
    }
  }

  @Test func oneProgramAloneSpeaksOnTheBus() {
    let speakers = Self.sources.filter { $0.imports.contains("CLocalAuthSystemd") }.map(\.target)
    #expect(Set(speakers) == ["localauth-bus"])
  }

  /// Whoever links PostgreSQL's library can reach a network; nobody else of ours can.
  @Test func oneProgramAloneSpeaksToHubs() {
    let adapters = Self.sources.filter { $0.imports.contains("CLocalAuthPostgreSQL") }.map(\.target)
    let programs = Self.sources.filter { $0.imports.contains("LocalAuthHub") }.map(\.target)
    #expect(Set(adapters) == ["LocalAuthHub"] && Set(programs) == ["localauth-sync"])
  }

  /// Code of ours in C, below these folders.
  private static let calls = SourceTree.files(in: ["Sources", "pam/src"], [".c", ".h", ".swift"])

  /// A refusal names its time, and whoever waits does so for a descriptor.
  @Test func nothingSleeps() {
    let words = Set(["sleep", "usleep", "nanosleep", "clock_nanosleep"].map { $0 + "(" })
    expectNone(of: words, besides: "func sleep(", "case sleep(", "return sleep(", ".sleep(")
  }

  @Test func nothingAsksForANetwork() {
    expectNone(of: ["AF_INET", "sockaddr_in", "getaddrinfo("])
  }

  private func expectNone(of words: Set<String>, besides allowed: String...) {
    #expect(Self.calls.count > 100)
    for file in Self.calls {
      for (number, text) in file.code where words.contains(where: text.contains) {
        if allowed.contains(where: text.contains) { continue }
        Issue.record("\(file.path):\(number): \(text)")
      }
    }
  }

  /// What types do not say of the order of effects: `DurableCharge` and `Commit` come from a machine alone, but a keybag
  /// is opened and sealed by anybody who has one.
  @Test func onlyTheEffectRunnerSealsKeysAndWrites() {
    let calls: [(call: String, allowed: Set<String>)] = [
      ("store.commit(", ["EffectRunner.swift"]),
      ("keybags.open(keybag, passcode", ["KeyBundle.swift"]),
      ("keys.seal(", ["EffectRunner.swift"]),
      ("sensor.judge(", ["SensorDriver.swift"]),
    ]
    let service: Set = ["LocalAuthService", "LocalAuthHost", "localauthd", "LocalAuthEmbedded"]
    check(calls, in: Self.sources.filter { service.contains($0.target) })
  }

  /// A kind of authenticator that LocalAuth does not have is added in one folder, and everything else knows it by its
  /// description alone.
  @Test func aKindOfAuthenticatorTakesAtMostSixFiles() {
    let folder = "Tests/LocalAuthServiceTests/PluggedIn"
    let files = SourceTree.swiftFiles(in: folder)
    #expect((1...6).contains(files.count), "\(files.map(\.path))")
    for file in SourceTree.swiftFiles(in: "Sources", "policies/Sources", "Tests")
    where !file.path.hasPrefix(folder) && !file.path.hasPrefix("Tests/LocalAuthHouseRulesTests") {
      for (number, text) in file.code
      where text.contains("kind: .badge") || text.contains("AuthenticatorKind.badge") {
        Issue.record("\(file.path):\(number): knows the made-up kind")
      }
    }
  }

  /// Each link of the chain from a success to the key of an item with access control has one place, in
  /// any target: the success becomes an authorization, that a proof, and the proof is spent on the key.
  @Test func oneWayLeadsToTheKeyOfAnItemWithAccessControl() {
    check(
      [
        // The prover plays both, and has no key.
        ("authorizations.grant(", ["KeychainProving.swift", "ItemModel+Checks.swift"]),
        ("authorizations.proof(", ["KeychainSearching.swift", "ItemModel+Checks.swift"]),
        ("return Proof(", ["Authorizations.swift"]),
        // A backup opens what has no access control, and so is what the service keeps; the others need a proof.
        (
          "vault.data(of",
          [
            "KeychainSearching.swift", "BackupRun.swift", "RestoreRun+Commit.swift",
            "KeyValuePlace.swift", "DocumentPlace.swift", "TablePlace.swift",
            "CarriedFileKeys.swift",
            "Synchronizer+Push.swift",
            "Synchronizer+Items.swift",
          ]
        ),
        // The keys of assertions have no access control, and nobody but their issuer names them.
        ("vault.use(", ["KeychainSearching.swift", "IssuerKeys.swift"]),
        (".openGuarded(", ["DeviceVault+Items.swift"]),
        ("guarded(accessControl, ", ["ItemCipher.swift"]),
        ("guarded(proof", ["ItemCipher.swift"]),
        ("guardKey", ["ClassKeys.swift", "ItemCipher.swift"]),
        ("pair(of:", ["ItemCipher.swift"]),
      ],
      in: Self.sources
    )
  }

  /// Records each call outside its files, and each that nobody makes any more.
  private func check(
    _ calls: [(call: String, allowed: Set<String>)],
    in sources: [SourceFile]
  ) {
    for (call, allowed) in calls {
      var uses = 0
      for file in sources {
        let name = String(file.path.split(separator: "/").last ?? "")
        for (number, text) in file.code where text.contains(call) {
          uses += 1
          if !allowed.contains(name) {
            Issue.record("\(file.path):\(number): '\(call)' belongs to \(allowed.sorted())")
          }
        }
      }
      #expect(uses > 0, "nobody calls '\(call)' any more; mend this test")
    }
  }

  @Test func noShortcutsAreLeft() {
    let banned = ["try!", "as!", "TODO", "FIXME"]
    for file in Self.sources {
      for (number, line) in file.lines.enumerated() {
        for word in banned where line.contains(word) {
          Issue.record("\(file.path):\(number + 1): '\(word)'")
        }
      }
    }
  }

  @Test func onlyProgramsPrint() {
    for file in Self.sources where file.target.first?.isLowercase != true {
      for (number, text) in file.code where text.contains(" print(") {
        Issue.record("\(file.path):\(number): print; a library has no standard output")
      }
    }
  }

  /// Long files are tables, or one type that deserves it; each is named here.
  @Test func everyTargetOfOursIsCheckedStrictly() throws {
    let manifest = try SourceTree.text(of: "Package.swift")
    #expect(manifest.contains("\n  .strictMemorySafety(),\n  .enable"))
    #expect(manifest.contains(".treatAllWarnings(as: .error)"))
  }

  @Test func filesAreShort() {
    let tables: Set = ["DeviceMessages.swift"]
    for file in Self.sources {
      let name = String(file.path.split(separator: "/").last ?? "")
      let limit = tables.contains(name) ? 600 : 400
      if file.lines.count > limit { Issue.record("\(file.path): \(file.lines.count) lines") }
    }
  }

  @Test func everyUnsafeExpressionSaysWhyItIsSafe() {
    // Adapters over C are full of them and say it once a call; elsewhere every use has its reason.
    let strict: Set = [
      "LocalAuthCore", "LocalAuthSensor", "LocalAuthKeychain", "LocalAuthService",
      "LocalAuthPolicies",
    ]
    for file in Self.sources where strict.contains(file.target) {
      for (number, text) in file.code where text.contains("unsafe ") {
        let near = file.lines[max(0, number - 6)..<min(file.lines.count, number + 3)]
        if !near.contains(where: { $0.contains("SAFETY:") }) {
          Issue.record("\(file.path):\(number): unsafe without a SAFETY comment near it")
        }
      }
    }
  }

  @Test func nothingNamesTheMachineItWasWrittenOn() {
    // Spelled in parts, or this file would name them itself.
    let banned = ["/wo" + "rk/", "/opt/" + "swift", "/ro" + "ot/"]
    for file in Self.sources + SourceTree.swiftFiles(in: "Tests") {
      for (number, line) in file.lines.enumerated() {
        for path in banned where line.contains(path) {
          Issue.record("\(file.path):\(number + 1): a path of one machine")
        }
      }
    }
  }
}
