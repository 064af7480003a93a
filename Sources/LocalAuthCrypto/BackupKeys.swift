import CLocalAuthOpenSSL
import LocalAuthBackup
import LocalAuthKeychain
import LocalAuthSecret

/// The keys of one backup: its fresh class keys, and what comes from the key of its password or device.
///
/// The stream's key and that of the header's code come from the same key that wraps the class keys, and are
/// bound to all of the header that is before the class keys.
struct BackupKeys: ~Copyable, Sendable {
  /// The class keys that could be opened.
  let classKeys: ClassKeys
  private let stream: Sealer
  private let macKey: Secret
  private let header: BackupHeader

  private init?(_ classKeys: consuming ClassKeys, _ key: borrowing Secret, _ header: BackupHeader) {
    guard let macKey = Self.derive(key, "header", header),
      let streamKey = Self.derive(key, "stream", header), let stream = Sealer(streamKey)
    else { return nil }
    self.classKeys = classKeys
    self.stream = stream
    self.macKey = macKey
    self.header = header
  }

  /// Makes fresh keys.
  ///
  /// - Parameters:
  ///   - header: The header, which gets the keys, wrapped.
  ///   - key: What opens the backup.
  ///   - deviceKey: What the keys of classes that stay on one device need besides.
  /// - Returns: the keys.
  /// - Throws: `BackupError.outOfMemory`.
  static func make(
    for header: inout BackupHeader,
    under key: borrowing Secret,
    and deviceKey: borrowing Secret
  ) throws(BackupError) -> BackupKeys {
    let classKeys = ClassKeys.generate(for: ProtectionClassSet.all.subtracting(.passcodeSet))
    guard let moving = wrapper(key, header), let staying = wrapper(key, and: deviceKey, header)
    else { throw .outOfMemory }
    var wrapped: [[UInt8]] = []
    for protection in BackupHeader.classes {
      guard let pair = classKeys.joined(protection) else { throw .outOfMemory }
      let context = context(protection, header)
      wrapped.append(
        protection.isThisDeviceOnly
          ? staying.seal(pair, with: context) : moving.seal(pair, with: context)
      )
    }
    header.wrappedKeys = wrapped
    guard let keys = BackupKeys(classKeys, key, header) else { throw .outOfMemory }
    return keys
  }

  /// Opens the keys of a backup, those that stay on one device only if this is the device, and verifies its
  /// header.
  ///
  /// - Throws: `BackupError`: `refusal` if `key` is wrong, `damaged` if the rest of the header was changed.
  static func open(
    _ header: BackupHeader,
    under key: borrowing Secret,
    and deviceKey: borrowing Secret,
    orElse refusal: BackupError
  ) throws(BackupError) -> BackupKeys {
    guard let moving = wrapper(key, header), let staying = wrapper(key, and: deviceKey, header)
    else { throw .outOfMemory }
    var classKeys = ClassKeys()
    for (protection, wrapped) in zip(BackupHeader.classes, header.wrappedKeys) {
      let context = context(protection, header)
      let opened =
        protection.isThisDeviceOnly
        ? staying.open(wrapped, with: context) : moving.open(wrapped, with: context)
      if let pair = opened {
        guard classKeys.put(joined: pair, for: protection) else { throw .damaged }
      } else if !protection.isThisDeviceOnly {
        throw refusal
      }
    }
    guard let keys = BackupKeys(classKeys, key, header) else { throw .outOfMemory }
    guard KeyedHash.areEqual(keys.mac(of: header), header.mac) else { throw .damaged }
    return keys
  }

  /// The code over a header.
  func mac(of header: BackupHeader) -> [UInt8] {
    var mac = [UInt8](repeating: 0, count: BackupFormat.macSize)
    let bytes = header.authenticated
    // SAFETY: the array has room for the code of SHA-256.
    let isDone = unsafe macKey.withUnsafeBytes { key in
      unsafe la_mac(LA_MAC_SHA256, key.baseAddress, key.count, bytes, bytes.count, &mac)
    }
    precondition(isDone, "a code is made of every message")
    return mac
  }

  // MARK: Chunks

  /// Seals what is in a chunk.
  func seal(_ content: [UInt8], at index: UInt64, isLast: Bool) -> [UInt8] {
    stream.seal(bytes: content, with: BackupTrailer.place(index, isLast: isLast, in: header))
  }

  /// Opens a chunk; nil if it is not the one that was sealed there.
  func open(_ chunk: [UInt8], at index: UInt64, isLast: Bool) -> [UInt8]? {
    let place = BackupTrailer.place(index, isLast: isLast, in: header)
    // SAFETY: the bytes are the array's own and stay in place during the call.
    return unsafe stream.openBytes(chunk.span.bytes, with: place)
  }

  // MARK: Derivation

  /// What wraps the keys of classes that go anywhere.
  private static func wrapper(_ key: borrowing Secret, _ header: BackupHeader) -> Sealer? {
    guard let wrapping = derive(key, "keys", header) else { return nil }
    return Sealer(wrapping)
  }

  /// What wraps the keys of classes that stay on one device.
  private static func wrapper(
    _ key: borrowing Secret,
    and deviceKey: borrowing Secret,
    _ header: BackupHeader
  ) -> Sealer? {
    var material = KeyMaterial(parts: 2)
    guard material.add(key), material.add(deviceKey) else { return nil }
    return Sealer(KeyDerivation.derive(from: material, info: info("device keys", header)))
  }

  private static func derive(
    _ key: borrowing Secret,
    _ use: String,
    _ header: BackupHeader
  ) -> Secret? {
    var material = KeyMaterial(parts: 1)
    guard material.add(key) else { return nil }
    return KeyDerivation.derive(from: material, info: info(use, header))
  }

  private static func info(_ use: String, _ header: BackupHeader) -> [UInt8] {
    // What is bound has a fixed size, so no two are alike.
    Array("LAB1 \(use)/".utf8) + header.bound
  }

  private static func context(_ protection: ProtectionClass, _ header: BackupHeader) -> [UInt8] {
    [1, protection.code] + header.identifier
  }
}
