public import LocalAuthKeychain
import LocalAuthSecret

/// Hashes by which the items of one device are found, under keys derived from the device key.
///
/// They reveal nothing to someone with the database alone. Someone who also has the device key can
/// confirm a guess: that is the price of finding items while their class is locked
/// (docs/threat-model.md). Another device of the same installation has other hashes.
public final class SearchHash: Sendable {
  private let primaryKey: Secret
  private let termKey: Secret
  private let device: [UInt8]

  /// Makes the hashes of `device` in the installation with `deviceKey`.
  public init(_ deviceKey: DeviceKey, of device: DeviceLabel) {
    primaryKey = deviceKey.derive(.primaryKeys)
    termKey = deviceKey.derive(.searchTerms)
    self.device = device.bytes
  }

  /// The hash of a primary key.
  public func hash(of key: PrimaryKey) -> ItemHash {
    // SAFETY: the tag is read while it is lent.
    let hash = unsafe KeyedHash.withTag(over: device + key.bytes, key: primaryKey) {
      unsafe ItemHash(bytes: $0)
    }
    guard let hash else { preconditionFailure("a tag has 32 bytes") }
    return hash
  }

  /// The hash of a term; nil if its attribute is not searchable.
  public func hash(of term: SearchTerm) -> TermHash? {
    guard let number = term.attribute.searchNumber else { return nil }
    // Half of a tag suffices to keep a million items from colliding.
    // SAFETY: the tag is read while it is lent.
    return unsafe KeyedHash.withTag(over: device + term.bytes, key: termKey) {
      unsafe TermHash(attribute: number, bytes: $0[..<16])
    }
  }

  /// The hashed terms of everything that `item` is found by, default values included.
  public func terms(of item: Item) -> [TermHash] {
    ItemAttribute.searchable.compactMap { attribute in
      guard attribute.belongs(to: item.itemClass) else { return nil }
      return item.value(of: attribute).flatMap { hash(of: SearchTerm(attribute, $0)) }
    }
  }
}
