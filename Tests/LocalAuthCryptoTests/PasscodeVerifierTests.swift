import LocalAuthCore
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthCrypto

@Suite struct PasscodeVerifierTests {
  private let device = DeviceIdentity(owner: 1000, name: "desk")

  private func cheap(_ first: UInt8 = 0) throws -> PasscodeVerifier {
    PasscodeVerifier(try testKey(first), floor: .minimum)
  }

  private func accepts(
    _ passcode: String,
    _ stored: [UInt8],
    by verifier: PasscodeVerifier,
    for device: DeviceIdentity
  ) throws -> Bool {
    try verifier.verify(passcode: secret(passcode), against: stored, for: device)
  }

  @Test func onlyTheSamePasscodeFits() throws {
    let verifier = try cheap()
    let stored = try verifier.create(passcode: secret("1234"), cost: .minimum, for: device)
    #expect(stored.count == PasscodeVerifier.size)
    #expect(try accepts("1234", stored, by: verifier, for: device))
    for wrong in ["", "1", "123", "1235", "12345", "1234\u{0}", " 1234", "١٢٣٤"] {
      #expect(try !accepts(wrong, stored, by: verifier, for: device), "\(wrong)")
    }
  }

  @Test(arguments: ["", "\u{0}", "pässwörd", String(repeating: "x", count: 4000)])
  func everyPasscodeCanBeUsed(_ passcode: String) throws {
    let verifier = try cheap()
    let stored = try verifier.create(passcode: secret(passcode), cost: .minimum, for: device)
    #expect(try accepts(passcode, stored, by: verifier, for: device))
    #expect(try !accepts(passcode + "y", stored, by: verifier, for: device))
  }

  @Test func theSamePasscodeIsStoredDifferentlyEachTime() throws {
    let verifier = try cheap()
    let stored = try Set(
      (0..<20).map { _ in
        try verifier.create(passcode: secret("1234"), cost: .minimum, for: device)
      }
    )
    #expect(stored.count == 20)
  }

  @Test func withoutTheDeviceKeyNoGuessCanBeTried() throws {
    let stored = try cheap().create(passcode: secret("1234"), cost: .minimum, for: device)
    #expect(try !accepts("1234", stored, by: cheap(1), for: device))
  }

  @Test(arguments: [
    DeviceIdentity(owner: 1000, name: "other"), DeviceIdentity(owner: 1001, name: "desk"),
    DeviceIdentity(owner: 100, name: "0/desk"),
  ])
  func aVerifierOfAnotherDeviceDoesNotFit(_ other: DeviceIdentity) throws {
    let verifier = try cheap()
    let stored = try verifier.create(passcode: secret("1234"), cost: .minimum, for: device)
    #expect(try !accepts("1234", stored, by: verifier, for: other))
  }

  @Test func noFlippedBitFitsOrTraps() throws {
    let verifier = try cheap()
    let stored = try verifier.create(passcode: secret("1234"), cost: .minimum, for: device)
    // A flip in the upper bits of the cost would only burn time: 33 to 71 are flipped elsewhere.
    for bit in 0..<(stored.count * 8) where !(8..<72).contains(bit) {
      var flipped = stored
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      let isAccepted = try? accepts("1234", flipped, by: verifier, for: device)
      #expect(isAccepted != true, "bit \(bit)")
    }
  }

  @Test func everyOtherSizeIsMalformed() throws {
    let verifier = try cheap()
    let stored = try verifier.create(passcode: secret("1234"), cost: .minimum, for: device)
    for malformed in (0..<stored.count).map({ Array(stored[..<$0]) }) + [stored + [0]] {
      #expect(throws: PasscodeVerifierError.malformed) {
        try accepts("1234", malformed, by: verifier, for: device)
      }
    }
  }

  @Test(arguments: [0, 2, 255] as [UInt8]) func anotherVersionIsMalformed(_ version: UInt8) throws {
    let verifier = try cheap()
    var stored = try verifier.create(passcode: secret("1234"), cost: .minimum, for: device)
    stored[0] = version
    #expect(throws: PasscodeVerifierError.malformed) {
      try accepts("1234", stored, by: verifier, for: device)
    }
  }

  @Test(
    arguments: [
      (0, 8), (17, 8), (UInt32.max, 8), (1, 0), (1, 7), (1, 262_145), (1, UInt32.max),
      (UInt32.max, UInt32.max),
    ] as [(UInt32, UInt32)]
  )
  func aCostThatWouldExhaustTheMachineIsMalformed(_ passes: UInt32, _ kibibytes: UInt32) throws {
    #expect(PasscodeCost(passes: passes, kibibytes: kibibytes) == nil)
    let verifier = try cheap()
    var stored = try verifier.create(passcode: secret("1234"), cost: .minimum, for: device)
    for (offset, number) in [(1, passes), (5, kibibytes)] {
      for byte in 0..<4 {
        stored[offset + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * byte))
      }
    }
    #expect(throws: PasscodeVerifierError.malformed) {
      try accepts("1234", stored, by: verifier, for: device)
    }
  }

  @Test func aPersistentDeviceRefusesWhatIsTooCheap() throws {
    let persistent = PasscodeVerifier(try testKey())
    for (passes, kibibytes) in [(UInt32(1), UInt32(8)), (1, 65_536), (3, 19_455), (2, 8)] {
      let cost = try #require(PasscodeCost(passes: passes, kibibytes: kibibytes))
      #expect(throws: PasscodeVerifierError.tooCheap) {
        try persistent.create(passcode: secret("1234"), cost: cost, for: device)
      }
    }
    let cheaplyStored = try cheap().create(passcode: secret("1234"), cost: .minimum, for: device)
    #expect(throws: PasscodeVerifierError.tooCheap) {
      try accepts("1234", cheaplyStored, by: persistent, for: device)
    }
  }

  @Test func theCostsAreInOrder() {
    #expect(PasscodeCost.standard.isAtLeast(.floor))
    #expect(PasscodeCost.floor.isAtLeast(.minimum))
    #expect(!PasscodeCost.minimum.isAtLeast(.floor))
    #expect(PasscodeCost.standard.kibibytes == 64 * 1024 && PasscodeCost.standard.passes == 3)
  }

  @Test func aPersistentDeviceWorksAtTheFloor() throws {
    let persistent = PasscodeVerifier(try testKey())
    let stored = try persistent.create(passcode: secret("1234"), cost: .floor, for: device)
    #expect(try accepts("1234", stored, by: persistent, for: device))
    #expect(try !accepts("4321", stored, by: persistent, for: device))
  }
}

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
    let stretched = try Argon2id.stretch(secret(passcode), salt: hex(salt), cost)
    #expect(bytes(of: stretched) == hex(answer))
  }

  @Test(arguments: [0, 8, 15, 17]) func everyOtherSaltSizeIsRefused(_ size: Int) {
    #expect(throws: PasscodeVerifierError.malformed) {
      _ = try bytes(
        of: Argon2id.stretch(secret("x"), salt: [UInt8](repeating: 0, count: size), .minimum)
      )
    }
  }
}
