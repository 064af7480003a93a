import LocalAuthCore
import Synchronization

/// Syncs the mirror on a thread of its own, while the caller continues.
///
/// One thread uses it, with at most one sync under way.
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

  /// Starts syncing the last write; call ``finish()`` before the next write.
  mutating func begin() {
    precondition(!isUnderWay, "the mirror is synced once a write")
    isUnderWay = thread.run { [shared] in shared.sync() }
    precondition(isUnderWay, "the thread lives as long as this value")
  }

  /// Waits for the sync that ``begin()`` started, if there is one.
  ///
  /// - Throws: the error of the disk; the mirror must then be written again.
  mutating func finish() throws(StorageError) {
    guard isUnderWay else { return }
    shared.done.wait()
    isUnderWay = false
    try shared.outcome.withLock { $0 }.get()
  }
}
