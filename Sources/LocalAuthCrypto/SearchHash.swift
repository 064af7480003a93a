public import LocalAuthKeychain
import LocalAuthSecret

/// Hashes by which the items of one device are found, under keys that follow from the device key.
///
/// They say nothing to somebody who has the database alone. Somebody who has the device key too can
/// confirm a guess: that is the price of finding items while their class is locked, and
/// docs/threat-model.md says so. Another device of the same installation has other hashes.
public final class SearchHash: Sendable {
  private let primaryKey: Secret
  private let termKey: Secret
  private let device: [UInt8]

  /// The hashes of `device` in the installation whose key is `deviceKey`.
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

  /// The hash of a term; nil for an attribute that nothing is found by.
  public func hash(of term: SearchTerm) -> TermHash? {
    guard let number = term.attribute.searchNumber else { return nil }
    // Half of a tag is enough that no two of a million items collide.
    // SAFETY: the tag is read while it is lent.
    return unsafe KeyedHash.withTag(over: device + term.bytes, key: termKey) {
      unsafe TermHash(attribute: number, bytes: $0[..<16])
    }
  }

  /// The terms of everything that `item` is found by; default values are among them.
  public func terms(of item: Item) -> [TermHash] {
    ItemAttribute.searchable.compactMap { attribute in
      guard attribute.belongs(to: item.itemClass) else { return nil }
      return item.value(of: attribute).flatMap { hash(of: SearchTerm(attribute, $0)) }
    }
  }
}
