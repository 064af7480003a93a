import CLocalAuthOpenSSL

/// The ciphers that libcrypto has itself.
enum BuiltInCiphers {
  /// Lets libcrypto read no configuration, before its first use.
  ///
  /// The program is static: a provider that a configuration names could not be loaded into it.
  static func prepare() { _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) }
}
