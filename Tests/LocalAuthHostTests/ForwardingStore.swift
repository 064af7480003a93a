import LocalAuthCore
import LocalAuthKeychain
import LocalAuthStore

/// A store over a real one, which answers whatever is not answered by itself.
protocol ForwardingStore: ItemStoring {
  var store: Store { get }
}

extension ForwardingStore {
  func doubt(of device: DeviceIdentity) -> CountDoubt { store.doubt(of: device) }

  func spool(of device: DeviceIdentity) throws(StorageError) -> any ItemSpooling {
    try store.spool(of: device)
  }

  func audit(
    owner: UInt32,
    device: String?,
    before: EvaluationID?,
    limit: Int
  ) throws(StorageError) -> [AuditRecord] {
    try store.audit(owner: owner, device: device, before: before, limit: limit)
  }

  func lendItem(
    _ itemClass: ItemClass,
    _ key: ItemHash,
    of device: DeviceIdentity,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError) { try store.lendItem(itemClass, key, of: device, to: body) }

  func lendItem(
    _ identifier: ItemIdentifier,
    of device: DeviceIdentity,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError) { try store.lendItem(identifier, of: device, to: body) }

  func syncRows(of device: DeviceIdentity) throws(StorageError) -> [SealedRow] {
    try store.syncRows(of: device)
  }

  func eachItem(
    _ lookup: ItemLookup,
    after cursor: ItemHash?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemPage {
    try store.eachItem(lookup, after: cursor, limit: limit, body)
  }

  func eachItem(
    _ itemClass: ItemClass,
    of device: DeviceIdentity,
    after cursor: ItemIdentifier?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemAgePage {
    try store.eachItem(itemClass, of: device, after: cursor, limit: limit, body)
  }
}
