import CLocalAuthSodium
public import LocalAuthCore
public import LocalAuthSecret

/// Why a passcode could not be judged; nothing was allowed.
public enum PasscodeVerifierError: Error, Hashable, Sendable {
  /// The stored verifier is damaged or of an unknown version.
  case malformed
  /// The cost lies below what this device may have.
  case tooCheap
  /// There is not enough memory for the cost.
  case outOfMemory
}

/// Makes and checks what is stored of a device's own passcode.
///
/// A verifier holds the parameters of Argon2id, a salt, and a keyed hash of Argon2id's output, the
/// parameters and the device's identity. The key is derived from the device key, so a stolen
/// database alone does not let anybody try guesses, and a verifier copied to another device never
/// fits.
///
/// | bytes | what                                       |
/// |-------|--------------------------------------------|
/// | 1     | version, 1                                 |
/// | 4     | passes, little-endian                      |
/// | 4     | memory in KiB, little-endian               |
/// | 16    | salt                                       |
/// | 32    | keyed BLAKE2b                              |
public final class PasscodeVerifier: Sendable {
  private static let version: UInt8 = 1
  private static let headerSize = 9 + Argon2id.saltSize
  /// The size of a verifier in bytes.
  public static let size = headerSize + KeyedHash.size

  private let key: Secret
  private let floor: PasscodeCost

  /// The verifier of the installation whose key is `deviceKey`, which refuses costs below `floor`.
  ///
  /// The floor is ``PasscodeCost/floor`` except for devices that live in memory.
  public init(_ deviceKey: DeviceKey, floor: PasscodeCost = .floor) {
    key = deviceKey.derive(.passcodeVerifiers)
    self.floor = floor
  }

  /// What to store of `passcode`; blocks for as long as one guess takes.
  public func create(
    passcode: borrowing Secret,
    cost: PasscodeCost,
    for device: DeviceIdentity
  ) throws(PasscodeVerifierError) -> [UInt8] {
    var header = [Self.version]
    header.append(littleEndian: cost.passes)
    header.append(littleEndian: cost.kibibytes)
    header += Argon2id.newSalt()
    return try header + tag(of: passcode, header: header, cost: cost, device: device)
  }

  /// Whether `passcode` is the one that `verifier` was made of; blocks for as long as a guess takes.
  ///
  /// Right and wrong passcodes take the same time.
  public func verify(
    passcode: borrowing Secret,
    against verifier: [UInt8],
    for device: DeviceIdentity
  ) throws(PasscodeVerifierError) -> Bool {
    guard verifier.count == Self.size, verifier[0] == Self.version,
      let cost = PasscodeCost(
        passes: UInt32(littleEndian: verifier[1..<5]),
        kibibytes: UInt32(littleEndian: verifier[5..<9])
      )
    else { throw .malformed }
    let header = Array(verifier[..<Self.headerSize])
    let expected = try tag(of: passcode, header: header, cost: cost, device: device)
    return KeyedHash.areEqual(Array(verifier[Self.headerSize...]), expected)
  }

  private func tag(
    of passcode: borrowing Secret,
    header: [UInt8],
    cost: PasscodeCost,
    device: DeviceIdentity
  ) throws(PasscodeVerifierError) -> [UInt8] {
    guard cost.isAtLeast(floor) else { throw .tooCheap }
    let salt = Array(header.suffix(Argon2id.saltSize))
    // What precedes the owner has a fixed size, and digits end at the slash: no two are alike.
    let context = header + Array("\(device.owner)/\(device.name)".utf8)
    var message = try Argon2id.stretch(passcode, salt: salt, cost, room: context.count)
    for byte in context { _ = message.append(byte) }
    return KeyedHash.tag(over: message, key: key)
  }
}
