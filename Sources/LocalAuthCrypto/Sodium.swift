import CLocalAuthSodium

/// The initialization of libsodium.
enum Sodium {
  /// Initializes libsodium, which selects the fastest code for this processor and opens its source
  /// of randomness.
  ///
  /// All code that calls libsodium must reference this first. The process ends if there is no
  /// source of randomness.
  static let ready: Void = {
    guard sodium_init() >= 0 else { fatalError("libsodium found no source of randomness") }
  }()
}
