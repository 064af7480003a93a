public import LocalAuthKeychain
public import LocalAuthSecret

/// Wraps and opens the keys of protected files of one device, under keys that come from its class keys;
/// those of ``FileProtection/completeUnlessOpen`` are ``UnlessOpenCipher``'s.
///
/// A wrapped key is bound to the device, to the file's identifier and to its protection, so that it opens
/// in no other file and under no other class.
public struct FileKeyCipher: ~Copyable, Sendable {
  private let sealer: Sealer
  private let protection: FileProtection
  private let device: DeviceLabel

  /// Makes the cipher of `protection`; nil if the keys of its class are not among `keys`, if it is
  /// ``FileProtection/completeUnlessOpen``, or if memory is short.
  public init?(_ keys: borrowing ClassKeys, _ protection: FileProtection, of device: DeviceLabel) {
    guard protection != .completeUnlessOpen,
      let key = keys.key(for: Self.label, of: protection.protectionClass)
    else { return nil }
    self.init(key, protection, of: device)
  }

  /// What the key of a class is derived for.
  static let label = "files"

  /// The cipher with this key; nil if memory is short.
  init?(_ key: borrowing Secret, _ protection: FileProtection, of device: DeviceLabel) {
    guard let sealer = Sealer(key) else { return nil }
    self.sealer = sealer
    self.protection = protection
    self.device = device
  }

  /// Makes the key of a new file.
  public func makeKey() -> (key: SecretBox, wrapped: WrappedFileKey)? {
    let key = DeviceKey.randomBytes()
    let identifier = WrappedFileKey.newIdentifier()
    let bytes = sealer.seal(key, with: context(identifier))
    guard let wrapped = WrappedFileKey(protection, identifier: identifier, bytes: bytes) else {
      return nil
    }
    return (SecretBox(key), wrapped)
  }

  /// Opens the key of a file; nil if it is another device's, or anything of it was changed.
  public func open(_ wrapped: WrappedFileKey) -> Secret? {
    guard wrapped.protection == protection else { return nil }
    return sealer.open(wrapped.bytes, with: context(wrapped.identifier))
  }

  private func context(_ identifier: [UInt8]) -> [UInt8] {
    WrappedFileKey.context(protection, identifier, of: device)
  }
}

extension WrappedFileKey {
  /// A random identifier.
  static func newIdentifier() -> [UInt8] {
    var random = SecureRandom()
    return (0..<identifierSize).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  /// What a wrapped key is bound to.
  static func context(
    _ protection: FileProtection,
    _ identifier: [UInt8],
    of device: DeviceLabel
  ) -> [UInt8] { [1, protection.rawValue] + identifier + device.bytes }
}
