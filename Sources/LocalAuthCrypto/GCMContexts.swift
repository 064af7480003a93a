import CLocalAuthOpenSSL
import CLocalAuthSodium
import LocalAuthSecret

/// The two contexts of AES-256-GCM under one key, to seal with and to open with.
@safe
struct GCMContexts: ~Copyable, @unchecked Sendable {
  // @unchecked: the contexts have one owner, and the language passes ownership between threads.

  let sealing: OpaquePointer
  let opening: OpaquePointer

  /// Prepares `key`; nil if it has another size than ``Sealer/keySize``, or memory is short.
  init?(_ key: borrowing Secret) {
    guard let sealing = unsafe Self.context(key, seals: true) else { return nil }
    guard let opening = unsafe Self.context(key, seals: false) else {
      unsafe EVP_CIPHER_CTX_free(sealing)
      return nil
    }
    unsafe self.sealing = sealing
    unsafe self.opening = opening
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(sealing)
    unsafe EVP_CIPHER_CTX_free(opening)
  }

  /// A context of one direction, which the caller frees; nil as above.
  static func context(_ key: borrowing Secret, seals: Bool) -> OpaquePointer? {
    Sodium.ready
    guard key.count == Sealer.keySize else { return nil }
    // SAFETY: OpenSSL reads 32 bytes and keeps no pointer to them.
    return unsafe key.withUnsafeBytes { unsafe la_gcm_new($0.baseAddress, seals) }
  }
}
