import LocalAuthCore
public import LocalAuthKeychain

/// What binds the sealed parts of an item to each other and to their place.
///
/// Everything that is stored of an item in the clear is here, so that no part of one item, no other
/// class and no other access control ever opens with another, and no part of an item with a part that it
/// had before. Parts are told apart by their keys.
///
/// | bytes | what                                                                        |
/// |-------|-----------------------------------------------------------------------------|
/// | 1     | version, 1                                                                  |
/// | 16    | the item's identifier                                                       |
/// | 32    | the hash of its primary key                                                 |
/// | 1     | code of its protection class                                                |
/// | 8     | number of the class key                                                     |
/// | 1     | 1 where it is synchronizable, 2 where it is a tombstone, 4 where it has data |
/// | 8     | when it was changed                                                         |
/// | 4     | its class                                                                   |
/// | any   | the device, after its count                                                 |
/// | rest  | its access control as it is stored: nothing where that asks for nothing      |
public struct ItemContext: Hashable, Sendable {
  /// What is authenticated with each part.
  let bytes: [UInt8]
  private let accessControlSize: Int
  let identifier: ItemIdentifier

  /// The context of the item with this header on `device`.
  public init(
    _ header: ItemHeader,
    hasData: Bool,
    accessControl: RawSpan,
    on device: DeviceLabel
  ) {
    let head = InlineArray<71, UInt8> { head in
      head.append(1)
      head.append(littleEndian: header.identifier.high)
      head.append(littleEndian: header.identifier.low)
      for index in header.key.words.indices { head.append(littleEndian: header.key.words[index]) }
      head.append(header.protection.code)
      head.append(littleEndian: header.classKey)
      head.append(
        (header.isSynchronizable ? 1 : 0) | (header.isTombstone ? 2 : 0) | (hasData ? 4 : 0)
      )
      head.append(littleEndian: UInt64(bitPattern: header.modified.milliseconds))
      for letter in header.itemClass.rawValue.utf8 { head.append(letter) }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(head.count + device.bytes.count + accessControl.byteCount)
    // SAFETY: the bytes are copied while they are lent.
    unsafe head.span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: device.bytes)
    // SAFETY: the same.
    unsafe accessControl.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    self.bytes = bytes
    accessControlSize = accessControl.byteCount
    identifier = header.identifier
  }

  /// Whether the item's access control asks for something.
  public var isGuarded: Bool { accessControlSize > 0 }

  /// Whether this is what the item asks for.
  func isGuarded(by accessControl: AccessControl) -> Bool {
    isGuarded && bytes.suffix(accessControlSize).elementsEqual(accessControl.bytes)
  }
}
