import LocalAuthCore
public import LocalAuthKeychain

/// The data that binds the sealed parts of an item to each other and to their place.
///
/// It holds everything of an item that is stored in the clear. A part therefore never opens with a
/// part of another item, with another class or access control, or with an earlier version of the
/// item. The parts themselves are distinguished by their keys.
///
/// | bytes | what                                                                        |
/// |-------|-----------------------------------------------------------------------------|
/// | 1     | version, 1                                                                  |
/// | 16    | the item's identifier                                                       |
/// | 32    | the hash of its primary key                                                 |
/// | 1     | code of its protection class                                                |
/// | 8     | number of the class key                                                     |
/// | 1     | flags: 1 if it is synchronizable, 2 if a tombstone, 4 if it has data        |
/// | 8     | when it was changed, in milliseconds since 1970                             |
/// | 4     | its class                                                                   |
/// | any   | the device: uid, length of the name, name                                   |
/// | rest  | its access control as it is stored; empty if it has none                    |
public struct ItemContext: Hashable, Sendable {
  /// The bytes authenticated with each part.
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
    // SAFETY: the bytes are copied while they are lent.
    unsafe accessControl.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    self.bytes = bytes
    accessControlSize = accessControl.byteCount
    identifier = header.identifier
  }

  /// Whether the item has access control.
  public var isGuarded: Bool { accessControlSize > 0 }

  /// Whether `accessControl` is the item's access control.
  func isGuarded(by accessControl: AccessControl) -> Bool {
    isGuarded && bytes.suffix(accessControlSize).elementsEqual(accessControl.bytes)
  }
}
