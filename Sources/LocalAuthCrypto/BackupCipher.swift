public import LocalAuthBackup
public import LocalAuthCore
import LocalAuthKeychain
public import LocalAuthSecret

/// Begins and opens the backups of one installation's devices.
///
/// A backup with a password is opened by HKDF of what Argon2id makes of the password; one for a single device
/// by HKDF of the device key. Both methods block for as long as a guess at the password costs. Any thread may
/// call them.
public final class BackupCipher: Sendable {
  private let deviceKey: Secret
  private let cost: BackupCost
  private let floor: BackupCost
  private let most: UInt32

  /// Makes the cipher of the installation with `deviceKey`.
  ///
  /// - Parameters:
  ///   - deviceKey: The key of the installation.
  ///   - cost: The cost of new backups. Where there is less memory they have the floor's.
  ///   - floor: The least cost that is accepted; ``BackupCost/floor`` except for devices in memory.
  ///   - kibibytesMax: The most memory that a header may ask for, in KiB; the format's own limit is 4 GiB.
  public init(
    _ deviceKey: DeviceKey,
    cost: BackupCost = .standard,
    floor: BackupCost = .floor,
    kibibytesMax: UInt32 = 4_194_304
  ) {
    self.deviceKey = deviceKey.derive(.backups)
    self.cost = cost
    self.floor = floor
    most = kibibytesMax
  }

  /// Begins a backup of `device`.
  ///
  /// - Parameters:
  ///   - password: What opens it; nil for a backup that this device alone opens.
  ///   - device: The device.
  ///   - created: The time that the header says.
  /// - Returns: what writes it.
  /// - Throws: `BackupError.outOfMemory`.
  public func begin(
    password: borrowing Secret?,
    of device: DeviceIdentity,
    at created: WallInstant
  ) throws(BackupError) -> BackupWriter {
    let identifier = Self.newIdentifier()
    let deviceKey = try deviceKey(of: DeviceLabel(device), identifier)
    func header(_ kind: BackupKind, _ salt: [UInt8], _ cost: BackupCost?) -> BackupHeader {
      BackupHeader(
        kind,
        identifier: identifier,
        salt: salt,
        cost: cost,
        created: created,
        label: device.name
      )
    }
    switch password {
    case .none:
      let salt = [UInt8](repeating: 0, count: BackupFormat.saltSize)
      return try BackupWriter(header(.deviceOnly, salt, nil), deviceKey, deviceKey)
    case .some(let password):
      let salt = Argon2id.newSalt()
      var used = cost
      var key = Self.stretch(password, salt, cost)
      if key == nil, cost != floor {
        used = floor
        key = Self.stretch(password, salt, floor)
      }
      guard let key else { throw .outOfMemory }
      return try BackupWriter(header(.password, salt, used), key, deviceKey)
    }
  }

  /// Opens a backup by its header.
  ///
  /// What its key costs is checked before any memory is taken for it.
  ///
  /// - Parameters:
  ///   - bytes: The header.
  ///   - password: The password; ignored for a backup that one device opens.
  ///   - device: The device that wants it.
  /// - Returns: what reads it.
  /// - Throws: ``BackupError``.
  public func open(
    _ bytes: [UInt8],
    password: borrowing Secret?,
    on device: DeviceIdentity
  ) throws(BackupError) -> BackupReader {
    let header = try BackupHeader(unverified: bytes)
    let deviceKey = try deviceKey(of: DeviceLabel(device), header.identifier)
    guard let cost = header.cost else {
      return try BackupReader(header, deviceKey, deviceKey, orElse: .otherDevice)
    }
    guard cost.kibibytes <= most else { throw .tooExpensive }
    guard cost.isAtLeast(floor) else { throw .tooCheap }
    switch password {
    case .none: throw .passwordNeeded
    case .some(let password):
      guard let key = Self.stretch(password, header.salt, cost) else { throw .outOfMemory }
      return try BackupReader(header, key, deviceKey, orElse: .wrongPassword)
    }
  }

  private static func stretch(
    _ password: borrowing Secret,
    _ salt: [UInt8],
    _ cost: BackupCost
  ) -> Secret? {
    Argon2id.stretch(password, salt: salt, passes: cost.passes, kibibytes: cost.kibibytes)
  }

  /// The key that comes from the device and is of this backup alone.
  private func deviceKey(
    of device: DeviceLabel,
    _ identifier: [UInt8]
  ) throws(BackupError) -> Secret {
    var material = KeyMaterial(parts: 1)
    guard material.add(deviceKey) else { throw .outOfMemory }
    let info = Array("LAB1 device/".utf8) + identifier + device.bytes
    return KeyDerivation.derive(from: material, info: info)
  }

  private static func newIdentifier() -> [UInt8] {
    var random = SecureRandom()
    return (0..<BackupFormat.identifierSize).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
  }
}
