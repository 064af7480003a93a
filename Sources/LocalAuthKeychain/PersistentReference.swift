/// Names an item across processes, restarts and changes of its attributes.
public enum PersistentReference: Hashable, Sendable {
  /// The form we issue: 4 bytes of class, 16 of UUID.
  case item(ItemClass, ItemIdentifier)
  /// Apple's old form: 4 bytes of class, 8 of row number; no item of ours has one.
  case row(ItemClass, Int64)

  /// Decodes the reference in `bytes`.
  ///
  /// Throws `ParameterFault.malformedReference` for any other size or class.
  public init(bytes: [UInt8]) throws(KeychainError) {
    let rest = bytes.dropFirst(4)
    guard let itemClass = ItemClass(rawValue: String(decoding: bytes.prefix(4), as: UTF8.self))
    else { throw .parameter(.malformedReference) }
    if let identifier = ItemIdentifier(bytes: rest) {
      self = .item(itemClass, identifier)
    } else if rest.count == 8 {
      self = .row(itemClass, rest.reduce(0) { $0 << 8 | Int64($1) })
    } else {
      throw .parameter(.malformedReference)
    }
  }

  /// The class that it names.
  public var itemClass: ItemClass {
    switch self {
    case .item(let itemClass, _), .row(let itemClass, _): itemClass
    }
  }

  /// Whether it names `item`; an identity is named by its certificate.
  public func names(_ item: Item) -> Bool {
    switch self {
    case .item(let itemClass, let identifier):
      item.identifier == identifier
        && (item.itemClass == itemClass || itemClass == .identity && item.itemClass == .certificate)
    case .row: false
    }
  }

  /// Its bytes.
  public var bytes: [UInt8] {
    switch self {
    case .item(let itemClass, let identifier): Array(itemClass.rawValue.utf8) + identifier.bytes
    case .row(let itemClass, let row): Array(itemClass.rawValue.utf8) + row.bigEndianBytes
    }
  }
}
