public import LocalAuthCore
public import LocalAuthKeychain

/// What binds the sealed parts of an item to each other and to their place.
///
/// Everything that is stored of an item in the clear is here, so that no part of one item, no other
/// class and no other access control ever opens with another.
public struct ItemContext: Hashable, Sendable {
  /// What a part is.
  enum Part: UInt8 {
    case key = 1
    case attributes = 2
    case secret = 3
  }

  private let prefix: [UInt8]
  /// The access control as it is stored.
  let accessControl: [UInt8]

  /// The context of an item.
  ///
  /// - Parameters:
  ///   - device: whose item it is.
  ///   - identifier: the item's own number, which stays for its life.
  ///   - itemClass: its class.
  ///   - protection: its protection class.
  ///   - classKey: which of the keys of that class seals it.
  ///   - primaryHash: the keyed hash of its primary key, 32 bytes.
  ///   - accessControl: the bytes of its access control; none for an item without.
  public init(
    device: DeviceIdentity,
    identifier: ItemIdentifier,
    itemClass: ItemClass,
    protection: ProtectionClass,
    classKey: UInt64,
    primaryHash: [UInt8],
    accessControl: [UInt8]
  ) {
    precondition(primaryHash.count == SearchHash.primarySize, "a hash of another size")
    var bytes = identifier.bytes + primaryHash + [protection.code]
    bytes.append(littleEndian: classKey)
    // Classes have four letters and digits end at the slash: what follows cannot run together.
    bytes += Array("\(itemClass.rawValue)\(device.owner)/".utf8)
    let name = Array(device.name.utf8)
    prefix = bytes + [UInt8(truncatingIfNeeded: name.count)] + name
    self.accessControl = accessControl
  }

  func data(_ part: Part) -> [UInt8] { [1, part.rawValue] + prefix + accessControl }
}
