import LocalAuthCore
import LocalAuthKeychain
import LocalAuthStore
import Synchronization

/// A real store on a disk that is full whenever the test says so, or does not answer.
final class FailingStore: ForwardingStore {
  /// How many commits failed.
  final class Failures: Sendable {
    private let counted = Mutex(0)
    var count: Int { counted.withLock { $0 } }
    fileprivate func add() { counted.withLock { $0 += 1 } }
  }

  private typealias Condition = @Sendable ([StateChange]) -> Bool

  let store: Store
  private let condition = Mutex<Condition?>(nil)
  private let room = Mutex<Int?>(nil)

  /// How many items a spool takes until the disk is full; nil for as many as come.
  var spoolRoom: Int? {
    get { room.withLock { $0 } }
    set { room.withLock { $0 = newValue } }
  }

  private typealias Answer = @Sendable () -> Void
  private let unanswered = Mutex<[Answer]?>(nil)
  private let sizes = Mutex<[Int]>([])

  /// How many items each commit changes that began since ``hold()``.
  var begun: [Int] { sizes.withLock { $0 } }

  init(over store: Store) { self.store = store }

  /// From now on nobody hears what became of a commit.
  func hold() {
    unanswered.withLock { $0 = [] }
    sizes.withLock { $0 = [] }
  }

  /// Lets everybody hear it.
  func release() {
    let answers = unanswered.withLock { unanswered in
      defer { unanswered = nil }
      return unanswered ?? []
    }
    for answer in answers { answer() }
  }

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

  func commit(
    _ changes: [StateChange],
    items: [ItemChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    sizes.withLock { $0.append(items.count) }
    guard fails(changes) else {
      return store.commit(changes, items: items, kind) { [self] result in
        let isHeld = unanswered.withLock { unanswered in
          unanswered?.append { completion(result) }
          return unanswered != nil
        }
        if !isHeld { completion(result) }
      }
    }
    // On the store's own thread, as every completion.
    store.commit([], .ordinary) { _ in completion(.failure(.full)) }
  }

  func spool(of device: DeviceIdentity) throws(StorageError) -> any ItemSpooling {
    let spool = try store.spool(of: device)
    return spoolRoom.map { FullSpool(spool, room: $0) } ?? spool
  }

  func commit(
    _ changes: [StateChange],
    spool: any ItemSpooling,
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    guard fails(changes) else {
      return store.commit(changes, spool: spool, kind, completion: completion)
    }
    store.commit([], .ordinary) { _ in completion(.failure(.full)) }
  }
}

/// A spool on a disk that fills up.
private final class FullSpool: ItemSpooling {
  private let spool: any ItemSpooling
  private let room: Mutex<Int>

  init(_ spool: any ItemSpooling, room: Int) {
    self.spool = spool
    self.room = Mutex(room)
  }

  func take(_ item: SealedItem, digest: [UInt8]) throws(StorageError) -> Bool {
    let isFull = room.withLock { room in
      room -= 1
      return room < 0
    }
    guard !isFull else { throw .full }
    return try spool.take(item, digest: digest)
  }

  func note(_ key: ItemHash, _ identifier: ItemIdentifier) throws(StorageError) -> Bool {
    try spool.note(key, identifier)
  }

  func holds(_ key: ItemHash) throws(StorageError) -> Bool { try spool.holds(key) }

  func lendItem(_ key: ItemHash, to body: (borrowing StoredItem) -> Void) throws(StorageError) {
    try spool.lendItem(key, to: body)
  }

  func items(after place: Int64, limit: Int) throws(StorageError) -> [SpooledItem] {
    try spool.items(after: place, limit: limit)
  }

  func drop(_ key: ItemHash) throws(StorageError) { try spool.drop(key) }
  func exchange(_ item: SealedItem) throws(StorageError) { try spool.exchange(item) }
  func remove(_ identifier: ItemIdentifier) throws(StorageError) { try spool.remove(identifier) }
}
