import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthStore

/// Connections stay in a transaction between reads, and nobody notices.
@Suite struct ItemReadersTests {
  private let item = Sample.item(1)

  /// The milliseconds of the item's last change, as `readers` see it.
  private func modified(_ readers: ItemReaders) throws -> Int64? {
    var found: Int64?
    _ = try readers.withReader { (reader) throws(StorageError) in
      try reader.item(item.header.itemClass, item.header.key, of: item.header.device) { stored in
        found = stored.header.modified.milliseconds
      }
    }
    return found
  }

  private func placeWithItem() throws -> Place {
    let place = Place()
    let store = try place.openWithDevices()
    try store.commitAndWait(items: [.add(item)])
    store.close()
    return place
  }

  @Test func anIdleReaderDoesNotKeepTheLogFromBeingEmptied() throws {
    let place = try placeWithItem()
    let database = try Database.open(place.database, .readWrite)
    let readers = ItemReaders(path: place.database)
    try database.execute("UPDATE item SET modified = modified + 1")
    #expect(try modified(readers) == item.header.modified.milliseconds + 1)
    let isInTheWay = !database.checkpoint(truncating: true, waiting: false)
    #expect(isInTheWay, "it stays in a transaction")
    let isEmptied = readers.whileWriting { database.checkpoint(truncating: true, waiting: false) }
    #expect(isEmptied)
    readers.close()
  }

  @Test func aReaderThatWasInUseDuringAWriteDoesNotStayBefore() throws {
    let place = try placeWithItem()
    let database = try Database.open(place.database, .readWrite)
    let readers = ItemReaders(path: place.database)
    let before = try modified(readers)
    _ = try readers.withReader { (reader) throws(StorageError) in
      try reader.item(item.header.itemClass, item.header.key, of: item.header.device) { _ in
        readers.whileWriting { try? database.execute("UPDATE item SET modified = modified + 1") }
      }
    }
    #expect(try modified(readers) == before.map { $0 + 1 })
    readers.close()
  }

  @Test func aReadShowsEveryCommitBeforeIt() throws {
    let place = Place()
    let store = try place.openWithDevices()
    try store.commitAndWait(items: [.add(item)])
    for version in UInt64(2)...60 {
      let changed = Sample.item(1, version: version)
      try store.commitAndWait(items: [.replace(changed)])
      #expect(try store.stored(like: changed) == changed)
      #expect(try store.stored(like: changed) == changed)
    }
    store.close()
  }

  @Test func closedReadersLendNothing() throws {
    let place = try placeWithItem()
    let readers = ItemReaders(path: place.database)
    #expect(try modified(readers) != nil)
    readers.close()
    #expect(try modified(readers) == nil)
  }
}
