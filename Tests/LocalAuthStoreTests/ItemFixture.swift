import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Synchronization

@testable import LocalAuthStore

extension Store {
  /// Commits and waits for the completion.
  func commitAndWait(
    _ changes: [StateChange] = [],
    items: [ItemChange],
    _ kind: CommitKind = .ordinary
  ) throws(StorageError) {
    try Self.waiting { commit(changes, items: items, kind, completion: $0) }
  }

  /// Waits for the completion of what `body` begins.
  static func waiting(
    for body: (@escaping @Sendable (Result<Void, StorageError>) -> Void) -> Void
  ) throws(StorageError) {
    let answer = Mutex<Result<Void, StorageError>>(.failure(.failed("no completion ran")))
    let isDone = Semaphore()
    body { result in
      answer.withLock { $0 = result }
      isDone.signal()
    }
    isDone.wait()
    try answer.withLock { $0 }.get()
  }

  /// A copy of the item with the class and key of `item`.
  func stored(like item: SealedItem) throws(StorageError) -> SealedItem? {
    try withItem(item.header.itemClass, item.header.key, of: item.header.device) { $0.copied() }
  }

  /// Copies of all items, in pages of `limit`.
  func all(_ lookup: ItemLookup, limit: Int = 7) throws(StorageError) -> [SealedItem] {
    var items: [SealedItem] = []
    var cursor: ItemHash?
    repeat {
      let page = try eachItem(lookup, after: cursor, limit: limit) { item in
        items.append(item.copied())
        return true
      }
      cursor = page.next
    } while cursor != nil
    return items
  }
}

extension Sample {
  /// Some bytes that follow from `number`.
  static func bytes(_ count: Int, _ number: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: number)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  static func hash(_ number: UInt64) -> ItemHash {
    guard let hash = ItemHash(bytes: bytes(32, number)) else { fatalError("32 bytes") }
    return hash
  }

  static func term(_ attribute: UInt8, _ value: UInt64) -> TermHash {
    TermHash(attribute: attribute, high: value &* 0x9E37_79B9_7F4A_7C15, low: value)
  }

  static func identifier(_ number: UInt64) -> ItemIdentifier {
    ItemIdentifier(high: ~number, low: number)
  }

  /// The item with this number; its wrapped key follows from number and version and is in no other
  /// item, its other sealed bytes follow from `version` alone.
  static func item(
    _ number: UInt64,
    version: UInt64 = 1,
    key: UInt64? = nil,
    itemClass: ItemClass = .genericPassword,
    device: String = "desk",
    terms: [TermHash] = []
  ) -> SealedItem {
    SealedItem(
      header: ItemHeader(
        device: identity(device),
        identifier: identifier(number),
        itemClass: itemClass,
        key: hash(key ?? number),
        protection: ProtectionClass.allCases[Int(version % 7)],
        classKey: version,
        isSynchronizable: version % 2 == 0,
        isTombstone: version % 5 == 0,
        modified: WallInstant(milliseconds: Int64(version) - 2)
      ),
      terms: terms,
      accessControl: bytes(Int(version % 40), version ^ 1),
      wrappedKey: bytes(60, version ^ (number + 1) << 32),
      attributes: bytes(150, version ^ 3),
      secret: version % 3 == 0 ? nil : bytes(Int(version % 50) * 40, version ^ 4)
    )
  }
}

extension Place {
  /// A store here with the devices `desk` and `lamp`.
  func openWithDevices() throws -> Store {
    let store = try open()
    try store.commitAndWait([.device(Sample.device()), .device(Sample.device("lamp"))])
    return store
  }
}
