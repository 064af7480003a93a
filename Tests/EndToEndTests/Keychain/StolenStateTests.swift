import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthUnix
import Testing

@testable import LocalAuthCrypto
@testable import LocalAuthStore

/// What somebody gets who has the files and everything that our own libraries allow.
@Suite struct StolenStateTests {
  private let home: StolenHome

  init() throws { home = try StolenHome() }

  // MARK: The database alone

  @Test func noFileHoldsAnyOfItInTheClear() throws {
    var markers = [StolenHome.service, StolenHome.group, StolenHome.passcode]
    markers += StolenHome.kept.flatMap(\.markers)
    for directory in [home.path, home.crashedPath] {
      var files = try Files.contents(of: directory)
      #expect(files["state.sqlite"]?.isEmpty == false)
      files["standard error"] = Array(home.daemonLog.utf8)
      for (name, bytes) in files {
        for marker in markers + markers.map(\.inBase64) {
          #expect(!marker.isPart(of: bytes), "\(directory)/\(name): SEED=\(Settings.seed)")
        }
      }
    }
    #expect(try Files.read(home.crashedPath + "/state.sqlite-wal").count > 32)
  }

  @Test func databaseAloneOpensNoKeybagAndNoItem() throws {
    for directory in [home.path, home.crashedPath] {
      for device in ["sim", "bare"] {
        let thief = try Thief(database: directory)
        #expect(throws: KeybagError.malformed) { _ = try thief.keys(of: device).classes }
        // Not even whoever knows the passcode can tell.
        #expect(throws: KeybagError.self) {
          _ = try thief.keys(of: device, passcode: StolenHome.passcode.text).classes
        }
        #expect(try thief.items(of: device).count == StolenHome.kept.count { $0.device == device })
      }
    }
  }

  @Test func databaseAloneConfirmsNoGuess() throws {
    let thief = try Thief(database: home.path)
    for kept in StolenHome.kept {
      #expect(try thief.found(kept.account.text, on: kept.device).isEmpty)
    }
    // Equal items of two devices have nothing in common, and no hash is one that needs no key.
    let hashes = try ["sim", "bare"].map { Set(try thief.items(of: $0).flatMap(\.terms)) }
    #expect(hashes[0].isDisjoint(with: hashes[1]))
  }

  @Test func databaseAloneShowsOnlyWhatItsTablesSay() throws {
    let items = try Thief(database: home.path).items(of: "sim")
    // That much is told in docs/threat-model.md: classes, sizes, access control, and equal values.
    #expect(Set(items.map(\.header.protection)) == Set(ProtectionClass.allCases))
    #expect(items.count { !$0.accessControl.isEmpty } == 4)
    let shared = items.reduce(Set(items[0].terms)) { $0.intersection($1.terms) }
    #expect(shared.contains { $0.attribute == ItemAttribute.service.searchNumber })
  }

  // MARK: The directory of a device with a passcode

  @Test func directoryGivesTheItemsThatAreAlwaysOpenAndNoOthers() throws {
    for directory in [home.path, home.crashedPath] {
      let thief = try Thief(directory: directory)
      let keys = try thief.keys(of: "sim")
      #expect(keys.classes == .always)
      var opened = Set<String>()
      for item in try thief.items(of: "sim") {
        let loot = thief.open(item, of: "sim", with: keys)
        guard ProtectionClassSet.always.contains(item.header.protection) else {
          #expect(loot.isNothing, "\(item.header.protection)")
          continue
        }
        let owned = StolenHome.kept.first { $0.device == "sim" && $0.loot == loot }
        opened.insert(try #require(owned).protection.rawValue)
      }
      #expect(opened == ["dk", "dku"])
    }
  }

  @Test func directoryConfirmsAGuessOfAnAccount() throws {
    let thief = try Thief(directory: home.path)
    for kept in StolenHome.kept {
      let found = try thief.found(kept.account.text, on: kept.device)
      #expect(found.map(\.header.protection) == [kept.protection])
      #expect(try thief.found(kept.account.text + "x", on: kept.device).isEmpty)
    }
  }

  @Test func guessOfThePasscodeCostsArgon2id() throws {
    let thief = try Thief(directory: home.path)
    let keybag = try thief.keybag(of: "sim")
    let cost = try #require(keybag.cost)
    #expect(cost.isAtLeast(.floor) && cost == .standard)
    #expect(cost.kibibytes >= 65_536 && cost.passes >= 3)
    #expect(Set(keybag.salt).count > 4)
    #expect(throws: KeybagError.wrongPasscode) {
      _ = try thief.keys(of: "sim", passcode: "1234").classes
    }
    #expect(try thief.keys(of: "sim", passcode: StolenHome.passcode.text).classes == .all)
  }

  @Test(arguments: [(1, 8), (1, 65_536), (2, 19_455), (2, 19_456), (3, 65_535)])
  func keybagMadeCheaperIsRefused(_ passes: UInt32, _ kibibytes: UInt32) throws {
    let thief = try Thief(directory: home.path)
    var bytes = try thief.keybag(of: "sim").bytes
    bytes.replaceSubrange(
      10..<14,
      with: (0..<4).map { UInt8(truncatingIfNeeded: passes >> ($0 * 8)) }
    )
    bytes.replaceSubrange(
      14..<18,
      with: (0..<4).map { UInt8(truncatingIfNeeded: kibibytes >> ($0 * 8)) }
    )
    let cheaper = try #require(SealedKeybag(bytes: bytes))
    let cost = try #require(cheaper.cost)
    let expected: KeybagError = cost.isAtLeast(.floor) ? .malformed : .tooCheap
    #expect(throws: expected) {
      _ = try KeybagCipher(thief.key).open(
        cheaper,
        passcode: .of(Array(StolenHome.passcode.text.utf8)),
        for: Thief.device("sim")
      ).classes
    }
    thief.store.close()
    // Not even the device's key opens it, so that no unlocking would help.
    try expectRefused(keybag: bytes, status: 70)
  }

  @Test func keybagSealedAnewBelowTheFloorIsRefused() throws {
    // Only who has the passcode can make this one, and it would make the next theft cheap.
    try expectRefused(keybag: sealedAnew(cost: .minimum))
  }

  @Test func keybagSealedAnewAtTheFloorOpens() throws {
    // So what is refused above is refused for its cost, and not because somebody was there.
    try Self.put(keybag: sealedAnew(cost: .floor), of: "sim", in: home.path)
    let daemon = try DaemonProcess(home: home.path)
    try daemon.connect().administer("Unlock", "sim", ["passcode": .text(StolenHome.passcode.text)])
    let kept = StolenHome.kept[0]
    let run = try KeychainCommands(home: home.path).get(kept.account.text)
    #expect(run.output == kept.secret.text, "\(run.errors)")
  }

  private func sealedAnew(cost: PasscodeCost) throws -> [UInt8] {
    let thief = try Thief(directory: home.path)
    let keys = try thief.keys(of: "sim", passcode: StolenHome.passcode.text)
    let sealed = try KeybagCipher(thief.key, floor: .minimum).seal(
      keys,
      thief.keybag(of: "sim").record,
      passcode: .of(Array(StolenHome.passcode.text.utf8)),
      cost: cost,
      for: Thief.device("sim")
    )
    thief.store.close()
    return sealed.bytes
  }

  /// The daemon gives nothing for the right passcode where the keybag is `bytes`.
  private func expectRefused(
    keybag bytes: [UInt8],
    status: Int32 = 22,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try Self.put(keybag: bytes, of: "sim", in: home.path)
    let daemon = try DaemonProcess(home: home.path)
    let client = try daemon.connect()
    let passcode: JSONValue = .text(StolenHome.passcode.text)
    let unlocked = try client.call(
      Interface.devices + "Unlock",
      ["device": "sim", "passcode": passcode]
    )
    #expect(unlocked.error != nil, sourceLocation: location)
    for kept in StolenHome.kept where kept.device == "sim" && kept.flags == nil {
      guard !ProtectionClassSet.always.contains(kept.protection) else { continue }
      let run = try KeychainCommands(home: home.path).get(kept.account.text)
      #expect(run.output == "" && run.status == status, "\(run.errors)", sourceLocation: location)
    }
  }

  private static func put(keybag bytes: [UInt8], of device: String, in directory: String) throws {
    let database = try Database.open(directory + "/state.sqlite", .readWrite)
    let changed = try database.prepare("UPDATE keybag SET sealed = ? WHERE name = ?")
      .run([.blob(bytes), .text(device)])
    #expect(changed == 1)
  }

  // MARK: The directory and the passcode, or no passcode at all

  @Test func directoryAndPasscodeNeedNoFinger() throws {
    let thief = try Thief(directory: home.path)
    let keys = try thief.keys(of: "sim", passcode: StolenHome.passcode.text)
    try expectEverythingOpen(thief, keys, of: "sim")
  }

  @Test func deviceWithoutAPasscodeLosesEverythingWithItsDirectory() throws {
    let thief = try Thief(directory: home.path)
    #expect(try thief.keybag(of: "bare").cost == nil)
    try expectEverythingOpen(thief, try thief.keys(of: "bare"), of: "bare")
  }

  /// Everything but the data of items with an application password, which is one more guess.
  private func expectEverythingOpen(
    _ thief: Thief,
    _ keys: borrowing ClassKeys,
    of device: String
  ) throws {
    let owned = StolenHome.kept.filter { $0.device == device }
    let items = try thief.items(of: device)
    #expect(items.count == owned.count)
    for item in items {
      let loot = thief.open(item, of: device, with: keys)
      let kept = try #require(owned.first { $0.account.text == loot.account })
      guard let password = kept.password else {
        #expect(loot == kept.loot, "\(kept.protection) \(kept.flags ?? "")")
        continue
      }
      #expect(loot.label == kept.label.text && loot.secret == nil)
      #expect(thief.open(item, of: device, with: keys, password: "guess").secret == nil)
      #expect(thief.open(item, of: device, with: keys, password: password.text) == kept.loot)
      #expect(ApplicationPasswordKeys.cost.isAtLeast(.floor))
    }
  }
}

extension Thief {
  /// The items whose account a guess at it finds.
  fileprivate func found(_ account: String, on device: String) throws -> [SealedItem] {
    let search = SearchHash(key, of: DeviceLabel(Self.device(device)))
    guard let hash = search.hash(of: SearchTerm(.account, .text(account))) else { return [] }
    return try items(of: device, [hash])
  }
}
