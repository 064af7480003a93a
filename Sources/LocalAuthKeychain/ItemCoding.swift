import LocalAuthCore

extension Item {
  private static let version: UInt8 = 1

  /// The one encoding, for whoever seals items: version, identifier, class, marks, both times, access
  /// control, group, and the attributes in the order of their names, each part that has no fixed size
  /// after its count.
  ///
  /// The identifier is in it, so that an encoding put in another row is found out.
  public var bytes: [UInt8] {
    var bytes = [Self.version] + identifier.bytes + Array(itemClass.rawValue.utf8)
    bytes.append((isSynchronizable ? 1 : 0) | (isTombstone ? 2 : 0) | (hasData ? 4 : 0))
    bytes += created.milliseconds.bigEndianBytes + modified.milliseconds.bigEndianBytes
    bytes += Self.counted(accessControl.bytes) + Self.counted(Array(group.utf8))
    for (attribute, value) in attributes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      bytes += Array(attribute.rawValue.utf8) + [Self.mark(of: value)]
      bytes += Self.counted(value.storedBytes)
    }
    return bytes
  }

  /// The item that `bytes` encode.
  ///
  /// Throws ``KeychainError/undecodable`` for anything that ``bytes`` would not give.
  public init(bytes: [UInt8]) throws(KeychainError) {
    var reader = ByteReader(rest: bytes[...])
    guard let item = Self.read(&reader) else { throw .undecodable }
    self = item
  }

  private static func read(_ reader: inout ByteReader) -> Self? {
    guard reader.take(1)?.first == version,
      let identifier = reader.take(16).flatMap({ ItemIdentifier(bytes: $0) }),
      let itemClass = reader.text(4).flatMap(ItemClass.init(rawValue:)), itemClass != .identity,
      let marks = reader.take(1)?.first, marks < 8,
      let created = reader.integer(), let modified = reader.integer(),
      let control = reader.counted(), let group = reader.counted(),
      let accessControl = try? AccessControl(bytes: Array(control)),
      let group = String(validating: group, as: UTF8.self)
    else { return nil }
    var item = Item(
      identifier: identifier,
      itemClass: itemClass,
      group: group,
      accessControl: accessControl,
      isSynchronizable: marks & 1 != 0,
      isTombstone: marks & 2 != 0,
      created: WallInstant(milliseconds: created),
      modified: WallInstant(milliseconds: modified),
      hasData: marks & 4 != 0
    )
    var last: UInt32 = 0
    while !reader.rest.isEmpty {
      // Ascending names are what makes the encoding the only one; encoding again to compare would take
      // longer than all the rest.
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
    _ reader: inout ByteReader,
    of itemClass: ItemClass
  ) -> (ItemAttribute, AttributeValue)? {
    guard let attribute = attributesByName[name],
      attribute.belongs(to: itemClass), !fields.contains(attribute),
      let mark = reader.take(1)?.first, let stored = reader.counted(),
      let value = AttributeValue(mark: mark, stored: Array(stored))
    else { return nil }
    return (attribute, value)
  }

  /// The attributes by the number that the four letters of their names write.
  private static let attributesByName: [UInt32: ItemAttribute] = Dictionary(
    uniqueKeysWithValues: ItemAttribute.allCases.map { attribute in
      (attribute.rawValue.utf8.reduce(0) { $0 << 8 | UInt32($1) }, attribute)
    }
  )

  private static func mark(of value: AttributeValue) -> UInt8 {
    switch value {
    case .text: 0
    case .data: 1
    case .number: 2
    case .date: 3
    }
  }

  private static func counted(_ bytes: [UInt8]) -> [UInt8] {
    UInt32(truncatingIfNeeded: bytes.count).bigEndianBytes + bytes
  }
}

extension AttributeValue {
  fileprivate var storedBytes: [UInt8] {
    switch self {
    case .text, .data: canonicalBytes
    case .number(let number), .date(let number): number.bigEndianBytes
    }
  }

  fileprivate init?(mark: UInt8, stored: [UInt8]) {
    var reader = ByteReader(rest: stored[...])
    switch mark {
    case 0:
      guard let text = String(validating: stored, as: UTF8.self) else { return nil }
      self = .text(text)
    case 1: self = .data(stored)
    case 2:
      guard stored.count == 8, let number = reader.integer() else { return nil }
      self = .number(number)
    case 3:
      guard stored.count == 8, let number = reader.integer() else { return nil }
      self = .date(number)
    default: return nil
    }
  }
}

/// Reads bytes from the front; nil where there are too few.
private struct ByteReader {
  var rest: ArraySlice<UInt8>

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func text(_ count: Int) -> String? {
    take(count).map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func integer() -> Int64? {
    take(8).map { bytes in
      Int64(bitPattern: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
  }

  mutating func number() -> UInt32? {
    take(4).map { bytes in bytes.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  mutating func counted() -> ArraySlice<UInt8>? { number().flatMap { take(Int($0)) } }
}
