import LocalAuthTestKit
import LocalAuthentication
import Testing

@Suite
struct EvaluateAccessControlTests {
  private func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
    try #require(accessControl(flags))
  }

  /// A device with an item of this access control.
  private func device(_ accessControl: SecAccessControl) throws -> TestDevice {
    let device = try TestDevice.apple()
    #expect(add(accessControl, with: device.laContext()) == errSecSuccess)
    return device
  }

  private func add(_ accessControl: SecAccessControl, with context: LAContext) -> OSStatus {
    let item: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword,
      kSecAttrAccount: "ann",
      kSecValueData: Data("secret".utf8),
      kSecAttrAccessControl: accessControl,
      kSecUseAuthenticationContext: context,
    ]
    return SecItemAdd(item as CFDictionary, nil)
  }

  private func read(_ context: LAContext) -> (status: OSStatus, data: Data?) {
    let query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword,
      kSecAttrAccount: "ann",
      kSecReturnData: true,
      kSecUseAuthenticationContext: context,
    ]
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    return (status, result as? Data)
  }

  @Test func keychainCallWithTheContextDoesNotAskAgain() async throws {
    let accessControl = try control(.biometryAny)
    let device = try device(accessControl)
    let context = device.laContext()
    try device.sensor.script("miss,match")
    #expect(await context.code(of: accessControl) == 0)
    #expect(device.prompts.first?.reason == "test")
    let shown = device.prompts.count
    context.interactionNotAllowed = true
    let answer = read(context)
    #expect(answer.status == errSecSuccess)
    #expect(answer.data == Data("secret".utf8))
    #expect(await context.code(of: accessControl) == 0, "and no evaluation either")
    #expect(device.prompts.count == shown)
  }

  @Test func proofOfOneContextIsNoneOfAnother() async throws {
    let accessControl = try control(.biometryAny)
    let device = try device(accessControl)
    let context = device.laContext()
    try device.sensor.match()
    #expect(await context.code(of: accessControl) == 0)
    let other = device.laContext()
    other.interactionNotAllowed = true
    #expect(read(other).status == errSecInteractionNotAllowed)
  }

  @Test func contextAsksForTheItemOnItsOwn() async throws {
    let device = try device(try control(.userPresence))
    let context = device.laContext()
    context.localizedReason = "read your mail"
    try device.sensor.match()
    #expect(read(context).status == errSecSuccess)
    #expect(device.prompts.map(\.reason) == ["read your mail"])
  }

  @Test func invalidatedContextOpensNothing() async throws {
    let accessControl = try control(.biometryAny)
    let device = try device(accessControl)
    let context = device.laContext()
    try device.sensor.match()
    #expect(await context.code(of: accessControl) == 0)
    context.invalidate()
    #expect(read(context).status == errSecAuthFailed)
    #expect(await context.code(of: accessControl) == -10)
  }

  @Test func errorsAreThoseOfPolicies() async throws {
    let fingers = try control(.biometryAny)
    let device = try TestDevice.apple()
    try device.sensor.script("cancel")
    #expect(await device.laContext().code(of: fingers) == -2)
    #expect(await device.laContext().code(of: fingers, .createItem) == 0, "adding asks nobody")
    try await device.lockFingers()
    #expect(await device.laContext().code(of: fingers) == -8)
    #expect(await (try TestDevice.apple([])).laContext().code(of: fingers) == -7)
    let open = try TestDevice.apple(passcode: nil)
    #expect(await open.laContext().code(of: try control(.devicePasscode)) == -5)
    let silent = device.laContext()
    silent.interactionNotAllowed = true
    #expect(await silent.code(of: try control(.devicePasscode)) == -1004)
  }

  @Test func accessControlWithoutConstraintIsMetAtOnce() async throws {
    let device = try TestDevice.apple()
    #expect(await device.laContext().code(of: try control([])) == 0)
    #expect(device.prompts.isEmpty)
  }

  @Test func companionIsNeverAvailable() async throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    #expect(await context.code(of: try control(.companion)) == -11)
    #expect(await context.code(of: try control([.companion, .biometryAny])) == -11)
    #expect(device.prompts.isEmpty)
    try device.sensor.match()
    #expect(await context.code(of: try control([.companion, .or, .biometryAny])) == 0)
  }

  @Test func keyIsGuardedForItsOwnUses() async throws {
    let key = try control([.biometryAny, .privateKeyUsage])
    let device = try TestDevice.apple()
    try device.sensor.match()
    let context = device.laContext()
    #expect(await context.code(of: key, .useKeySign) == 0)
    #expect(await context.code(of: key, .useItem) == -1, "a key is no item")
    let item = try control(.biometryAny)
    #expect(await context.code(of: item, .useKeySign) == -1, "an item is no key")
  }

  @Test func replyMayUseTheContext() async throws {
    let accessControl = try control(.biometryAny)
    let device = try device(accessControl)
    let context = device.laContext()
    try device.sensor.match()
    let answer = await withCheckedContinuation { continuation in
      context.evaluateAccessControl(
        accessControl,
        operation: .useItem,
        localizedReason: "test"
      ) { _, _ in
        continuation.resume(returning: Thread.isMainThread ? -1 : read(context).status)
      }
    }
    #expect(answer == 0)
  }

  @Test func asyncFormThrowsWhatTheReplyHas() async throws {
    let accessControl = try control(.biometryAny)
    let device = try TestDevice.apple()
    try device.sensor.match()
    let context = device.laContext()
    #expect(
      try await context.evaluateAccessControl(
        accessControl,
        operation: .useItem,
        localizedReason: "yes"
      )
    )
    try device.sensor.script("cancel")
    await #expect(throws: NSError.self) {
      try await device.laContext().evaluateAccessControl(
        accessControl,
        operation: .useItem,
        localizedReason: "no"
      )
    }
  }

  @Test func invalidateEndsWhatRunsAndWhatWaits() async throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    let accessControl = try control(.biometryAny)
    async let first = context.code(of: accessControl)
    async let second = context.code(of: accessControl)
    _ = try await device.sensor.touch(.leftThumb)
    context.invalidate()
    // The one that had not begun may find the context invalid already.
    let ends = await [first, second]
    #expect(ends.contains(-9))
    #expect(ends.filter { $0 != -9 && $0 != -10 }.isEmpty)
  }

  @Test func emptyReasonEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      guard let control = accessControl([]) else { return }
      LAContext().evaluateAccessControl(control, operation: .useItem, localizedReason: "") { _, _ in
      }
    }
  }

  // MARK: Application passwords

  @Test func passwordOfTheContextOpensWhatWasMadeWithIt() async throws {
    let own = try control(.applicationPassword)
    let device = try TestDevice.apple()
    let context = device.laContext()
    context.setCredential(Data("sesame".utf8), type: .applicationPassword)
    #expect(add(own, with: context) == errSecSuccess)
    #expect(read(context).data == Data("secret".utf8))
    #expect(device.prompts.isEmpty)
  }

  @Test func wrongPasswordIsForgotten() async throws {
    let own = try control(.applicationPassword)
    let device = try TestDevice.apple()
    let maker = device.laContext()
    maker.setCredential(Data("sesame".utf8), type: .applicationPassword)
    #expect(add(own, with: maker) == errSecSuccess)
    let context = device.laContext()
    context.setCredential(Data("barley".utf8), type: .applicationPassword)
    #expect(read(context).status == errSecAuthFailed)
    #expect(!context.isCredentialSet(.applicationPassword))
  }
}
