import Glibc

/// Whether a sanitizer watches this process, which then takes more memory than it needs, starts
/// slowly, and lets nothing be loaded before itself.
///
/// A test that cannot be under a sanitizer what it is without is skipped by name.
public enum Sanitizer {
  /// Whether there is one; the programs beside the tests are built as the tests are.
  public static let isActive = has("__asan_init") || has("__tsan_init")

  private static func has(_ symbol: String) -> Bool {
    // SAFETY: the string is a C string for the call; nil searches the program and its libraries.
    unsafe dlsym(nil, symbol) != nil
  }
}
