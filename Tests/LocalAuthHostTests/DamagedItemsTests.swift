import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthStore

/// No changed byte anywhere in the files yields another item's data, or data that was never stored.
@Suite(.serialized) struct DamagedItemsTests {
  private typealias Reading = KeptItems.Reading

  private let kept: KeptItems
  private var generator = SeededGenerator.ofThisRun

  init() throws { kept = try KeptItems.shared.get() }

  /// What a directory gave after its files were changed.
  private struct Damage {
    var readings: [Reading] = []
    var lines = 0
  }

  /// Reads everything of a directory with these files; nil where it is refused as a whole.
  private func look(
    at files: StateFiles,
    _ change: (String) throws -> Void = { _ in }
  ) throws
    -> Damage?
  {
    let scratch = StateScratch()
    files.write(to: scratch.path)
    try change(scratch.path)
    guard let rig = try StateRig(opening: scratch.path) else { return nil }
    let readings = kept.readings(in: rig)
    return Damage(readings: readings, lines: rig.damageLines())
  }

  /// Expects that what can be read is what was stored.
  private func expectNothingAltered(
    _ damage: Damage?,
    _ what: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    for case .altered(let how) in damage?.readings ?? [] {
      Issue.record("SEED=\(generator.seed) \(what): \(how)", sourceLocation: location)
    }
  }

  @Test func untouchedFilesGiveEverything() throws {
    for files in [kept.closed, kept.crashed] {
      let damage = try #require(try look(at: files))
      #expect(damage.readings == kept.items.map { _ in .whole })
      #expect(damage.lines == 0)
    }
    #expect((kept.crashed.contents[StateFiles.log] ?? []).count > 100_000)
    #expect(kept.items.count == 15)
  }

  // MARK: Bytes

  /// How many of these cases there are of each kind.
  private static let flips = [
    (StateFiles.database, false, 120), (StateFiles.database, true, 60), (StateFiles.log, true, 100),
    (StateFiles.mirror, false, 8), (StateFiles.key, false, 8),
  ]

  @Test(arguments: flips)
  mutating func flippedBitsAndBytesAlterNothing(
    _ name: String,
    _ isCrashed: Bool,
    _ count: Int
  ) throws {
    var (refused, whole) = (0, 0)
    for _ in 0..<count {
      var files = isCrashed ? kept.crashed : kept.closed
      var bytes = files.contents[name] ?? []
      let offset = Int.random(in: bytes.indices, using: &generator)
      let old = bytes[offset]
      if Bool.random(using: &generator) {
        bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      } else {
        bytes[offset] = UInt8.random(in: .min ... .max, using: &generator)
      }
      files.contents[name] = bytes
      let damage = try look(at: files)
      expectNothingAltered(damage, "\(name) byte \(offset) from \(old) to \(bytes[offset])")
      if damage == nil { refused += 1 }
      if damage?.readings.allSatisfy({ $0 == .whole }) == true { whole += 1 }
    }
    // A database of which all damage is refused, or none is met, would show nothing.
    if name == StateFiles.database, !isCrashed { #expect(refused < count && whole < count) }
    if name == StateFiles.key { #expect(whole <= 1, "a byte may have been written over by itself") }
  }

  @Test(arguments: [StateFiles.database, StateFiles.log, StateFiles.mirror, StateFiles.key])
  mutating func cutFilesAlterNothing(_ name: String) throws {
    for _ in 0..<12 {
      var files = kept.crashed
      let count = files.contents[name]?.count ?? 0
      let length = Int.random(in: 0..<count, using: &generator)
      files.contents[name] = Array((files.contents[name] ?? []).prefix(length))
      expectNothingAltered(try look(at: files), "\(name) cut to \(length)")
    }
    var files = kept.crashed
    files.contents[name] = nil
    expectNothingAltered(try look(at: files), "no \(name)")
  }

  @Test mutating func exchangedPagesAlterNothing() throws {
    let size = 4096
    let pages = (kept.closed.contents[StateFiles.database] ?? []).count / size
    for _ in 0..<40 {
      var files = kept.closed
      var bytes = files.contents[StateFiles.database] ?? []
      let (one, other) = (
        Int.random(in: 1..<pages, using: &generator), Int.random(in: 1..<pages, using: &generator)
      )
      let page = Array(bytes[(one * size)..<(one * size + size)])
      bytes.replaceSubrange(
        (one * size)..<(one * size + size),
        with: bytes[(other * size)..<(other * size + size)]
      )
      bytes.replaceSubrange((other * size)..<(other * size + size), with: page)
      files.contents[StateFiles.database] = bytes
      expectNothingAltered(try look(at: files), "pages \(one) and \(other)")
    }
  }

  // MARK: Rows

  /// A pair of items whose columns are exchanged: of one class, of two, guarded and not, and of two
  /// devices.
  private static let pairs = [
    ("ann", "cat"), ("any", "too"), ("any", "ann"), ("empty", "large"), ("bob", "set"),
    ("none", "app"), ("dan", "empty"),
  ]

  @Test(arguments: ItemRows.columns) func exchangedColumnsOpenNothing(_ column: String) throws {
    let index = try #require(ItemRows.columns.firstIndex(of: column)) + 2
    for (one, other) in try Self.pairs.map({ (try item($0), try item($1)) })
      + [
        (try item("ann"), try item("ann", on: "bare")),
        (try item("any"), try item("any", on: "bare")),
      ]
    {
      let damage = try look(at: kept.closed) { path in
        let rows = try ItemRows(path + "/" + StateFiles.database)
        var (first, second) = (try rows.row(kept.items[one]), try rows.row(kept.items[other]))
        (first[index], second[index]) = (second[index], first[index])
        try rows.remove(kept.items[one])
        try rows.remove(kept.items[other])
        try rows.insert(first)
        try rows.insert(second)
      }
      expect(damage, touching: [one, other], "exchanged \(column)")
    }
  }

  /// Items that a changed bit is put into, one after another.
  private static let touched = ["empty", "none", "large", "bob", "dan", "any", "set", "app"]

  @Test(arguments: ItemRows.columns) mutating func changedColumnOpensNothing(
    _ column: String
  ) throws {
    let index = try #require(ItemRows.columns.firstIndex(of: column)) + 2
    for name in Self.touched {
      let one = try item(name)
      var generator = generator
      var isChanged = true
      let damage = try look(at: kept.closed) { path in
        let rows = try ItemRows(path + "/" + StateFiles.database)
        let row = try rows.row(kept.items[one])
        guard let changed = row[index].changed(&generator) else {
          isChanged = false
          return
        }
        try rows.remove(kept.items[one])
        var new = row
        new[index] = changed
        try rows.insert(new)
      }
      self.generator = generator
      guard isChanged else { continue }
      expect(damage, touching: [one], "\(name) \(column)")
      // Every part but the terms is bound to the others, so the item is not there any more; the key
      // of an item without data opens nothing that anybody asks for.
      guard column != "terms", (name, column) != ("none", "wrapped_key") else { continue }
      #expect(damage?.readings[one] != .whole, "\(name) \(column)")
    }
  }

  @Test func itemsThatAreMovedToAnotherDeviceOpenNothing() throws {
    for (one, other) in [("ann", "ann"), ("any", "any"), ("bob", "bob"), ("cat", "ann")] {
      let (here, there) = (try item(one), try item(other, on: "bare"))
      let damage = try look(at: kept.closed) { path in
        let rows = try ItemRows(path + "/" + StateFiles.database)
        var (first, second) = (try rows.row(kept.items[here]), try rows.row(kept.items[there]))
        try rows.remove(kept.items[here])
        try rows.remove(kept.items[there])
        // Whole rows change places, once under the key of their own and once under the other's.
        (first[0], second[0]) = (second[0], first[0])
        (first[2], second[2]) = (second[2], first[2])
        try rows.insert(first)
        try rows.insert(second)
      }
      expect(damage, touching: [here, there], "\(one) and \(other)")
      #expect(damage?.readings[here] != .whole && damage?.readings[there] != .whole)
    }
  }

  /// What somebody might do to many rows at once.
  private static let statements: [StaticString] = [
    "UPDATE keychain SET number = number + 10; UPDATE keychain SET number = 13 - number",
    """
    UPDATE keychain SET name = name || 'x';
    UPDATE keychain SET name = CASE name WHEN 'simx' THEN 'bare' ELSE 'sim' END
    """,
    "UPDATE item SET access_control = x''",
    "UPDATE item SET protection = 2",
    "UPDATE item SET protection = 2, access_control = x''",
    "UPDATE item SET class_key = 2",
    "UPDATE item SET secret = NULL",
    "UPDATE item SET secret = x''",
    "UPDATE item SET tombstone = 1",
    "UPDATE item SET modified = modified + 1",
    """
    UPDATE item SET secret = (SELECT secret FROM item WHERE length(secret) > 1000),
      wrapped_key = (SELECT wrapped_key FROM item WHERE length(secret) > 1000)
    """,
    """
    UPDATE item SET attributes = (SELECT attributes FROM item WHERE protection = 2),
      wrapped_key = (SELECT wrapped_key FROM item WHERE protection = 2),
      secret = (SELECT secret FROM item WHERE protection = 2), protection = 2,
      access_control = x''
    """,
    "UPDATE keybag SET sealed = (SELECT sealed FROM keybag WHERE name = 'bare')",
    """
    UPDATE keybag SET name = name || 'x';
    UPDATE keybag SET name = CASE name WHEN 'simx' THEN 'bare' ELSE 'sim' END
    """,
    "DELETE FROM keybag",
    "DELETE FROM term",
    // Every search finds every item.
    """
    INSERT OR IGNORE INTO term SELECT t.keychain, t.attribute, t.hash, i.class, i.key
    FROM term t, item i WHERE i.keychain = t.keychain
    """,
    "DELETE FROM device WHERE name = 'sim'",
  ]

  @Test(arguments: statements.indices) func sweepingChangesOpenNothingElse(_ index: Int) throws {
    let damage = try look(at: kept.closed) { path in
      try ItemRows(path + "/" + StateFiles.database).execute(Self.statements[index])
    }
    expectNothingAltered(damage, "\(Self.statements[index])")
  }

  // MARK: Parts

  /// Columns by which a row is passed over before anything of it is opened, so that nobody learns of the
  /// damage: what it is found by, and whether it is the trace of an item.
  private static let unnoticed = ["terms", "tombstone"]

  private func item(_ account: String, on device: String = "sim") throws -> Int {
    try #require(
      kept.items.firstIndex { $0.device == device && $0.item.value(of: .account) == .text(account) }
    )
  }

  /// What was touched is whole or not there, with a line in the audit; everything else is whole.
  private func expect(
    _ damage: Damage?,
    touching touched: [Int],
    _ what: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    expectNothingAltered(damage, what, at: location)
    guard let damage else {
      Issue.record("\(what): one item's damage refused them all", sourceLocation: location)
      return
    }
    for index in kept.items.indices where !touched.contains(index) {
      let reading = damage.readings[index]
      #expect(reading == .whole, "\(what): \(kept.items[index].query)", sourceLocation: location)
    }
    // A damaged item that takes a password cannot be told from another password.
    let lost = touched.map { damage.readings[$0] }
      .filter { $0 != .whole && $0 != .nothing(.authentication(.authenticationFailed)) }
    guard !lost.isEmpty, !Self.unnoticed.contains(where: { what.hasSuffix($0) }) else { return }
    #expect(damage.lines > 0, "\(what): \(lost)", sourceLocation: location)
  }
}

extension StatementValue {
  /// The value with one bit of it changed; nil where there is none to change.
  fileprivate func changed(_ generator: inout SeededGenerator) -> Self? {
    switch self {
    case .null: return .blob([])
    case .integer(let number): return .integer(number ^ 1)
    case .text: return nil
    case .blob(var bytes):
      guard !bytes.isEmpty else { return .blob([0]) }
      let index = Int.random(in: bytes.indices, using: &generator)
      bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      return .blob(bytes)
    }
  }
}
