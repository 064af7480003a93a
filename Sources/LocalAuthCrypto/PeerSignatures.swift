import LocalAuthKeychain
public import LocalAuthSync

/// Verifies the signatures of peers: Ed25519, by OpenSSL.
public struct PeerSignatures: SignatureVerifying {
  /// Makes the verifier, which has no state.
  public init() {}

  /// Whether `signature` is that of `message` by the owner of the key `signing`.
  public func isSignature(
    _ signature: [UInt8],
    of message: [UInt8],
    by signing: [UInt8]
  ) -> Bool {
    guard signature.count == ChainPlace.signatureSize,
      let key = try? PublicKey(.ed25519, signing)
    else { return false }
    return (try? key.verify(signature, of: message, by: .edDSASignatureMessageCurve25519SHA512))
      ?? false
  }
}
