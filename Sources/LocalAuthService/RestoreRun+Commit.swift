import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
public import LocalAuthSecret
import LocalAuthSync

/// The end of a backup that was read.
public struct RestoreEnding {
  /// The backup's trailer.
  public var trailer: [UInt8]
  /// How many chunks the backup has, for a verification that reads none of them.
  public var skippedChunks: UInt64?
  /// The device's passcode, which replacing needs if one is set.
  public var passcode: SecretBox?
  /// How many items die by it, as the caller was told; replacing needs that.
  public var deaths: Int?

  /// An ending with this trailer.
  public init(trailer: [UInt8]) { self.trailer = trailer }
}

/// What a restore does to a keychain, while nothing else can change it.
final class Restoration {
  let run: RestoreRun
  var report: RestoreReport
  /// The place in the spool of the item that was decided about last; nil once there are no more.
  var place: Int64?
  /// How far the keychain was looked at for what is deleted.
  var deletions = ItemCursor()
  /// The values that a store gets, and whether what it had is lost.
  typealias Store = (place: KeyValuePlace, values: [KeyValueKey: KeyValueZone.Value], isLost: Bool)
  /// The documents that come back.
  var documents: [(place: DocumentPlace, wasDamaged: Bool)] = []
  /// The groups with rows that come back.
  var tables: Set<ExactText> = []
  /// Whether one of those rows was damaged here, so that the circle may know a later one.
  var hasDamagedRows = false
  /// What opens files and was carried here before; nil until it is asked for.
  var carriedKeys: Set<ItemHash>?
  /// The stores that get values once all else is durable.
  var stores: [Store] = []

  init(_ run: RestoreRun) {
    self.run = run
    report = run.report
    if run.plan.mode == .merge { deletions.classes = [] }
    // A preview has decided about each item as it came.
    if case .restore = run.purpose { place = 0 }
  }
}

/// How far the items of a keychain were looked at, one class after the other.
struct ItemCursor {
  /// The classes of which some are left.
  var classes = ItemClass.stored[...]
  /// The item of the first of them that was looked at last; nil before any was.
  var last: ItemIdentifier?

  /// Whether none are left.
  var isAtEnd: Bool { classes.isEmpty }
}

/// An item of the keychain that is deleted before the backup's items come.
struct ItemDeletion {
  let identifier: ItemIdentifier
  let key: ItemHash
  private let name: ItemName

  /// The deletion of a stored item; nil if it stays.
  init?(of stored: borrowing StoredItem, _ item: Item?, _ plan: RestorePlan) {
    let header = stored.header
    guard plan.deletes(header, item), let item else { return nil }
    (identifier, key) = (header.identifier, header.key)
    name = ItemName(of: item)
  }

  /// What a preview says of it.
  var told: RestoredItem {
    RestoredItem(name: name.text, identifier: identifier, fate: .deleted)
  }
}

extension Engine {
  /// Verifies the end of the backup that a connection has read, and restores it in one commit.
  ///
  /// Replacing is charged and throttled as any act that judges the passcode.
  ///
  /// - Parameters:
  ///   - ending: The end of the backup, and what the caller has confirmed.
  ///   - connection: The connection that brought it.
  ///   - body: Called once, with what was done, or would be.
  public func endRestore(
    _ ending: RestoreEnding,
    on connection: UInt64,
    then body: @escaping (Result<RestoreReport, EngineError>) -> Void
  ) {
    guard let run = backupRuns.removeValue(forKey: connection) as? RestoreRun else {
      return body(.failure(noBackup(on: connection)))
    }
    do throws(BackupError) {
      if let chunks = ending.skippedChunks, run.purpose == .verify {
        try run.reader.check(ending.trailer, after: chunks)
      } else {
        try run.reader.finish(ending.trailer)
      }
    } catch { return body(.failure(EngineError(error))) }
    let restoration = Restoration(run)
    switch run.purpose {
    case .verify: body(.success(run.report))
    case .preview: prepare(restoration) { body($0.map { restoration.report }) }
    case .restore(.merge):
      restore(restoration, act("backup restore", on: run.device, caller: run.caller), ending, body)
    case .restore(.replace):
      let (device, passcode) = (run.device, ending.passcode)
      authorize("backup replace", on: device, passcode: passcode, caller: run.caller) {
        [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act): restore(restoration, act, ending, body)
        }
      }
    }
  }

  private func restore(
    _ restoration: Restoration,
    _ act: DeviceAct,
    _ ending: RestoreEnding,
    _ body: @escaping (Result<RestoreReport, EngineError>) -> Void
  ) {
    let device = restoration.run.device
    device.mutations.enter { [self] in
      let end: (Result<RestoreReport, EngineError>) -> Void = { [self] result in
        device.mutations.leave()
        if case .failure(let error) = result { return refuse(act, error, body) }
        tell(of: restoration)
        setValues(restoration.stores[...]) { body($0.flatMap { result }) }
      }
      prepare(restoration) { [self] result in
        switch result {
        case .failure(let error): end(.failure(error))
        case .success:
          forgetDamagedRows(restoration) { [self] in
            let turn = UserTurns.Turn(of: restoration.run.caller.uid)
            largeCalls.enter(turn) { [self] in
              commit(restoration, act, ending) { [self] result in
                largeCalls.leave(turn)
                end(result)
              }
            }
          }
        }
      }
    }
  }

  /// Has the circle's rows come once more, before one that was damaged is put back: otherwise what the backup has of it would
  /// be the latest that the circle knows.
  private func forgetDamagedRows(_ restoration: Restoration, then body: @escaping () -> Void) {
    guard restoration.hasDamagedRows, case .restore = restoration.run.purpose,
      let synchronizer = restoration.run.device.synchronizer
    else { return body() }
    // A disk that does not take this takes the restore neither.
    synchronizer.fetchTablesOnceMore { _ in body() }
  }

  private func commit(
    _ restoration: Restoration,
    _ act: DeviceAct,
    _ ending: RestoreEnding,
    _ end: @escaping (Result<RestoreReport, EngineError>) -> Void
  ) {
    let (device, report) = (restoration.run.device, restoration.report)
    do throws(EngineError) {
      guard !restoration.run.isErased else { throw Self.noBackup }
      let detail = "The device was locked meanwhile: nothing was changed."
      try requireUnlocked(device, detail, for: restoration.run.plan.scope)
      if restoration.run.plan.mode == .replace, ending.deaths != report.deaths {
        throw .invalidArgument(Self.unconfirmed(report.deaths, told: ending.deaths))
      }
    } catch { return end(.failure(error)) }
    var line = act.audit
    close(&line, .success, on: device)
    line.detail = "\(report.fates[.restored] ?? 0) items restored, \(report.deaths) deleted"
    let written: (Result<Void, StorageError>) -> Void = { result in
      // Once the restore has given its turn back, what it brought goes to the other devices.
      if case .success = result {
        device.tableRevisions?.commit()
        device.synchronizer?.reconcile {}
      }
      end(result.map { report }.mapError { EngineError($0) })
    }
    if let spool = restoration.run.spool {
      runner.store([.audit(line)], spool: spool, .guarded, then: written)
    } else {
      runner.store([line], [], .guarded, then: written)
    }
  }

  /// What is said to a caller who was told another number of items, or none.
  private static func unconfirmed(_ deaths: Int, told: Int?) -> String {
    let number = "The number of items that would be deleted for good is \(deaths)"
    return number
      + (told.map { ", not \($0): nothing was changed." }
        ?? ", which was not confirmed: nothing was changed.")
  }

  // MARK: What is done

  /// The rows or items that are looked at before other calls have their turn.
  private static let itemsAtOnce = 128

  /// Finds out, slice by slice, what is done to the keychain.
  private func prepare(
    _ restoration: Restoration,
    _ body: @escaping (Result<Void, EngineError>) -> Void
  ) {
    do throws(EngineError) {
      if !restoration.deletions.isAtEnd {
        try deletePage(restoration)
      } else if restoration.place != nil {
        try settle(restoration)
      } else if try !settleGroups(restoration) {
        return body(.success(()))
      }
    } catch { return body(.failure(error)) }
    _ = clock.schedule(at: clock.now().boot) { [weak self] in
      guard let self else { return }
      prepare(restoration, body)
    }
  }

  /// Takes the next items of the keychain that are deleted first.
  private func deletePage(_ restoration: Restoration) throws(EngineError) {
    let run = restoration.run
    do throws(StorageError) {
      for deletion in try deletions(run, &restoration.deletions) {
        if case .restore = run.purpose { try run.spool(runner).remove(deletion.identifier) }
        if try run.spool?.holds(deletion.key) != true { restoration.report.deaths += 1 }
      }
    } catch { throw EngineError(error) }
  }

  /// The next items of the keychain that are deleted first.
  func deletions(
    _ run: RestoreRun,
    _ cursor: inout ItemCursor
  ) throws(StorageError) -> [ItemDeletion] {
    guard let itemClass = cursor.classes.first else { return [] }
    let (device, vault) = (run.device.identity, run.device.vault)
    var deleted: [ItemDeletion] = []
    let page = try items.eachItem(
      itemClass,
      of: device,
      after: cursor.last,
      limit: Self.itemsAtOnce
    ) { stored in
      if let deletion = ItemDeletion(of: stored, vault.item(stored), run.plan) {
        deleted.append(deletion)
      }
      return true
    }
    cursor.last = page.next
    if page.next == nil { cursor.classes.removeFirst() }
    return deleted
  }

  /// Decides about the next items of the backup.
  private func settle(_ restoration: Restoration) throws(EngineError) {
    guard let place = restoration.place else { return }
    let run = restoration.run
    let now = run.device.now(clock.now()).boot
    do throws(StorageError) {
      let spooled = try run.spool?.items(after: place, limit: Self.itemsAtOnce) ?? []
      for item in spooled { try settle(item, restoration, at: now) }
      restoration.place = spooled.last?.place
    } catch { throw EngineError(error) }
  }

  private func settle(
    _ item: SpooledItem,
    _ restoration: Restoration,
    at now: BootInstant
  ) throws(StorageError) {
    // The service's own, which are decided about behind the items.
    guard !item.digest.isEmpty else { return }
    let run = restoration.run
    let met = try meet(Incoming(item), run, at: now)
    restoration.report.add(met.fate)
    if met.death != nil { restoration.report.deaths += 1 }
    switch met.step {
    case .nothing: try run.spool?.drop(item.key)
    case .add: break
    case .replace(let old): try run.spool?.remove(old)
    case .rename(let old):
      try run.spool?.drop(item.key)
      try rename(old, to: item.identifier, restoration)
    }
  }

  /// Gives an item of the keychain the identifier that it has in the backup.
  private func rename(
    _ old: ItemIdentifier,
    to identifier: ItemIdentifier,
    _ restoration: Restoration
  ) throws(StorageError) {
    let device = restoration.run.device
    let renamed = try items.withItem(old, of: device.identity) { stored -> SealedItem? in
      guard var item = device.vault.item(stored),
        let classKey = device.keybag.record.classKey(of: item.accessControl.protection)
      else { return nil }
      item.identifier = identifier
      let data = device.vault.data(of: stored)
      return device.vault.seal(item, data: data, classKey: classKey, password: nil)
    }
    // One that cannot be sealed again stays as it is.
    guard case .some(.some(let sealed)) = renamed else { return }
    try restoration.run.spool?.remove(old)
    try restoration.run.spool?.exchange(sealed)
  }

  /// Decides about an item of a backup by what the keychain has.
  ///
  /// There is a death if the item in its place is deleted, and this one is not put there.
  func meet(
    _ incoming: Incoming,
    _ run: RestoreRun,
    at now: BootInstant
  ) throws(StorageError) -> (fate: RestoreFate, step: RestoreStep, death: RestoredItem?) {
    let device = run.device
    let found = try items.withItem(incoming.itemClass, incoming.key, of: device.identity) {
      stored in
      self.occupant(stored, on: device, run.plan, at: now)
    }
    let holder = try items.withItem(incoming.identifier, of: device.identity) { stored in
      stored.header.key == incoming.key
        || run.plan.deletes(stored.header, device.vault.item(stored))
    }
    let (fate, step) = run.plan.decide(
      (incoming.identifier, incoming.modified),
      digest: incoming.digest,
      meeting: found ?? .none,
      isIdentifierFree: holder ?? true
    )
    guard step == .nothing, run.plan.mode == .replace else { return (fate, step, nil) }
    let death = try items.withItem(incoming.itemClass, incoming.key, of: device.identity) {
      stored in
      ItemDeletion(of: stored, device.vault.item(stored), run.plan)?.told
    }
    return (fate, step, death ?? nil)
  }

  private func occupant(
    _ stored: borrowing StoredItem,
    on device: LiveDevice,
    _ plan: RestorePlan,
    at now: BootInstant
  ) -> RestoreOccupant {
    let header = stored.header
    let item = device.vault.item(stored)
    guard !plan.deletes(header, item) else { return .none }
    if case .remains(let identifier) = device.occupant(stored, at: now) {
      return .remains(identifier)
    }
    guard let item, item.accessControl.isTrivial else {
      return .guarded(header.identifier)
    }
    let digest = RestoreRun.digest(of: item, hash)
    return .item(header.identifier, modified: item.modified, digest: digest)
  }
}
