import Glibc
import LocalAuthSecret

/// The seed of this run: SEED of the environment, or always the same.
func testSeed() -> UInt64 {
  // SAFETY: nobody changes the environment while the tests run.
  guard let text = unsafe getenv("SEED") else { return 0x5EED }
  return UInt64(unsafe String(cString: text)) ?? 0x5EED
}

/// A secret as text; tests know their secrets anyway.
func text(of secret: borrowing Secret) -> String {
  // SAFETY: the bytes are read within the call.
  unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
}
