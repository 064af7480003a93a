import LocalAuthTestKit
import LocalAuthentication
import Testing

/// Section 2.2: the status that a call ends with when nobody proves what the item wants.
@Suite struct AuthenticationStatusClaimTests {
  private let device: TestDevice
  private let everyCall: [@Sendable (LAContext) -> OSStatus] = [
    { Items.exists(.generic().with([kSecUseAuthenticationContext: $0])) },
    {
      Items.update(
        .generic().with([kSecUseAuthenticationContext: $0]),
        [kSecAttrLabel: "new"]
      )
    },
  ]

  init() throws {
    device = try .phone()
    let item = Attributes.generic().holding("x").guarded(by: .biometryAny)
    device.use { #expect(Items.add(item) == errSecSuccess) }
  }

  private func ends(
    _ script: String,
    with status: OSStatus,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    try device.use {
      for call in everyCall {
        try device.sensor.script(script)
        #expect(call(LAContext()) == status, sourceLocation: location)
      }
    }
  }

  @Test func theNumbersAreApples() {
    #expect(errSecUserCanceled == -128)
    #expect(errSecParam == -50)
    #expect(errSecUnimplemented == -4)
    #expect(errSecInteractionNotAllowed == -25_308)
    #expect(errSecAuthFailed == -25_293)
    #expect(errSecDuplicateItem == -25_299)
    #expect(errSecItemNotFound == -25_300)
    #expect(errSecNoSuchAttr == -25_303)
    #expect(errSecNoSuchClass == -25_306)
    #expect(errSecDecode == -26_275)
    #expect(errSecMissingEntitlement == -34_018)
  }

  @Test func userCancelIsUserCanceled() throws {
    try ends("cancel", with: errSecUserCanceled)
    try ends("miss, cancel", with: errSecUserCanceled)
  }

  @Test func authenticationFailedIsAuthFailed() throws {
    try device.use {
      try device.sensor.script("miss, miss, miss")
      #expect(Items.exists(.generic()) == errSecAuthFailed)
    }
  }

  @Test func userFallbackIsAuthFailed() throws {
    try device.use {
      try device.sensor.script("miss, fallback")
      #expect(Items.exists(.generic()) == errSecAuthFailed)
    }
  }

  @Test func nobodyAnsweringIsAuthFailed() throws { try ends("", with: errSecAuthFailed) }

  @Test func notInteractiveIsInteractionNotAllowed() {
    device.use {
      let context = LAContext()
      context.interactionNotAllowed = true
      for call in everyCall { #expect(call(context) == errSecInteractionNotAllowed) }
    }
  }

  @Test func invalidContextIsAuthFailed() {
    device.use {
      let context = LAContext()
      context.invalidate()
      for call in everyCall { #expect(call(context) == errSecAuthFailed) }
    }
  }

  @Test func noPasscodeIsAuthFailed() throws {
    try device.use {
      #expect(Items.add(.generic("p").guarded(by: .devicePasscode)) == errSecSuccess)
      try device.removePasscode()
      #expect(Items.exists(.generic("p")) == errSecAuthFailed)
    }
  }

  @Test func notEnrolledIsAuthFailed() throws {
    try device.sensor.remove(nil)
    try ends("", with: errSecAuthFailed)
    #expect(device.prompts.isEmpty)
  }

  @Test func noSensorIsAuthFailed() throws {
    try device.sensor.unplug()
    try ends("", with: errSecAuthFailed)
  }

  @Test func lockoutIsAuthFailed() async throws {
    try await device.lockFingers()
    try ends("", with: errSecAuthFailed)
  }

  /// Runs a call that somebody is asked for, and does `body` when the prompt is shown.
  private func interrupted(
    _ call: @escaping @Sendable (LAContext) -> OSStatus,
    by body: (LAContext) throws -> Void
  ) async throws -> OSStatus {
    let context = device.use { LAContext() }
    let (statuses, feed) = AsyncStream<OSStatus>.makeStream()
    Thread.detachNewThread { feed.yield(call(context)) }
    #expect(try await device.sensor.touch(.leftThumb) == "miss")
    try body(context)
    var iterator = statuses.makeAsyncIterator()
    return await iterator.next() ?? errSecInternalError
  }

  @Test func appCancelIsAuthFailed() async throws {
    for call in everyCall {
      #expect(try await interrupted(call) { $0.invalidate() } == errSecAuthFailed)
    }
  }

  /// The device's lock ends what is asked, and the item is locked from the moment its grace is over.
  @Test func systemCancelIsAuthFailed() async throws {
    for call in everyCall {
      #expect(try await interrupted(call) { _ in try device.lock() } == errSecAuthFailed)
      try device.unlock()
    }
  }
}
