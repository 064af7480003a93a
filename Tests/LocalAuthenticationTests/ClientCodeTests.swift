import LocalAuthTestKit
import LocalAuthentication
import Testing

// Written as programs for Apple's systems are: nothing below the tests knows where it runs.

private enum VaultError: Error, Equatable {
  case cancelled
  case lockedOut
  case notEnrolled
  case noPasscode
  case notSupported
  case failed
}

private protocol Authenticator {
  var biometryType: LABiometryType { get }
  func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool
  func evaluatePolicy(
    _ policy: LAPolicy,
    localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  )
}

extension LAContext: Authenticator {}

private struct Vault {
  let context: LAContext

  func open() async throws(VaultError) -> String {
    var authError: NSError?
    let policy = LAPolicy.deviceOwnerAuthenticationWithBiometrics
    guard context.canEvaluatePolicy(policy, error: &authError) else {
      throw VaultError(authError)
    }
    context.localizedCancelTitle = "Not now"
    do {
      try await context.evaluatePolicy(policy, localizedReason: "Open the vault")
    } catch {
      throw VaultError(error)
    }
    switch context.biometryType {
    case .touchID: return "by finger"
    case .faceID, .opticID: return "by face"
    case .none: return "by nothing"
    @unknown default: return "by something"
    }
  }
}

extension VaultError {
  fileprivate init(_ error: (any Error)?) {
    guard let error = error as? LAError else {
      self = .failed
      return
    }
    switch error.code {
    case .userCancel, .systemCancel, .appCancel: self = .cancelled
    case .biometryLockout: self = .lockedOut
    case .biometryNotEnrolled: self = .notEnrolled
    case .passcodeNotSet: self = .noPasscode
    case .biometryNotAvailable: self = .notSupported
    default: self = .failed
    }
  }
}

/// A context that does as a test of the program's says.
private final class MockContext: LAContext, @unchecked Sendable {
  var answer: Result<Bool, any Error> = .success(true)
  var preflight: NSError?
  private(set) var reasons: [String] = []

  override var biometryType: LABiometryType { .faceID }

  override func canEvaluatePolicy(
    _ policy: LAPolicy,
    error: NSErrorPointer
  ) -> Bool {
    error?.pointee = preflight
    return preflight == nil
  }

  override func evaluatePolicy(
    _ policy: LAPolicy,
    localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    reasons.append(localizedReason)
    switch answer {
    case .success(let success): reply(success, nil)
    case .failure(let error): reply(false, error)
    }
  }
}

/// A context of which a program's test overrides everything that there is.
private final class SilentContext: LAContext, @unchecked Sendable {
  private var title: String?
  private var allowsNobody = true

  override init() { super.init() }
  override func invalidate() {}
  override func setCredential(_ credential: Data?, type: LACredentialType) -> Bool { false }
  override func isCredentialSet(_ type: LACredentialType) -> Bool { true }
  override var evaluatedPolicyDomainState: Data? { Data([1, 2, 3]) }
  override var localizedFallbackTitle: String? {
    get { title }
    set { title = newValue.map { $0 + "!" } }
  }
  override var localizedCancelTitle: String? {
    get { title }
    set { title = newValue }
  }
  override var localizedReason: String {
    get { "mine" }
    set {}
  }
  override var maxBiometryFailures: NSNumber? {
    get { 7 }
    set {}
  }
  override var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
    get { 1 }
    set {}
  }
  override var interactionNotAllowed: Bool {
    get { allowsNobody }
    set { allowsNobody = newValue }
  }
  override func evaluateAccessControl(
    _ accessControl: SecAccessControl,
    operation: LAAccessControlOperation,
    localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { reply(operation == .useItem, nil) }
}

@Suite
struct ClientCodeTests {
  private func end(_ device: TestDevice) async -> Result<String, VaultError> {
    let vault = Vault(context: device.laContext())
    do throws(VaultError) {
      return .success(try await vault.open())
    } catch {
      return .failure(error)
    }
  }

  @Test func matchOpensTheVault() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("miss,match")
    #expect(await end(device) == .success("by finger"))
    #expect(device.prompts.last?.cancelTitle == "Not now")
  }

  @Test func eachFailureReachesItsBranch() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("cancel")
    #expect(await end(device) == .failure(.cancelled))
    try device.sensor.script("miss,miss,miss")
    #expect(await end(device) == .failure(.failed))
    try await device.lockFingers()
    #expect(await end(device) == .failure(.lockedOut))
    #expect(await end(try .apple([])) == .failure(.notEnrolled))
    #expect(await end(try .apple(passcode: nil)) == .failure(.noPasscode))
    let bare = try TestDevice(passcode: "1234", hasSensor: false)
    #expect(await end(bare) == .failure(.notSupported))
  }

  @Test func mockAnswersForTheContext() async throws {
    let mock = MockContext()
    #expect(try await Vault(context: mock).open() == "by face")
    #expect(mock.reasons == ["Open the vault"])
    mock.answer = .failure(LAError(.userCancel))
    await #expect(throws: VaultError.cancelled) { try await Vault(context: mock).open() }
    mock.preflight = NSError(domain: LAErrorDomain, code: LAError.biometryLockout.rawValue)
    await #expect(throws: VaultError.lockedOut) { try await Vault(context: mock).open() }
  }

  @Test func contextsFitAProtocolOfTheProgram() throws {
    let authenticators: [any Authenticator] = [try TestDevice.apple().laContext(), MockContext()]
    #expect(authenticators.map(\.biometryType) == [.touchID, .faceID])
    for authenticator in authenticators {
      var error: NSError?
      #expect(authenticator.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
    }
  }

  @Test func everyMemberCanBeOverridden() async throws {
    let context: LAContext = SilentContext()
    context.localizedFallbackTitle = "Type"
    #expect(context.localizedFallbackTitle == "Type!")
    context.localizedCancelTitle = "No"
    #expect(context.localizedCancelTitle == "No")
    #expect(context.localizedReason == "mine")
    #expect(context.maxBiometryFailures == 7)
    #expect(context.touchIDAuthenticationAllowableReuseDuration == 1)
    #expect(context.interactionNotAllowed)
    #expect(context.evaluatedPolicyDomainState == Data([1, 2, 3]))
    #expect(context.isCredentialSet(.applicationPassword))
    #expect(!context.setCredential(nil, type: .applicationPassword))
    context.invalidate()
    let control = try #require(accessControl([]))
    #expect(
      try await context.evaluateAccessControl(
        control,
        operation: .useItem,
        localizedReason: "test"
      )
    )
  }

  @Test func contextBelongsToTheDeviceOfItsTask() async throws {
    let (one, other) = (try TestDevice.apple(), try TestDevice.apple([]))
    let contexts = (one.laContext(), other.use { LAContext() })
    try await other.use {
      #expect(contexts.0.preflight(.deviceOwnerAuthenticationWithBiometrics) == 0)
      #expect(contexts.1.preflight(.deviceOwnerAuthenticationWithBiometrics) == -7)
      try one.sensor.match()
      #expect(await contexts.0.code(of: .deviceOwnerAuthenticationWithBiometrics) == 0)
    }
  }

  @Test func replyGoesOnWhereTheEvaluationBegan() async throws {
    let device = try TestDevice.apple()
    try device.sensor.match()
    let found = await device.use {
      await withCheckedContinuation { continuation in
        let context = LAContext()
        context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "save") { _, _ in
          let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ann", kSecValueData: Data([1]),
          ]
          // Nothing here names the device, nor is it the test's task.
          let status = SecItemAdd(item as CFDictionary, nil)
          context.invalidate()
          continuation.resume(returning: (status, LAContext().biometryType))
        }
      }
    }
    #expect(found == (errSecSuccess, .touchID))
    #expect(try await device.keychain().accounts() == ["ann"])
  }
}
