// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuthEmbedded
public import LocalAuthSecurity

/// The private key of a saved right: P-256, made by the keychain, and used there while the right is authorized.
///
/// Every operation but the questions throws ``LAError/Code/notInteractive`` while it is not: nobody is asked
/// here.
public final class LAPrivateKey: NSObject, Sendable {
  private let right: LAPersistedRight

  init(_ right: LAPersistedRight) {
    self.right = right
    super.init()
  }

  /// The public half, which can be used at any time.
  public var publicKey: LAPublicKey { LAPublicKey(right.record.publicKey, right.device) }

  /// Signs data, or the digest that it is.
  public func sign(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await right.withKey { key in
      try RightRecord.asking {
        unsafe SecKeyCreateSignature(key, algorithm, data as CFData, $0)
      } as Data
    }
  }

  /// Decrypts what was encrypted for the public half.
  public func decrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await right.withKey { key in
      try RightRecord.asking {
        unsafe SecKeyCreateDecryptedData(key, algorithm, data as CFData, $0)
      } as Data
    }
  }

  /// Agrees with the owner of another key, `04 || X || Y`, on a secret.
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

  /// Whether the key has an algorithm for signing.
  public func canSign(using algorithm: SecKeyAlgorithm) -> Bool {
    right.record.publicKey.pairSupports(.sign, algorithm)
  }

  /// Whether the key has an algorithm for decrypting.
  public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool {
    right.record.publicKey.pairSupports(.decrypt, algorithm)
  }

  /// Whether the key has an algorithm for agreeing on a secret.
  public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool {
    right.record.publicKey.pairSupports(.keyExchange, algorithm)
  }
}

/// The same for callers that are called back, on threads of their own.
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

/// Parameters on their way to another thread; nobody changes them there.
private struct ExchangeParameters: @unchecked Sendable {
  let dictionary: NSDictionary
}

/// The public key of a saved right, which can be used whether the right is authorized or not.
public final class LAPublicKey: NSObject, Sendable {
  private let key: SecKey
  private let device: CurrentDevice

  init(_ key: SecKey, _ device: CurrentDevice) {
    self.key = key
    self.device = device
    super.init()
  }

  /// The key: `04 || X || Y` of ANSI X9.63.
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

  /// Throws where a signature is not genuine.
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

  /// Whether the key has an algorithm for encrypting.
  public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool {
    key.pairSupports(.encrypt, algorithm)
  }

  /// Whether the key has an algorithm for verifying.
  public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool {
    key.pairSupports(.verify, algorithm)
  }
}

/// The same for callers that are called back, on threads of their own.
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
