/// Why a key, a certificate or a file of both cannot be read or used.
public enum PKIError: Error, Hashable, CustomStringConvertible {
  /// The bytes do not have the form that was said.
  case malformed
  /// They have it, and what they say is more than is done here: another curve, another size, a passphrase
  /// that takes too long to try.
  case unsupported
  /// The key is of a kind that cannot do this, or the other key is of another kind than this one.
  case unsuitable
  /// The message, the digest or the derived key has a size that this cannot be done with.
  case size
  /// The ciphertext is not this key's, or was changed.
  case undecryptable
  /// The passphrase does not open the file.
  case wrongPassphrase
  /// The cryptographic library failed, for want of memory or randomness.
  case failed

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .malformed: "this is no key or certificate in the form that was said"
    case .unsupported:
      "this kind of key is not supported, or the file takes too long to open: use RSA of 1024 to 8192 bits, "
        + "P-256, P-384 or P-521, and fewer rounds"
    case .unsuitable: "this kind of key cannot be used so: ask which algorithms it has"
    case .size: "the size of the message does not fit the key and the algorithm"
    case .undecryptable: "this was not encrypted for this key, or was changed since"
    case .wrongPassphrase: "the passphrase does not open this file"
    case .failed: "the cryptographic library failed; try again when there is memory"
    }
  }
}
