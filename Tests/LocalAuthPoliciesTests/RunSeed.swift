import Glibc

/// The seed of this run: `SEED` from the environment, or a fixed one.
enum RunSeed {
  static var value: UInt64 {
    guard let text = unsafe getenv("SEED") else { return 0x5EED }
    return UInt64(unsafe String(cString: text)) ?? 0x5EED
  }
}
