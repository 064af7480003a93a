import LocalAuthCore
import Testing

@testable import LocalAuthStore

@Suite struct SchemaTests {
  @Test func theTablesOfAFormatNeverChange() {
    #expect(hash(Schema.tables) == 4_924_197_153_639_562_699, "FNV-1a over the text")
    #expect(hash(Schema.additions) == 13_204_883_979_526_810_474, "FNV-1a over the text")
    #expect(hash(Schema.synchronization) == 15_055_416_882_281_809_077, "FNV-1a over the text")
  }

  private func hash(_ text: StaticString) -> UInt64 {
    text.description.utf8.reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
  }

  @Test func theTablesComeWithTheMarker() throws {
    let database = try Database.open("", .memory)
    for step in Schema.steps(from: 0) { try database.execute(step) }
    #expect(try database.integer("PRAGMA user_version") == Schema.format)
    #expect(try database.integer("PRAGMA application_id") == Int64(Schema.applicationID))
    #expect(try Schema.isExact(database))
  }

  @Test func statisticsMayBeThere() throws {
    let database = try Database.open("", .memory)
    for step in Schema.steps(from: 0) { try database.execute(step) }
    try database.execute("ANALYZE")
    #expect(try Schema.isExact(database))
  }

  @Test(arguments: [
    "INSERT INTO device VALUES (-1, 'a', 0, 1, x'', x'')",
    "INSERT INTO device VALUES (4294967296, 'a', 0, 1, x'', x'')",
    "INSERT INTO device VALUES (1, '', 0, 1, x'', x'')",
    "INSERT INTO device VALUES (1, '-a', 0, 1, x'', x'')",
    "INSERT INTO device VALUES (1, 'a b', 0, 1, x'', x'')",
    "INSERT INTO device VALUES (1, 'a/b', 0, 1, x'', x'')",
    "INSERT INTO device VALUES (1, 'ä', 0, 1, x'', x'')",
    "INSERT INTO device VALUES (1, 'a', -1, 1, x'', x'')",
    "INSERT INTO device VALUES (1, 'a', 0, 2, x'', x'')",
    "INSERT INTO device VALUES (1, 'a', 0, 1, 'text', x'')",
    "INSERT INTO device VALUES (-2, '', 0, 1, x'', x'')",
    "INSERT INTO device VALUES (-1, '', -1, 1, x'', x'')",
    "INSERT INTO device VALUES (-1, '', 0, 1, x'', x''), (-1, '', 1, 1, x'', x'')",
    "INSERT INTO keybag VALUES (1, 'a/b', 0, x'', x'')",
    "INSERT INTO keybag VALUES (1, 'a', 0, NULL, x'')",
    "INSERT INTO sync VALUES (1, x'00', x'')", "INSERT INTO sync VALUES (1, zeroblob(32), NULL)",
    "INSERT INTO watermark VALUES (1, 'a/b', 0, x'', x'')",
    "INSERT INTO watermark VALUES (1, 'a', -1, x'', x'')", Self.item(class: "0"),
    Self.item(class: "5"), Self.item(key: "x'00'"), Self.item(id: "x'00'"),
    Self.item(sync: "2"), Self.item(terms: "x'00'"),
    "INSERT INTO term VALUES (1, 256, zeroblob(16), 1, x'')",
    "INSERT INTO term VALUES (1, 1, zeroblob(15), 1, x'')",
  ])
  func theTablesRefuseWhatCannotBe(_ sql: String) throws {
    let database = try founded()
    #expect(throws: RawDatabase.Refused(code: 19)) { try database.execute(sql) }
  }

  @Test func theTablesTakeAnItem() throws { try founded().execute(Self.item()) }

  private static func item(
    class itemClass: String = "1",
    key: String = "zeroblob(32)",
    id: String = "zeroblob(16)",
    sync: String = "0",
    terms: String = "zeroblob(17)"
  ) -> String {
    """
    INSERT INTO item VALUES (1, \(itemClass), \(key), \(id), 0, 1, \(sync), 0, 0, \(terms), x'', x'',
      x'', NULL)
    """
  }

  @Test(arguments: ["a", "Z9", "a-b_c.d", "0", String(repeating: "x", count: 64)])
  func theTablesTakeEveryValidName(_ name: String) throws {
    #expect(DeviceIdentity.isValid(name: name))
    try founded().execute("INSERT INTO device VALUES (1, '\(name)', 0, 1, x'', x'')")
  }

  private func founded() throws -> RawDatabase {
    let database = try RawDatabase(":memory:")
    for step in Schema.steps(from: 0) { try database.execute(step.description) }
    return database
  }
}
