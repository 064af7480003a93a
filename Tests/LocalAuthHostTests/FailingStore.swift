import LocalAuthCore
import LocalAuthKeychain
import LocalAuthStore
import Synchronization

/// A real store on a disk that is full whenever the test says so.
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
}
