import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthStore

/// One user fills no disk but their share of it.
@Suite struct UserQuotaTests {
  private static let ann = Sample.identity("desk", owner: 1000)

  private func open(_ place: Place, items: Int64? = nil, bytes: Int64? = nil) throws -> Store {
    var quota = UserQuota()
    quota.itemsMax = items
    quota.itemBytesMax = bytes
    let store = try place.open(quota: quota)
    try store.commitAndWait(
      ["desk", "lamp", "localauth.issuer"].map { .device(Sample.device($0)) }
        + [.device(Sample.device(owner: 7))]
    )
    return store
  }

  private func item(
    _ number: UInt64,
    of device: String = "desk",
    owner: UInt32 = 1000
  )
    -> SealedItem
  {
    var item = Sample.item(number, version: 1, device: device)
    item.header.device = Sample.identity(device, owner: owner)
    return item
  }

  private func add(_ numbers: ClosedRange<UInt64>, to store: Store) throws {
    try store.commitAndWait(items: numbers.map { .add(item($0)) })
  }

  private func count(_ store: Store) throws -> Int {
    try store.all(ItemLookup(device: Self.ann, itemClass: .genericPassword)).count
  }

  @Test func theDefaultsOfTheSystemsServiceAreThese() {
    let quota = UserQuota.system
    #expect(quota.itemsMax == 10_000)
    #expect(quota.itemBytesMax == 67_108_864)
    #expect(quota.auditLinesKept == 20_000)
  }

  @Test func aUsersOwnStoreTakesAnyNumberOfItems() {
    #expect(UserQuota().itemsMax == nil)
    #expect(UserQuota().itemBytesMax == nil)
    #expect(UserQuota().auditLinesKept == 100_000)
  }

  @Test func oneItemTooManyIsRefusedAndNothingOfItsCommitIsDone() throws {
    let store = try open(Place(), items: 3)
    try add(1...2, to: store)
    #expect(throws: StorageError.overQuota("3 items")) { try add(3...4, to: store) }
    #expect(try count(store) == 2)
    try add(3...3, to: store)
    #expect(throws: StorageError.overQuota("3 items")) { try add(4...4, to: store) }
  }

  @Test func allDevicesOfAUserShareTheQuota() throws {
    let store = try open(Place(), items: 3)
    try add(1...3, to: store)
    #expect(throws: StorageError.overQuota("3 items")) {
      try store.commitAndWait(items: [.add(item(9, of: "lamp"))])
    }
  }

  @Test func anotherUserCanStillAddAndAttemptsAreStillCharged() throws {
    let store = try open(Place(), items: 3)
    try add(1...3, to: store)
    #expect(throws: StorageError.self) { try add(4...4, to: store) }
    try store.commitAndWait(items: [.add(item(5, owner: 7))])
    try store.commitAndWait([.device(Sample.device()), .audit(Sample.line(1))], .guarded)
  }

  @Test func theServicesOwnKeysAreNoItemsOfTheUser() throws {
    let store = try open(Place(), items: 1)
    try add(1...1, to: store)
    try store.commitAndWait(items: [.add(item(2, of: "localauth.issuer"))])
  }

  @Test func whatIsRemovedMakesRoom() throws {
    let store = try open(Place(), items: 2)
    try add(1...2, to: store)
    try store.commitAndWait(items: [.remove(Self.ann, Sample.identifier(1)), .add(item(3))])
    #expect(throws: StorageError.overQuota("2 items")) { try add(4...4, to: store) }
    try store.commitAndWait([.deviceRemoved(Self.ann), .device(Sample.device())])
    try add(5...6, to: store)
    #expect(throws: StorageError.overQuota("2 items")) { try add(7...7, to: store) }
  }

  @Test func bytesAreCountedAsTheyAreStored() throws {
    let size = Int64(item(1).byteCount)
    let store = try open(Place(), bytes: 2 * size)
    try add(1...2, to: store)
    #expect(throws: StorageError.overQuota("\(2 * size) bytes of items")) {
      try add(3...3, to: store)
    }
    var larger = item(2)
    larger.attributes.append(0)
    #expect(throws: StorageError.self) { try store.commitAndWait(items: [.replace(larger)]) }
    try store.commitAndWait(items: [.replace(item(2))])
  }

  @Test func theCountOutlivesARestart() throws {
    let place = Place()
    var store = try open(place, items: 3)
    try add(1...3, to: store)
    store.close()
    store = try open(place, items: 3)
    #expect(throws: StorageError.overQuota("3 items")) { try add(4...4, to: store) }
    try store.commitAndWait(items: [.remove(Self.ann, Sample.identifier(2))])
    try add(4...4, to: store)
  }

  /// The administrator lowered the limit below what is there.
  @Test func whoHasTooManyCanStillChangeAndRemoveThem() throws {
    let place = Place()
    var store = try open(place)
    try add(1...5, to: store)
    store.close()
    store = try open(place, items: 2)
    try store.commitAndWait(items: [.replace(item(1))])
    try store.commitAndWait(items: [.remove(Self.ann, Sample.identifier(2))])
    #expect(throws: StorageError.overQuota("2 items")) { try add(6...6, to: store) }
    #expect(try count(store) == 4)
  }
}

extension UserQuota {
  /// A quota of so many audit lines, and of as many items as anybody likes.
  static func keeping(lines: Int64?) -> UserQuota {
    var quota = UserQuota()
    quota.auditLinesKept = lines ?? quota.auditLinesKept
    return quota
  }
}
