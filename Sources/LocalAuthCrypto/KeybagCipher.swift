public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret

/// Why a keybag could not be sealed or opened.
public enum KeybagError: Error, Hashable, Sendable {
  /// The passcode is wrong.
  case wrongPasscode
  /// The keybag is damaged, or belongs to another device or installation.
  case malformed
  /// A guess at its passcode would cost less than this installation allows.
  case tooCheap
  /// There is not enough memory for the cost.
  case outOfMemory
}

/// Wraps and opens the class keys of keybags.
///
/// The keys of classes that are always open are wrapped under a key derived from the device key.
/// The others are wrapped under a key derived from the device key and the passcode together: a
/// stolen database alone allows no guessing, and a stolen directory costs one Argon2id per guess.
/// If no passcode is set they are wrapped under the device's key alone. The passcode is right if it
/// opens the keys; nothing else is stored to verify it. The secret of the enrolled set needs only
/// the device key, so that it can be replaced without a passcode.
///
/// Every method that takes a passcode blocks for as long as a guess costs, whether it is right or
/// not. Any thread may call them.
public final class KeybagCipher: Sendable {
  private let deviceKey: Secret
  private let floor: PasscodeCost

  /// Makes the cipher of the installation with `deviceKey`; it neither makes nor opens keybags
  /// whose cost is below `floor`.
  ///
  /// The floor is ``PasscodeCost/floor`` except for devices that exist in memory only.
  public init(_ deviceKey: DeviceKey, floor: PasscodeCost = .floor) {
    LibCrypto.outlivesExit
    self.deviceKey = deviceKey.derive(.keybags)
    self.floor = floor
  }

  /// Seals `keys` and the secret of the enrolled set as the keybag of `record`, without a passcode.
  public func seal(
    _ keys: borrowing ClassKeys,
    _ record: KeybagRecord,
    enrolledSet: EnrolledSet? = nil,
    for device: DeviceIdentity
  ) throws(KeybagError) -> SealedKeybag {
    precondition(!record.hasPasscode, "a keybag with a passcode is sealed with it")
    let salt = [UInt8](repeating: 0, count: Argon2id.saltSize)
    var keybag = SealedKeybag(record, cost: nil, salt: salt)
    try wrap(keys, DeviceState.noPasscode.opened, under: deviceKey, into: &keybag, device)
    try put(enrolledSet, into: &keybag, device)
    try putPublicKey(of: keys, into: &keybag, device)
    return keybag
  }

  /// Seals `keys` and the secret of the enrolled set as the keybag of `record`, which `passcode`
  /// opens, with a new salt.
  public func seal(
    _ keys: borrowing ClassKeys,
    _ record: KeybagRecord,
    enrolledSet: EnrolledSet? = nil,
    passcode: borrowing Secret,
    cost: PasscodeCost,
    for device: DeviceIdentity
  ) throws(KeybagError) -> SealedKeybag {
    precondition(record.hasPasscode, "a keybag without a passcode is sealed without one")
    var keybag = SealedKeybag(record, cost: cost, salt: Argon2id.newSalt())
    let passcodeKey = try passcodeKey(passcode, keybag, cost, device)
    try wrap(keys, .always, under: deviceKey, into: &keybag, device)
    try wrap(keys, Self.guarded, under: passcodeKey, into: &keybag, device)
    try put(enrolledSet, into: &keybag, device)
    try putPublicKey(of: keys, into: &keybag, device)
    return keybag
  }

  /// Replaces the secret of the enrolled set in `keybag`, or removes it; no passcode is needed.
  public func replacing(
    _ enrolledSet: EnrolledSet?,
    in keybag: SealedKeybag,
    for device: DeviceIdentity
  ) throws(KeybagError) -> SealedKeybag {
    // Detect damage now: the newly sealed secret would authenticate a damaged header.
    _ = try open(keybag, for: device).classes
    var keybag = keybag
    try put(enrolledSet, into: &keybag, device)
    return keybag
  }

  /// Opens the secret of the enrolled set, which needs no passcode; nil if the keybag has none.
  public func enrolledSet(
    of keybag: SealedKeybag,
    for device: DeviceIdentity
  ) throws(KeybagError) -> EnrolledSet? {
    guard let set = keybag.enrolledSet else { return nil }
    guard let sealer = Sealer(deviceKey) else { throw .outOfMemory }
    let data = Self.context(of: set.generation, keybag, device)
    guard let secret = sealer.open(set.secret, with: data),
      let opened = EnrolledSet(set.generation, secret)
    else { throw .malformed }
    return opened
  }

  /// The public key of the files that can be made while the device is locked, which needs no passcode; nil
  /// if the keybag has none.
  public func publicKey(
    of keybag: SealedKeybag,
    for device: DeviceIdentity
  ) throws(KeybagError) -> [UInt8]? {
    guard let sealed = keybag.publicKey else { return nil }
    guard let sealer = Sealer(deviceKey) else { throw .outOfMemory }
    let data = Self.context(Self.publicKeyUse, keybag, device)
    // SAFETY: the bytes are the array's own and stay in place during the call.
    guard let key = unsafe sealer.openBytes(sealed.span.bytes, with: data) else {
      throw .malformed
    }
    return key
  }

  /// Opens the keys that need no passcode: those of the classes that are always open, or all if the
  /// keybag has no passcode.
  public func open(
    _ keybag: SealedKeybag,
    for device: DeviceIdentity
  ) throws(KeybagError) -> ClassKeys {
    let classes = keybag.record.hasPasscode ? ProtectionClassSet.always : keybag.allClasses
    var keys = ClassKeys()
    guard let count = try unwrap(keybag, classes, under: deviceKey, into: &keys, device),
      count == classes.classes.count
    else { throw .malformed }
    _ = try enrolledSet(of: keybag, for: device)
    _ = try publicKey(of: keybag, for: device)
    return keys
  }

  /// Opens all keys of a keybag with its passcode.
  public func open(
    _ keybag: SealedKeybag,
    passcode: borrowing Secret,
    for device: DeviceIdentity
  ) throws(KeybagError) -> ClassKeys {
    guard let cost = keybag.cost else { throw .malformed }
    let passcodeKey = try passcodeKey(passcode, keybag, cost, device)
    // Damage to the rest of the keybag is detected without the passcode.
    var keys = try open(keybag, for: device)
    let classes = keybag.allClasses.subtracting(.always)
    switch try unwrap(keybag, classes, under: passcodeKey, into: &keys, device) {
    case classes.classes.count: break
    case 0: throw .wrongPasscode
    default: throw .malformed
    }
    // With the device key alone somebody may have put a public key of his own there.
    let publicKey = try publicKey(of: keybag, for: device)
    guard publicKey == nil || publicKey == UnlessOpenCipher.publicKey(keys) else {
      throw .malformed
    }
    return keys
  }

  // MARK: Wrapping

  private static let publicKeyUse = "files-b"

  /// The classes that a passcode guards.
  private static let guarded = ProtectionClassSet.all.subtracting(.always)

  private func passcodeKey(
    _ passcode: borrowing Secret,
    _ keybag: SealedKeybag,
    _ cost: PasscodeCost,
    _ device: DeviceIdentity
  ) throws(KeybagError) -> Secret {
    guard cost.isAtLeast(floor) else { throw .tooCheap }
    guard let stretched = Argon2id.stretch(passcode, salt: keybag.salt, cost) else {
      throw .outOfMemory
    }
    var material = KeyMaterial(parts: 2)
    guard material.add(deviceKey), material.add(stretched) else { throw .malformed }
    return KeyDerivation.derive(from: material, info: Self.context("passcode", keybag, device))
  }

  private func put(
    _ enrolledSet: EnrolledSet?,
    into keybag: inout SealedKeybag,
    _ device: DeviceIdentity
  ) throws(KeybagError) {
    guard let enrolledSet else {
      keybag.enrolledSet = nil
      return
    }
    guard let sealer = Sealer(deviceKey) else { throw .outOfMemory }
    let data = Self.context(of: enrolledSet.generation, keybag, device)
    keybag.enrolledSet = SealedKeybag.SealedSet(
      generation: enrolledSet.generation,
      secret: sealer.seal(enrolledSet.secret, with: data)
    )
  }

  private func putPublicKey(
    of keys: borrowing ClassKeys,
    into keybag: inout SealedKeybag,
    _ device: DeviceIdentity
  ) throws(KeybagError) {
    guard let sealer = Sealer(deviceKey) else { throw .outOfMemory }
    guard let key = UnlessOpenCipher.publicKey(keys) else { throw .malformed }
    keybag.publicKey = sealer.seal(
      bytes: key,
      with: Self.context(Self.publicKeyUse, keybag, device)
    )
  }

  private func wrap(
    _ keys: borrowing ClassKeys,
    _ classes: ProtectionClassSet,
    under key: borrowing Secret,
    into keybag: inout SealedKeybag,
    _ device: DeviceIdentity
  ) throws(KeybagError) {
    guard let sealer = Sealer(key) else { throw .outOfMemory }
    for protection in classes.classes {
      let data = Self.context(protection.rawValue, keybag, device)
      guard let pair = keys.joined(protection) else { throw .malformed }
      keybag.put(sealer.seal(pair, with: data), for: protection)
    }
  }

  /// Opens those of `classes` that `key` opens and returns their number; nil if the keybag lacks
  /// one of them.
  private func unwrap(
    _ keybag: SealedKeybag,
    _ classes: ProtectionClassSet,
    under key: borrowing Secret,
    into keys: inout ClassKeys,
    _ device: DeviceIdentity
  ) throws(KeybagError) -> Int? {
    guard let sealer = Sealer(key) else { throw .outOfMemory }
    var count = 0
    for protection in classes.classes {
      guard let wrapped = keybag.wrapped[protection] else { return nil }
      let data = Self.context(protection.rawValue, keybag, device)
      guard let pair = sealer.open(wrapped, with: data) else { continue }
      if keys.put(joined: pair, for: protection) { count += 1 }
    }
    return count
  }

  private static func context(
    of generation: UInt64,
    _ keybag: SealedKeybag,
    _ device: DeviceIdentity
  ) -> [UInt8] {
    context("set-\(generation)", keybag, device)
  }

  /// The data that binds a key to its use, its keybag and its device.
  private static func context(
    _ use: String,
    _ keybag: SealedKeybag,
    _ device: DeviceIdentity
  ) -> [UInt8] {
    // The header has a fixed size, and the uid's digits end at the slash, so no two contexts are
    // equal.
    keybag.header + Array("\(use)/\(device.owner)/\(device.name)".utf8)
  }
}

extension SealedKeybag {
  /// The classes for which a keybag of this kind has keys.
  fileprivate var allClasses: ProtectionClassSet {
    record.hasPasscode ? .all : DeviceState.noPasscode.opened
  }
}
