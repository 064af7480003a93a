public import LocalAuthCore

/// The value of a column, in SQLite's five kinds.
public enum CellValue: Sendable {
  /// No value.
  case null
  /// An integer.
  case integer(Int64)
  /// A number; neither NaN, which is ``null`` to SQLite, nor the negative zero, which it keeps as zero.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// A number as SQLite keeps it.
  public static func number(_ number: Double) -> Self {
    number.isNaN ? .null : .real(number == 0 ? 0 : number)
  }
}

extension CellValue: Hashable {
  /// Compares kinds and bytes: two spellings of one text are two values.
  public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  fileprivate var bytes: [UInt8] {
    var framed = FramedBytes("")
    framed.add(self)
    return framed.bytes
  }
}

/// What stands in a column of a row, and who wrote it.
public struct TableCell: Hashable, Sendable {
  /// What stands there.
  public let value: CellValue
  /// When it was written, by the clock of the device that did.
  public let written: WallInstant
  /// The change that wrote it; nil for what was written outside of a circle, or before its first download.
  public internal(set) var made: VersionVector.Dot?

  /// The value of a change.
  public init(_ value: CellValue, written: WallInstant, made: VersionVector.Dot? = nil) {
    self.value = value
    self.written = written
    self.made = made
  }

  /// Whether it stands against one of which neither writer knew the other's: the later does, unless its clock is a day
  /// ahead of all others; then that of the greater change, then the greater value.
  func stands(against other: TableCell, _ horizon: TimeHorizon) -> Bool {
    let isAhead = horizon.isAhead(written)
    if isAhead != horizon.isAhead(other.written) { return !isAhead }
    if written != other.written { return written > other.written }
    if made != other.made {
      guard let made, let theirs = other.made else { return made != nil }
      return made > theirs
    }
    return !value.bytes.lexicographicallyPrecedes(other.value.bytes)
  }
}

/// A row of a table: the value of each column, whatever was written to the others.
///
/// | a column that one of two rows has  | what the other knows | then                                         |
/// |------------------------------------|----------------------|----------------------------------------------|
/// | and the other has the same         |                      | it stays                                     |
/// | and the other has none             | not its change       | it stays                                     |
/// | and the other has none             | its change           | the row was made anew: it goes               |
/// | and the other has another value    | its change           | it was replaced: the other's stays           |
/// | and the other has another value    | neither, or both     | the later stays, as ``ZoneMerge`` has it     |
public struct TableRow: Hashable, Sendable {
  /// The most columns.
  public static let columnsMax = 1000
  /// The longest name of a column, in bytes.
  public static let columnBytesMax = 128
  /// The most bytes of a row: what is longer is a document.
  public static let bytesMax = 64 << 10
  /// The bytes by which a cell grows when a change has made it.
  private static let makerBytes = 24
  private static let purpose: StaticString = "LocalAuth table row 1"

  /// Why a row cannot be written so; nothing has changed then.
  public enum Refusal: Error, Hashable, Sendable {
    /// A column has no name, one of several lines, or one that is too long.
    case columnName
    /// It would have more columns than a row may.
    case tooManyColumns
    /// It would be longer than a row may.
    case tooLong
  }

  /// The cells by column.
  public private(set) var cells: [ExactText: TableCell] = [:]

  /// A row without columns.
  public init() {}

  // MARK: Writing

  /// Writes columns; what stands in one already is not written anew.
  ///
  /// - Parameters:
  ///   - values: The values by column.
  ///   - made: The change; nil outside of a circle.
  ///   - now: This device's clock.
  /// - Returns: whether anything has changed.
  /// - Throws: ``Refusal``.
  public mutating func write(
    _ values: [ExactText: CellValue],
    made: VersionVector.Dot?,
    at now: WallInstant
  ) throws(Refusal) -> Bool {
    var next = self
    for (column, value) in values where cells[column]?.value != value {
      guard column.isName(most: Self.columnBytesMax) else { throw .columnName }
      next.cells[column] = TableCell(value, written: now, made: made)
    }
    guard next.cells.count <= Self.columnsMax else { throw .tooManyColumns }
    guard !next.isTooLong else { throw .tooLong }
    defer { self = next }
    return next != self
  }

  /// Has a change have made the cells that were made by none that its version knows.
  public mutating func attribute(to made: VersionVector.Dot, knowing vector: VersionVector) {
    for (column, cell) in cells where !(cell.made.map { vector.knows($0) } ?? false) {
      cells[column]?.made = made
    }
  }

  /// The row with cells that nobody made: their makers were those of another circle, or are forgotten.
  public var unmade: TableRow {
    var row = self
    for column in cells.keys { row.cells[column]?.made = nil }
    return row
  }

  // MARK: Merging

  /// The row that stands after two versions of it met.
  ///
  /// One that would be too long by the columns of both is the one that was written last.
  ///
  /// - Parameters:
  ///   - mine: What this row's version knows.
  ///   - other: The other row.
  ///   - theirs: What its version knows.
  ///   - horizon: The time that others vouch for.
  /// - Returns: the row.
  public func merged(
    knowing mine: VersionVector,
    with other: TableRow,
    knowing theirs: VersionVector,
    _ horizon: TimeHorizon
  ) -> TableRow {
    var merged = TableRow()
    for column in Set(cells.keys).union(other.cells.keys) {
      merged.cells[column] = Self.standing(
        (cells[column], theirs),
        (other.cells[column], mine),
        horizon
      )
    }
    if merged.isTooLong { return isLater(than: other, horizon) ? self : other }
    return merged
  }

  /// What stands of two cells, each with what the other's version knows.
  private static func standing(
    _ one: (cell: TableCell?, isKnownTo: VersionVector),
    _ other: (cell: TableCell?, isKnownTo: VersionVector),
    _ horizon: TimeHorizon
  ) -> TableCell? {
    func isKnown(_ side: (cell: TableCell?, isKnownTo: VersionVector)) -> Bool {
      side.cell?.made.map { side.isKnownTo.knows($0) } ?? false
    }
    guard let mine = one.cell, let theirs = other.cell else {
      return isKnown(one) || isKnown(other) ? nil : one.cell ?? other.cell
    }
    guard mine != theirs else { return mine }
    if isKnown(one) != isKnown(other) { return isKnown(one) ? theirs : mine }
    return mine.stands(against: theirs, horizon) ? mine : theirs
  }

  /// The row in which each column that the other one has is as there.
  public func replaced(by other: TableRow) -> TableRow {
    var merged = self
    merged.cells.merge(other.cells) { $1 }
    return merged.isTooLong ? other : merged
  }

  /// The row after a backup of it was put back: of each column the value stands that was written last, and none goes.
  ///
  /// What comes back is a change that nobody made yet. A backup from a clock that was ahead is from now.
  ///
  /// - Parameters:
  ///   - backup: The row as the backup has it.
  ///   - now: This device's clock.
  /// - Returns: the row; nil if it would be too long.
  public func restored(from backup: TableRow, at now: WallInstant) -> TableRow? {
    var restored = self
    for (column, cell) in backup.cells {
      let written = min(cell.written, now)
      if let mine = cells[column], mine.value == cell.value || mine.written >= written { continue }
      restored.cells[column] = TableCell(cell.value, written: written)
    }
    return restored.isTooLong ? nil : restored
  }

  /// Whether it has more than a row may, also once each of its cells has a maker.
  private var isTooLong: Bool {
    let unmade = cells.values.count { $0.made == nil }
    return cells.count > Self.columnsMax || bytes.count + unmade * Self.makerBytes > Self.bytesMax
  }

  /// When it was written last, by clocks that are not a day ahead of all others.
  private func written(_ horizon: TimeHorizon) -> Int64 {
    cells.values.map(\.written).filter { !horizon.isAhead($0) }.map(\.milliseconds).max() ?? .min
  }

  private func isLater(than other: TableRow, _ horizon: TimeHorizon) -> Bool {
    let (mine, theirs) = (written(horizon), other.written(horizon))
    return mine == theirs
      ? other.bytes.lexicographicallyPrecedes(bytes) : mine > theirs
  }

  /// Whether a value of this row is lost in what was merged, though nobody who replaced it had seen it.
  ///
  /// - Parameters:
  ///   - merged: What stands now.
  ///   - vector: What the other row's version knew.
  /// - Returns: whether there is such a value.
  public func isOverruled(by merged: TableRow, knowing vector: VersionVector) -> Bool {
    cells.contains { column, cell in
      guard merged.cells[column]?.value != cell.value else { return false }
      return cell.made.map { !vector.knows($0) } ?? true
    }
  }

  // MARK: Bytes

  /// What is sealed of it: the cells in the order of their columns.
  public var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(UInt32(truncatingIfNeeded: cells.count))
    for (column, cell) in cells.sorted(by: { $0.key < $1.key }) {
      framed.add(column)
      framed.add(cell.value)
      framed.add(cell.written)
      framed.add(cell.made) { $0.add($1) }
    }
    return framed.bytes
  }

  /// Reads a row; nil for anything that ``bytes`` does not write.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.bytesMax, var reader = FramedReader(bytes, for: Self.purpose),
      let cells = reader.pairs(
        most: Self.columnsMax,
        { $0.name(most: Self.columnBytesMax) },
        { $0.cell() }
      ), reader.isAtEnd
    else { return nil }
    self.cells = cells
  }

  /// Whether each cell was made by a change that `vector` knows.
  public func isMade(by vector: VersionVector) -> Bool {
    cells.values.allSatisfy { $0.made.map { vector.knows($0) } ?? false }
  }
}

extension FramedBytes {
  fileprivate mutating func add(_ value: CellValue) {
    switch value {
    case .null: add(UInt8(0))
    case .integer(let number):
      add(UInt8(1))
      add(UInt64(bitPattern: number))
    case .real(let number):
      add(UInt8(2))
      add(number.bitPattern)
    case .text(let text):
      add(UInt8(3))
      add(counted: Array(text.utf8))
    case .blob(let bytes):
      add(UInt8(4))
      add(counted: bytes)
    }
  }
}

extension FramedReader {
  fileprivate mutating func cell() -> TableCell? {
    guard let value = cellValue(), let written = time(), let made = optional({ $0.dot() }) else {
      return nil
    }
    return TableCell(value, written: written, made: made)
  }

  private mutating func cellValue() -> CellValue? {
    guard let kind: UInt8 = number() else { return nil }
    switch kind {
    case 0: return .null
    case 1:
      guard let number: UInt64 = number() else { return nil }
      return .integer(Int64(bitPattern: number))
    case 2:
      guard let bits: UInt64 = number() else { return nil }
      let value = CellValue.number(Double(bitPattern: bits))
      // What SQLite would keep as something else has another spelling.
      guard case .real(let number) = value, number.bitPattern == bits else { return nil }
      return value
    case 3:
      guard let bytes = counted(most: TableRow.bytesMax) else { return nil }
      return String(validating: bytes, as: UTF8.self).map { .text($0) }
    case 4: return counted(most: TableRow.bytesMax).map { .blob($0) }
    default: return nil
    }
  }
}
