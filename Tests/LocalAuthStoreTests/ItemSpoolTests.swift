import Glibc
import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthStore

/// Items that wait outside of memory for one commit.
@Suite struct ItemSpoolTests {
  private let desk = Sample.identity("desk")
  private let place = Place()

  private func take(_ numbers: ClosedRange<UInt64>, _ spool: any ItemSpooling) throws {
    for number in numbers {
      #expect(try spool.take(Sample.item(number), digest: [UInt8(number % 256)]))
    }
  }

  private func all(_ store: Store) throws -> Set<SealedItem> {
    Set(try store.all(ItemLookup(device: desk, itemClass: .genericPassword)))
  }

  // MARK: What comes in

  @Test(arguments: [true, false]) func aKeyAndAnIdentifierCountOnce(_ isWhole: Bool) throws {
    let spool = try place.openWithDevices().spool(of: desk)
    func take(_ item: SealedItem) throws -> Bool {
      isWhole
        ? try spool.take(item, digest: [])
        : try spool.note(item.header.key, item.header.identifier)
    }
    #expect(try take(Sample.item(1)))
    #expect(try !take(Sample.item(1)))
    var sameKey = Sample.item(1)
    sameKey.header.identifier = Sample.identifier(2)
    #expect(try !take(sameKey))
    var sameIdentifier = Sample.item(3)
    sameIdentifier.header.identifier = Sample.identifier(1)
    #expect(try !take(sameIdentifier))
    #expect(try spool.holds(Sample.item(1).header.key))
    #expect(try !spool.holds(Sample.item(3).header.key))
  }

  @Test func itemsAreReadInTheOrderTheyCame() throws {
    let spool = try place.openWithDevices().spool(of: desk)
    try take(1...300, spool)
    var found: [SpooledItem] = []
    while true {
      let page = try spool.items(after: found.last?.place ?? 0, limit: 128)
      #expect(page.count <= 128)
      guard !page.isEmpty else { break }
      found += page
    }
    #expect(found.map(\.identifier) == (1...300).map { Sample.item($0).header.identifier })
    #expect(found.map(\.key) == (1...300).map { Sample.item($0).header.key })
    #expect(found.map(\.modified) == (1...300).map { Sample.item($0).header.modified })
    #expect(found.map(\.digest) == (1...300).map { [UInt8($0 % 256)] })
  }

  // MARK: What goes out

  @Test(arguments: [true, false])
  func oneCommitAddsWhatIsThereAndNothingBefore(_ isOnDisk: Bool) throws {
    let store = try isOnDisk ? place.openWithDevices() : Store(inMemoryWith: TestTagger())
    if !isOnDisk { try store.commitAndWait([.device(Sample.device())]) }
    let spool = try store.spool(of: desk)
    try take(1...1000, spool)
    #expect(try all(store).isEmpty)
    try store.commitAndWait(spool: spool, [.audit(Sample.line(1))])
    #expect(try all(store) == Set((1...1000).map { Sample.item($0) }))
    #expect(try store.stored(like: Sample.item(700)) == Sample.item(700))
    #expect(try store.audit(owner: 1000, device: "desk", limit: 5).count == 1)
  }

  @Test func whatIsDroppedStaysOutAndWhatIsRemovedGoesFirst() throws {
    let store = try place.openWithDevices()
    try store.commitAndWait(items: [.add(Sample.item(1)), .add(Sample.item(2))])
    let spool = try store.spool(of: desk)
    var newer = Sample.item(1)
    newer.attributes = [9, 9]
    #expect(try spool.take(newer, digest: [1]))
    try take(3...4, spool)
    try spool.remove(Sample.identifier(1))
    try spool.drop(Sample.item(3).header.key)
    try store.commitAndWait(spool: spool)
    #expect(try all(store) == [newer, Sample.item(2), Sample.item(4)])
  }

  @Test func whatIsExchangedComesInPlaceOfTheOther() throws {
    let store = try place.openWithDevices()
    try store.commitAndWait(items: [.add(Sample.item(1))])
    let spool = try store.spool(of: desk)
    var taken = Sample.item(1)
    taken.header.identifier = Sample.identifier(8)
    #expect(try spool.take(taken, digest: [1]))
    var renamed = taken
    renamed.attributes = [7]
    try spool.remove(Sample.identifier(1))
    try spool.exchange(renamed)
    #expect(try spool.items(after: 0, limit: 9).count == 1)
    try store.commitAndWait(spool: spool)
    #expect(try all(store) == [renamed])
  }

  @Test func aDuplicateChangesNothing() throws {
    let store = try place.openWithDevices()
    try store.commitAndWait(items: [.add(Sample.item(5))])
    let spool = try store.spool(of: desk)
    try take(1...9, spool)
    #expect(throws: StorageError.duplicate) {
      try store.commitAndWait(spool: spool, [.audit(Sample.line(1))])
    }
    #expect(try all(store) == [Sample.item(5)])
    #expect(try store.audit(owner: 1000, device: "desk", limit: 5).isEmpty)
  }

  @Test func aDeviceThatIsGoneGetsNothing() throws {
    let store = try place.openWithDevices()
    let spool = try store.spool(of: desk)
    try take(1...3, spool)
    try store.commitAndWait([.deviceRemoved(desk)])
    #expect(throws: StorageError.missing) { try store.commitAndWait(spool: spool) }
  }

  @Test func moreThanTheQuotaChangesNothingAndOthersGoOn() throws {
    var quota = UserQuota()
    quota.itemsMax = 50
    let store = try place.open(quota: quota)
    try store.commitAndWait([.device(Sample.device())])
    let spool = try store.spool(of: desk)
    try take(1...51, spool)
    #expect(throws: StorageError.overQuota("50 items")) {
      try store.commitAndWait(spool: spool)
    }
    #expect(try all(store).isEmpty)
    try store.commitAndWait(items: [.add(Sample.item(1))])
  }

  // MARK: Its file

  @Test func itHasNoNameAndACrashLeavesNoneOfItsItems() throws {
    let store = try place.openWithDevices()
    let before = Files.names(in: place.path).sorted()
    let spool = try store.spool(of: desk)
    var large = Sample.item(1)
    large.secret = [UInt8](repeating: 7, count: 1 << 20)
    for number in UInt64(1)...8 {
      large.header = Sample.item(number).header
      #expect(try spool.take(large, digest: []))
    }
    #expect(Files.names(in: place.path).sorted() == before)
    // What a crash in the moment of the name leaves.
    Files.write(ItemSpool.name(beside: place.database), [1, 2, 3])
    let next = try store.spool(of: desk)
    #expect(try next.take(Sample.item(1), digest: []))
    #expect(Files.names(in: place.path).sorted() == before)
    store.close()
    Files.write(ItemSpool.name(beside: place.database), [1, 2, 3])
    try place.open().close()
    #expect(!Files.names(in: place.path).contains { $0.hasSuffix("-restore") })
  }

  @Test func anothersLinkInItsPlaceIsNotFollowed() throws {
    let store = try place.openWithDevices()
    let victim = place.file("victim")
    Files.write(victim, [1, 2, 3])
    let name = ItemSpool.name(beside: place.database)
    unsafe symlink(victim, name)
    let spool = try store.spool(of: desk)
    #expect(try spool.take(Sample.item(1), digest: []))
    #expect(Files.read(victim) == [1, 2, 3])
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func onAFullDiskSpoolingSaysSoAndTheStoreGoesOn() throws {
    let disk = try #require(SmallFileSystem(kibibytes: 2048))
    let store = try disk.place().openWithDevices()
    try store.commitAndWait(items: [.add(Sample.item(1))])
    var spool: (any ItemSpooling)? = try store.spool(of: desk)
    var large = Sample.item(2)
    large.secret = [UInt8](repeating: 7, count: 200_000)
    #expect(throws: StorageError.full) {
      for number in UInt64(2)...200 {
        large.header = Sample.item(number).header
        _ = try spool?.take(large, digest: [])
      }
    }
    spool = nil
    // A program that another test has just forked may hold the file for a moment.
    let end = ContinuousClock.now + .seconds(60)
    let items = [ItemChange.add(Sample.item(300))]
    while (try? store.commitAndWait(items: items)) == nil, ContinuousClock.now < end {}
    #expect(try all(store) == [Sample.item(1), Sample.item(300)])
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func onAFullDiskTheCommitSaysSoAndChangesNothing() throws {
    let disk = try #require(SmallFileSystem(kibibytes: 4096))
    let store = try disk.place().openWithDevices()
    try store.commitAndWait(items: [.add(Sample.item(1))])
    let spool = try store.spool(of: desk)
    var large = Sample.item(2)
    large.secret = [UInt8](repeating: 7, count: 200_000)
    for number in UInt64(2)...20 {
      large.header = Sample.item(number).header
      #expect(try spool.take(large, digest: []))
    }
    disk.fill()
    #expect(throws: StorageError.full) { try store.commitAndWait(spool: spool) }
    disk.empty()
    #expect(try all(store) == [Sample.item(1)])
    try store.commitAndWait(items: [.add(Sample.item(300))])
  }
}

extension Store {
  /// Commits a spool and waits for the completion.
  func commitAndWait(
    spool: any ItemSpooling,
    _ changes: [StateChange] = []
  ) throws(StorageError) {
    try Self.waiting { commit(changes, spool: spool, .guarded, completion: $0) }
  }
}
