/// Why a key, a certificate or a file containing them cannot be read or used.
public enum PKIError: Error, Hashable, CustomStringConvertible {
  /// The bytes are not in the expected format.
  case malformed
  /// The format is right but not supported: another curve, another size, or a passphrase that takes
  /// too long to try.
  case unsupported
  /// This kind of key does not support the operation, or the other key is of another kind.
  case unsuitable
  /// The size of the message, the digest or the derived key does not fit the operation.
  case size
  /// The ciphertext is for another key or was changed.
  case undecryptable
  /// The passphrase does not open the file.
  case wrongPassphrase
  /// The cryptographic library failed, for lack of memory or randomness.
  case failed

  /// One line that tells the user what to do.
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
