import LocalAuthCore
import LocalAuthKeychain

extension Row {
  /// The item in a row of ``ItemReader``, borrowed from the row.
  ///
  /// Throws `corrupt` if the row cannot be one of our items, or if `isWanted` rejects it.
  func item(
    of device: DeviceIdentity,
    where isWanted: (ItemHeader) -> Bool = { _ in true }
  ) throws(StorageError) -> StoredItem {
    guard let header = itemHeader(of: device), isWanted(header), let terms = unsafe borrowed(8),
      let accessControl = unsafe borrowed(9), let wrappedKey = unsafe borrowed(10),
      let attributes = unsafe borrowed(11)
    else { throw .corrupt("an item of device \(device.name) of user \(device.owner) is damaged") }
    // SAFETY: the bytes are valid until the row is left, and the item is only lent until then.
    return unsafe StoredItem(
      header: header,
      parts: StoredItem.Parts(
        terms: terms,
        accessControl: accessControl,
        wrappedKey: wrappedKey,
        attributes: attributes,
        secret: borrowed(12)
      )
    )
  }

  private func itemHeader(of device: DeviceIdentity) -> ItemHeader? {
    guard let itemClass = ItemClass(storedNumber: integer(0)), let key,
      let identifier,
      let protection = UInt8(exactly: integer(3)).flatMap(ProtectionClass.init(code:)),
      let isSynchronizable = flag(5), let isTombstone = flag(6)
    else { return nil }
    return ItemHeader(
      device: device,
      identifier: identifier,
      itemClass: itemClass,
      key: key,
      protection: protection,
      classKey: UInt64(bitPattern: integer(4)),
      isSynchronizable: isSynchronizable,
      isTombstone: isTombstone,
      modified: WallInstant(milliseconds: integer(7))
    )
  }

  /// The item's key; nil if its size is wrong.
  var key: ItemHash? { unsafe borrowed(1).flatMap { unsafe ItemHash(bytes: $0) } }

  /// The item's identifier; nil if its size is wrong.
  var identifier: ItemIdentifier? {
    unsafe borrowed(2).flatMap { unsafe ItemIdentifier(bytes: $0) }
  }

  /// The column as a flag; nil for any number other than 0 and 1.
  private func flag(_ column: Int32) -> Bool? {
    switch integer(column) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// An empty value with an address, since SQLite reads a null pointer as NULL.
  static var noBytes: UnsafeRawBufferPointer {
    let empty: StaticString = ""
    // SAFETY: a static string lives for ever; no byte of it is read.
    return unsafe UnsafeRawBufferPointer(start: empty.utf8Start, count: 0)
  }
}

extension Parameters {
  /// Sets what ``Row/item(of:where:)`` reads, from the parameter `first` on.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - itemClass: The stored number of its class.
  ///   - key: The bytes of its key, lent until the statement has run.
  ///   - identifier: The bytes of its identifier, lent as long.
  ///   - first: The parameter of the class.
  /// - Throws: ``StorageError`` if there is no memory.
  @unsafe
  func set(
    _ item: SealedItem,
    _ itemClass: Int64,
    _ key: UnsafeRawBufferPointer,
    _ identifier: UnsafeRawBufferPointer,
    from first: Int32
  ) throws(StorageError) {
    let header = item.header
    set(first, itemClass)
    unsafe lend(first + 1, key)
    unsafe lend(first + 2, identifier)
    set(first + 3, Int64(header.protection.code))
    set(first + 4, Int64(bitPattern: header.classKey))
    set(first + 5, header.isSynchronizable ? 1 : 0)
    set(first + 6, header.isTombstone ? 1 : 0)
    set(first + 7, header.modified.milliseconds)
    try copy(first + 8, ItemTable.bytes(of: item.terms))
    try copy(first + 9, item.accessControl)
    try copy(first + 10, item.wrappedKey)
    try copy(first + 11, item.attributes)
    // A parameter that is not set is NULL.
    if let secret = item.secret { try copy(first + 12, secret) }
  }
}

extension ItemHash {
  /// Lends the 32 bytes without allocating an array.
  func withBytes<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    let words = (
      words[0].bigEndian, words[1].bigEndian, words[2].bigEndian, words[3].bigEndian
    )
    return try unsafe withUnsafeBytes(of: words, body)
  }
}

/// Lends the 16 bytes of two words, the most significant first.
func withHalves<R, E>(
  _ high: UInt64,
  _ low: UInt64,
  _ body: (UnsafeRawBufferPointer) throws(E) -> R
) throws(E) -> R {
  try unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
}
