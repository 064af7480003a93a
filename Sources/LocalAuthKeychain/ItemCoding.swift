import LocalAuthCore

extension Item {
  private static let version: UInt8 = 1

  /// The canonical encoding of an item, which is what gets sealed.
  ///
  /// It holds version, identifier, class, flags, both dates, access control, group, and the
  /// attributes ordered by name; each part of variable size follows its size. The identifier is
  /// included so that an encoding moved to another row is detected.
  public var bytes: [UInt8] {
    var bytes = [Self.version]
    bytes.reserveCapacity(256)
    bytes.append(bigEndian: identifier.high)
    bytes.append(bigEndian: identifier.low)
    bytes.append(contentsOf: itemClass.rawValue.utf8)
    bytes.append((isSynchronizable ? 1 : 0) | (isTombstone ? 2 : 0) | (hasData ? 4 : 0))
    bytes.append(bigEndian: created.milliseconds)
    bytes.append(bigEndian: modified.milliseconds)
    bytes.append(counted: accessControl.bytes)
    bytes.append(counted: Array(group.utf8))
    for (attribute, value) in attributes.sorted(by: { $0.key.number < $1.key.number }) {
      bytes.append(bigEndian: attribute.number)
      bytes.append(value.mark)
      bytes.append(counted: value.storedBytes)
    }
    return bytes
  }

  /// Decodes an item.
  ///
  /// Throws ``KeychainError/undecodable`` for anything that ``bytes`` would not produce.
  public init(bytes: [UInt8]) throws(KeychainError) {
    var reader = EncodedItemReader(bytes)
    guard let item = Self.read(&reader) else { throw .undecodable }
    self = item
  }

  private static func read(_ reader: inout EncodedItemReader) -> Self? {
    guard reader.byte() == version,
      let identifierHigh = reader.word(), let identifierLow = reader.word(),
      let itemClass = reader.range(4).flatMap({ reader.text($0) }).flatMap(
        ItemClass.init(rawValue:)
      ),
      itemClass != .identity,
      let marks = reader.byte(), marks < 8,
      let created = reader.word(), let modified = reader.word(),
      let control = reader.counted(), let group = reader.counted(),
      let accessControl = try? AccessControl(bytes: Array(reader.bytes[control])),
      let group = reader.text(group)
    else { return nil }
    var item = Item(
      identifier: ItemIdentifier(high: identifierHigh, low: identifierLow),
      itemClass: itemClass,
      group: group,
      accessControl: accessControl,
      isSynchronizable: marks & 1 != 0,
      isTombstone: marks & 2 != 0,
      created: WallInstant(milliseconds: Int64(bitPattern: created)),
      modified: WallInstant(milliseconds: Int64(bitPattern: modified)),
      attributes: reader.isAtEnd ? [:] : Dictionary(minimumCapacity: 6),
      hasData: marks & 4 != 0
    )
    var last: UInt32 = 0
    while !reader.isAtEnd {
      // Ascending names make the encoding canonical; encoding again to compare would take longer
      // than all the rest.
      guard let name = reader.number(), name > last,
        let (attribute, value) = readAttribute(named: name, &reader, of: itemClass)
      else { return nil }
      last = name
      item.attributes[attribute] = value
    }
    return item
  }

  private static func readAttribute(
    named name: UInt32,
    _ reader: inout EncodedItemReader,
    of itemClass: ItemClass
  ) -> (ItemAttribute, AttributeValue)? {
    guard let attribute = ItemAttribute(number: name),
      attribute.belongs(to: itemClass), !fields.contains(attribute),
      let mark = reader.byte(), let stored = reader.counted(),
      let value = AttributeValue(mark: mark, stored, of: &reader)
    else { return nil }
    return (attribute, value)
  }
}

extension [UInt8] {
  /// Appends bytes behind their number.
  fileprivate mutating func append(counted bytes: [UInt8]) {
    append(bigEndian: UInt32(truncatingIfNeeded: bytes.count))
    append(contentsOf: bytes)
  }
}

extension AttributeValue {
  /// Its type in one byte, and its bytes, as an item's encoding has them.
  package var markedBytes: [UInt8] { [mark] + storedBytes }

  /// Reads what ``markedBytes`` wrote; nil for anything else.
  package init?(markedBytes bytes: [UInt8]) {
    var reader = EncodedItemReader(bytes)
    guard let mark = reader.byte() else { return nil }
    self.init(mark: mark, 1..<bytes.count, of: &reader)
  }

  fileprivate var mark: UInt8 {
    switch self {
    case .text: 0
    case .data: 1
    case .number: 2
    case .date: 3
    }
  }

  fileprivate var storedBytes: [UInt8] {
    switch self {
    case .text, .data: canonicalBytes
    case .number(let number), .date(let number): number.bigEndianBytes
    }
  }

  fileprivate init?(mark: UInt8, _ stored: Range<Int>, of reader: inout EncodedItemReader) {
    switch mark {
    case 0:
      guard let text = reader.text(stored) else { return nil }
      self = .text(text)
    case 1: self = .data(Array(reader.bytes[stored]))
    case 2:
      guard stored.count == 8 else { return nil }
      self = .number(Int64(bitPattern: reader.number(in: stored)))
    case 3:
      guard stored.count == 8 else { return nil }
      self = .date(Int64(bitPattern: reader.number(in: stored)))
    default: return nil
    }
  }
}

/// Reads bytes from the front; nil if there are too few.
private struct EncodedItemReader {
  let bytes: [UInt8]
  private var next = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { next == bytes.count }

  mutating func range(_ count: Int) -> Range<Int>? {
    guard count <= bytes.count - next else { return nil }
    defer { next += count }
    return next..<(next + count)
  }

  mutating func byte() -> UInt8? { range(1).map { bytes[$0.lowerBound] } }

  mutating func word() -> UInt64? { range(8).map { number(in: $0) } }

  mutating func number() -> UInt32? { range(4).map { UInt32(truncatingIfNeeded: number(in: $0)) } }

  mutating func counted() -> Range<Int>? { number().flatMap { range(Int($0)) } }

  /// The big-endian number in these bytes.
  func number(in range: Range<Int>) -> UInt64 {
    var number: UInt64 = 0
    for index in range { number = number << 8 | UInt64(bytes[index]) }
    return number
  }

  /// Decodes these bytes as UTF-8; nil if they are invalid.
  func text(_ range: Range<Int>) -> String? {
    do {
      return String(copying: try UTF8Span(validating: bytes.span.extracting(range)))
    } catch {
      return nil
    }
  }
}
