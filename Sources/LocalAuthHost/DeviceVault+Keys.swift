import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService

/// Private keys, which are generated and used only here.
extension DeviceVault {
  func makeKey(_ curve: KeyCurve) -> (key: NewKey, data: SecretBox)? {
    guard let made = try? PrivateKey.generate(curve) else { return nil }
    return Self.parts(of: made)
  }

  func readKey(_ curve: KeyCurve, _ data: SecretBox) -> (key: NewKey, data: SecretBox)? {
    guard let secret = data.copied()?.take() else { return nil }
    do throws(KeyError) {
      guard curve == .p256, secret.count != PrivateKey.serializedSize else {
        return Self.parts(of: try PrivateKey(curve, serialized: secret))
      }
      return Self.parts(of: try PrivateKey(x963: secret))
    } catch {
      return nil
    }
  }

  private static func parts(of key: consuming PrivateKey) -> (key: NewKey, data: SecretBox) {
    let half = key.publicKey
    let new = NewKey(key.curve, publicKey: half.bytes, label: half.applicationLabel)
    return (new, SecretBox(key.serialize()))
  }

  func signer(of stored: borrowing StoredItem) -> (any MessageSigning)? {
    guard curve(of: stored) == .ed25519, let data = data(of: stored) else { return nil }
    return Ed25519Signer(seed: data)
  }

  func use(
    _ stored: borrowing StoredItem,
    for use: KeyUse
  ) throws(KeychainError) -> KeyUseResult? {
    guard let curve = curve(of: stored), let data = data(of: stored) else { return nil }
    return try perform(use, curve, data)
  }

  func use(
    _ stored: borrowing StoredItem,
    for use: KeyUse,
    _ proof: consuming Proof,
    password: borrowing Secret?
  ) throws(KeychainError) -> KeyUseResult? {
    guard let curve = curve(of: stored), let data = data(of: stored, proof, password: password)
    else { return nil }
    return try perform(use, curve, data)
  }

  /// The curve of the key that an item holds; nil if it is no private key that can be used here.
  private func curve(of stored: borrowing StoredItem) -> KeyCurve? {
    guard let item = item(stored), item.itemClass == .key,
      item.value(of: .keyClass) == .number(KeyClass.private.rawValue),
      case .number(let type)? = item.value(of: .type)
    else { return nil }
    return KeyCurve.allCases.first { $0.keyType.rawValue == type }
  }

  private func perform(
    _ use: KeyUse,
    _ curve: KeyCurve,
    _ data: consuming Secret
  ) throws(KeychainError) -> KeyUseResult {
    do throws(KeyError) {
      let key = try PrivateKey(curve, serialized: data)
      switch use {
      case .sign(let message, let algorithm):
        return .signature(try key.sign(message, by: algorithm))
      case .exchange(let publicKey, let algorithm, let size, let sharedInfo):
        let peer = try PublicKey(curve, publicKey)
        let shared = try key.exchange(with: peer, by: algorithm, size: size, sharedInfo: sharedInfo)
        return .sharedSecret(SecretBox(shared))
      }
    } catch {
      throw KeychainError(error)
    }
  }
}

extension KeychainError {
  /// Maps an error in using a key.
  fileprivate init(_ error: KeyError) {
    switch error {
    case .unsuitable(let algorithm, _): self = .unsupported(algorithm.rawValue)
    case .digestSize: self = .parameter(.invalidValue("message"))
    case .derivedSize: self = .parameter(.invalidValue("size"))
    case .malformed, .outOfRange, .publicKeyDiffers, .invalidPublicKey:
      self = .parameter(.invalidValue("publicKey"))
    case .failed: self = .authentication(.internalError)
    }
  }
}
