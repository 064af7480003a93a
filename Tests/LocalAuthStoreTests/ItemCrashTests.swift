import Glibc
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthStore

/// After a crash each item is wholly old or wholly new, and damage never becomes another item.
@Suite struct ItemCrashTests {
  private typealias Content = [ItemIdentifier: SealedItem]

  /// What a store holds at one moment, and what it would hold after the commit under way.
  private struct Moment {
    var snapshot: Snapshot
    var content: Content
  }

  private let desk = Sample.identity()

  /// Random adds, replacements and removals, several in a commit, with the files after each.
  private func history(_ generator: inout SeededGenerator, commits: Int) throws -> [Moment] {
    let place = Place()
    let store = try place.openWithDevices()
    var content: Content = [:]
    var moments = [Moment(snapshot: Snapshot(of: place), content: content)]
    for commit in 0..<UInt64(commits) {
      var changes: [ItemChange] = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let number = generator.next() % 12
        let item = Sample.item(number, version: commit + 1, terms: [Sample.term(1, number % 3)])
        let isThere = content[item.header.identifier] != nil
        if isThere, Bool.random(using: &generator) {
          changes.append(.remove(desk, item.header.identifier))
          content[item.header.identifier] = nil
        } else {
          changes.append(isThere ? .replace(item) : .add(item))
          content[item.header.identifier] = item
        }
      }
      try store.commitAndWait(items: changes, commit % 2 == 0 ? .ordinary : .guarded)
      moments.append(Moment(snapshot: Snapshot(of: place), content: content))
    }
    return moments
  }

  private func content(of store: Store) throws -> Content {
    var content: Content = [:]
    let lookup = ItemLookup(device: desk, itemClass: .genericPassword)
    for item in try store.all(lookup) { content[item.header.identifier] = item }
    // Terms and identifiers are torn no more than the rows.
    var found = 0
    for value in UInt64(0)..<3 {
      let terms = ItemLookup(
        device: desk,
        itemClass: .genericPassword,
        terms: [Sample.term(1, value)]
      )
      found += try store.all(terms).count
    }
    #expect(found == content.count)
    for (identifier, item) in content {
      #expect(try store.withItem(identifier, of: desk) { $0.copied() } == item)
    }
    return content
  }

  @Test func everyMomentLoadsAsItWas() throws {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    for moment in try history(&generator, commits: 25) {
      let store = try moment.snapshot.restored().open()
      #expect(try content(of: store) == moment.content, "SEED=\(seed)")
      #expect(store.state.distrusted.isEmpty, "SEED=\(seed)")
      store.close()
    }
  }

  @Test func aTornLogHoldsSomeMomentAsAWhole() throws {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    let moments = try history(&generator, commits: 20)
    let last = try #require(moments.last)
    // An idle moment may have moved all of it into the database, and then there is nothing to tear.
    let log = last.snapshot.log ?? []
    var cuts = Array(stride(from: 32, through: log.count, by: 24 + 4096))
    cuts += (0..<20).map { _ in Int.random(in: 0...log.count, using: &generator) }
    for cut in cuts {
      var snapshot = last.snapshot
      snapshot.log = Array(log[..<cut])
      let store = try snapshot.restored().open()
      let found = try content(of: store)
      #expect(moments.contains { $0.content == found }, "cut at \(cut), SEED=\(seed)")
      store.close()
    }
  }

  @Test func noFlippedBitMakesAnItemOutOfAnotherOrTraps() throws {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    let last = try #require(try history(&generator, commits: 20).last)
    let place = last.snapshot.restored()
    try place.open().close()
    for snapshot in [last.snapshot, Snapshot(of: place)] {
      for file in [\Snapshot.database, \Snapshot.log] {
        let size = snapshot[keyPath: file]?.count ?? 0
        for _ in 0..<150 where size > 0 {
          var flipped = snapshot
          let bit = Int.random(in: 0..<(size * 8), using: &generator)
          flipped[keyPath: file]?[bit / 8] ^= 1 << UInt8(bit % 8)
          judge(flipped, "bit \(bit), SEED=\(seed)")
        }
      }
    }
  }

  /// Reads and writes a damaged store in every way: it may throw, and what it finds has the address it
  /// was asked for; whether the sealed bytes are genuine is for whoever opens them.
  private func judge(_ snapshot: Snapshot, _ comment: Comment) {
    guard let store = try? snapshot.restored().open() else { return }
    defer { store.close() }
    for number in UInt64(0)..<12 {
      let item = Sample.item(number)
      if let found = try? store.stored(like: item) {
        #expect(found.header.key == item.header.key, comment)
      }
      let identifier = item.header.identifier
      if let found = try? store.withItem(identifier, of: desk, { $0.copied() }) {
        #expect(found.header.identifier == identifier, comment)
      }
    }
    for terms in [[], [Sample.term(1, 1)], [Sample.term(1, 1), Sample.term(1, 2)]] {
      let lookup = ItemLookup(device: desk, itemClass: .genericPassword, terms: terms)
      var left = 100
      _ = try? store.eachItem(lookup, after: nil, limit: 100) { _ in
        left -= 1
        return left > 0
      }
    }
    try? store.commitAndWait(items: [.add(Sample.item(50))])
    try? store.commitAndWait(items: [.remove(desk, Sample.identifier(1))])
    try? store.commitAndWait([.deviceRemoved(desk)])
  }

  @Test(arguments: [
    "protection = 200", "class_key = -1", "modified = -1", "terms = x''", "key = zeroblob(32)",
    "id = zeroblob(16)", "attributes = x''",
  ])
  func anEditedRowHurtsNoOther(_ edit: String) throws {
    let place = Place()
    let store = try place.openWithDevices()
    let items = (1...9).map { Sample.item($0, terms: [Sample.term(1, 0)]) }
    try store.commitAndWait(items: items.map { .add($0) })
    store.close()
    let victim = items[4].header.identifier.bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    try place.edit("UPDATE item SET \(edit) WHERE id = x'\(victim)'")
    let opened = try place.open()
    for item in items where item != items[4] {
      #expect(try opened.stored(like: item) == item)
    }
    for terms in [[], [Sample.term(1, 0)]] {
      let lookup = ItemLookup(device: desk, itemClass: .genericPassword, terms: terms)
      #expect(Set(try opened.all(lookup)).isSuperset(of: items.filter { $0 != items[4] }))
    }
    #expect(opened.state.distrusted.isEmpty)
  }

  @Test func aRowThatNoItemCanBeIsCorruptAloneAndPassedOverInPages() throws {
    let place = Place()
    var store = try place.openWithDevices()
    try store.commitAndWait(items: (1...5).map { .add(Sample.item($0)) })
    store.close()
    try place.edit("UPDATE item SET protection = 99 WHERE id > x'FFFFFFFFFFFFFFFC'")
    store = try place.open()
    let lookup = ItemLookup(device: desk, itemClass: .genericPassword)
    var seen = 0
    let page = try store.eachItem(lookup, after: nil, limit: 10) { _ in
      seen += 1
      return true
    }
    #expect(page.damaged > 0 && seen + page.damaged == 5)
    for number in UInt64(1)...5 {
      do throws(StorageError) {
        _ = try store.stored(like: Sample.item(number))
      } catch {
        guard case .corrupt = error else {
          Issue.record("\(error)")
          continue
        }
        seen += 1
      }
    }
    #expect(seen == 5)
    store.close()
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func onAFullDiskAddingSaysSoAndReadingWorks() throws {
    let disk = try #require(SmallFileSystem(kibibytes: 1024))
    let store = try disk.place().openWithDevices()
    try store.commitAndWait(items: [.add(Sample.item(1))])
    #expect(try store.stored(like: Sample.item(1)) == Sample.item(1))
    disk.fill()
    var large = Sample.item(2)
    large.secret = [UInt8](repeating: 1, count: 200_000)
    for _ in 0..<2 {
      #expect(throws: StorageError.full) { try store.commitAndWait(items: [.add(large)]) }
      #expect(try store.stored(like: Sample.item(1)) == Sample.item(1))
      #expect(try store.stored(like: large) == nil)
    }
    disk.empty()
    try store.commitAndWait(items: [.add(large)])
    #expect(try store.stored(like: large) == large)
    store.close()
  }

  @Test func whileSomebodyElseWritesAddingSaysSoAndReadingWorks() throws {
    let place = Place()
    let store = try place.openWithDevices()
    try store.commitAndWait(items: [.add(Sample.item(1))])
    let other = try Database.open(place.database, .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: StorageError.owned) { try store.commitAndWait(items: [.add(Sample.item(2))]) }
    #expect(try store.stored(like: Sample.item(1)) == Sample.item(1))
    try other.execute("ROLLBACK")
    try store.commitAndWait(items: [.add(Sample.item(2))])
  }
}
