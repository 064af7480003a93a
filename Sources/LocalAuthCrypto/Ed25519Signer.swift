import CLocalAuthSodium
public import LocalAuthKeychain
public import LocalAuthSecret

/// An Ed25519 key kept open for repeated signing, with seed and public key in wiped, locked memory.
///
/// ``PrivateKey`` computes the public key and builds OpenSSL's form of both for each signature,
/// which takes three times as long as the signing. It belongs to one thread.
public final class Ed25519Signer: MessageSigning {
  private let key: Secret

  /// Makes the key with this seed of 32 bytes; nil for any other size.
  public init?(seed: borrowing Secret) {
    guard seed.count == PrivateKey.serializedSize else { return nil }
    var key = Secret(capacity: Int(crypto_sign_ed25519_SECRETKEYBYTES))
    var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_PUBLICKEYBYTES))
    // SAFETY: seed, public key and key have the sizes that the function expects.
    let isDone = unsafe seed.withUnsafeBytes { seed in
      unsafe key.withUnsafeMutableBytes { room, count in
        unsafe publicKey.withUnsafeMutableBytes { output in
          count = room.count
          return unsafe la_sodium_ed25519_key(
            seed.baseAddress,
            output.baseAddress,
            room.baseAddress
          )
        }
      }
    }
    guard isDone else { return nil }
    self.key = key
  }

  /// Signs `message`, giving 64 bytes; nil if the library fails.
  public func sign(_ message: [UInt8]) -> [UInt8]? {
    let size = Int(crypto_sign_ed25519_BYTES)
    // SAFETY: key and message are lent for the call, and the signature has room for 64 bytes.
    let signature = unsafe [UInt8](unsafeUninitializedCapacity: size) { signature, count in
      let isDone = unsafe key.withUnsafeBytes { key in
        unsafe message.withUnsafeBytes { message in
          unsafe la_sodium_ed25519_sign(
            key.baseAddress,
            message.baseAddress,
            message.count,
            signature.baseAddress
          )
        }
      }
      count = isDone ? size : 0
    }
    return signature.isEmpty ? nil : signature
  }
}
