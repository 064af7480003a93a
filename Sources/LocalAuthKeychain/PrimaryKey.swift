/// The bytes that distinguish items: class, group and the attributes of ``ItemClass/primaryKey``.
///
/// Two items are the same if and only if these bytes are; label, accessibility and access control
/// are not part of them. The store keeps only a keyed hash.
public struct PrimaryKey: Hashable, Sendable {
  /// The class in 4 bytes; then for each attribute its name in 4 bytes, its size in 4 bytes and its
  /// value.
  ///
  /// Because of the sizes, no value can be mistaken for the beginning of the next attribute.
  public let bytes: [UInt8]

  /// The key of `item`.
  public init(of item: Item) {
    self.init(of: item.itemClass) { item.value(of: $0) }
  }

  /// The key of an item of `itemClass` with these values; a missing value counts as no bytes.
  init(of itemClass: ItemClass, _ value: (ItemAttribute) -> AttributeValue?) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(192)
    bytes.append(contentsOf: itemClass.rawValue.utf8)
    for attribute in itemClass.primaryKey {
      switch value(attribute) {
      case .text(let text)?: SearchTerm.append(attribute, text.utf8, to: &bytes)
      case .data(let data)?: SearchTerm.append(attribute, data, to: &bytes)
      case .number(let number)?: SearchTerm.append(attribute, String(number).utf8, to: &bytes)
      case .date(let date)?: SearchTerm.append(attribute, date.bigEndianBytes, to: &bytes)
      case nil: SearchTerm.append(attribute, [], to: &bytes)
      }
    }
    self.bytes = bytes
  }
}

/// One attribute value to search for.
public struct SearchTerm: Hashable, Sendable {
  /// The attribute.
  public let attribute: ItemAttribute
  /// The bytes of the value; see ``AttributeValue/canonicalBytes``.
  public let value: [UInt8]

  /// The search term for `value`.
  public init(_ attribute: ItemAttribute, _ value: AttributeValue) {
    self.attribute = attribute
    self.value = value.canonicalBytes
  }

  /// The input of the keyed hash: the attribute's name, then the size and the bytes of the value.
  public var bytes: [UInt8] { Self.bytes(of: attribute, value) }

  /// Whether `item` has this value, byte for byte.
  public func matches(_ item: Item) -> Bool {
    guard attribute.belongs(to: item.itemClass) else { return false }
    return item.value(of: attribute)?.isWritten(value) ?? false
  }

  static func bytes(of attribute: ItemAttribute, _ value: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + value.count)
    append(attribute, value, to: &bytes)
    return bytes
  }

  static func append(
    _ attribute: ItemAttribute,
    _ value: some Collection<UInt8>,
    to bytes: inout [UInt8]
  ) {
    let head = (attribute.number.bigEndian, UInt32(truncatingIfNeeded: value.count).bigEndian)
    // SAFETY: the bytes of both numbers are copied while they are lent.
    unsafe withUnsafeBytes(of: head) { unsafe bytes.append(contentsOf: $0) }
    if !value.isEmpty { bytes.append(contentsOf: value) }
  }
}
