public import LocalAuthSecret
public import LocalAuthWire

extension Secret {
  /// Lends the secret to `body` as a field of a message, which must be sent before `body` returns.
  public borrowing func lend<Result: ~Copyable, Failure>(
    _ body: (WireSecret) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // SAFETY: the bytes stay in place during the call, after which `body` holds no message.
    try unsafe withUnsafeBytes { (bytes) throws(Failure) -> Result in
      try body(unsafe WireSecret(borrowing: bytes))
    }
  }
}
