import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthCrypto

@Suite struct KeybagCipherTests {
  private let device = DeviceIdentity(owner: 1000, name: "desk")
  private let set = KeybagRecord(hasPasscode: true, passcodeSetKeys: 1)

  private func cipher(_ first: UInt8 = 1) throws -> KeybagCipher {
    KeybagCipher(try testKey(first), floor: .minimum)
  }

  /// A keybag with every class that `1234` opens.
  private func sealed(
    by cipher: KeybagCipher,
    with enrolledSet: EnrolledSet? = nil
  ) throws -> SealedKeybag {
    let keys = ClassKeys.generate(for: .all)
    return try cipher.seal(
      keys,
      set,
      enrolledSet: enrolledSet,
      passcode: secret("1234"),
      cost: .minimum,
      for: device
    )
  }

  private func failure(_ body: () throws(KeybagError) -> ClassKeys) -> KeybagError? {
    do throws(KeybagError) {
      _ = try body().classes
      return nil
    } catch {
      return error
    }
  }

  @Test func withoutAPasscodeTheDeviceKeyOpensEveryClassButOne() throws {
    let keys = ClassKeys.generate(for: DeviceState.noPasscode.opened)
    let keybag = try cipher().seal(keys, KeybagRecord(), for: device)
    let opened = try cipher().open(keybag, for: device)
    #expect(Sample.fingerprint(opened) == Sample.fingerprint(keys))
    #expect(!opened.classes.contains(.whenPasscodeSetThisDeviceOnly))
  }

  @Test func thePasscodeOpensEveryClass() throws {
    let cipher = try cipher()
    let keys = ClassKeys.generate(for: .all)
    let keybag = try cipher.seal(
      keys,
      set,
      passcode: secret("1234"),
      cost: .minimum,
      for: device
    )
    let opened = try cipher.open(keybag, passcode: secret("1234"), for: device)
    #expect(opened.classes == .all)
    #expect(Sample.fingerprint(opened) == Sample.fingerprint(keys))
  }

  @Test func withAPasscodeTheDeviceKeyAloneOpensWhatIsAlwaysOpen() throws {
    let cipher = try cipher()
    let opened = try cipher.open(sealed(by: cipher), for: device)
    #expect(opened.classes == .always)
  }

  @Test(arguments: ["", "1", "123", "1235", "12345", "1234\u{0}"])
  func anotherPasscodeOpensNothing(_ wrong: String) throws {
    let cipher = try cipher()
    let keybag = try sealed(by: cipher)
    let error = failure { () throws(KeybagError) in
      try cipher.open(keybag, passcode: secret(wrong), for: device)
    }
    #expect(error == .wrongPasscode)
  }

  @Test(arguments: ["", "\u{0}", "pässwörd", String(repeating: "x", count: 4000)])
  func everyPasscodeCanBeUsed(_ passcode: String) throws {
    let cipher = try cipher()
    let keybag = try cipher.seal(
      ClassKeys.generate(for: .all),
      set,
      passcode: secret(passcode),
      cost: .minimum,
      for: device
    )
    #expect(try cipher.open(keybag, passcode: secret(passcode), for: device).classes == .all)
    let error = failure { () throws(KeybagError) in
      try cipher.open(keybag, passcode: secret(passcode + "y"), for: device)
    }
    #expect(error == .wrongPasscode)
  }

  @Test func neitherAnotherDeviceNorAnotherInstallationOpensIt() throws {
    let cipher = try cipher()
    let other = try self.cipher(2)
    let keybag = try sealed(by: cipher)
    for identity in [
      DeviceIdentity(owner: 1001, name: "desk"), DeviceIdentity(owner: 1000, name: "desks"),
    ] {
      let error = failure { () throws(KeybagError) in
        try cipher.open(keybag, passcode: secret("1234"), for: identity)
      }
      #expect(error == .malformed)
    }
    let error = failure { () throws(KeybagError) in
      try other.open(keybag, passcode: secret("1234"), for: device)
    }
    #expect(error == .malformed)
  }

  @Test func everyChangedByteIsNoticed() throws {
    let cipher = try cipher()
    let keybag = try sealed(by: cipher, with: EnrolledSet.generate(for: 3))
    let bytes = keybag.bytes
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      guard let parsed = SealedKeybag(bytes: changed) else { continue }
      let error = failure { () throws(KeybagError) in
        try cipher.open(parsed, passcode: secret("1234"), for: device)
      }
      // Where every guarded pair is whole but for one bit, the keybag is damaged, not the passcode
      // wrong.
      #expect(error == .malformed, "byte \(index)")
    }
  }

  @Test func whatIsStoredIsReadBack() throws {
    let keybag = try sealed(by: cipher())
    #expect(SealedKeybag(bytes: keybag.bytes) == keybag)
    #expect(keybag.record == set)
    #expect(keybag.cost == .minimum)
  }

  @Test func neitherPartsNorExtensionsAreKeybags() throws {
    for set in [nil, EnrolledSet.generate(for: 3)] {
      let bytes = try sealed(by: cipher(), with: set).bytes
      for size in 0..<bytes.count { #expect(SealedKeybag(bytes: Array(bytes[..<size])) == nil) }
      #expect(SealedKeybag(bytes: bytes + [0]) == nil)
    }
  }

  @Test func whateverIsReadHasOneEncoding() throws {
    var generator = SeededGenerator.ofThisRun
    let whole = [
      try sealed(by: cipher()).bytes,
      try sealed(by: cipher(), with: EnrolledSet.generate(for: 3)).bytes,
    ]
    for _ in 0..<20_000 {
      var bytes = whole[Int(generator.next() % 2)]
      for _ in 0...(generator.next() % 3) {
        // Most of a keybag is sealed: what the parser looks at lies at its beginning.
        let end = generator.next() % 2 == 0 ? 48 : bytes.count
        let place = Int(generator.next() % UInt64(max(1, min(end, bytes.count))))
        switch generator.next() % 4 {
        case 0: bytes.removeLast(min(bytes.count, Int(generator.next() % 200)))
        case 1: bytes.append(UInt8(truncatingIfNeeded: generator.next()))
        case 2 where place < bytes.count:
          bytes[place] = UInt8(truncatingIfNeeded: generator.next() % 8)
        default:
          if place < bytes.count { bytes[place] = UInt8(truncatingIfNeeded: generator.next()) }
        }
      }
      guard let read = SealedKeybag(bytes: bytes) else { continue }
      #expect(read.bytes == bytes, "SEED=\(generator.seed)")
    }
  }

  // MARK: The enrolled set

  private func secretOfSet(
    _ keybag: SealedKeybag,
    by cipher: KeybagCipher,
    for device: DeviceIdentity? = nil
  ) throws -> [UInt8]? {
    guard let set = try cipher.enrolledSet(of: keybag, for: device ?? self.device) else {
      return nil
    }
    // SAFETY: the bytes are read within the call.
    return unsafe set.secret.withUnsafeBytes { unsafe Array($0) }
  }

  private func bytes(_ set: EnrolledSet) -> [UInt8] {
    // SAFETY: the bytes are read within the call.
    unsafe set.secret.withUnsafeBytes { unsafe Array($0) }
  }

  @Test func theDeviceKeyAloneOpensTheSecretOfTheEnrolledSet() throws {
    let cipher = try cipher()
    let enrolled = EnrolledSet.generate(for: 3)
    let withPasscode = try sealed(by: cipher, with: enrolled)
    let keys = ClassKeys.generate(for: DeviceState.noPasscode.opened)
    let without = try cipher.seal(keys, KeybagRecord(), enrolledSet: enrolled, for: device)
    for keybag in [withPasscode, without] {
      let read = try #require(SealedKeybag(bytes: keybag.bytes))
      #expect(read == keybag)
      #expect(try secretOfSet(read, by: cipher) == bytes(enrolled))
      #expect(try cipher.enrolledSet(of: read, for: device)?.generation == 3)
    }
    #expect(try secretOfSet(sealed(by: cipher), by: cipher) == nil)
  }

  @Test func theSecretOfAnotherDeviceInstallationOrKeybagIsRefused() throws {
    let cipher = try cipher()
    let keybag = try sealed(by: cipher, with: EnrolledSet.generate(for: 3))
    let other = DeviceIdentity(owner: 1000, name: "desks")
    #expect(throws: KeybagError.malformed) {
      try secretOfSet(keybag, by: cipher, for: other)
    }
    #expect(throws: KeybagError.malformed) { try secretOfSet(keybag, by: self.cipher(2)) }
    var moved = try sealed(by: cipher)
    moved.enrolledSet = keybag.enrolledSet
    #expect(throws: KeybagError.malformed) { try secretOfSet(moved, by: cipher) }
    let error = failure { () throws(KeybagError) in try cipher.open(moved, for: device) }
    #expect(error == .malformed)
  }

  @Test func theSecretIsReplacedAndDroppedWithoutThePasscode() throws {
    let cipher = try cipher()
    let (old, new) = (EnrolledSet.generate(for: 3), EnrolledSet.generate(for: 4))
    let keybag = try sealed(by: cipher, with: old)
    let replaced = try cipher.replacing(new, in: keybag, for: device)
    let dropped = try cipher.replacing(nil, in: replaced, for: device)
    #expect(try secretOfSet(replaced, by: cipher) == bytes(new))
    #expect(try secretOfSet(dropped, by: cipher) == nil)
    for changed in [replaced, dropped] {
      let before = try cipher.open(keybag, passcode: secret("1234"), for: device)
      let after = try cipher.open(changed, passcode: secret("1234"), for: device)
      #expect(Sample.fingerprint(before) == Sample.fingerprint(after))
    }
  }

  @Test func aDamagedKeybagGetsNoNewSecret() throws {
    let cipher = try cipher()
    var bytes = try sealed(by: cipher).bytes
    // The lowest byte of the number of keys, which the header vouches for.
    bytes[2] ^= 1
    let damaged = try #require(SealedKeybag(bytes: bytes))
    #expect(throws: KeybagError.malformed) {
      _ = try cipher.replacing(EnrolledSet.generate(for: 1), in: damaged, for: device)
    }
  }

  @Test func aCostBelowTheFloorIsRefusedBothWays() throws {
    let cheap = try cipher()
    let strict = KeybagCipher(try testKey(1))
    let keybag = try sealed(by: cheap)
    let error = failure { () throws(KeybagError) in
      try strict.open(keybag, passcode: secret("1234"), for: device)
    }
    #expect(error == .tooCheap)
    #expect(throws: KeybagError.tooCheap) {
      let keys = ClassKeys.generate(for: .all)
      _ = try strict.seal(keys, set, passcode: secret("1"), cost: .minimum, for: device)
    }
  }

  @Test func aSaltIsNeverUsedTwice() throws {
    let cipher = try cipher()
    let salts = try (0..<20).map { _ in try sealed(by: cipher).salt }
    #expect(Set(salts).count == salts.count)
  }

  @Test func keysThatAreMissingAreNotSealed() throws {
    let cipher = try cipher()
    let keys = ClassKeys.generate(for: .always)
    #expect(throws: KeybagError.malformed) {
      _ = try cipher.seal(keys, set, passcode: secret("1"), cost: .minimum, for: device)
    }
  }
}

/// The public key of files in keybags.
@Suite struct KeybagPublicKeyTests {
  private let device = DeviceIdentity(owner: 1000, name: "desk")
  private let set = KeybagRecord(hasPasscode: true, passcodeSetKeys: 1)

  private func keybag(_ keys: borrowing ClassKeys) throws -> SealedKeybag {
    try KeybagCipher(try testKey(1), floor: .minimum).seal(
      keys,
      set,
      passcode: secret("1234"),
      cost: .minimum,
      for: device
    )
  }

  private func failure(_ keybag: SealedKeybag) throws -> KeybagError? {
    let cipher = KeybagCipher(try testKey(1), floor: .minimum)
    do throws(KeybagError) {
      _ = try cipher.open(keybag, passcode: secret("1234"), for: device).classes
      return nil
    } catch { return error }
  }

  @Test func publicKeyNeedsNoPasscode() throws {
    let keys = ClassKeys.generate(for: .all)
    let read = try #require(SealedKeybag(bytes: try keybag(keys).bytes))
    let found = try KeybagCipher(try testKey(1), floor: .minimum).publicKey(of: read, for: device)
    let publicKey = UnlessOpenCipher.publicKey(keys)
    #expect(found == publicKey)
    #expect(try failure(read) == nil)
  }

  /// As version 0.1 wrote it.
  @Test func keybagWithoutOneOpens() throws {
    var old = try keybag(ClassKeys.generate(for: .all))
    old.publicKey = nil
    let read = try #require(SealedKeybag(bytes: old.bytes))
    #expect(read == old)
    #expect(try failure(read) == nil)
    #expect(
      try KeybagCipher(try testKey(1), floor: .minimum).publicKey(of: read, for: device) == nil
    )
  }

  @Test func changedPublicKeyIsDamage() throws {
    var keybag = try keybag(ClassKeys.generate(for: .all))
    keybag.publicKey?[20] ^= 1
    #expect(try failure(keybag) == .malformed)
  }

  /// Whoever has the device key alone can seal a public key of his own, and could read what is written to it.
  @Test func publicKeyOfAnotherKeybagIsFoundOutWithThePasscode() throws {
    var keybag = try keybag(ClassKeys.generate(for: .all))
    guard let sealer = Sealer(try testKey(1).derive(.keybags)) else {
      throw KeybagError.outOfMemory
    }
    let strangers = UnlessOpenCipher.publicKey(ClassKeys.generate(for: .all))
    let planted = try #require(strangers)
    keybag.publicKey = sealer.seal(
      bytes: planted,
      with: keybag.header + Array("files-b/1000/desk".utf8)
    )
    let cipher = KeybagCipher(try testKey(1), floor: .minimum)
    #expect(try cipher.publicKey(of: keybag, for: device) == planted)
    #expect(try failure(keybag) == .malformed)
  }
}
