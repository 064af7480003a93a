import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// One row of a table on a device: an item of the service's own.
///
/// A row that was deleted leaves its item without data, so that programs hear of it.
struct TablePlace {
  let device: LiveDevice
  let key: TableKey

  private static let prefix = "table:"

  /// The row that an item keeps; nil if it keeps none.
  static func key(of item: Item) -> TableKey? {
    guard item.group == AccessGroups.internalGroup,
      case .text(let service)? = item.attributes[.service], service.hasPrefix(prefix),
      case .text(let account)? = item.attributes[.account],
      // A table's name has no zero byte.
      let end = account.utf8.firstIndex(of: 0)
    else { return nil }
    return TableKey(
      ExactText(String(service.dropFirst(prefix.count))),
      ExactText(String(account[..<end])),
      ExactText(String(account[account.utf8.index(after: end)...]))
    )
  }

  /// What the item that keeps the row is found by.
  var keyHash: ItemHash {
    let start = WallInstant(milliseconds: 0)
    let model = item(ItemIdentifier(high: 0, low: 0), created: start, modified: start)
    return device.vault.hash(of: PrimaryKey(of: model))
  }

  /// The item with a row, nil for a deleted one, sealed; nil without keys.
  func sealed(_ item: Item, _ row: TableRow?) -> SealedItem? {
    guard let classKey = device.keybag.record.classKey(of: GroupPlace.protection) else {
      return nil
    }
    return device.vault.seal(
      item,
      data: Secret(copying: row?.bytes ?? []),
      classKey: classKey,
      password: nil
    )
  }

  /// The item that keeps the row.
  func item(_ identifier: ItemIdentifier, created: WallInstant, modified: WallInstant) -> Item {
    GroupPlace.item(
      identifier,
      [
        .service: .text(Self.prefix + key.store.text),
        .account: .text(key.table.text + "\0" + key.row.text),
      ],
      created: created,
      modified: modified
    )
  }
}

/// A row as it was read.
struct ReadTableRow {
  /// The row; nil if there is none, or it was deleted.
  var row: TableRow?
  /// The item that has it, or says that it was deleted.
  var item: Item?
  /// What is in its place and cannot be opened any more.
  var remains: ItemIdentifier?
  /// Whether it was changed on the disk, so that what was there is not known.
  var isDamaged = false
  /// The bytes of its cells.
  var byteCount = 0
}

extension Engine {
  /// A row as it is.
  func read(_ place: TablePlace) throws(EngineError) -> ReadTableRow {
    let now = place.device.now(clock.now()).boot
    let read = try reading { (items) throws(StorageError) in
      try items.withItem(.genericPassword, place.keyHash, of: place.device.identity) {
        Self.openRow($0, on: place.device, at: now)
      }
    }
    return read ?? ReadTableRow()
  }

  /// Passes at most `limit` rows that changed behind a number to `body`, in the order of their changes, until it returns false.
  ///
  /// - Returns: where the next page begins; nil at the end.
  func eachRow(
    of device: LiveDevice,
    behind revision: UInt64,
    limit: Int,
    _ body: (ReadTableRow) -> Bool
  ) throws(EngineError) -> UInt64? {
    let now = device.now(clock.now()).boot
    let page = try reading { (items) throws(StorageError) in
      try items.eachItem(
        .genericPassword,
        of: device.identity,
        after: TableRevisions.cursor(behind: revision),
        limit: limit
      ) { body(Self.openRow($0, on: device, at: now)) }
    }
    return page.next.flatMap { TableRevisions.revision(of: $0) }
  }

  /// What an item keeps of a row; of a row of another group than `group` its item alone.
  static func openRow(
    _ stored: borrowing StoredItem,
    of group: ExactText? = nil,
    on device: LiveDevice,
    at now: BootInstant
  ) -> ReadTableRow {
    let identifier = stored.header.identifier
    // Without its class key the row is gone, as items are.
    if case .remains = device.occupant(stored, at: now) { return ReadTableRow(remains: identifier) }
    guard let item = device.vault.item(stored) else {
      return ReadTableRow(remains: identifier, isDamaged: true)
    }
    if let group, TablePlace.key(of: item)?.store != group { return ReadTableRow(item: item) }
    guard let data = device.vault.data(of: stored) else {
      return ReadTableRow(item: item, isDamaged: true)
    }
    guard data.count > 0 else { return ReadTableRow(item: item) }
    guard let row = TableRow(StoredKeyValues.bytes(of: data)) else {
      return ReadTableRow(item: item, isDamaged: true)
    }
    return ReadTableRow(row: row, item: item, byteCount: data.count)
  }

  /// What writes a row, nil for a deleted one, over what was read, as the next change of the device's tables.
  func replacing(
    _ before: ReadTableRow,
    by row: TableRow?,
    _ place: TablePlace
  ) throws(EngineError) -> [ItemChange] {
    var revisions = try tableRevisions(of: place.device)
    let sealed = try sealed(row, over: before, as: revisions.next(), place)
    place.device.tableRevisions = revisions
    let old = before.remains ?? before.item?.identifier
    return (old.map { [.remove(place.device.identity, $0)] } ?? []) + [.add(sealed)]
  }

  /// What writes a row over what was read, which programs see as it was.
  func rewriting(
    _ before: ReadTableRow,
    by row: TableRow,
    _ place: TablePlace
  ) throws(EngineError) -> [ItemChange] {
    guard let item = before.item else { return try replacing(before, by: row, place) }
    return [.replace(try sealed(row, over: before, as: item.identifier, place))]
  }

  private func sealed(
    _ row: TableRow?,
    over before: ReadTableRow,
    as identifier: ItemIdentifier,
    _ place: TablePlace
  ) throws(EngineError) -> SealedItem {
    let now = place.device.now(clock.now()).wall
    let item = place.item(
      identifier,
      created: before.item?.created ?? now,
      modified: max(now, before.item?.modified ?? now)
    )
    guard let sealed = place.sealed(item, row) else { throw .refused(Outcome(.itemLocked)) }
    return sealed
  }

  /// The numbers of a device's rows.
  func tableRevisions(of device: LiveDevice) throws(EngineError) -> TableRevisions {
    if let known = device.tableRevisions { return known }
    do throws(StorageError) {
      let found = try TableRevisions(of: device.identity, items, &random)
      device.tableRevisions = found
      return found
    } catch { throw EngineError(error) }
  }
}
