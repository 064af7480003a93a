import Glibc
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthStore

/// What was removed or replaced does not stay readable in the files.
@Suite struct ErasureTests {
  private let desk = Sample.identity()

  /// How many of `needles` are found in the files of `place`.
  private func count(_ needles: [[UInt8]], in place: Place) -> Int {
    var found: Set<[UInt8]> = []
    let wanted = Dictionary(grouping: needles) { Array($0.prefix(4)) }
    for name in Files.names(in: place.path) {
      let file = Files.read(place.file(name)) ?? []
      guard file.count > 16 else { continue }
      for start in 0..<(file.count - 16) {
        guard let candidates = wanted[Array(file[start..<(start + 4)])] else { continue }
        for needle in candidates where file[start...].starts(with: needle) { found.insert(needle) }
      }
    }
    return found.count
  }

  /// Sixteen bytes from the middle of the wrapped key.
  private func mark(_ item: SealedItem) -> [UInt8] { Array(item.wrappedKey[20..<36]) }

  /// A store after many commits, what it holds and what it held before.
  private func history(
    _ store: Store,
    _ generator: inout SeededGenerator
  ) throws -> (live: [[UInt8]], gone: [[UInt8]]) {
    var live: [UInt64: SealedItem] = [:]
    var gone: [[UInt8]] = []
    for version in UInt64(1)...40 {
      var changes: [ItemChange] = []
      for _ in 0..<15 {
        let number = generator.next() % 150
        let item = Sample.item(number, version: version, terms: [Sample.term(1, number)])
        guard let old = live[number] else {
          live[number] = item
          changes.append(.add(item))
          continue
        }
        // The same item twice in one commit has the same bytes twice.
        guard old.wrappedKey != item.wrappedKey else { continue }
        gone.append(mark(old))
        let isReplaced = Bool.random(using: &generator)
        live[number] = isReplaced ? item : nil
        changes.append(isReplaced ? .replace(item) : .remove(desk, item.header.identifier))
      }
      try store.commitAndWait(items: changes)
    }
    let kept = Set(live.values.map(mark))
    return (Array(kept), gone.filter { !kept.contains($0) })
  }

  @Test func afterClosingNoRemovedKeyIsInAnyFile() throws {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    let place = Place()
    let store = try place.openWithDevices()
    let (live, gone) = try history(store, &generator)
    store.close()
    #expect(gone.count > 100)
    #expect(count(live, in: place) == live.count, "the search finds what is there")
    #expect(count(gone, in: place) == 0, "SEED=\(seed)")
  }

  @Test func afterACrashTheLogIsErasedAtTheNextStartAndTheRestAtItsEnd() throws {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    let place = Place()
    let store = try place.openWithDevices()
    let (live, gone) = try history(store, &generator)
    let crashed = Snapshot(of: place).restored()
    store.close()
    let reopened = try crashed.open()
    #expect(count(live, in: crashed) == live.count)
    // The mirror's repair aside, nothing was written since.
    #expect(Snapshot(of: crashed).log == nil)
    reopened.close()
    #expect(count(live, in: crashed) == live.count)
    #expect(count(gone, in: crashed) == 0, "SEED=\(seed)")
  }

  @Test func anIdleMomentErasesWhatTheLogHolds() throws {
    let place = Place()
    try place.openWithDevices().close()
    let database = try Database.openStore(at: place.database, foundingTag: [])
    let tagger = TestTagger()
    let mirror = place.openMirror()
    let loaded = try Loaded(
      from: database,
      tagger: tagger,
      mirror: MirroredSequence(mirror.read(), tagger),
      copy: .missing,
      raising: Sample.raising
    )
    var writer = try Writer.resume(
      database,
      loaded: loaded,
      tagger: tagger,
      mirror: mirror,
      copy: mirror,
      quota: .keeping(lines: 10)
    )
    let item = Sample.item(1)
    let keybag = Sample.bytes(60, 99)
    try writer.commit([.keybag(desk, keybag)], items: .changes([.add(item)]), .guarded)
    #expect(count([mark(item), keybag], in: place) == 2)
    try writer.commit(
      [.keybag(desk, nil)],
      items: .changes([.remove(desk, item.header.identifier)]),
      .guarded
    )
    #expect(count([mark(item), keybag], in: place) == 2, "the log still has them")
    // A reader keeps what it reads; the idle moment after it does not wait and is not the last.
    let reader = try Database.open(place.database, .readOnly)
    try reader.execute("BEGIN; SELECT count(*) FROM item")
    writer.tidy()
    #expect(Snapshot(of: place).log != nil)
    try reader.execute("COMMIT")
    writer.tidy()
    #expect(count([mark(item), keybag], in: place) == 0)
    writer.finish()
  }

  @Test func aKeybagIsGoneFromTheDatabaseWithItsCommit() throws {
    let place = Place()
    let store = try place.open()
    let names = (0..<40).map { "d\($0)" }
    try store.commitAndWait(names.map { .device(Sample.device($0)) })
    var gone: [[UInt8]] = []
    var live: [String: [UInt8]] = [:]
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    for round in UInt64(1)...200 {
      let name = names[Int(generator.next() % 40)]
      if let old = live[name] { gone.append(Array(old[50..<66])) }
      let size = Int.random(in: 300...900, using: &generator)
      let keybag = generator.next() % 4 == 0 ? nil : Sample.bytes(size, round)
      live[name] = keybag
      try store.commitAndWait([.keybag(Sample.identity(name), keybag)])
    }
    // Without the store's end, which would write the whole file anew.
    let crashed = Snapshot(of: place).restored()
    let database = try Database.open(crashed.database, .readWrite)
    // A connection that has read nothing does not know that there is a log.
    #expect(try database.integer("PRAGMA user_version") == Schema.format)
    let isMoved = database.checkpoint(truncating: true)
    #expect(isMoved)
    #expect(count(live.values.map { Array($0[50..<66]) }, in: crashed) == live.count)
    #expect(count(gone, in: crashed) == 0, "SEED=\(seed)")
    store.close()
  }

  @Test func aDeviceThatIsRemovedLeavesNoKeyBehind() throws {
    let place = Place()
    let store = try place.openWithDevices()
    let items = (1...300).map { Sample.item($0, version: $0, terms: [Sample.term(1, $0)]) }
    let keybag = Sample.bytes(500, 7)
    try store.commitAndWait(
      [.keybag(desk, keybag)],
      items: items.map { .add($0) },
      .guarded
    )
    try store.commitAndWait([.deviceRemoved(desk)])
    store.close()
    #expect(count(items.map(mark) + [Array(keybag[100..<116])], in: place) == 0)
  }
}
