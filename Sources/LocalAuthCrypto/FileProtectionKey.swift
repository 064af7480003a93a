import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret

/// The key that opens the keys of one device's files of one protection, as it goes to another device.
///
/// | bytes | what                                         |
/// |-------|----------------------------------------------|
/// | 1     | version, 1                                   |
/// | 1     | when the files can be opened                 |
/// | 32    | the key                                      |
/// | …     | the device's label, which the files are bound to |
public struct FileProtectionKey: ~Copyable, Sendable {
  private static let version: UInt8 = 1
  private static let keyStart = 2
  private static let labelMax = 1024

  /// When the files can be opened.
  public let protection: FileProtection
  private let key: Secret
  private let device: DeviceLabel

  /// The key of a device; nil if the keys of the protection's class are not among `keys`.
  public init?(_ keys: borrowing ClassKeys, _ protection: FileProtection, of device: DeviceLabel) {
    let use = protection == .completeUnlessOpen ? UnlessOpenCipher.label : FileKeyCipher.label
    guard let key = keys.key(for: use, of: protection.protectionClass) else { return nil }
    self.protection = protection
    self.key = key
    self.device = device
  }

  /// Reads ``bytes``; nil for anything else.
  public init?(bytes: borrowing Secret) {
    let labelStart = Self.keyStart + ClassKeys.keySize
    guard bytes.count > labelStart, bytes.count <= labelStart + Self.labelMax else { return nil }
    // SAFETY: the bytes are lent for each call, and what is read is within them.
    let start = unsafe bytes.withUnsafeBytes { unsafe Array($0[..<Self.keyStart]) }
    guard start[0] == Self.version, let protection = FileProtection(rawValue: start[1]) else {
      return nil
    }
    self.protection = protection
    key = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[Self.keyStart..<labelStart]))
    }
    device = DeviceLabel(bytes: unsafe bytes.withUnsafeBytes { unsafe Array($0[labelStart...]) })
  }

  /// All of it.
  public var bytes: Secret {
    var bytes = Secret(capacity: Self.keyStart + ClassKeys.keySize + device.bytes.count)
    bytes.append(contentsOf: Secret(copying: [Self.version, protection.rawValue]))
    bytes.append(contentsOf: key)
    bytes.append(contentsOf: Secret(copying: device.bytes))
    return bytes
  }

  /// What tells it from others, and nothing of the key.
  public var name: String {
    var material = KeyMaterial(parts: 1)
    let hasRoom = material.add(key)
    precondition(hasRoom, "a key is no longer than a part may be")
    let info = Array("name of a key of files".utf8) + [protection.rawValue] + device.bytes
    let name = KeyDerivation.derive(from: material, info: info)
    // SAFETY: the bytes are lent for the call.
    return unsafe name.withUnsafeBytes { String(hexadecimal: unsafe Array($0.prefix(16))) }
  }

  /// Opens the key of a file; nil if it is another device's or of another protection, or anything of it was changed.
  public func open(_ wrapped: WrappedFileKey) -> Secret? {
    guard wrapped.protection == protection else { return nil }
    guard protection == .completeUnlessOpen else {
      return FileKeyCipher(key, protection, of: device)?.open(wrapped)
    }
    return UnlessOpenCipher.open(wrapped, key, of: device)
  }
}
