import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// What opens the files of one protection of another device, and came here with a backup.
///
/// It is an item of the service's own, of the class that such files have here: so it comes and goes with the lock as they do,
/// and goes on with the next backup.
struct CarriedFileKey {
  /// How many a device has at most: one for each protection of so many devices.
  static let countMax = 64 * FileProtection.allCases.count
  private static let service = "keys of files"

  let protection: FileProtection
  let name: String

  /// What the items of all of them have.
  static var term: SearchTerm { SearchTerm(.service, .text(service)) }

  init(_ protection: FileProtection, _ name: String) {
    self.protection = protection
    self.name = name
  }

  /// The key that an item has; nil if it has none.
  init?(_ item: Item) {
    guard item.group == AccessGroups.internalGroup,
      item.attributes[.service] == .text(Self.service),
      case .text(let account)? = item.attributes[.account]
    else { return nil }
    let words = account.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let protection = FileProtection(word: String(words[0])),
      item.accessControl == AccessControl(protection.protectionClass)
    else { return nil }
    self.init(protection, String(words[1]))
  }

  func item(_ identifier: ItemIdentifier, at now: WallInstant) -> Item {
    Item(
      identifier: identifier,
      itemClass: .genericPassword,
      group: AccessGroups.internalGroup,
      accessControl: AccessControl(protection.protectionClass),
      created: now,
      modified: now,
      attributes: [
        .service: .text(Self.service), .account: .text("\(protection.word) \(name)"),
      ],
      hasData: true
    )
  }
}

extension Engine {
  /// Opens the key of a file with what was carried here; nil if nothing of it does.
  func openCarried(
    _ wrapped: WrappedFileKey,
    on device: LiveDevice
  ) throws(EngineError) -> SecretBox? {
    var opened: SecretBox?
    try eachCarriedKey(on: device) { key, _, stored in
      guard key.protection == wrapped.protection, let data = device.vault.data(of: stored) else {
        return true
      }
      opened = device.vault.openFileKey(wrapped, with: data)
      return opened == nil
    }
    return opened
  }

  /// Calls `body` with each key that was carried to a device, until that returns false.
  func eachCarriedKey(
    on device: LiveDevice,
    _ body: (CarriedFileKey, Item, borrowing StoredItem) -> Bool
  ) throws(EngineError) {
    let (lookup, vault) = (device.passwords(with: CarriedFileKey.term), device.vault)
    var (cursor, goesOn): (ItemHash?, Bool) = (nil, true)
    repeat {
      let page = try reading { (store) throws(StorageError) in
        try store.eachItem(lookup, after: cursor, limit: CarriedFileKey.countMax) { stored in
          guard let item = vault.item(stored), let key = CarriedFileKey(item) else { return true }
          goesOn = body(key, item, stored)
          return goesOn
        }
      }
      cursor = page.next
    } while goesOn && cursor != nil
  }
}

// MARK: - Backups

/// Puts what opens protected files into a backup: of its device, and of others whose keys were carried here.
struct FileKeyBackup {
  private(set) var isDone: Bool
  private let scope: BackupScope

  init(isWanted: Bool, _ scope: BackupScope) {
    isDone = !isWanted
    self.scope = scope
  }

  /// Adds all of it; throws if the device was locked and nothing may be left out.
  mutating func step(
    of device: LiveDevice,
    isPartial: Bool,
    _ engine: Engine,
    _ writer: any BackupSealing,
    _ counts: inout BackupCounts
  ) throws(EngineError) {
    isDone = true
    let now = device.now(engine.clock.now())
    for protection in FileProtection.allCases where scope.covers(protection.protectionClass) {
      let protectionClass = protection.protectionClass
      guard device.canUse(protectionClass, at: now.boot),
        let (name, key) = device.vault.fileProtectionKey(protection)
      else {
        guard isPartial else {
          throw .refused(Outcome(.itemLocked, detail: Engine.lockedMeanwhile))
        }
        counts.add(.leftOut(.locked), protectionClass)
        continue
      }
      let identifier = engine.itemIdentifiers.next(at: now.wall, using: &engine.random)
      let item = CarriedFileKey(protection, name).item(identifier, at: now.wall)
      counts.add(
        fileKey: writer.add(item, data: key.take(), under: protectionClass),
        protectionClass
      )
    }
    try engine.eachCarriedKey(on: device) { key, item, stored in
      let protectionClass = key.protection.protectionClass
      guard scope.covers(protectionClass) else { return true }
      let data = device.vault.data(of: stored)
      let isAdded = data != nil && writer.add(item, data: data, under: protectionClass)
      counts.add(fileKey: isAdded, protectionClass)
      return true
    }
  }
}

extension RestoreRun {
  /// Takes what opens protected files; what becomes of it is known at once unless it is to be restored.
  func take(
    _ key: CarriedFileKey,
    _ item: Item,
    _ data: SecretBox?,
    sealedUnder: ProtectionClass?,
    _ engine: Engine
  ) throws(EngineError) -> RestoredItem {
    var restored = RestoredItem(
      name: "what opens files: \(key.protection.word)",
      identifier: item.identifier,
      fate: .damaged
    )
    let protection = key.protection
    guard sealedUnder == protection.protectionClass, let data = data?.take(),
      device.vault.name(of: data, opening: protection) == key.name
    else { return restored }
    restored.fate = try fate(of: key, data, engine)
    return restored
  }

  private func fate(
    of key: CarriedFileKey,
    _ data: consuming Secret,
    _ engine: Engine
  ) throws(EngineError) -> RestoreFate? {
    guard purpose != .verify else { return .restored }
    let now = device.now(engine.clock.now()).wall
    let identifier = engine.itemIdentifiers.next(at: now, using: &engine.random)
    let item = key.item(identifier, at: now)
    if carriedKeys == nil { carriedKeys = try engine.carriedKeys(on: device) }
    let here = carriedKeys ?? []
    guard device.vault.fileProtectionKey(key.protection)?.name != key.name,
      !here.contains(device.vault.hash(of: PrimaryKey(of: item)))
    else { return .older }
    guard here.count + groups.fileKeys.count < CarriedFileKey.countMax else { return .skipped }
    guard case .restore = purpose else {
      groups.fileKeys.append(device.vault.hash(of: PrimaryKey(of: item)))
      return .restored
    }
    guard let classKey = device.keybag.record.classKey(of: key.protection.protectionClass),
      let sealed = device.vault.seal(item, data: consume data, classKey: classKey, password: nil)
    else { throw .refused(Outcome(.itemLocked, detail: Engine.lockedMeanwhile)) }
    let isTaken = try spooling(engine) { (spool) throws(StorageError) in
      try spool.take(sealed, digest: [])
    }
    guard isTaken else { return .skipped }
    try count(sealed.byteCount)
    groups.fileKeys.append(sealed.header.key)
    return nil
  }
}

extension Engine {
  /// The keys of items that were carried here and are whole.
  fileprivate func carriedKeys(on device: LiveDevice) throws(EngineError) -> Set<ItemHash> {
    var keys: Set<ItemHash> = []
    try eachCarriedKey(on: device) { key, _, stored in
      if let data = device.vault.data(of: stored),
        device.vault.name(of: data, opening: key.protection) == key.name
      {
        keys.insert(stored.header.key)
      }
      return true
    }
    return keys
  }

  /// Puts what opens files in place of what is damaged here; what is whole stays.
  func settle(fileKey key: ItemHash, _ restoration: Restoration) throws(EngineError) {
    let (run, device) = (restoration.run, restoration.run.device)
    // Nothing comes or goes while the restore has the device's turn.
    if restoration.carriedKeys == nil { restoration.carriedKeys = try carriedKeys(on: device) }
    let isHere = restoration.carriedKeys?.contains(key) == true
    let occupant = try occupant(ofKey: key, on: device)
    try run.spooling(self) { (spool) throws(StorageError) in
      if isHere { try spool.drop(key) } else if let occupant { try spool.remove(occupant) }
    }
    restoration.report.add(isHere ? .older : .restored)
  }
}
