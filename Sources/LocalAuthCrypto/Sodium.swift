import CLocalAuthSodium

/// The library behind all cryptography here.
enum Sodium {
  /// Makes libsodium ready: it picks the fastest code for this processor and opens its randomness.
  ///
  /// Everything that calls libsodium names this first. A machine without randomness cannot go on.
  static let ready: Void = {
    guard sodium_init() >= 0 else { fatalError("libsodium found no source of randomness") }
  }()
}
