import LocalAuthCore
import Synchronization

/// Brings the mirror to the disk on a thread of its own, beside whatever its user does next.
///
/// One thread uses it; it has one sync under way at most.
struct MirrorSync: ~Copyable {
  private let shared: Shared
  private let thread: StorageThread
  private var isUnderWay = false

  private final class Shared: Sendable {
    let mirror: any SequenceMirroring
    let done = Semaphore()
    let outcome = Mutex<Result<Void, StorageError>>(.success(()))

    init(_ mirror: any SequenceMirroring) { self.mirror = mirror }

    func sync() {
      let result: Result<Void, StorageError>
      do throws(StorageError) {
        result = .success(try mirror.sync())
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
      done.signal()
    }
  }

  /// Starts the thread.
  init(_ mirror: any SequenceMirroring) throws(StorageError) {
    shared = Shared(mirror)
    thread = try StorageThread(afterwards: {}, atEnd: {})
  }

  /// Begins to sync what was written; ``finish()`` must come before the next write.
  mutating func begin() {
    precondition(!isUnderWay, "the mirror is synced once a write")
    isUnderWay = thread.run { [shared] in shared.sync() }
    precondition(isUnderWay, "the thread lives as long as this value")
  }

  /// Waits until what was begun has ended.
  ///
  /// - Throws: what the disk reported; the mirror must then be written again.
  mutating func finish() throws(StorageError) {
    guard isUnderWay else { return }
    shared.done.wait()
    isUnderWay = false
    try shared.outcome.withLock { $0 }.get()
  }
}
