public import LocalAuthKeychain
public import LocalAuthSecret

/// Makes the keys that application passwords put into items.
///
/// Argon2id makes a guess cost something, with the item's identifier as salt, so that no two items share
/// the work; the device key goes in too, so that a stolen database gives nothing to guess with. Any
/// thread may call it.
public final class ApplicationPasswordKeys: Sendable {
  /// The cost for items that are stored: 19 MiB and 2 passes.
  ///
  /// It is written nowhere and so part of the format: another one makes items that are already there
  /// unopenable.
  public static let cost = PasscodeCost.floor

  private let deviceKey: Secret
  private let cost: PasscodeCost

  /// The keys of the installation whose key is `deviceKey`.
  ///
  /// The cost is ``cost`` except for devices that live in memory.
  public init(_ deviceKey: DeviceKey, cost: PasscodeCost = ApplicationPasswordKeys.cost) {
    self.deviceKey = deviceKey.derive(.applicationPasswords)
    self.cost = cost
  }

  /// The key of `password` for `item`, 32 bytes; nil when memory is short.
  ///
  /// It blocks for as long as a guess takes.
  public func key(of password: borrowing Secret, for item: ItemIdentifier) -> Secret? {
    guard let stretched = Argon2id.stretch(password, salt: item.bytes, cost) else { return nil }
    var material = KeyMaterial(parts: 2)
    guard material.add(deviceKey), material.add(stretched) else { return nil }
    return KeyDerivation.derive(from: material, info: item.bytes)
  }
}
