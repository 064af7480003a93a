import LocalAuthSecret
import Testing

@testable import LocalAuthCrypto

@Suite struct Argon2idTests {
  /// Computed with PyPI's argon2-cffi (argon2.low_level.hash_secret_raw, type ID, version 19,
  /// parallelism 1, hash_len 32), the reference implementation and not libsodium.
  @Test(
    arguments: [
      (
        "", "00000000000000000000000000000000", 1, 8,
        "cfa0d2d242da6703d311d7eefc922e39cc60c9f4ec93a67d20995be541a06be4"
      ),
      (
        "password", "736f6d6573616c74736f6d6573616c74", 1, 8,
        "05b6ca8f8038b683887ad4916533858b49cb52040126c134f4c6e9d8711b8c09"
      ),
      (
        "password", "000102030405060708090a0b0c0d0e0f", 2, 19_456,
        "39903a34cd393876436e671cd690dfe8ab9ce7b13459a7e04ec0e4f0694ddb0d"
      ),
      (
        "pässwörd", "000102030405060708090a0b0c0d0e0f", 3, 65_536,
        "d51cc808231c97b01a8856d3eb85f23516f18ef6092a2664677ccf447679c1b9"
      ),
    ] as [(String, String, UInt32, UInt32, String)]
  )
  func knownAnswersHold(
    _ passcode: String,
    _ salt: String,
    _ passes: UInt32,
    _ kibibytes: UInt32,
    _ answer: String
  ) throws {
    let cost = try #require(PasscodeCost(passes: passes, kibibytes: kibibytes))
    guard let stretched = Argon2id.stretch(secret(passcode), salt: hex(salt), cost) else {
      Issue.record("memory is short")
      return
    }
    #expect(bytes(of: stretched) == hex(answer))
  }
}
