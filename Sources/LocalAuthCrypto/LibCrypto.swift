import CLocalAuthOpenSSL

/// The initialization of libcrypto.
enum LibCrypto {
  /// Lets libcrypto stay usable until the process is gone, if nobody used it before.
  ///
  /// Otherwise `exit` takes it down while threads of an engine in the process still seal something, and the process ends
  /// with a fault instead of its status. The kernel gets the memory back anyway.
  static let outlivesExit: Void = {
    _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
  }()
}
