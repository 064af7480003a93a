import LocalAuthCore
import Synchronization
import Testing

@testable import LocalAuthStore

/// The mirror's way to the disk, beside what the store does next.
@Suite
struct MirrorSyncTests {
  private let place = Place()

  private func open(_ mirror: FileMirror) throws -> Store {
    try place.open(mirror: mirror)
  }

  @Test func aGuardedCommitIsCompleteBeforeTheMirrorIsSynced() throws {
    let mirror = place.openMirror()
    let store = try open(mirror)
    let mayGoOn = Semaphore()
    mirror.observeSync { mayGoOn.wait() }
    try store.commitAndWait([.device(Sample.device(failures: 1))])
    // The settlement does not wait either.
    try store.commitAndWait([.device(Sample.device(failures: 0))], .ordinary)
    mayGoOn.signal()
    mirror.observeSync(nil)
    store.close()
    #expect(try place.load() == StoredState(devices: [Sample.device(failures: 0)]))
  }

  @Test func aCompletedCommitIsInTheMirrorForEveryLaterReader() throws {
    let mirror = place.openMirror()
    let store = try open(mirror)
    let mayGoOn = Semaphore()
    mirror.observeSync { mayGoOn.wait() }
    try store.commitAndWait([.device(Sample.device(failures: 1))])
    #expect(
      MirroredSequence(Files.read(place.mirror), TestTagger()).watermark?.sequence == 1
    )
    mayGoOn.signal()
    mirror.observeSync(nil)
    store.close()
  }

  @Test func theNextGuardedCommitBeginsAfterTheSync() throws {
    let mirror = place.openMirror()
    let store = try open(mirror)
    let (mayGoOn, isSyncing) = (Semaphore(), Semaphore())
    mirror.observeSync {
      isSyncing.signal()
      mayGoOn.wait()
    }
    try store.commitAndWait([.device(Sample.device(failures: 1))])
    isSyncing.wait()
    let isCommitted = Mutex(false)
    let done = Semaphore()
    store.commit([.device(Sample.device(failures: 2))], .guarded) { _ in
      isCommitted.withLock { $0 = true }
      done.signal()
    }
    // A later commit of audit alone waits in the queue, behind the guarded one.
    let stored = try Snapshot(of: place).restored().load()
    #expect(stored.devices == [Sample.device(failures: 1)])
    #expect(!isCommitted.withLock { $0 })
    mirror.observeSync(nil)
    mayGoOn.signal()
    done.wait()
    store.close()
    #expect(try place.load() == StoredState(devices: [Sample.device(failures: 2)]))
  }

  @Test func aSyncThatFailedIsTriedAgainBeforeTheNextGuardedCommit() throws {
    let mirror = place.openMirror()
    let store = try open(mirror)
    mirror.failToSync(with: .full)
    try store.commitAndWait([.device(Sample.device(failures: 1))])
    for failures in UInt32(2)...4 {
      #expect(throws: StorageError.full) {
        try store.commitAndWait([.device(Sample.device(failures: failures))])
      }
      let state = try Snapshot(of: place).restored().load()
      #expect(state == StoredState(devices: [Sample.device(failures: 1)]))
    }
    mirror.failToSync(with: nil)
    try store.commitAndWait([.device(Sample.device(failures: 5))])
    store.close()
    #expect(try place.load() == StoredState(devices: [Sample.device(failures: 5)]))
  }

  @Test func aLossOfPowerBeforeTheSyncKeepsTheChargeAndTheTrust() throws {
    let mirror = place.openMirror()
    let store = try open(mirror)
    try store.commitAndWait([.device(Sample.device(failures: 1))])
    let old = Files.read(place.mirror)
    try store.commitAndWait([.device(Sample.device(failures: 2))])
    var snapshot = Snapshot(of: place)
    snapshot.mirror = old
    #expect(
      try snapshot.restored().load() == StoredState(devices: [Sample.device(failures: 2)])
    )
    store.close()
  }

  @Test func aMirrorThatNeverSyncsDoesNotOpen() {
    let mirror = place.openMirror()
    mirror.failToSync(with: .full)
    #expect(throws: StorageError.full) { try open(mirror) }
  }
}
