public import LocalAuthKeychain

/// Why a key of class `keys` cannot be made or used.
public enum KeyError: Error, Hashable, CustomStringConvertible {
  /// The bytes are not in the expected format.
  case malformed
  /// The scalar of a P-256 key is zero or not below the curve's order.
  case outOfRange
  /// The public key that came with a private key does not belong to it.
  case publicKeyDiffers
  /// A public key that is not a point of the curve, or lies in a small subgroup.
  case invalidPublicKey
  /// The algorithm does not work with this kind of key, or performs another operation.
  case unsuitable(KeyAlgorithm, KeyCurve)
  /// A digest does not have the size of its hash function's output.
  case digestSize(expected: Int)
  /// A derived key must have 1 to ``PrivateKey/derivedSizeMax`` bytes.
  case derivedSize
  /// The cryptographic library failed, for lack of memory.
  case failed

  /// One line that tells the user what to do.
  public var description: String {
    switch self {
    case .malformed:
      "this is no private or public key in the form that was said: give ANSI X9.63 or, for "
        + "Ed25519, 32 bytes"
    case .outOfRange: "this number is no key of P-256: it is zero or too large"
    case .publicKeyDiffers: "the public key beside this private key belongs to another one"
    case .invalidPublicKey: "this is no public key: it is not a valid point of the curve"
    case .unsuitable(let algorithm, let curve):
      "a key of kind \(curve.rawValue) cannot be used so with \(algorithm.rawValue)"
    case .digestSize(let size): "the digest for this algorithm has \(size) bytes: hash the message"
    case .derivedSize: "a derived key has from 1 to \(PrivateKey.derivedSizeMax) bytes"
    case .failed: "the cryptographic library failed; try again when there is memory"
    }
  }
}
