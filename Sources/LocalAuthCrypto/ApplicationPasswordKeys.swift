public import LocalAuthKeychain
public import LocalAuthSecret

/// Derives item keys from application passwords.
///
/// Argon2id makes guesses expensive; the salt is the item's identifier, so no two items share the
/// work. The device key is mixed in too, so a stolen database alone allows no guessing. Any thread
/// may call it.
public final class ApplicationPasswordKeys: Sendable {
  /// The cost for stored items: 19 MiB and 2 passes.
  ///
  /// It is not stored and therefore part of the format: changing it makes existing items
  /// unopenable.
  public static let cost = PasscodeCost.floor

  private let deviceKey: Secret
  private let cost: PasscodeCost

  /// The keys of the installation with `deviceKey`.
  ///
  /// The cost is ``cost`` except for devices that exist in memory only.
  public init(_ deviceKey: DeviceKey, cost: PasscodeCost = ApplicationPasswordKeys.cost) {
    self.deviceKey = deviceKey.derive(.applicationPasswords)
    self.cost = cost
  }

  /// The key of `password` for `item`, 32 bytes; nil if memory is short.
  ///
  /// Blocks for as long as a guess takes.
  public func key(of password: borrowing Secret, for item: ItemIdentifier) -> Secret? {
    guard let stretched = Argon2id.stretch(password, salt: item.bytes, cost) else { return nil }
    var material = KeyMaterial(parts: 2)
    guard material.add(deviceKey), material.add(stretched) else { return nil }
    return KeyDerivation.derive(from: material, info: item.bytes)
  }
}
