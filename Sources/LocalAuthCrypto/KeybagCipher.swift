public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret

/// Why a keybag gave no keys.
public enum KeybagError: Error, Hashable, Sendable {
  /// The passcode is another one.
  case wrongPasscode
  /// It is damaged, another device's or another installation's.
  case malformed
  /// A guess of its passcode costs less than this installation allows.
  case tooCheap
  /// There is not enough memory for the cost.
  case outOfMemory
}

/// Wraps the class keys of keybags and opens them.
///
/// The classes that are always open are wrapped under a key that follows from the device key. The
/// others are wrapped under one that follows from the device key and the passcode together, so that a
/// stolen database gives nothing to guess with, and a stolen directory costs Argon2id a guess; where
/// no passcode is set they are wrapped under the device's alone. A passcode is right when it opens
/// the keys: nothing else is stored of it. The secret of the enrolled set needs the device key alone,
/// so that it can be replaced without a passcode.
///
/// Every method that takes a passcode blocks for as long as a guess costs, whether it is right or
/// not. Any thread may call them.
public final class KeybagCipher: Sendable {
  private let deviceKey: Secret
  private let floor: PasscodeCost

  /// The cipher of the installation whose key is `deviceKey`, which neither makes nor opens keybags
  /// whose cost is below `floor`.
  ///
  /// The floor is ``PasscodeCost/floor`` except for devices that live in memory.
  public init(_ deviceKey: DeviceKey, floor: PasscodeCost = .floor) {
    self.deviceKey = deviceKey.derive(.keybags)
    self.floor = floor
  }

  /// The keybag of `record` with `keys` and the secret of the enrolled set, without a passcode.
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
    return keybag
  }

  /// The keybag of `record` with `keys` and the secret of the enrolled set, which `passcode` opens,
  /// under a new salt.
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
    return keybag
  }

  /// `keybag` with another secret of the enrolled set, or with none; it needs no passcode.
  public func replacing(
    _ enrolledSet: EnrolledSet?,
    in keybag: SealedKeybag,
    for device: DeviceIdentity
  ) throws(KeybagError) -> SealedKeybag {
    // What is damaged must be found out here: the new part would vouch for its header.
    _ = try open(keybag, for: device).classes
    var keybag = keybag
    try put(enrolledSet, into: &keybag, device)
    return keybag
  }

  /// The secret of the enrolled set, which needs no passcode; nil where the keybag has none.
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

  /// The keys that need no passcode: those of the classes that are always open, and all of a keybag
  /// that has none.
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
    return keys
  }

  /// All keys of a keybag that `passcode` opens.
  public func open(
    _ keybag: SealedKeybag,
    passcode: borrowing Secret,
    for device: DeviceIdentity
  ) throws(KeybagError) -> ClassKeys {
    guard let cost = keybag.cost else { throw .malformed }
    let passcodeKey = try passcodeKey(passcode, keybag, cost, device)
    // Whether the keybag is whole shows without the passcode.
    var keys = try open(keybag, for: device)
    let classes = keybag.allClasses.subtracting(.always)
    switch try unwrap(keybag, classes, under: passcodeKey, into: &keys, device) {
    case classes.classes.count: return keys
    case 0: throw .wrongPasscode
    default: throw .malformed
    }
  }

  // MARK: Wrapping

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

  /// Opens what `key` opens of `classes`, and says how many that were.
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

  /// What binds a key to its use, its keybag and its device.
  private static func context(
    _ use: String,
    _ keybag: SealedKeybag,
    _ device: DeviceIdentity
  ) -> [UInt8] {
    // The header has a fixed size and digits end at the slash: no two are alike.
    keybag.header + Array("\(use)/\(device.owner)/\(device.name)".utf8)
  }
}

extension SealedKeybag {
  /// The classes that a keybag like this one has keys for.
  fileprivate var allClasses: ProtectionClassSet {
    record.hasPasscode ? .all : DeviceState.noPasscode.opened
  }
}
