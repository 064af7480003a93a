import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// One store of one device.
struct KeyValuePlace {
  let device: LiveDevice
  let store: String

  /// The service of the items that keep stores.
  static let service = "key-value store"

  /// What the items that keep stores have.
  static var term: SearchTerm { SearchTerm(.service, .text(service)) }

  /// The store that an item keeps; nil if it keeps none.
  static func store(of item: Item) -> String? {
    guard item.group == AccessGroups.internalGroup, item.attributes[.service] == .text(service),
      case .text(let store)? = item.attributes[.account]
    else { return nil }
    return store
  }

  /// The item that keeps the store, with its values or without.
  func item(_ identifier: ItemIdentifier, created: WallInstant, modified: WallInstant) -> Item {
    GroupPlace.item(
      identifier,
      [.service: .text(Self.service), .account: .text(store)],
      created: created,
      modified: modified
    )
  }
}

/// A store as it was read.
struct ReadKeyValues {
  var values = StoredKeyValues()
  /// The item that has it.
  var item: Item?
  /// What is in its place and cannot be opened any more.
  var remains: ItemIdentifier?
  /// Whether it was opened and cannot be read.
  var isUnreadable = false
  /// Whether what was there is not known.
  var isLost: Bool { remains != nil || isUnreadable }
}

extension Engine {
  /// A store as it is; throws if it was damaged, unless `evenDamaged`.
  func read(
    _ place: KeyValuePlace,
    evenDamaged: Bool = false,
    onlyRevision: Bool = false
  ) throws(EngineError) -> ReadKeyValues {
    let (device, now) = (place.device, place.device.now(clock.now()))
    let model = place.item(ItemIdentifier(high: 0, low: 0), created: now.wall, modified: now.wall)
    let found: Result<ReadKeyValues, StoredKeyValues.Fault>?
    do throws(StorageError) {
      found = try items.withItem(
        model.itemClass,
        device.vault.hash(of: PrimaryKey(of: model)),
        of: device.identity
      ) { stored in
        Self.open(stored, on: device, at: now.boot, evenDamaged, onlyRevision)
      }
    } catch { throw EngineError(error) }
    switch found {
    case nil: return ReadKeyValues()
    case .success(let read): return read
    case .failure(.newer):
      throw .internalError("A newer LocalAuth wrote this key-value store; nothing was changed.")
    case .failure(.damaged):
      throw .internalError(
        "This key-value store was changed or damaged on the disk; nothing was changed: put a backup back, or "
          + "remove all of it."
      )
    }
  }

  private static func open(
    _ stored: borrowing StoredItem,
    on device: LiveDevice,
    at now: BootInstant,
    _ evenDamaged: Bool,
    _ onlyRevision: Bool
  ) -> Result<ReadKeyValues, StoredKeyValues.Fault> {
    // Without its class key the store is gone, as items are.
    if case .remains(let identifier) = device.occupant(stored, at: now) {
      return .success(ReadKeyValues(remains: identifier))
    }
    guard let item = device.vault.item(stored), let data = device.vault.data(of: stored) else {
      let remains = ReadKeyValues(remains: stored.header.identifier)
      return evenDamaged ? .success(remains) : .failure(.damaged)
    }
    do throws(StoredKeyValues.Fault) {
      var values = StoredKeyValues()
      if onlyRevision {
        values.revision = try StoredKeyValues.revision(of: data)
      } else {
        values = try StoredKeyValues(data)
      }
      return .success(ReadKeyValues(values: values, item: item))
    } catch {
      let remains = ReadKeyValues(item: item, isUnreadable: true)
      return evenDamaged ? .success(remains) : .failure(error)
    }
  }

  /// What writes a store over what was read.
  func replacing(
    _ before: ReadKeyValues,
    by after: StoredKeyValues,
    _ place: KeyValuePlace
  ) throws(EngineError) -> [ItemChange] {
    let (device, now) = (place.device, place.device.now(clock.now()).wall)
    let item = place.item(
      before.item?.identifier ?? itemIdentifiers.next(at: now, using: &random),
      created: before.item?.created ?? now,
      modified: max(now, before.item?.modified ?? now)
    )
    guard let classKey = device.keybag.record.classKey(of: GroupPlace.protection),
      let sealed = device.vault.seal(item, data: after.bytes, classKey: classKey, password: nil)
    else { throw .refused(Outcome(.itemLocked)) }
    if let remains = before.remains {
      return [.remove(device.identity, remains), .add(sealed)]
    }
    return [before.item == nil ? .add(sealed) : .replace(sealed)]
  }
}
