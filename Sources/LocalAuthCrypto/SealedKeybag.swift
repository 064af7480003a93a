public import LocalAuthKeychain

/// The durable form of a keybag: its record, the sealed secret of the enrolled set, and the wrapped
/// keys of each class.
///
/// | bytes | what                                                                |
/// |-------|---------------------------------------------------------------------|
/// | 1     | version, 1                                                          |
/// | 1     | 1 if a passcode opens it, else 0                                    |
/// | 8     | number of keys so far of the class that ends with a passcode        |
/// | 4     | passes of Argon2id; 0 without a passcode                            |
/// | 4     | its memory in KiB; 0 without a passcode                             |
/// | 16    | its salt; zeros without a passcode                                  |
/// | 1     | which of the next two parts follow: 1 for a set, 2 for a public key |
/// | 0, 68 | the set's generation, and its secret sealed by AES-256-GCM          |
/// | 0, 60 | the public key of files, sealed by AES-256-GCM                      |
/// | 1     | number of wrapped pairs that follow                                 |
/// | 93 each | code of the class, and its two keys sealed by AES-256-GCM         |
///
/// Numbers are little-endian, and classes are in ascending order. Everything up to the salt is
/// authenticated with the secret, with the public key and with each pair, together with the device and the
/// generation or the class. The public key is that of ``UnlessOpenCipher``; keybags of version 0.1 have none.
public struct SealedKeybag: Hashable, Sendable {
  /// A sealed secret of an enrolled set.
  struct SealedSet: Hashable, Sendable {
    let generation: UInt64
    let secret: [UInt8]
  }

  /// The keybag's record: everything in it but keys.
  public let record: KeybagRecord
  /// The cost of a guess at the passcode; nil if none is set.
  public let cost: PasscodeCost?
  let salt: [UInt8]
  var enrolledSet: SealedSet?
  /// The public key of files that are made while the device is locked, sealed under the device key.
  var publicKey: [UInt8]?
  private(set) var wrapped: [ProtectionClass: [UInt8]] = [:]

  private static let version: UInt8 = 1
  private static let headerSize = 18 + Argon2id.saltSize
  private static let secretSize = EnrolledSet.size + Sealer.overhead
  private static let publicKeySize = UnlessOpenCipher.halfSize + Sealer.overhead
  private static let wrappedSize = ClassKeys.pairSize + Sealer.overhead

  init(_ record: KeybagRecord, cost: PasscodeCost?, salt: [UInt8]) {
    self.record = record
    self.cost = cost
    self.salt = salt
  }

  mutating func put(_ key: [UInt8], for protection: ProtectionClass) { wrapped[protection] = key }

  /// The data authenticated with each sealed part, besides the device and the part's use.
  var header: [UInt8] {
    var bytes = [Self.version, record.hasPasscode ? 1 : 0]
    bytes.append(littleEndian: record.passcodeSetKeys)
    bytes.append(littleEndian: cost?.passes ?? 0)
    bytes.append(littleEndian: cost?.kibibytes ?? 0)
    return bytes + salt
  }

  /// The bytes to store.
  public var bytes: [UInt8] {
    var bytes = header + [(enrolledSet == nil ? 0 : 1) | (publicKey == nil ? 0 : 2)]
    if let enrolledSet {
      bytes.append(littleEndian: enrolledSet.generation)
      bytes += enrolledSet.secret
    }
    bytes += publicKey ?? []
    bytes.append(UInt8(wrapped.count))
    for protection in ProtectionClass.allCases.sorted(by: { $0.code < $1.code }) {
      if let key = wrapped[protection] { bytes += [protection.code] + key }
    }
    return bytes
  }

  /// Parses stored bytes; nil for anything that ``bytes`` cannot have made.
  public init?(bytes: [UInt8]) {
    guard bytes.count > Self.headerSize, bytes[0] == Self.version, bytes[1] <= 1 else {
      return nil
    }
    let passes = UInt32(littleEndian: bytes[10..<14])
    let kibibytes = UInt32(littleEndian: bytes[14..<18])
    let hasPasscode = bytes[1] == 1
    record = KeybagRecord(
      hasPasscode: hasPasscode,
      passcodeSetKeys: UInt64(littleEndian: bytes[2..<10])
    )
    cost = hasPasscode ? PasscodeCost(passes: passes, kibibytes: kibibytes) : nil
    salt = Array(bytes[18..<Self.headerSize])
    let isBlank = passes == 0 && kibibytes == 0 && salt.allSatisfy { $0 == 0 }
    guard hasPasscode ? cost != nil : isBlank else { return nil }
    var rest = bytes[Self.headerSize...]
    guard let parts = rest.popFirst(), parts <= 3 else { return nil }
    if parts & 1 != 0 {
      guard let set = Self.takeSet(from: &rest) else { return nil }
      enrolledSet = set
    }
    if parts & 2 != 0 {
      guard rest.count >= Self.publicKeySize else { return nil }
      publicKey = Array(rest.prefix(Self.publicKeySize))
      rest = rest.dropFirst(Self.publicKeySize)
    }
    guard let count = rest.popFirst(), let keys = Self.keys(rest, count: count) else { return nil }
    wrapped = keys
  }

  private static func takeSet(from rest: inout ArraySlice<UInt8>) -> SealedSet? {
    guard rest.count >= 8 + secretSize else { return nil }
    let generation = UInt64(littleEndian: rest.prefix(8))
    let secret = Array(rest.dropFirst(8).prefix(secretSize))
    rest = rest.dropFirst(8 + secretSize)
    return SealedSet(generation: generation, secret: secret)
  }

  private static func keys(
    _ bytes: ArraySlice<UInt8>,
    count: UInt8
  ) -> [ProtectionClass: [UInt8]]? {
    let size = 1 + wrappedSize
    guard bytes.count == Int(count) * size else { return nil }
    var keys: [ProtectionClass: [UInt8]] = [:]
    var last = -1
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: size) {
      guard Int(bytes[start]) > last, let protection = ProtectionClass(code: bytes[start]) else {
        return nil
      }
      last = Int(bytes[start])
      keys[protection] = Array(bytes[(start + 1)..<(start + size)])
    }
    return keys
  }
}
