import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthStore

/// Items lie in the store as they were given, one for each key, and change with their commit or not.
@Suite struct ItemTests {
  /// A store on disk and one in memory, each with two devices.
  private func stores() throws -> [Store] {
    let inMemory = try Store(inMemoryWith: TestTagger())
    try inMemory.commitAndWait([.device(Sample.device()), .device(Sample.device("lamp"))])
    return [try Place().openWithDevices(), inMemory]
  }

  @Test func whatIsStoredComesBackByKeyAndByIdentifier() throws {
    for store in try stores() {
      let items = (1...60).map { number in
        Sample.item(
          number,
          version: number,
          itemClass: ItemClass.stored[Int(number % 4)],
          terms: (0..<(number % 4)).map { Sample.term(UInt8($0 + 250), number) }
        )
      }
      try store.commitAndWait(items: items.map { .add($0) })
      for item in items {
        #expect(try store.stored(like: item) == item)
        let found = try store.withItem(item.header.identifier, of: item.header.device) {
          $0.copied()
        }
        #expect(found == item)
      }
      store.close()
    }
  }

  @Test func thePartsAreLentAndNoDataIsNotEmptyData() throws {
    for store in try stores() {
      var empty = Sample.item(1)
      empty.secret = []
      empty.accessControl = []
      var none = Sample.item(2)
      none.secret = nil
      try store.commitAndWait(items: [.add(empty), .add(none)])
      for (item, count) in [(empty, 0), (none, nil)] as [(SealedItem, Int?)] {
        let header = item.header
        let lent = try store.withItem(header.itemClass, header.key, of: header.device) { item in
          item.withParts { accessControl, wrappedKey, attributes, secret in
            let sizes = [accessControl.byteCount, wrappedKey.byteCount, attributes.byteCount]
            return (sizes, secret?.byteCount, item.hasSecret)
          }
        }
        let (sizes, secretSize, hasSecret) = try #require(lent)
        #expect(sizes == [item.accessControl.count, 60, 150])
        #expect(secretSize == count && hasSecret == (count != nil))
      }
      store.close()
    }
  }

  @Test func whatIsNotThereIsNil() throws {
    for store in try stores() {
      let item = Sample.item(1)
      try store.commitAndWait(items: [.add(item)])
      #expect(try store.stored(like: Sample.item(2)) == nil)
      #expect(try store.stored(like: Sample.item(1, itemClass: .key)) == nil)
      #expect(try store.stored(like: Sample.item(1, device: "lamp")) == nil)
      #expect(try store.stored(like: Sample.item(1, device: "nobody")) == nil)
      #expect(
        try store.withItem(Sample.identifier(2), of: Sample.identity()) { $0.copied() } == nil
      )
      #expect(try store.stored(like: Sample.item(1, itemClass: .identity)) == nil)
      store.close()
    }
  }

  @Test func itemsSurviveANewStart() throws {
    let place = Place()
    var store = try place.openWithDevices()
    let items = (1...20).map { Sample.item($0, version: $0) }
    try store.commitAndWait(items: items.map { .add($0) })
    store.close()
    store = try place.open()
    for item in items { #expect(try store.stored(like: item) == item) }
    #expect(store.state.distrusted.isEmpty)
    store.close()
  }

  @Test func aKeyThatIsTakenIsADuplicateAndUndoesTheWholeCommit() throws {
    for store in try stores() {
      try store.commitAndWait(items: [.add(Sample.item(1))])
      let lost = Sample.item(2)
      for clash in [Sample.item(3, key: 1), Sample.item(1, key: 9)] {
        #expect(throws: StorageError.duplicate) {
          try store.commitAndWait(
            [.device(Sample.device(failures: 9)), .audit(Sample.line(1))],
            items: [.add(lost), .remove(Sample.identity(), Sample.identifier(1)), .add(lost)],
            .guarded
          )
        }
        #expect(throws: StorageError.duplicate) {
          try store.commitAndWait(
            [.audit(Sample.line(1))],
            items: [.add(lost), .add(clash)]
          )
        }
      }
      #expect(try store.stored(like: lost) == nil)
      #expect(try store.stored(like: Sample.item(1)) == Sample.item(1))
      #expect(try store.audit(owner: 1000, device: nil, limit: 9).isEmpty)
      // The same key is free in another class and on another device.
      let others = [Sample.item(4, key: 1, itemClass: .key), Sample.item(1, device: "lamp")]
      try store.commitAndWait(items: others.map { .add($0) })
      for other in others { #expect(try store.stored(like: other) == other) }
      store.close()
    }
  }

  @Test func aKeychainWhoseFirstCommitWasUndoneIsMadeByTheNext() throws {
    for store in try stores() {
      let item = Sample.item(1)
      #expect(throws: StorageError.duplicate) {
        try store.commitAndWait(items: [.add(item), .add(item)])
      }
      try store.commitAndWait(items: [.add(item)])
      let lamps = Sample.item(2, device: "lamp")
      try store.commitAndWait(items: [.add(lamps)])
      #expect(try store.stored(like: item) == item)
      #expect(try store.stored(like: lamps) == lamps)
      try store.commitAndWait([.deviceRemoved(Sample.identity("lamp"))])
      #expect(try store.stored(like: item) == item)
      store.close()
    }
  }

  @Test func anUndoneCommitLeavesTheStoreUsableAndTrusted() throws {
    let place = Place()
    let store = try place.openWithDevices()
    try store.commitAndWait(items: [.add(Sample.item(1))])
    #expect(throws: StorageError.duplicate) {
      try store.commitAndWait(
        [.device(Sample.device(failures: 5)), .keybag(Sample.identity(), [1])],
        items: [.add(Sample.item(1))],
        .guarded
      )
    }
    try store.commitAndWait([.device(Sample.device(failures: 1))])
    store.close()
    let state = try place.load()
    #expect(state.distrusted.isEmpty && state.keybags.isEmpty)
    #expect(state.devices.first?.attempts.lockout.tally.failures == 1)
  }

  @Test func replacingChangesEverythingButTheIdentifier() throws {
    for store in try stores() {
      let old = Sample.item(1, version: 1, terms: [Sample.term(1, 1), Sample.term(2, 2)])
      let new = Sample.item(1, version: 8, key: 77, terms: [Sample.term(2, 2), Sample.term(3, 3)])
      try store.commitAndWait(items: [.add(old)])
      try store.commitAndWait(items: [.replace(new)])
      #expect(try store.stored(like: old) == nil)
      #expect(try store.stored(like: new) == new)
      for (term, isThere) in [(old.terms[0], false), (new.terms[0], true), (new.terms[1], true)] {
        let lookup = ItemLookup(
          device: Sample.identity(),
          itemClass: .genericPassword,
          terms: [term]
        )
        #expect(try store.all(lookup) == (isThere ? [new] : []))
      }
      store.close()
    }
  }

  @Test func replacingWhatIsNotThereIsMissingAndATakenKeyIsADuplicate() throws {
    for store in try stores() {
      try store.commitAndWait(items: [.add(Sample.item(1)), .add(Sample.item(2))])
      #expect(throws: StorageError.missing) {
        try store.commitAndWait(items: [
          .replace(Sample.item(1, version: 4)), .replace(Sample.item(3)),
        ])
      }
      #expect(throws: StorageError.duplicate) {
        try store.commitAndWait(items: [.replace(Sample.item(2, version: 4, key: 1))])
      }
      for number in UInt64(1)...2 {
        #expect(try store.stored(like: Sample.item(number)) == Sample.item(number))
      }
      store.close()
    }
  }

  @Test func removingTwiceIsNoError() throws {
    for store in try stores() {
      let item = Sample.item(1, terms: [Sample.term(1, 1), Sample.term(1, 1)])
      try store.commitAndWait(items: [.add(item)])
      for _ in 0..<2 {
        try store.commitAndWait(items: [.remove(Sample.identity(), item.header.identifier)])
        #expect(try store.stored(like: item) == nil)
      }
      try store.commitAndWait(items: [.remove(Sample.identity("nobody"), Sample.identifier(1))])
      try store.commitAndWait(items: [.add(item)])
      store.close()
    }
  }

  @Test func aTombstoneHoldsItsKeyUntilItIsRemovedByTheSameCommit() throws {
    let store = try Place().openWithDevices()
    let tombstone = Sample.item(1, version: 5)
    #expect(tombstone.header.isTombstone)
    try store.commitAndWait(items: [.add(tombstone)])
    let new = Sample.item(2, key: 1)
    #expect(throws: StorageError.duplicate) { try store.commitAndWait(items: [.add(new)]) }
    try store.commitAndWait(items: [
      .remove(Sample.identity(), tombstone.header.identifier), .add(new),
    ])
    #expect(try store.stored(like: new) == new)
  }

  @Test func aDeviceGoesWithItsItemsAndItsKeybag() throws {
    let place = Place()
    var store = try place.openWithDevices()
    let items = [
      Sample.item(1, terms: [Sample.term(1, 1)]),
      Sample.item(1, device: "lamp", terms: [Sample.term(1, 1)]),
    ]
    try store.commitAndWait(
      [.keybag(Sample.identity(), [1]), .keybag(Sample.identity("lamp"), [2])],
      items: items.map { .add($0) },
      .guarded
    )
    try store.commitAndWait([.deviceRemoved(Sample.identity())])
    #expect(throws: StorageError.missing) { try store.commitAndWait(items: [.add(items[0])]) }
    #expect(throws: StorageError.missing) {
      try store.commitAndWait([.keybag(Sample.identity(), [3])])
    }
    try store.commitAndWait([.device(Sample.device())])
    #expect(try store.stored(like: items[0]) == nil)
    #expect(try store.stored(like: items[1]) == items[1])
    let lookup = ItemLookup(
      device: Sample.identity(),
      itemClass: .genericPassword,
      terms: items[0].terms
    )
    #expect(try store.all(lookup).isEmpty)
    store.close()
    store = try place.open()
    #expect(store.state.keybags == [StoredKeybag(device: Sample.identity("lamp"), sealed: [2])])
    #expect(store.state.distrusted.isEmpty)
    store.close()
  }

  @Test func anItemMayBeLargeAndNoLarger() throws {
    let store = try Place().openWithDevices()
    var item = Sample.item(1)
    item.secret = []
    item.secret = [UInt8](repeating: 7, count: SealedItem.mostBytes - item.byteCount)
    try store.commitAndWait(items: [.add(item)])
    #expect(try store.stored(like: item) == item)
    item.header.identifier = Sample.identifier(2)
    item.header.key = Sample.hash(2)
    item.secret?.append(7)
    #expect(throws: StorageError.self) { try store.commitAndWait(items: [.add(item)]) }
    #expect(throws: StorageError.self) {
      try store.commitAndWait(items: [.add(Sample.item(3, itemClass: .identity))])
    }
    #expect(try store.stored(like: item) == nil)
  }

  @Test func aClosedStoreLendsNothing() throws {
    for store in try stores() {
      try store.commitAndWait(items: [.add(Sample.item(1))])
      store.close()
      #expect(throws: StorageError.self) { try store.stored(like: Sample.item(1)) }
      #expect(throws: StorageError.self) { try store.commitAndWait(items: []) }
    }
  }

  @Test func sixteenThreadsReadWhileOneWrites() throws {
    for store in try stores() {
      let count: UInt64 = 40
      try store.commitAndWait(items: (0..<count).map { .add(Sample.item($0, version: $0 + 1)) })
      let isWriting = Atomic(true)
      let wrong = Atomic(0)
      let threads = try (0..<16).map { _ in try StorageThread(afterwards: {}, atEnd: {}) }
      for (index, thread) in threads.enumerated() {
        _ = thread.run {
          var generator = SeededGenerator(seed: UInt64(index))
          repeat {
            let number = generator.next() % count
            // Each version is written as a whole, so what is read must be some version as a whole.
            let found = try? store.stored(like: Sample.item(number))
            let isWhole = found.map { $0 == Sample.item(number, version: $0.header.classKey) }
            if isWhole != true { wrong.add(1, ordering: .sequentiallyConsistent) }
          } while isWriting.load(ordering: .sequentiallyConsistent)
        }
      }
      var generator = SeededGenerator.ofThisRun
      for version in UInt64(2)...300 {
        let number = generator.next() % count
        try store.commitAndWait(items: [.replace(Sample.item(number, version: version))])
      }
      isWriting.store(false, ordering: .sequentiallyConsistent)
      for thread in threads { thread.close() }
      #expect(wrong.load(ordering: .sequentiallyConsistent) == 0)
      store.close()
    }
  }
}
