import LocalAuthSecret

/// Hashes by which items are found, under a key that follows from the device key.
///
/// They say nothing to somebody who has the database alone. Somebody who has the device key too can
/// confirm a guess: that is the price of finding items while their class is locked, and
/// docs/threat-model.md says so.
public final class SearchHash: Sendable {
  /// The size of a primary key's hash in bytes.
  public static let primarySize = 32
  /// The size of a term's hash in bytes: enough that no two of a million items collide.
  public static let termSize = 16

  private let primaryKey: Secret
  private let termKey: Secret

  /// The hashes of the installation whose key is `deviceKey`.
  public init(_ deviceKey: DeviceKey) {
    primaryKey = deviceKey.derive(.primaryKeys)
    termKey = deviceKey.derive(.searchTerms)
  }

  /// The hash of a primary key's bytes.
  public func primary(_ bytes: [UInt8]) -> [UInt8] { KeyedHash.tag(over: bytes, key: primaryKey) }

  /// The hash of a search term's bytes.
  public func term(_ bytes: [UInt8]) -> [UInt8] {
    Array(KeyedHash.tag(over: bytes, key: termKey)[..<Self.termSize])
  }
}
