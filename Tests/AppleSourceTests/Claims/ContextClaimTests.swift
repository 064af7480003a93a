import LocalAuthTestKit
import LocalAuthentication
import Testing

/// Section 1, as far as it is about contexts and items together, and what ends a lockout.
@Suite struct ContextClaimTests {
  private let device: TestDevice

  init() throws { device = try .phone() }

  private var canUseFingers: Bool {
    device.use { LAContext() }.canEvaluatePolicy(
      .deviceOwnerAuthenticationWithBiometrics,
      error: nil
    )
  }

  private func evaluate(
    _ policy: LAPolicy,
    _ script: String,
    by context: LAContext? = nil
  ) async throws -> Int {
    try device.sensor.script(script)
    do {
      let context = context ?? device.use { LAContext() }
      try await context.evaluatePolicy(policy, localizedReason: "test")
      return 0
    } catch {
      return (error as NSError).code
    }
  }

  // MARK: 1.3 What ends a lockout

  @Test func thePasscodeAtTheLockScreenEndsALockout() async throws {
    try await device.lockFingers()
    try device.lock()
    try device.unlock()
    #expect(canUseFingers)
  }

  @Test func thePasscodeForAnItemEndsALockout() async throws {
    try device.use {
      let item = Attributes.generic().holding("x").guarded(by: .devicePasscode)
      try #require(Items.add(item) == errSecSuccess)
    }
    try await device.lockFingers()
    #expect(!canUseFingers)
    try device.use {
      try device.sensor.script("passcode:1234")
      try #require(Items.data(.generic()) == Data("x".utf8))
    }
    #expect(canUseFingers)
  }

  @Test func aCancelledPasscodeDoesNotEndALockout() async throws {
    try await device.lockFingers()
    let codes = [
      try await evaluate(.deviceOwnerAuthentication, "cancel"),
      try await evaluate(.deviceOwnerAuthentication, "passcode:0000, cancel"),
    ]
    #expect(codes == [LAError.userCancel.rawValue, LAError.userCancel.rawValue])
    #expect(!canUseFingers)
  }

  @Test func missesOfItemsAndOfPoliciesAreCountedTogether() async throws {
    try device.use {
      let item = Attributes.generic().holding("x").guarded(by: .biometryAny)
      try #require(Items.add(item) == errSecSuccess)
      try device.sensor.script("miss, miss, miss")
      #expect(Items.exists(.generic()) == errSecAuthFailed)
    }
    let code = try await evaluate(.deviceOwnerAuthenticationWithBiometrics, "miss, miss")
    #expect(code == LAError.biometryLockout.rawValue)
  }

  // MARK: 1.7 Reasons

  @Test func theReasonOfTheCallWinsOverTheContexts() async throws {
    let context = device.use { LAContext() }
    context.localizedReason = "of the context"
    let code = try await evaluate(.deviceOwnerAuthentication, "match", by: context)
    #expect(code == 0)
    #expect(device.prompts.map(\.reason) == ["test"])
  }

  // MARK: 1.8 Contexts and items

  /// docs/architecture.md: what opens an item is an evaluation of its own access control.
  ///
  /// On Apple's platforms a context that has met a policy usually opens the item, too.
  @Test func aPolicyThatWasMetDoesNotOpenItems() async throws {
    try device.use {
      let item = Attributes.generic().holding("x").guarded(by: .biometryAny)
      try #require(Items.add(item) == errSecSuccess)
    }
    let context = device.use { LAContext() }
    let code = try await evaluate(
      .deviceOwnerAuthenticationWithBiometrics,
      "match",
      by: context
    )
    #expect(code == 0)
    context.interactionNotAllowed = true
    let query = Attributes.generic().with([kSecUseAuthenticationContext: context])
    #expect(device.use { Items.exists(query) } == errSecInteractionNotAllowed)
  }

  @Test func aContextThatOpenedAnItemOpensItAgainSilently() throws {
    try device.use {
      let item = Attributes.generic().holding("x").guarded(by: .userPresence)
      try #require(Items.add(item) == errSecSuccess)
      let context = LAContext()
      let query = Attributes.generic().with([kSecUseAuthenticationContext: context])
      try device.sensor.match()
      #expect(Items.exists(query) == errSecSuccess)
      context.interactionNotAllowed = true
      #expect(Items.data(query) == Data("x".utf8))
      #expect(device.prompts.count == 1)
    }
  }

  /// docs/apple-source.md: a prompt that said "open" is for opening that item.
  ///
  /// On Apple's platforms the context changes it too, and whatever has the same access control.
  @Test func aContextThatOpenedAnItemIsAskedForChangesAndOtherItems() throws {
    try device.use {
      for account in ["ann", "bob"] {
        let item = Attributes.generic(account).holding("x").guarded(by: .userPresence)
        try #require(Items.add(item) == errSecSuccess)
      }
      let context = LAContext()
      let ann = Attributes.generic("ann").with([kSecUseAuthenticationContext: context])
      let bob = ann.with([kSecAttrAccount: "bob"])
      try device.sensor.match()
      #expect(Items.exists(ann) == errSecSuccess)
      context.interactionNotAllowed = true
      #expect(Items.update(ann, [kSecAttrLabel: "x"]) == errSecInteractionNotAllowed)
      #expect(Items.exists(bob) == errSecInteractionNotAllowed)
      context.interactionNotAllowed = false
      try device.sensor.match()
      #expect(Items.update(ann, [kSecAttrLabel: "x"]) == errSecSuccess)
      #expect(device.prompts.count == 2)
    }
  }

  @Test func anEvaluatedAccessControlServesItemsAndChanges() async throws {
    let guarded = Attributes.generic().guarded(by: .biometryAny)
    let control = try #require(guarded[kSecAttrAccessControl] as? SecAccessControl)
    try device.use {
      for account in ["ann", "bob"] {
        let item = guarded.with([kSecAttrAccount: account]).holding("x")
        try #require(Items.add(item) == errSecSuccess)
      }
    }
    let context = device.use { LAContext() }
    try device.sensor.match()
    #expect(
      try await context.evaluateAccessControl(
        control,
        operation: .useItem,
        localizedReason: "test"
      )
    )
    context.interactionNotAllowed = true
    for account in ["ann", "bob"] {
      let query = Attributes.generic(account).with([kSecUseAuthenticationContext: context])
      #expect(device.use { Items.data(query) } == Data("x".utf8))
      #expect(device.use { Items.update(query, [kSecAttrLabel: "x"]) } == errSecSuccess)
    }
    #expect(device.prompts.count == 1)
  }

  @Test func lockingTheDeviceEndsWhatWasProven() throws {
    try device.use {
      let item = Attributes.generic().holding("x").guarded(by: .userPresence)
      try #require(Items.add(item) == errSecSuccess)
      let context = LAContext()
      let query = Attributes.generic().with([kSecUseAuthenticationContext: context])
      try device.sensor.match()
      #expect(Items.exists(query) == errSecSuccess)
      try device.lock()
      try device.unlock()
      context.interactionNotAllowed = true
      #expect(Items.exists(query) == errSecInteractionNotAllowed)
    }
  }

  // MARK: 1.9 Requirements

  @Test func biometryWithThePasscodeBehindItTakesEither() async throws {
    for script in ["match", "miss, fallback, passcode:1234"] {
      let right = device.use { LARight(requirement: .biometry(fallback: .devicePasscode)) }
      try device.sensor.script(script)
      try await right.authorize(localizedReason: "test")
      #expect(right.state == .authorized)
      await right.deauthorize()
      #expect(right.state == .notAuthorized)
    }
  }
}
