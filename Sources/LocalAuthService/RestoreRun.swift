public import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// One backup that is being read.
///
/// Chunks are verified as they come, and what is to be restored is sealed for this device and spooled. Nothing
/// is changed before ``Engine/endRestore(_:on:then:)`` has verified the end.
final class RestoreRun: BackupExchange {
  let device: LiveDevice
  let caller: Caller
  let purpose: RestorePurpose
  let reader: any BackupOpening
  let plan: RestorePlan
  var report = RestoreReport()
  /// How far a preview has named what is deleted.
  var deletions = ItemCursor()
  /// The items that are deleted for one of the backup that is not put in their place, and are still to be told.
  private var lost: [RestoredItem] = []
  /// The documents and stores that came.
  var groups = GroupRestore()
  /// What opens files and was carried here before the first of them came; the end of the restore looks once more.
  var carriedKeys: Set<ItemHash>?
  /// What the backup has for this device; nil as long as that is nothing.
  private(set) var spool: (any ItemSpooling)?
  /// How often the device's keys had been erased: what is spooled is sealed under those before the next time.
  private let erasures: Int
  var isErased: Bool { erasures != device.erasures || device.machine.isRemoved }
  private var spooled = SpooledAmount("A restore")
  private let limits: SpooledAmount.Limits

  init(
    _ request: RestoreRequest,
    on device: LiveDevice,
    caller: Caller,
    _ reader: any BackupOpening,
    limits: SpooledAmount.Limits
  ) {
    self.device = device
    self.caller = caller
    self.reader = reader
    self.limits = limits
    erasures = device.erasures
    purpose = request.purpose
    let scope = request.purpose == .verify ? BackupScope() : request.scope
    plan = RestorePlan(request.purpose.mode, groups: request.groups, scope)
  }

  /// Verifies a chunk; a preview says what becomes of its items, because its caller has nothing else of it.
  func read(_ chunk: [UInt8], _ engine: Engine) throws(EngineError) -> [RestoredItem] {
    let entries: [BackupEntry]
    do throws(BackupError) { entries = try reader.read(chunk) } catch { throw EngineError(error) }
    var items: [RestoredItem] = []
    for entry in entries {
      guard let item = try take(entry, engine) else { continue }
      if let fate = item.fate { report.add(fate) }
      if case .preview = purpose { items += [item] + lost }
      lost = []
    }
    return items
  }

  private func take(_ entry: BackupEntry, _ engine: Engine) throws(EngineError) -> RestoredItem? {
    guard case .item(let record) = entry else {
      return RestoredItem(name: "", identifier: nil, fate: .unknownClass)
    }
    let (read, data) = reader.open(record)
    let sealedUnder = ProtectionClass(code: record.protectionCode)
    if case .item(let item) = read, item.group == AccessGroups.internalGroup {
      guard covers(own: item) else { return nil }
      return try take(own: item, data, sealedUnder: sealedUnder, engine)
    }
    guard plan.covers(read, sealedUnder: sealedUnder) else { return nil }
    var result = RestoredItem(name: "", identifier: record.identifier, fate: nil)
    if case .preview = purpose, case .item(let item) = read {
      result.name = ItemName(of: item).text
    }
    if let fate = plan.decide(read, sealedUnder: sealedUnder) {
      result.fate = fate
      return result
    }
    guard case .item(let item) = read else { return result }
    // No item of another kind is among the rows.
    guard TableRevisions.revision(of: item.identifier) == nil else {
      result.fate = .skipped
      return result
    }
    result.fate = try take(item, data, engine)
    return result
  }

  /// Takes an item that may come back; its fate is known at once unless it is to be restored.
  private func take(
    _ item: Item,
    _ data: SecretBox?,
    _ engine: Engine
  ) throws(EngineError) -> RestoreFate? {
    switch purpose {
    case .verify: return .restored
    case .preview:
      let key = device.vault.hash(of: PrimaryKey(of: item))
      guard
        try spooling(
          engine,
          { (spool) throws(StorageError) in
            try spool.note(key, item.identifier)
          }
        )
      else { return .skipped }
      try count(0)
      let incoming = Incoming(item, key, digest: Self.digest(of: item, engine.hash))
      let now = device.now(engine.clock.now()).boot
      do throws(StorageError) {
        let met = try engine.meet(incoming, self, at: now)
        if let death = met.death {
          report.deaths += 1
          lost.append(death)
        }
        return met.fate
      } catch { throw EngineError(error) }
    case .restore:
      guard let sealed = seal(item, data) else {
        throw .refused(Outcome(.itemLocked, detail: Engine.lockedMeanwhile))
      }
      let digest = Self.digest(of: item, engine.hash)
      guard
        try spooling(
          engine,
          { (spool) throws(StorageError) in
            try spool.take(sealed, digest: digest)
          }
        )
      else { return .skipped }
      try count(sealed.byteCount)
      return nil
    }
  }

  /// Counts an item of so many bytes that is spooled.
  func count(_ bytes: Int) throws(EngineError) { try spooled.add(bytes, limits) }

  func spooling<Value>(
    _ engine: Engine,
    _ body: (any ItemSpooling) throws(StorageError) -> Value
  ) throws(EngineError) -> Value {
    do throws(StorageError) { return try body(try spool(engine.runner)) } catch {
      throw EngineError(error)
    }
  }

  /// The spool, which is made when it is first needed.
  func spool(_ runner: EffectRunner) throws(StorageError) -> any ItemSpooling {
    if let spool { return spool }
    let made = try runner.spool(of: device.identity)
    spool = made
    return made
  }

  private func seal(_ item: Item, _ data: SecretBox?) -> SealedItem? {
    let protection = item.accessControl.protection
    guard let classKey = device.keybag.record.classKey(of: protection) else { return nil }
    return device.vault.seal(item, data: data?.take(), classKey: classKey, password: nil)
  }

  /// What decides between items that were changed at the same time.
  static func digest(of item: Item, _ hash: any MessageHashing) -> [UInt8] {
    hash.sha256(of: item.bytes)
  }
}

/// An item of a backup, as it meets the keychain.
struct Incoming {
  let itemClass: ItemClass
  let identifier: ItemIdentifier
  let modified: WallInstant
  let key: ItemHash
  let digest: [UInt8]

  init(_ item: Item, _ key: ItemHash, digest: [UInt8]) {
    itemClass = item.itemClass
    identifier = item.identifier
    modified = item.modified
    self.key = key
    self.digest = digest
  }

  init(_ spooled: SpooledItem) {
    itemClass = spooled.itemClass
    identifier = spooled.identifier
    modified = spooled.modified
    key = spooled.key
    digest = spooled.digest
  }
}

extension Engine {
  /// Opens a backup, whose chunks ``writeRestore(_:on:)`` then takes.
  ///
  /// - Parameters:
  ///   - request: What is wanted.
  ///   - connection: The connection that will bring it.
  ///   - caller: Who asks.
  ///   - body: Called once, with the header, which is verified.
  public func beginRestore(
    _ request: RestoreRequest,
    on connection: UInt64,
    caller: Caller,
    then body: @escaping (Result<BackupHeader, EngineError>) -> Void
  ) {
    do throws(EngineError) {
      let device = try keyedDevice(named: request.device, request.allowsSimulated, caller)
      try request.scope.require(request.groups)
      if request.purpose != .verify {
        let detail = "The device is locked: unlock it first."
        try requireUnlocked(device, detail, for: request.scope)
      }
      if let password = request.password, password.count > BackupFormat.passwordBytesMax {
        throw .invalidArgument(
          "A backup's password has at most \(BackupFormat.passwordBytesMax) bytes."
        )
      }
      try beginExchange(caller, on: connection)
      runner.openBackup(request.header, on: device, password: request.password) { [self] result in
        guard endBeginning(caller, on: connection) else { return body(.failure(Self.noBackup)) }
        switch result {
        case .failure(let error): body(.failure(EngineError(error)))
        case .success(let reader):
          backupRuns[connection] = RestoreRun(
            request,
            on: device,
            caller: caller,
            reader,
            limits: SpooledAmount.Limits(options)
          )
          body(.success(reader.header))
        }
      }
    } catch { body(.failure(error)) }
  }

  /// Names the next items of the keychain that a replacement deletes for good, of a backup all chunks of which were previewed.
  ///
  /// Those that die for one of the backup were named with that.
  ///
  /// - Parameter connection: The connection that brought the backup.
  /// - Returns: some of them, and whether more may follow.
  /// - Throws: ``EngineError``; the preview is over then.
  public func readDeletions(
    on connection: UInt64
  ) throws(EngineError) -> (items: [RestoredItem], isLast: Bool) {
    try proceed(RestoreRun.self, on: connection) { (run) throws(EngineError) in
      guard run.purpose == .preview(.replace) else { return ([], true) }
      do throws(StorageError) {
        var items: [RestoredItem] = []
        for deletion in try deletions(run, &run.deletions)
        where try run.spool?.holds(deletion.key) != true {
          items.append(deletion.told)
        }
        return (items, run.deletions.isAtEnd)
      } catch { throw EngineError(error) }
    }
  }

  /// Takes the next chunk of the backup that a connection reads, and says in a preview what becomes of its items.
  ///
  /// - Throws: ``EngineError``; the restore is over then, and nothing was changed.
  public func writeRestore(
    _ chunk: [UInt8],
    on connection: UInt64
  ) throws(EngineError) -> [RestoredItem] {
    try proceed(RestoreRun.self, on: connection) { (run) throws(EngineError) in
      try run.read(chunk, self)
    }
  }
}
