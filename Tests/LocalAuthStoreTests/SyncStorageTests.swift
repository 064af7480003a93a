import LocalAuthCore
import Testing

@testable import LocalAuthStore

/// Rows of synchronization are kept with their device, and older watermarks that are put back cost trust.
@Suite struct SyncStorageTests {
  private let desk = Sample.identity("a")

  private func row(_ name: UInt8, _ sealed: [UInt8]?) -> SealedRow {
    SealedRow(name: [UInt8](repeating: name, count: SealedRow.nameSize), sealed: sealed)
  }

  /// A store with devices a and b, with watermarks that moved `rounds` times.
  private func filled(rounds: UInt8 = 2) throws -> Place {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device("a")), .device(Sample.device("b"))])
    for round in 1...rounds {
      for name in ["b", "a"] {
        try store.commitAndWait([.watermarks(Sample.identity(name), [round])])
      }
    }
    store.close()
    return place
  }

  @Test func rowsAreThereAsTheyWereCommittedLast() throws {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([
      .device(Sample.device("a")), .device(Sample.device("b")), .syncRow(desk, row(1, [1])),
      .syncRow(desk, row(2, [2])), .syncRow(Sample.identity("b"), row(1, [9])),
    ])
    try store.commitAndWait([.syncRow(desk, row(1, [3])), .syncRow(desk, row(2, nil))], .ordinary)
    #expect(try store.syncRows(of: desk) == [row(1, [3])])
    store.close()
    let again = try place.open()
    #expect(try again.syncRows(of: desk) == [row(1, [3])])
    #expect(try again.syncRows(of: Sample.identity("b")) == [row(1, [9])])
    #expect(try again.syncRows(of: Sample.identity("nobody")).isEmpty)
  }

  @Test func aDeviceTakesItsRowsAndItsWatermarksWithIt() throws {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([
      .device(Sample.device("a")), .syncRow(desk, row(1, [1])), .watermarks(desk, [7]),
    ])
    try store.commitAndWait([.deviceRemoved(desk)])
    try store.commitAndWait([.device(Sample.device("a"))])
    #expect(try store.syncRows(of: desk).isEmpty)
    store.close()
    let state = try place.load()
    #expect(state.watermarks.isEmpty && state.distrusted.isEmpty)
  }

  @Test func nothingIsKeptForADeviceThatIsNotThere() throws {
    let store = try Place().open()
    #expect(throws: StorageError.missing) {
      try store.commitAndWait([.syncRow(desk, row(1, [1]))])
    }
    #expect(throws: StorageError.missing) { try store.commitAndWait([.watermarks(desk, [1])]) }
  }

  @Test func watermarksAreLoadedAsTheyWereCommittedLast() throws {
    let place = try filled()
    for _ in 0..<2 {
      let state = try place.load()
      #expect(state.distrusted.isEmpty && !state.mayHaveLostDevices)
      #expect(state.watermarks == [desk: [2], Sample.identity("b"): [2]])
    }
    let store = try place.open()
    try store.commitAndWait([.watermarks(desk, nil)])
    store.close()
    #expect(try place.load().watermarks == [Sample.identity("b"): [2]])
    #expect(try place.load().distrusted.isEmpty)
  }

  @Test func olderWatermarksPutBackCostAllTrust() throws {
    let place = try filled(rounds: 1)
    let old = Snapshot(of: place).restored()
    let store = try place.open()
    try store.commitAndWait([.watermarks(desk, [2])])
    store.close()
    try place.edit(
      """
      ATTACH '\(old.database)' AS old;
      REPLACE INTO main.watermark SELECT * FROM old.watermark WHERE name = 'a'
      """
    )
    for _ in 0..<2 { #expect(try place.load().distrusted.map(\.name) == ["a", "b"]) }
  }

  @Test(arguments: [
    "DELETE FROM watermark WHERE name = 'a'", "UPDATE watermark SET name = 'c' WHERE name = 'a'",
    "UPDATE watermark SET owner = 5 WHERE name = 'a'", "UPDATE watermark SET tag = x'00'",
    "UPDATE watermark SET places = x'07' WHERE name = 'a'",
    "INSERT INTO watermark SELECT owner, 'c', sequence, places, tag FROM watermark WHERE name = 'a'",
  ])
  func noEditOfTheTableKeepsTrust(_ sql: String) throws {
    let place = try filled()
    try place.edit(sql)
    for _ in 0..<2 {
      let state = try place.load()
      #expect(state.distrusted.contains(desk))
      #expect(state.watermarks[desk] != [7], "a place that nobody committed")
    }
  }
}
