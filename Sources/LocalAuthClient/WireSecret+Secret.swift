public import LocalAuthSecret
public import LocalAuthWire

extension Secret {
  /// Lends the secret to `body` as a field of a message, which `body` must send before it returns.
  public borrowing func lend<Result: ~Copyable, Failure>(
    _ body: (WireSecret) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // SAFETY: the bytes stay in place during the call, after which `body` holds no message.
    try unsafe withUnsafeBytes { (bytes) throws(Failure) -> Result in
      try body(unsafe WireSecret(borrowing: bytes))
    }
  }

  /// Lends the secret to `body` as a field that is written as base64, so it may hold any bytes.
  public borrowing func lendData<Result: ~Copyable, Failure>(
    _ body: (WireSecret) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // SAFETY: as above.
    try unsafe withUnsafeBytes { (bytes) throws(Failure) -> Result in
      try body(unsafe WireSecret(base64Of: bytes))
    }
  }
}
