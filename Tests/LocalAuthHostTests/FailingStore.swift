import LocalAuthCore
import LocalAuthKeychain
import LocalAuthStore
import Synchronization

/// A real store on a disk that is full whenever the test says so.
final class FailingStore: ItemStoring {
  /// How many commits failed.
  final class Failures: Sendable {
    private let counted = Mutex(0)
    var count: Int { counted.withLock { $0 } }
    fileprivate func add() { counted.withLock { $0 += 1 } }
  }

  private typealias Condition = @Sendable ([StateChange]) -> Bool

  private let store: Store
  private let condition = Mutex<Condition?>(nil)

  init(over store: Store) { self.store = store }

  /// From now on every commit fails of whose changes this is true.
  func failing(_ isHit: @escaping @Sendable ([StateChange]) -> Bool) -> Failures {
    let failures = Failures()
    condition.withLock {
      $0 = { changes in
        guard isHit(changes) else { return false }
        failures.add()
        return true
      }
    }
    return failures
  }

  /// From now on none does.
  func heal() { condition.withLock { $0 = nil } }

  private func fails(_ changes: [StateChange]) -> Bool {
    condition.withLock { $0?(changes) ?? false }
  }

  func doubt(of device: DeviceIdentity) -> CountDoubt { store.doubt(of: device) }

  func commit(
    _ changes: [StateChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) { commit(changes, items: [], kind, completion: completion) }

  func commit(
    _ changes: [StateChange],
    items: [ItemChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    guard fails(changes) else {
      return store.commit(changes, items: items, kind, completion: completion)
    }
    // On the store's own thread, as every completion.
    store.commit([], .ordinary) { _ in completion(.failure(.full)) }
  }

  func audit(
    owner: UInt32,
    device: String?,
    after cursor: Int64?,
    limit: Int
  ) throws(StorageError) -> (lines: [AuditRecord], cursor: Int64) {
    try store.audit(owner: owner, device: device, after: cursor, limit: limit)
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
