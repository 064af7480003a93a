import LocalAuthTestKit
import LocalAuthentication
import Testing

/// A protected item with Touch ID, and the passcode after a lockout.
@Suite struct SealedNoteTests {
  private let device: TestDevice
  private let note = SealedNote(name: "today")

  init() throws {
    device = try .phone()
    try device.use { try note.keep("buy milk") }
  }

  private func open(_ note: SealedNote, _ script: String) throws -> String {
    try device.use {
      try device.sensor.script(script)
      return try note.open(reason: "read the note")
    }
  }

  @Test func aFingerOpensIt() throws {
    #expect(try open(note, "match") == "buy milk")
    #expect(try open(note, "miss, miss, match") == "buy milk")
    #expect(device.prompts.allSatisfy { $0.reason == "read the note" })
  }

  @Test func thePasscodeOpensItToo() throws {
    #expect(try open(note, "miss, fallback, passcode:1234") == "buy milk")
    #expect(try open(note, "miss, miss, miss, passcode:1234") == "buy milk")
  }

  @Test func afterALockoutThePasscodeIsAskedForAtOnceAndFingersCountAgain() async throws {
    try await device.lockFingers()
    let shown = device.prompts.count
    #expect(try open(note, "passcode:1234") == "buy milk")
    #expect(!device.prompts[shown...].contains { $0.asksForFinger })
    #expect(try open(note, "match") == "buy milk")
  }

  @Test func aNoteOfFingersAloneStaysShutUntilThePasscodeEndsTheLockout() async throws {
    let secret = SealedNote(name: "private", flags: .biometryCurrentSet)
    try device.use { try secret.keep("secret") }
    try await device.lockFingers()
    #expect(throws: SealedNote.Failure.refused) { try open(secret, "passcode:1234") }
    let context = device.use { LAContext() }
    try device.sensor.script("passcode:1234")
    try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "unlock")
    #expect(try open(secret, "match") == "secret")
  }

  @Test func cancelAndThreeMissesLeaveItShut() throws {
    #expect(throws: SealedNote.Failure.canceled) { try open(note, "cancel") }
    let fingers = SealedNote(name: "fingers", flags: .biometryAny)
    try device.use { try fingers.keep("x") }
    #expect(throws: SealedNote.Failure.refused) { try open(fingers, "miss, miss, miss") }
    #expect(try open(note, "match") == "buy milk")
  }

  @Test func oneContextIsAskedOnce() throws {
    try device.use {
      let context = LAContext()
      try device.sensor.match()
      for _ in 0..<3 { #expect(try note.open(with: context, reason: "read") == "buy milk") }
      #expect(device.prompts.count == 1)
      context.invalidate()
      #expect(throws: SealedNote.Failure.refused) { try note.open(with: context, reason: "read") }
    }
  }

  @Test func aProvenContextOpensItSilently() async throws {
    let context = device.use { LAContext() }
    let access = try #require(
      accessControl(.userPresence, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
    )
    try device.sensor.match()
    try await context.evaluateAccessControl(access, operation: .useItem, localizedReason: "read")
    context.interactionNotAllowed = true
    let text = try device.use { try note.open(with: context, reason: "read") }
    #expect(text == "buy milk")
    #expect(device.prompts.count == 1)
  }

  @Test func nobodyIsAskedWhereNobodyMayBe() throws {
    try device.use {
      let context = LAContext()
      context.interactionNotAllowed = true
      #expect(throws: SealedNote.Failure.nobodyToAsk) {
        try note.open(with: context, reason: "read")
      }
      #expect(note.isThere)
      try note.throwAway()
      #expect(!note.isThere)
      #expect(device.prompts.isEmpty)
    }
  }

  @Test func anotherFingerEndsANoteOfTheCurrentOnes() throws {
    let current = SealedNote(name: "current", flags: .biometryCurrentSet)
    try device.use { try current.keep("x") }
    #expect(try open(current, "match") == "x")
    try device.sensor.enroll(.leftThumb)
    #expect(throws: SealedNote.Failure.gone) { try open(current, "match") }
    #expect(try open(note, "match:left-thumb") == "buy milk")
  }

  @Test func flagsThatExcludeEachOtherAreToldByTheError() throws {
    let senseless = SealedNote(name: "x", flags: [.biometryAny, .biometryCurrentSet])
    #expect(throws: SealedNote.Failure.cannotBeKept) { try senseless.keep("x") }
    let open = try TestDevice.phone(passcode: nil)
    #expect(throws: SealedNote.Failure.refused) { try open.use { try note.keep("x") } }
  }
}
