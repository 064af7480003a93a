// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthEmbedded
public import LocalAuthSecurity

/// The private key of a saved right: a P-256 key that the keychain generated and uses while the
/// right is authorized.
///
/// While the right is not authorized, every operation throws ``LAError/Code/notInteractive``
/// instead of asking anyone. The `can...` methods work at any time.
public final class LAPrivateKey: NSObject, Sendable {
  private let right: LAPersistedRight

  init(_ right: LAPersistedRight) {
    self.right = right
    super.init()
  }

  /// The public half, usable at any time.
  public var publicKey: LAPublicKey { LAPublicKey(right.record.publicKey, right.device) }

  /// Signs data, or a digest if the algorithm takes one.
  public func sign(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await right.withKey { key in
      try RightRecord.asking {
        unsafe SecKeyCreateSignature(key, algorithm, data as CFData, $0)
      } as Data
    }
  }

  /// Decrypts data encrypted for the public half.
  public func decrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await right.withKey { key in
      try RightRecord.asking {
        unsafe SecKeyCreateDecryptedData(key, algorithm, data as CFData, $0)
      } as Data
    }
  }

  /// Agrees on a secret with the owner of another public key, `04 || X || Y`.
  public func exchangeKeys(
    publicKey: Data,
    algorithm: SecKeyAlgorithm,
    parameters: [AnyHashable: Any]
  ) async throws -> Data {
    let parameters = ExchangeParameters(dictionary: parameters as NSDictionary)
    return try await right.withKey { key in
      let peer = try RightRecord.publicKey(publicKey)
      return try RightRecord.asking {
        unsafe SecKeyCopyKeyExchangeResult(key, algorithm, peer, parameters.dictionary, $0)
      } as Data
    }
  }

  /// Whether the key supports an algorithm for signing.
  public func canSign(using algorithm: SecKeyAlgorithm) -> Bool {
    right.record.publicKey.pairSupports(.sign, algorithm)
  }

  /// Whether the key supports an algorithm for decrypting.
  public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool {
    right.record.publicKey.pairSupports(.decrypt, algorithm)
  }

  /// Whether the key supports an algorithm for agreeing on a secret.
  public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool {
    right.record.publicKey.pairSupports(.keyExchange, algorithm)
  }
}

/// Callback-based variants, which call back on dedicated threads.
extension LAPrivateKey {
  /// As ``sign(_:algorithm:)``.
  @preconcurrency
  public func sign(
    _ data: Data,
    algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    right.device.reply(completion) { [self] in try await sign(data, algorithm: algorithm) }
  }

  /// As ``decrypt(_:algorithm:)``.
  @preconcurrency
  public func decrypt(
    _ data: Data,
    algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    right.device.reply(completion) { [self] in try await decrypt(data, algorithm: algorithm) }
  }

  /// As ``exchangeKeys(publicKey:algorithm:parameters:)``.
  @preconcurrency
  public func exchangeKeys(
    publicKey: Data,
    algorithm: SecKeyAlgorithm,
    parameters: [AnyHashable: Any],
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    let parameters = ExchangeParameters(dictionary: parameters as NSDictionary)
    right.device.reply(completion) { [self] in
      try await exchangeKeys(
        publicKey: publicKey,
        algorithm: algorithm,
        parameters: parameters.dictionary as? [AnyHashable: Any] ?? [:]
      )
    }
  }
}

/// Carries parameters to another thread, which only reads them.
private struct ExchangeParameters: @unchecked Sendable {
  let dictionary: NSDictionary
}

/// The public key of a saved right, usable whether or not the right is authorized.
public final class LAPublicKey: NSObject, Sendable {
  private let key: SecKey
  private let device: CurrentDevice

  init(_ key: SecKey, _ device: CurrentDevice) {
    self.key = key
    self.device = device
    super.init()
  }

  /// The key as `04 || X || Y` of ANSI X9.63.
  public var bytes: Data {
    get async throws {
      try RightRecord.asking { unsafe SecKeyCopyExternalRepresentation(key, $0) } as Data
    }
  }

  /// Encrypts data for the private half.
  public func encrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try RightRecord.asking {
      unsafe SecKeyCreateEncryptedData(key, algorithm, data as CFData, $0)
    } as Data
  }

  /// Verifies a signature, and throws if it is invalid.
  public func verify(
    _ signedData: Data,
    signature: Data,
    algorithm: SecKeyAlgorithm
  ) async throws {
    try RightRecord.asking { error -> Void? in
      let (data, signature) = (signedData as CFData, signature as CFData)
      return unsafe SecKeyVerifySignature(key, algorithm, data, signature, error) ? () : nil
    }
  }

  /// Whether the key supports an algorithm for encrypting.
  public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool {
    key.pairSupports(.encrypt, algorithm)
  }

  /// Whether the key supports an algorithm for verifying.
  public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool {
    key.pairSupports(.verify, algorithm)
  }
}

/// Callback-based variants, which call back on dedicated threads.
extension LAPublicKey {
  /// As ``bytes``.
  @preconcurrency
  public func exportBytes(completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    device.reply(completion) { [self] in try await bytes }
  }

  /// As ``encrypt(_:algorithm:)``.
  @preconcurrency
  public func encrypt(
    _ data: Data,
    algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    device.reply(completion) { [self] in try await encrypt(data, algorithm: algorithm) }
  }

  /// As ``verify(_:signature:algorithm:)``.
  @preconcurrency
  public func verify(
    _ signedData: Data,
    signature: Data,
    algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let ended: @Sendable (Void?, (any Error)?) -> Void = { completion($1) }
    device.reply(ended) { [self] in
      try await verify(signedData, signature: signature, algorithm: algorithm)
    }
  }
}
