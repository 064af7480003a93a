import LocalAuthTestKit
import LocalAuthentication
import Testing

/// Section 3, second half: what each constraint wants before an item opens.
@Suite struct ConstraintClaimTests {
  private typealias Flags = SecAccessControlCreateFlags

  private let device: TestDevice

  init() throws { device = try .phone() }

  private func add(_ flags: Flags, _ location: SourceLocation = #_sourceLocation) {
    let item = Attributes.generic().holding("x").guarded(by: flags)
    #expect(Items.add(item) == errSecSuccess, sourceLocation: location)
  }

  /// The status of reading while `script` happens.
  private func read(_ script: String, on device: TestDevice? = nil) throws -> OSStatus {
    try (device ?? self.device).sensor.script(script)
    let answer = Items.copy(.generic().with([kSecReturnData: true]))
    #expect((answer.result as? Data == Data("x".utf8)) == (answer.status == errSecSuccess))
    return answer.status
  }

  // MARK: One constraint

  @Test func noFlagsWantNobody() throws {
    try device.use { () throws in
      add([])
      #expect(try read("") == errSecSuccess)
      #expect(device.prompts.isEmpty)
    }
  }

  @Test func userPresenceTakesAFingerOrThePasscode() throws {
    try device.use { () throws in
      add(.userPresence)
      #expect(try read("match") == errSecSuccess)
      #expect(try read("miss, fallback, passcode:1234") == errSecSuccess)
      #expect(try read("miss, miss, miss, passcode:1234") == errSecSuccess)
      #expect(try read("cancel") == errSecUserCanceled)
    }
  }

  @Test func userPresenceNeedsNoFinger() throws {
    let bare = try TestDevice.phone([])
    try bare.use { () throws in
      add(.userPresence)
      #expect(try read("passcode:1234", on: bare) == errSecSuccess)
      try bare.sensor.enroll(.leftThumb)
      #expect(try read("match:left-thumb", on: bare) == errSecSuccess, "and survives one")
    }
  }

  @Test func biometryAnyTakesNoPasscode() throws {
    try device.use { () throws in
      add(.biometryAny)
      #expect(try read("match") == errSecSuccess)
      #expect(try read("miss, fallback") == errSecAuthFailed)
      #expect(try read("miss, miss, miss") == errSecAuthFailed)
    }
  }

  @Test func biometryAnySurvivesOtherFingers() throws {
    try device.use { () throws in
      add(.biometryAny)
      try device.sensor.enroll(.leftThumb)
      #expect(try read("match:left-thumb") == errSecSuccess)
      try device.sensor.remove(.rightIndex)
      #expect(try read("match:left-thumb") == errSecSuccess)
      try device.sensor.remove(nil)
      #expect(try read("") == errSecAuthFailed)
      try device.sensor.enroll(.rightThumb)
      #expect(try read("match:right-thumb") == errSecSuccess)
    }
  }

  @Test func aLockoutIsAFailedAuthentication() async throws {
    device.use { add(.biometryAny) }
    try await device.lockFingers()
    let shown = device.prompts.count
    try device.use { () throws in
      #expect(Items.exists(.generic()) == errSecAuthFailed)
      #expect(device.prompts.count == shown, "and nobody is asked")
    }
  }

  @Test func biometryCurrentSetTakesAFingerOfThatSet() throws {
    try device.use { () throws in
      add(.biometryCurrentSet)
      #expect(try read("match") == errSecSuccess)
      #expect(try read("miss, miss, miss") == errSecAuthFailed)
      try device.sensor.enroll(.leftThumb)
      #expect(try read("") == errSecItemNotFound)
    }
  }

  @Test func devicePasscodeTakesNothingElse() throws {
    try device.use { () throws in
      add(.devicePasscode)
      #expect(try read("passcode:1234") == errSecSuccess)
      #expect(try read("passcode:0000, passcode:1234") == errSecSuccess)
      #expect(try read("cancel") == errSecUserCanceled)
      #expect(!device.prompts.contains { $0.asksForFinger })
    }
  }

  @Test func aCompanionIsNeverThere() throws {
    try device.use { () throws in
      add(.companion)
      #expect(Items.exists(.generic()) == errSecAuthFailed)
      #expect(device.prompts.isEmpty)
    }
  }

  // MARK: Several

  @Test(
    arguments: [
      [.biometryAny, .devicePasscode], [.biometryAny, .and, .devicePasscode],
    ] as [SecAccessControlCreateFlags]
  )
  func withoutAWordAsWithAndAllAreWanted(flags: SecAccessControlCreateFlags) throws {
    try device.use { () throws in
      add(flags)
      #expect(try read("match, passcode:1234") == errSecSuccess)
      #expect(try read("match, cancel") == errSecUserCanceled)
      #expect(try read("miss, miss, miss") == errSecAuthFailed)
    }
  }

  @Test func orMakesOneEnough() throws {
    try device.use { () throws in
      add([.biometryAny, .or, .devicePasscode])
      #expect(try read("match") == errSecSuccess)
      #expect(try read("miss, fallback, passcode:1234") == errSecSuccess)
    }
  }

  @Test func orWithWhatIsNotThereLeavesTheOther() throws {
    try device.use { () throws in
      add([.companion, .or, .biometryAny])
      #expect(try read("match") == errSecSuccess)
    }
  }

  @Test func orOfTheCurrentSetLosesOnlyItsFingers() throws {
    try device.use { () throws in
      add([.biometryCurrentSet, .or, .devicePasscode])
      try device.sensor.enroll(.leftThumb)
      #expect(try read("passcode:1234") == errSecSuccess)
    }
  }

  // MARK: Application passwords

  private func context(_ password: String?) -> LAContext {
    let context = LAContext()
    context.setCredential(password.map { Data($0.utf8) }, type: .applicationPassword)
    return context
  }

  private func silently(_ password: String?) -> (status: OSStatus, context: LAContext) {
    let context = context(password)
    context.interactionNotAllowed = true
    let query = Attributes.generic().with([kSecUseAuthenticationContext: context])
    return (Items.exists(query), context)
  }

  @Test func aPasswordOfTheProgramsIsWantedBesides() throws {
    try device.use { () throws in
      let item = Attributes.generic().holding("x").guarded(by: .applicationPassword)
      let status = Items.add(item.with([kSecUseAuthenticationContext: context("sesame")]))
      #expect(status == errSecSuccess)
      #expect(silently("sesame").status == errSecSuccess)
      let wrong = silently("barley")
      #expect(wrong.status == errSecAuthFailed)
      #expect(!wrong.context.isCredentialSet(.applicationPassword), "it is forgotten")
      #expect(silently(nil).status == errSecInteractionNotAllowed)
    }
  }

  @Test func aPasswordThatDidNotComeWithTheCallIsAskedFor() throws {
    try device.use { () throws in
      let item = Attributes.generic().holding("x").guarded(by: .applicationPassword)
      try device.sensor.script("passcode:sesame,passcode:sesame")
      #expect(Items.add(item) == errSecSuccess, "a new one twice")
      #expect(silently("sesame").status == errSecSuccess)
      #expect(try read("passcode:sesame") == errSecSuccess)
      #expect(try read("passcode:barley,passcode:sesame") == errSecSuccess)
      #expect(try read("cancel") == errSecUserCanceled)
    }
  }

  @Test func aPasswordNeverCountsAsOneOfTwo() throws {
    try device.use { () throws in
      let flags: Flags = [.biometryAny, .or, .applicationPassword]
      let item = Attributes.generic().holding("x").guarded(by: flags)
      let status = Items.add(item.with([kSecUseAuthenticationContext: context("sesame")]))
      #expect(status == errSecSuccess)
      #expect(silently("sesame").status == errSecInteractionNotAllowed, "the finger is missing")
      try device.sensor.match()
      let both = Attributes.generic().with([
        kSecUseAuthenticationContext: context("sesame")
      ])
      #expect(Items.exists(both) == errSecSuccess)
    }
  }

  // MARK: Keys

  @Test func aFlagOfKeysDeniesTheData() {
    device.use {
      let item = Attributes.generic().holding("x").guarded(by: [.privateKeyUsage, .biometryAny])
      #expect(Items.add(item) == errSecAuthFailed)
    }
  }
}
