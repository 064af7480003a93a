import LocalAuthTables
import LocalAuthTestKit
import Testing

/// Programs that share tables of one device; each object is a program to the service.
@Suite struct TableStoreTests {
  private let device: TestDevice
  private let one: TableStore
  private let other: TableStore

  init() throws {
    device = try TestDevice(passcode: "2468")
    one = TableStore(on: device.device)
    other = TableStore(on: device.device)
  }

  private func failure(_ body: () throws -> Void) -> TableFailure? {
    do {
      try body()
      return nil
    } catch { return error as? TableFailure }
  }

  /// All that changed, and the token behind it.
  private func all(
    since token: String? = nil,
    _ store: TableStore
  ) throws -> (rows: [StoredRow], token: String) {
    var (rows, token): ([StoredRow], String?) = ([], token)
    while true {
      let changes = try store.changes(since: token)
      rows += changes.rows
      token = changes.token
      if !changes.hasMore { return (rows, changes.token) }
    }
  }

  // MARK: Rows

  @Test func whatOneWritesTheOtherReadsAndDeletes() throws {
    let milk = StoredRow("a", in: "notes", ["title": .text("Milk"), "count": .integer(2)])
    #expect(try one.write([milk]) == 1)
    #expect(try other.row("a", in: "notes") == milk)
    #expect(try one.row("a", in: "other") == nil)
    #expect(try other.write([.deleted("a", in: "notes")]) == 1)
    #expect(try one.row("a", in: "notes") == nil)
    #expect(try one.write([.deleted("a", in: "notes")]) == 0)
  }

  @Test func theRowsOfATableAreListedByTheirNames() throws {
    #expect(try one.rows(in: "notes").isEmpty)
    let long = String(repeating: "x", count: 5000)
    let rows = (0..<60).map { StoredRow("row \($0 % 7) \($0)", in: "notes", ["long": .text(long)]) }
    for few in stride(from: 0, to: 60, by: 10) { try one.write(Array(rows[few..<(few + 10)])) }
    try one.write([StoredRow("a", in: "other", [:]), .deleted(rows[3].name, in: "notes")])
    let left = rows.filter { $0 != rows[3] }
    #expect(try other.rows(in: "notes") == left.sorted { $0.name < $1.name })
    #expect(try other.rows(in: "other").map(\.name) == ["a"])
    #expect(try other.rows(in: "none").isEmpty)
    try one.write([StoredRow("a", in: "e\u{301}", [:])])
    #expect(try other.rows(in: "\u{e9}").isEmpty)
    let accents = ["e\u{301}", "\u{e9}"].map { StoredRow($0, in: "accents", [:]) }
    try one.write(accents)
    #expect(
      try other.rows(in: "accents").map { Array($0.name.utf8) }
        == accents.map { Array($0.name.utf8) }
    )
  }

  @Test func columnsThatAreNotNamedStay() throws {
    try one.write([StoredRow("a", in: "notes", ["title": .text("Milk"), "count": .integer(2)])])
    try one.write([StoredRow("a", in: "notes", ["count": .null])])
    #expect(try one.row("a", in: "notes")?.columns == ["title": .text("Milk"), "count": .null])
    #expect(try one.write([StoredRow("a", in: "notes", ["count": .null])]) == 0)
  }

  @Test func eachKindOfValueComesBackAsItWas() throws {
    let columns: [String: CellValue] = [
      "null": .null, "least": .integer(.min), "greatest": .integer(.max), "real": .real(-1.5e300),
      "infinite": .real(.infinity), "text": .text("\u{e9}\u{0}\n\u{1F600}"), "empty": .text(""),
      "blob": .blob([0, 255]), "no bytes": .blob([]),
    ]
    try one.write([StoredRow("a", in: "t", columns)])
    #expect(try other.row("a", in: "t")?.columns == columns)
    try one.write([StoredRow("b", in: "t", [:])])
    #expect(try other.row("b", in: "t")?.columns == [:])
  }

  @Test func allRowsAreWrittenOrNone() throws {
    let good = StoredRow("a", in: "t", ["n": .integer(1)])
    let long = StoredRow("b", in: "t", ["blob": .blob([UInt8](repeating: 0, count: 65_536))])
    let error = failure { try one.write([good, long]) }
    #expect(
      error?.description.contains("more than 64 KiB: keep what is long as a document") == true
    )
    #expect(try all(one).rows.isEmpty)
    for name in ["", "two\nlines", String(repeating: "n", count: 513)] {
      let error = failure { try one.write([good, StoredRow(name, in: "t", [:])]) }
      guard case .name? = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
    }
    #expect(failure { try one.write([StoredRow("a", in: "", [:])]) }?.outcome == .usage)
    #expect(failure { try one.write([StoredRow("a", in: "t", ["": .null])]) }?.outcome == .usage)
    #expect(try all(one).rows.isEmpty)
  }

  @Test func aRowOfTheLongestTextFitsItsCalls() throws {
    // The letter makes the property list keep two bytes for each character.
    let text = String(repeating: "x", count: 65_300) + "\u{e9}"
    let row = StoredRow("a", in: "t", ["text": .text(text)])
    try one.write([row])
    #expect(try other.row("a", in: "t") == row)
    #expect(try all(other).rows == [row])
  }

  // MARK: Changes

  @Test func eachChangeIsToldOnceToWhoAsksBehindIt() throws {
    try one.write([StoredRow("a", in: "t", ["n": .integer(1)])])
    try one.write([StoredRow("b", in: "t", ["n": .integer(1)])])
    let first = try all(other)
    #expect(first.rows.map(\.name) == ["a", "b"])
    #expect(try all(since: first.token, other).rows.isEmpty)
    try one.write([StoredRow("a", in: "t", ["n": .integer(2)]), .deleted("b", in: "t")])
    let news = try all(since: first.token, other)
    #expect(news.rows == [StoredRow("a", in: "t", ["n": .integer(2)]), .deleted("b", in: "t")])
    #expect(try all(other).rows.count == 2, "who knows nothing hears of deletions, too")
  }

  @Test func manyAndLongRowsComeInPages() throws {
    for number in 0..<40 {
      let blob = CellValue.blob([UInt8](repeating: UInt8(number), count: 10_000))
      try one.write([StoredRow("r\(number)", in: "t", ["blob": blob])])
    }
    #expect(try one.changes().hasMore)
    let rows = try all(one).rows
    #expect(rows.map(\.name) == (0..<40).map { "r\($0)" })
  }

  @Test func whatIsNoTokenIsAnError() throws {
    for token in ["", "nonsense", "1-2-3", "-1"] {
      #expect(failure { _ = try one.changes(since: token) } != nil)
    }
  }

  // MARK: News

  @Test func whoListensHearsOfOthersAndNotOfItself() async throws {
    var news = other.news.makeAsyncIterator()
    #expect(await news.next() == .changed)
    try other.write([StoredRow("own", in: "t", ["n": .integer(1)])])
    try one.write([StoredRow("a", in: "t", ["n": .integer(1)])])
    #expect(await news.next() == .changed)
    #expect(try all(other).rows.map(\.name) == ["own", "a"])
  }
}
