import LocalAuthCore
import Testing

@testable import LocalAuthSync

@Suite struct TableRowTests {
  private static func dot(_ peer: Int, _ count: UInt64) -> VersionVector.Dot {
    VersionVector.Dot(CircleFixture.peer(peer), count)
  }

  private static func time(_ milliseconds: Int64) -> WallInstant {
    WallInstant(milliseconds: milliseconds)
  }

  private func row(
    _ values: [ExactText: CellValue],
    by dot: VersionVector.Dot? = dot(0, 1),
    at time: Int64 = 100
  ) throws -> TableRow {
    var row = TableRow()
    _ = try row.write(values, made: dot, at: Self.time(time))
    return row
  }

  private func values(_ row: TableRow) -> [ExactText: CellValue] { row.cells.mapValues(\.value) }

  // MARK: Writing

  @Test func aWriteChangesTheColumnsThatItNames() throws {
    var row = try row(["a": .integer(1), "b": .text("x")])
    #expect(try row.write(["b": .null], made: Self.dot(0, 2), at: Self.time(200)))
    #expect(values(row) == ["a": .integer(1), "b": .null])
    #expect(row.cells["a"]?.made == Self.dot(0, 1) && row.cells["b"]?.made == Self.dot(0, 2))
  }

  @Test func whatStandsAlreadyIsNotWrittenAnew() throws {
    var row = try row(["a": .integer(1)])
    let before = row
    #expect(try !row.write(["a": .integer(1)], made: Self.dot(1, 1), at: Self.time(900)))
    #expect(row == before)
  }

  @Test func whatIsNoColumnOrTooMuchIsRefusedAndNothingChanges() throws {
    var row = try row(["a": .integer(1)])
    let before = row
    for name in ["", "two\nlines", String(repeating: "n", count: 129)] {
      #expect(throws: TableRow.Refusal.columnName) {
        try row.write([ExactText(name): .null], made: nil, at: Self.time(1))
      }
    }
    let many = Dictionary(
      uniqueKeysWithValues: (0..<TableRow.columnsMax).map { (ExactText("c\($0)"), CellValue.null) }
    )
    #expect(throws: TableRow.Refusal.tooManyColumns) {
      try row.write(many, made: nil, at: Self.time(1))
    }
    let long = CellValue.blob([UInt8](repeating: 0, count: TableRow.bytesMax))
    #expect(throws: TableRow.Refusal.tooLong) {
      try row.write(["b": long], made: nil, at: Self.time(1))
    }
    #expect(row == before)
  }

  @Test func twoSpellingsOfOneLetterAreTwoColumnsAndTwoValues() throws {
    let row = try row(["\u{e9}": .text("\u{e9}"), "e\u{301}": .text("e\u{301}")])
    #expect(row.cells.count == 2)
    #expect(CellValue.text("\u{e9}") != CellValue.text("e\u{301}"))
    #expect(TableRow(row.bytes) == row)
  }

  @Test func numbersAreAsSQLiteKeepsThem() {
    #expect(CellValue.number(.nan) == .null)
    #expect(CellValue.number(-0.0) == .real(0))
    #expect(CellValue.real(1) != .integer(1))
  }

  // MARK: Merging

  private static let horizon = TimeHorizon(time(1_000))

  private func vector(_ dots: VersionVector.Dot...) -> VersionVector {
    var vector = VersionVector()
    for dot in dots { vector.add(dot) }
    return vector
  }

  /// What two devices make of their rows, which has to be the same on both.
  private func merged(
    _ one: (TableRow, VersionVector),
    _ other: (TableRow, VersionVector)
  ) -> TableRow {
    let merged = one.0.merged(knowing: one.1, with: other.0, knowing: other.1, Self.horizon)
    #expect(
      merged == other.0.merged(knowing: other.1, with: one.0, knowing: one.1, Self.horizon)
    )
    return merged
  }

  @Test func differentColumnsOfTwoDevicesBothPrevail() throws {
    let base = try row(["a": .integer(0), "b": .integer(0)])
    var (one, other) = (base, base)
    _ = try one.write(["a": .integer(1)], made: Self.dot(1, 1), at: Self.time(500))
    _ = try other.write(["b": .integer(2)], made: Self.dot(2, 1), at: Self.time(5))
    let known = (vector(Self.dot(0, 1), Self.dot(1, 1)), vector(Self.dot(0, 1), Self.dot(2, 1)))
    let merged = merged((one, known.0), (other, known.1))
    #expect(values(merged) == ["a": .integer(1), "b": .integer(2)])
    #expect(!one.isOverruled(by: merged, knowing: known.1))
    #expect(!other.isOverruled(by: merged, knowing: known.0))
  }

  @Test func whoSawAValueReplacesItWhateverTheClocksSay() throws {
    let base = try row(["a": .integer(0)], at: 900)
    var next = base
    _ = try next.write(["a": .integer(1)], made: Self.dot(1, 1), at: Self.time(-5))
    let merged = merged(
      (base, vector(Self.dot(0, 1))),
      (next, vector(Self.dot(0, 1), Self.dot(1, 1)))
    )
    #expect(merged == next)
    #expect(!base.isOverruled(by: merged, knowing: vector(Self.dot(0, 1), Self.dot(1, 1))))
  }

  @Test func ofOneColumnTheLaterWriteStandsAndTheOtherIsOverruled() throws {
    let one = try row(["a": .integer(1)], by: Self.dot(1, 1), at: 500)
    let other = try row(["a": .integer(2)], by: Self.dot(2, 1), at: 400)
    let known = (vector(Self.dot(1, 1)), vector(Self.dot(2, 1)))
    let merged = merged((one, known.0), (other, known.1))
    #expect(values(merged) == ["a": .integer(1)])
    #expect(other.isOverruled(by: merged, knowing: known.0))
    #expect(!one.isOverruled(by: merged, knowing: known.1))
  }

  @Test func aClockThatIsADayAheadOfAllOthersLoses() throws {
    let ahead = 1_000 + TimeHorizon.aheadMax + 1
    let one = try row(["a": .integer(1)], by: Self.dot(1, 1), at: ahead)
    let other = try row(["a": .integer(2)], by: Self.dot(2, 1), at: 400)
    let merged = merged((one, vector(Self.dot(1, 1))), (other, vector(Self.dot(2, 1))))
    #expect(merged == other)
  }

  @Test func aColumnOfARowThatWasMadeAnewWithoutItGoes() throws {
    let old = try row(["a": .integer(1), "b": .integer(1)])
    let anew = try row(["a": .integer(2)], by: Self.dot(1, 1), at: 500)
    let merged = merged(
      (old, vector(Self.dot(0, 1))),
      (anew, vector(Self.dot(0, 1), Self.dot(1, 1)))
    )
    #expect(merged == anew)
  }

  @Test func whatNobodySentYetIsAsConcurrent() throws {
    var mine = try row(["a": .integer(1), "b": .integer(1)])
    _ = try mine.write(["a": .integer(2)], made: nil, at: Self.time(600))
    var theirs = try row(["a": .integer(1), "b": .integer(1)])
    _ = try theirs.write(
      ["a": .integer(3), "b": .integer(3)],
      made: Self.dot(1, 1),
      at: Self.time(500)
    )
    let merged = merged(
      (mine, vector(Self.dot(0, 1))),
      (theirs, vector(Self.dot(0, 1), Self.dot(1, 1)))
    )
    #expect(values(merged) == ["a": .integer(2), "b": .integer(3)])
  }

  @Test func whatWasWrittenOutsideOfACircleGivesWayToWhatTheHubHas() throws {
    let mine = try row(["theme": .text("default"), "own": .integer(1)], by: nil, at: 9_000)
    let hub = try row(["theme": .text("dark")], at: 10)
    let merged = mine.replaced(by: hub)
    #expect(values(merged) == ["theme": .text("dark"), "own": .integer(1)])
  }

  @Test func aClockThatIsYearsAheadDecidesNothingWhereRowsAreTooLongTogether() throws {
    let half = CellValue.blob([UInt8](repeating: 1, count: TableRow.bytesMax * 2 / 3))
    let (mine, theirs) = (Self.dot(0, 1), Self.dot(1, 1))
    let one = try row(["a": half], by: mine, at: 500)
    let other = try row(["b": half], by: theirs, at: 10 * 365 * 24 * 3_600_000)
    var (known, others) = (VersionVector(), VersionVector())
    known.add(mine)
    others.add(theirs)
    let horizon = TimeHorizon(Self.time(1000))
    #expect(one.merged(knowing: known, with: other, knowing: others, horizon) == one)
  }

  @Test func aRowThatBothMadeTooLongTogetherIsTheLaterOfThem() throws {
    let half = CellValue.blob([UInt8](repeating: 1, count: TableRow.bytesMax * 2 / 3))
    let one = try row(["a": half], by: Self.dot(1, 1), at: 500)
    let other = try row(["b": half], by: Self.dot(2, 1), at: 400)
    #expect(merged((one, vector(Self.dot(1, 1))), (other, vector(Self.dot(2, 1)))) == one)
    #expect(one.replaced(by: other) == other)
  }

  // MARK: Backups

  @Test func ofARowAndItsBackupEachColumnIsTheLater() throws {
    var here = try row(["a": .integer(1), "b": .integer(1), "c": .integer(1)], at: 100)
    _ = try here.write(["own": .null], made: Self.dot(0, 2), at: Self.time(300))
    var backup = try row(["a": .integer(2), "d": .integer(2)], by: Self.dot(1, 9), at: 200)
    _ = try backup.write(["b": .integer(2), "own": .integer(2)], made: nil, at: Self.time(100))
    let restored = try #require(here.restored(from: backup, at: Self.time(400)))
    #expect(
      values(restored) == [
        "a": .integer(2), "b": .integer(1), "c": .integer(1), "d": .integer(2), "own": .null,
      ]
    )
    #expect(restored.cells["a"] == TableCell(.integer(2), written: Self.time(200)))
    #expect(restored.cells["b"] == here.cells["b"])
    #expect(restored.restored(from: backup, at: Self.time(400)) == restored)
  }

  @Test func aBackupOfAClockThatIsAheadIsFromNow() throws {
    let here = try row(["a": .integer(1), "b": .integer(1)], at: 100)
    let backup = try row(["a": .integer(2), "c": .integer(2)], at: 900)
    let restored = try #require(here.restored(from: backup, at: Self.time(100)))
    #expect(values(restored) == ["a": .integer(1), "b": .integer(1), "c": .integer(2)])
    #expect(restored.cells["c"]?.written == Self.time(100))
  }

  @Test func aBackupThatMakesARowTooLongIsNotPutBack() throws {
    let half = CellValue.blob(Array(repeating: 1, count: TableRow.bytesMax / 2))
    let here = try row(["a": half], at: 100)
    let (theirs, mine) = try (row(["b": half], at: 200), row(["a": half], at: 200))
    #expect(here.restored(from: theirs, at: Self.time(300)) == nil)
    #expect(here.restored(from: mine, at: Self.time(300)) == here, "it has nothing more")
    let shorter = try row(["a": .integer(1), "b": half], at: 200)
    #expect(here.restored(from: shorter, at: Self.time(300)) == shorter.unmade)
  }

  @Test func aBackupWithMoreColumnsThanARowMayHaveTogetherIsNotPutBack() throws {
    func columns(_ prefix: String, _ count: Int) -> [ExactText: CellValue] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { (ExactText("\(prefix)\($0)"), .null) })
    }
    let here = try row(columns("a", TableRow.columnsMax - 1), at: 100)
    let (one, two) = try (row(columns("b", 1), at: 200), row(columns("b", 2), at: 200))
    #expect(here.restored(from: one, at: Self.time(300))?.cells.count == TableRow.columnsMax)
    #expect(here.restored(from: two, at: Self.time(300)) == nil)
  }

  // MARK: Bytes

  @Test func aRowIsReadAsItWasWritten() throws {
    let row = try row([
      "null": .null, "integer": .integer(.min), "real": .real(-1.5e300), "text": .text("é\u{0}\n"),
      "blob": .blob([0, 255]),
    ])
    var other = row
    _ = try other.write(["later": .text("")], made: nil, at: Self.time(-4))
    #expect(TableRow(row.bytes) == row && TableRow(other.bytes) == other)
    #expect(TableRow(TableRow().bytes) == TableRow())
  }

  @Test func noBytesHaveTwoReadings() throws {
    let bytes = try row(["a": .real(2), "b": .text("x")], by: nil).bytes
    for end in 0..<bytes.count { #expect(TableRow(Array(bytes[..<end])) == nil) }
    #expect(TableRow(bytes + [0]) == nil)
    for place in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << UInt8(bit)
        if let row = TableRow(changed) { #expect(row.bytes == changed) }
      }
    }
  }

  @Test func whoMadeACellIsKnownToTheVersion() throws {
    var row = try row(["a": .null], by: Self.dot(1, 3))
    var vector = VersionVector()
    vector.add(Self.dot(1, 2))
    #expect(!row.isMade(by: vector))
    vector.add(Self.dot(1, 3))
    #expect(row.isMade(by: vector))
    _ = try row.write(["b": .null], made: nil, at: Self.time(1))
    #expect(!row.isMade(by: vector))
    row.attribute(to: Self.dot(1, 1), knowing: vector)
    #expect(row.isMade(by: vector) && row.cells["a"]?.made == Self.dot(1, 3))
    row.attribute(to: Self.dot(1, 2), knowing: VersionVector())
    #expect(row.cells.values.allSatisfy { $0.made == Self.dot(1, 2) })
    #expect(row.unmade.cells.values.allSatisfy { $0.made == nil })
  }

  @Test func whatMayBeWrittenCanBeReadOnceItHasItsMaker() throws {
    var written = 0
    for count in (TableRow.bytesMax - 100)...TableRow.bytesMax {
      var row = TableRow()
      let value = CellValue.blob([UInt8](repeating: 7, count: count))
      guard (try? row.write(["b": value], made: nil, at: Self.time(1))) != nil else { continue }
      written += 1
      row.attribute(to: Self.dot(1, 1), knowing: VersionVector())
      #expect(TableRow(row.bytes) == row, "\(count)")
    }
    #expect(written > 0 && written < 100)
  }
}
