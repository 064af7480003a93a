/// What tells two items apart, as bytes: class, group and the attributes of ``ItemClass/primaryKey``.
///
/// The store keeps only a keyed hash of it. Two items are the same if and only if their bytes are;
/// label, accessibility and access control are no part of it.
public struct PrimaryKey: Hashable, Sendable {
  /// The class in 4 bytes; then for each attribute its name in 4, the count of its bytes in 4 and
  /// its bytes, so that no value can look like the beginning of the next.
  public let bytes: [UInt8]

  /// The key of `item`.
  public init(of item: Item) {
    self.init(of: item.itemClass) { item.value(of: $0) }
  }

  /// The key of an item of `itemClass` with these values; none counts as no bytes.
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

/// One attribute that a search is for.
public struct SearchTerm: Hashable, Sendable {
  /// The attribute.
  public let attribute: ItemAttribute
  /// The bytes of the value, see ``AttributeValue/canonicalBytes``.
  public let value: [UInt8]

  /// The search for `value`.
  public init(_ attribute: ItemAttribute, _ value: AttributeValue) {
    self.attribute = attribute
    self.value = value.canonicalBytes
  }

  /// What the store hashes: the attribute's name, the count and the bytes of the value.
  public var bytes: [UInt8] { Self.bytes(of: attribute, value) }

  /// Whether `item` has that value; case and every byte count.
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
