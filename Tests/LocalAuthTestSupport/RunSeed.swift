import Glibc

extension SeededGenerator {
  /// A generator for this run: its seed is fresh, or the one that `SEED` names in order to replay a
  /// run that failed.
  public static var ofThisRun: SeededGenerator {
    // SAFETY: the C string is copied at once, and no test changes the environment.
    if let text = unsafe getenv("SEED"), let seed = UInt64(unsafe String(cString: text)) {
      return SeededGenerator(seed: seed)
    }
    return SeededGenerator(seed: UInt64.random(in: .min ... .max))
  }
}
