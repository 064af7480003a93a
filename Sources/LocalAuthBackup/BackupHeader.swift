public import LocalAuthCore
public import LocalAuthKeychain

/// What opens a backup.
public enum BackupKind: UInt8, CaseIterable, Hashable, Sendable {
  /// A password; items that only one device opens need that device too.
  case password = 0
  /// The device that it was made on, and nothing else.
  case deviceOnly = 1
}

/// The header of a backup.
///
/// | bytes | what                                                                      |
/// |-------|---------------------------------------------------------------------------|
/// | 4     | `LAB1`                                                                    |
/// | 1     | version                                                                   |
/// | 1     | the least version of a reader                                             |
/// | 1     | ``BackupKind``                                                            |
/// | 1     | length of the device label                                                |
/// | 16    | the backup's identifier, random                                           |
/// | 16    | salt; zeros for one device                                                |
/// | 4, 4  | passes and KiB of Argon2id; zeros for one device                          |
/// | 8     | when it was made, in milliseconds since 1970                              |
/// | 64    | the device label, and zeros                                               |
/// | 552   | six pairs of class keys, wrapped, ordered by the code of their class      |
/// | 128   | ``BackupCounts``                                                          |
/// | 192   | zeros                                                                     |
/// | 32    | HMAC over all of that                                                     |
///
/// Numbers are little-endian. The keys are bound to all that is before them. The counts are written when the
/// backup is complete, so a header that was never finished has no code that fits it.
public struct BackupHeader: Hashable, Sendable {
  static let magic = Array("LAB1".utf8)
  static let keysStart = 120
  static let countsStart = keysStart + 6 * BackupFormat.wrappedKeySize
  static let macStart = BackupFormat.headerSize - BackupFormat.macSize

  /// The classes whose keys a backup has, in the order of the keys.
  public static let classes = ProtectionClassSet.all.subtracting(.passcodeSet).classes

  /// The version that wrote it.
  public let version: UInt8
  /// The least version of a reader that understands it.
  public let minimumReader: UInt8
  /// What opens it.
  public let kind: BackupKind
  /// Its identifier, random.
  public let identifier: [UInt8]
  /// The salt of the password.
  public let salt: [UInt8]
  /// The cost of a guess at the password; nil for one device.
  public let cost: BackupCost?
  /// When it was made.
  public let created: WallInstant
  /// The name of the device that it was made on.
  public let label: String
  /// The class keys, wrapped, in the order of ``classes``.
  public var wrappedKeys: [[UInt8]] = []
  /// What it has, and what it left out.
  public var counts = BackupCounts()
  /// The code over everything else.
  public var mac = [UInt8](repeating: 0, count: BackupFormat.macSize)

  /// The header of a new backup, without keys.
  ///
  /// - Parameters:
  ///   - kind: What opens it.
  ///   - identifier: Random bytes, ``BackupFormat/identifierSize`` of them.
  ///   - salt: The salt of the password, ``BackupFormat/saltSize`` bytes.
  ///   - cost: The cost of a guess at the password; nil for one device.
  ///   - created: When it is made.
  ///   - label: The device's name; as much of it is kept as there is room for.
  public init(
    _ kind: BackupKind,
    identifier: [UInt8],
    salt: [UInt8],
    cost: BackupCost?,
    created: WallInstant,
    label: String
  ) {
    precondition(identifier.count == BackupFormat.identifierSize, "an identifier has 16 bytes")
    precondition(salt.count == BackupFormat.saltSize, "a salt has 16 bytes")
    precondition((cost == nil) == (kind == .deviceOnly), "a password alone has a cost")
    version = BackupFormat.version
    minimumReader = BackupFormat.version
    self.kind = kind
    self.identifier = identifier
    self.salt = salt
    self.cost = cost
    self.created = created
    var kept = label
    while kept.utf8.count > BackupFormat.labelMax { kept.removeLast() }
    self.label = kept
  }

  /// What the keys are bound to.
  public var bound: [UInt8] {
    var bytes = Self.magic
    bytes += [version, minimumReader, kind.rawValue, UInt8(label.utf8.count)]
    bytes += identifier + salt
    bytes.append(littleEndian: cost?.passes ?? 0)
    bytes.append(littleEndian: cost?.kibibytes ?? 0)
    bytes.append(littleEndian: created.milliseconds)
    bytes += Array(label.utf8)
    return bytes + [UInt8](repeating: 0, count: Self.keysStart - bytes.count)
  }

  /// What the code is made over.
  public var authenticated: [UInt8] {
    let bytes = bound + wrappedKeys.flatMap { $0 } + counts.bytes
    return bytes + [UInt8](repeating: 0, count: Self.macStart - bytes.count)
  }

  /// All of it.
  public var bytes: [UInt8] { authenticated + mac }
}

extension BackupHeader {
  /// Reads a header, of which nothing is verified yet.
  ///
  /// - Throws: ``BackupError``: `notABackup`, `newer`, or `tooExpensive` for a cost that no reader accepts.
  public init(unverified bytes: [UInt8]) throws(BackupError) {
    guard bytes.starts(with: Self.magic), bytes.count >= 6 else { throw .notABackup }
    guard bytes[5] <= BackupFormat.version else { throw .newer(bytes[5]) }
    guard bytes.count == BackupFormat.headerSize, let kind = BackupKind(rawValue: bytes[6]),
      Int(bytes[7]) <= BackupFormat.labelMax,
      let label = String(validating: bytes[56..<56 + Int(bytes[7])], as: UTF8.self)
    else { throw .damaged }
    version = bytes[4]
    minimumReader = bytes[5]
    self.kind = kind
    identifier = Array(bytes[8..<24])
    salt = Array(bytes[24..<40])
    cost = try Self.cost(kind, bytes)
    created = WallInstant(milliseconds: Int64(littleEndian: bytes[48..<56]))
    self.label = label
    wrappedKeys = Self.classes.indices.map { index in
      let start = Self.keysStart + index * BackupFormat.wrappedKeySize
      return Array(bytes[start..<start + BackupFormat.wrappedKeySize])
    }
    counts = BackupCounts(bytes: bytes[Self.countsStart..<Self.countsStart + BackupCounts.size])
    mac = Array(bytes[Self.macStart...])
    // Whatever has no meaning is zero, or the code would not be over all that is there.
    guard self.bytes == bytes else { throw .damaged }
  }

  private static func cost(
    _ kind: BackupKind,
    _ bytes: [UInt8]
  ) throws(BackupError) -> BackupCost? {
    let passes = UInt32(littleEndian: bytes[40..<44])
    let kibibytes = UInt32(littleEndian: bytes[44..<48])
    switch kind {
    case .deviceOnly:
      guard passes == 0, kibibytes == 0 else { throw .damaged }
      return nil
    case .password:
      guard let cost = BackupCost(passes: passes, kibibytes: kibibytes) else {
        throw .tooExpensive
      }
      return cost
    }
  }
}
