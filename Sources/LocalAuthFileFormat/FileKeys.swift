import CLocalAuthOpenSSL
import LocalAuthKeychain
import LocalAuthSecret

/// The keys that come from a file's key: one for chunks, one for the header, and one for a database's journals.
///
/// For one thread at a time.
@safe
struct FileKeys: ~Copyable {
  static let macSize = 32

  private let macKey: Secret
  private let journalsKey: Secret?
  private let sealing: OpaquePointer
  private let opening: OpaquePointer

  /// The keys of the file with this key, which has ``FileFormat/keySize`` bytes; nil if it has not, or
  /// if memory is short.
  init?(_ key: borrowing Secret, _ layout: FileLayout) {
    guard key.count == FileFormat.keySize, let chunkKey = Self.derive(key, "LAF1 chunks"),
      let macKey = Self.derive(key, "LAF1 header"),
      let sealing = unsafe Self.context(chunkKey, seals: true)
    else { return nil }
    guard let opening = unsafe Self.context(chunkKey, seals: false) else {
      unsafe EVP_CIPHER_CTX_free(sealing)
      return nil
    }
    self.macKey = macKey
    journalsKey = layout == .pages ? Self.derive(key, "LAF1 journals") : nil
    unsafe self.sealing = sealing
    unsafe self.opening = opening
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(sealing)
    unsafe EVP_CIPHER_CTX_free(opening)
  }

  private static func context(_ key: borrowing Secret, seals: Bool) -> OpaquePointer? {
    // SAFETY: OpenSSL reads 32 bytes and keeps no pointer to them.
    unsafe key.withUnsafeBytes { unsafe la_gcm_new($0.baseAddress, seals) }
  }

  private static func derive(_ key: borrowing Secret, _ use: StaticString) -> Secret? {
    var derived = Secret(capacity: FileFormat.keySize)
    let salt: StaticString = "LocalAuth files 1"
    // SAFETY: OpenSSL writes 32 bytes and reads the other buffers, each within its size.
    let isDone = unsafe derived.withUnsafeMutableBytes { output, count in
      count = output.count
      return unsafe key.withUnsafeBytes { key in
        unsafe la_hkdf_sha256(
          output.baseAddress,
          output.count,
          key.baseAddress,
          key.count,
          salt.utf8Start,
          salt.utf8CodeUnitCount,
          use.utf8Start,
          use.utf8CodeUnitCount
        )
      }
    }
    guard isDone else { return nil }
    return derived
  }

  /// The HMAC of a header's bytes.
  func mac(of bytes: [UInt8]) -> [UInt8] {
    var mac = [UInt8](repeating: 0, count: Self.macSize)
    // SAFETY: the array has room for the code of SHA-256.
    let isDone = unsafe macKey.withUnsafeBytes { key in
      unsafe la_mac(LA_MAC_SHA256, key.baseAddress, key.count, bytes, bytes.count, &mac)
    }
    precondition(isDone, "a code is made of every message")
    return mac
  }

  /// The key of the journal with this identifier, for what the database's header says of its journals.
  func journalKey(_ identifier: [UInt8], _ journals: [UInt8]) -> Secret? {
    switch journalsKey {
    case .some(let root): Self.code(of: journals + identifier, root)
    case .none: nil
    }
  }

  private static func code(of message: [UInt8], _ key: borrowing Secret) -> Secret? {
    var code = Secret(capacity: macSize)
    // SAFETY: the buffer has room for the code of SHA-256.
    let isDone = unsafe code.withUnsafeMutableBytes { output, count in
      count = output.count
      guard let output = output.baseAddress else { return false }
      return unsafe key.withUnsafeBytes { key in
        unsafe la_mac(
          LA_MAC_SHA256,
          key.baseAddress,
          key.count,
          message,
          message.count,
          output
        )
      }
    }
    guard isDone else { return nil }
    return code
  }

  /// Whether a slot ends with the HMAC of what is before it, in a time that depends on no content.
  func verify(slot: [UInt8]) -> Bool {
    let end = slot.count - Self.macSize
    return Secret(copying: mac(of: Array(slot[..<end]))).isEqual(to: Secret(copying: slot[end...]))
  }

  /// The digest of a file's tags.
  static func digest(of tags: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: digestSize)
    // SAFETY: the array has room for a digest of SHA-256.
    let isDone = unsafe la_mac_digest(LA_MAC_SHA256, tags, tags.count, nil, 0, &digest)
    precondition(isDone, "every text has a digest")
    return digest
  }

  private static let digestSize = 32

  /// Seals `plain` into `chunk`, which has room for it and ``FileFormat/overhead``.
  @unsafe
  func seal(
    _ plain: UnsafeRawBufferPointer,
    as place: ChunkPlace,
    into chunk: UnsafeMutableRawBufferPointer
  ) {
    guard let nonce = chunk.baseAddress else { preconditionFailure("a chunk has a nonce") }
    let isRandom = unsafe RAND_bytes(
      nonce.assumingMemoryBound(to: UInt8.self),
      Int32(FileFormat.nonceSize)
    )
    precondition(isRandom == 1, "the system gives random bytes")
    // SAFETY: the chunk has room for nonce, ciphertext and tag.
    let isSealed = unsafe place.withUnsafeBytes { data in
      unsafe la_gcm_seal(
        sealing,
        nonce,
        data.baseAddress,
        data.count,
        plain.baseAddress,
        plain.count,
        nonce + FileFormat.nonceSize,
        nonce + FileFormat.nonceSize + plain.count
      )
    }
    precondition(isSealed, "AES-GCM seals whatever fits into memory")
  }

  /// Opens `chunk` into `plain`, which has its size without ``FileFormat/overhead``; false if it is
  /// not genuine, and then `plain` is wiped.
  @unsafe
  func open(
    _ chunk: UnsafeRawBufferPointer,
    as place: ChunkPlace,
    into plain: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let nonce = chunk.baseAddress else { preconditionFailure("a chunk has a nonce") }
    // SAFETY: the chunk has a nonce, as many bytes as `plain`, and a tag.
    let isGenuine = unsafe place.withUnsafeBytes { data in
      unsafe la_gcm_open(
        opening,
        nonce,
        data.baseAddress,
        data.count,
        nonce + FileFormat.nonceSize,
        plain.count,
        nonce + FileFormat.nonceSize + plain.count,
        plain.baseAddress
      )
    }
    if !isGenuine { unsafe OPENSSL_cleanse(plain.baseAddress, plain.count) }
    return isGenuine
  }
}

/// What a chunk is bound to: its file, its index, the size of its chunks, and whether it is the last one.
struct ChunkPlace {
  private let bytes: InlineArray<29, UInt8>

  init(_ index: Int, isLast: Bool, in header: FileHeader) {
    bytes = InlineArray { bytes in
      for byte in header.identifier { bytes.append(byte) }
      bytes.append(littleEndian: UInt64(index))
      bytes.append(littleEndian: UInt32(header.chunkSize))
      bytes.append(isLast ? 1 : 0)
    }
  }

  /// Lends the data that is authenticated with the chunk.
  @unsafe
  func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    unsafe bytes.span.withUnsafeBytes(body)
  }
}
