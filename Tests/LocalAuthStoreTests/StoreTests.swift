import Glibc
import LocalAuthCore
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthStore

@Suite struct StoreTests {
  @Test func aNewStoreHoldsNothing() throws {
    #expect(try Place().load() == StoredState())
  }

  @Test func devicesComeBackAsTheyWere() throws {
    var generator = SeededGenerator.ofThisRun
    let place = Place()
    let devices = (0..<20).map { number in
      var record = Sample.randomDevice(&generator)
      record.identity = Sample.identity("d\(number)", owner: UInt32(number % 3))
      return record
    }
    let store = try place.open()
    try store.commitAndWait(devices.map { .device($0) })
    store.close()
    let state = try place.load()
    #expect(Set(state.devices) == Set(devices), "SEED=\(generator.seed)")
    #expect(state.distrusted.isEmpty)
    #expect(!state.mayHaveLostDevices)
  }

  @Test func theLastChangeOfADeviceCounts() throws {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device(failures: 1))])
    try store.commitAndWait([.device(Sample.device(failures: 2))], .ordinary)
    try store.commitAndWait(
      [.device(Sample.device(failures: 5)), .device(Sample.device(failures: 3))],
      .ordinary
    )
    store.close()
    #expect(try place.load().devices == [Sample.device(failures: 3)])
  }

  @Test func aRemovedDeviceIsGone() throws {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device("a")), .device(Sample.device("b"))])
    try store.commitAndWait([.deviceRemoved(Sample.identity("a"))])
    try store.commitAndWait([.deviceRemoved(Sample.identity("never"))])
    store.close()
    #expect(try place.load() == StoredState(devices: [Sample.device("b")]))
  }

  @Test func commitsRunInTheOrderOfTheCalls() throws {
    let place = Place()
    let store = try place.open()
    let order = Mutex<[UInt32]>([])
    for number in UInt32(0)..<50 {
      store.commit(
        [.device(Sample.device(failures: number))],
        number % 2 == 0 ? .guarded : .ordinary
      ) { _ in order.withLock { $0.append(number) } }
    }
    store.close()
    #expect(order.withLock { $0 } == Array(0..<50))
    #expect(try place.load().devices == [Sample.device(failures: 49)])
  }

  @Test func aFailedCommitChangesNothing() throws {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device(failures: 1))])
    #expect(throws: StorageError.self) {
      try store.commitAndWait([
        .device(Sample.device(failures: 0)), .audit(Sample.line(1)),
        .device(Sample.device("no spaces please")),
      ])
    }
    #expect(try store.audit(owner: 1000, device: nil, limit: 9).isEmpty)
    try store.commitAndWait([.audit(Sample.line(2))])
    store.close()
    #expect(try place.load() == StoredState(devices: [Sample.device(failures: 1)]))
  }

  @Test func aClosedStoreFailsCommitsAndMayBeClosedAgain() throws {
    let store = try Place().open()
    store.close()
    store.close()
    #expect(throws: StorageError.failed("the store is closed")) {
      try store.commitAndWait([.device(Sample.device())])
    }
  }

  @Test func aStoreMayBeClosedAndDroppedInACompletion() throws {
    let place = Place()
    let isDone = Semaphore()
    do {
      let store = try place.open()
      store.commit([.device(Sample.device())], .guarded) { _ in
        store.close()
        isDone.signal()
      }
    }
    isDone.wait()
  }

  @Test func everyCommitBeforeClosingIsFinished() throws {
    let place = Place()
    do {
      let store = try place.open()
      for number in UInt32(0)..<30 {
        store.commit([.device(Sample.device("d\(number)"))], .guarded) { _ in }
      }
    }
    #expect(try place.load().devices.count == 30)
  }

  @Test func closingLeavesACompleteFileAndAnEmptyLog() throws {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device())])
    store.close()
    let snapshot = Snapshot(of: place)
    #expect(snapshot.log?.isEmpty ?? true)
    let alone = Place()
    Files.write(alone.database, snapshot.database ?? [])
    Files.write(alone.mirror, snapshot.mirror ?? [])
    #expect(try alone.load().devices == [Sample.device()])
  }

  @Test func onlyTheOwnerMayReadTheFiles() throws {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device())])
    for name in ["state.db", "state.db-wal", "state.db-shm"] {
      var status = stat()
      #expect(unsafe stat(place.file(name), &status) == 0)
      #expect(status.st_mode & 0o077 == 0, "\(name)")
    }
    store.close()
  }

  @Test func aMirrorThatCannotBeWrittenFailsTheCommitAndIsCaughtUpWith() throws {
    let place = Place()
    let mirror = place.openMirror()
    let store = try place.open(mirror: mirror)
    try store.commitAndWait([.device(Sample.device(failures: 1))])
    mirror.fail(with: .full)
    for failures in UInt32(2)...4 {
      #expect(throws: StorageError.full) {
        try store.commitAndWait([.device(Sample.device(failures: failures))])
      }
      let state = try Snapshot(of: place).restored().load()
      #expect(state.distrusted.isEmpty, "never more than one behind")
    }
    mirror.fail(with: nil)
    try store.commitAndWait([.device(Sample.device(failures: 5))])
    store.close()
    #expect(try place.load() == StoredState(devices: [Sample.device(failures: 5)]))
  }

  @Test func aSecondWriterIsNoticed() throws {
    let place = Place()
    let first = try place.open()
    try first.commitAndWait([.device(Sample.device(failures: 1))])
    let second = try place.open()
    try second.commitAndWait([.device(Sample.device(failures: 2))])
    #expect(throws: StorageError.owned) {
      try first.commitAndWait([.device(Sample.device(failures: 0))])
    }
    first.close()
    second.close()
    #expect(try place.load().devices == [Sample.device(failures: 2)])
  }

  @Test func aStoreInMemoryDoesTheSame() throws {
    let store = try Store(inMemoryWith: TestTagger())
    #expect(store.state == StoredState())
    try store.commitAndWait([.device(Sample.device()), .audit(Sample.line(1))])
    try store.commitAndWait([.audit(Sample.line(1, outcome: .success))], .ordinary)
    let lines = try store.audit(owner: 1000, device: "desk", limit: 9)
    #expect(lines == [Sample.line(1, outcome: .success)])
    store.close()
    #expect(throws: StorageError.self) {
      try store.audit(owner: 1000, device: nil, limit: 9)
    }
  }

  @Test func storesInMemoryShareNothing() throws {
    let one = try Store(inMemoryWith: TestTagger())
    let other = try Store(inMemoryWith: TestTagger())
    try one.commitAndWait([.audit(Sample.line(1))])
    #expect(try other.audit(owner: 1000, device: nil, limit: 9).isEmpty)
  }
}
