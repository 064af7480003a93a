import LocalAuthTestKit
import LocalAuthentication
import Testing

@Suite
struct ContextSettingsTests {
  private let biometrics = LAPolicy.deviceOwnerAuthenticationWithBiometrics

  @Test func newContextHasApplesDefaults() throws {
    let context = try TestDevice.apple().laContext()
    #expect(context.localizedFallbackTitle == nil)
    #expect(context.localizedCancelTitle == nil)
    #expect(context.localizedReason == "")
    #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
    #expect(context.maxBiometryFailures == nil)
    #expect(!context.interactionNotAllowed)
    #expect(context.evaluatedPolicyDomainState == nil)
  }

  @Test func settingsReadBack() throws {
    let context = try TestDevice.apple().laContext()
    context.localizedFallbackTitle = "Type it"
    context.localizedCancelTitle = "No"
    context.localizedReason = "because"
    context.interactionNotAllowed = true
    context.maxBiometryFailures = 2
    context.touchIDAuthenticationAllowableReuseDuration = 12.5
    #expect(context.localizedFallbackTitle == "Type it")
    #expect(context.localizedCancelTitle == "No")
    #expect(context.localizedReason == "because")
    #expect(context.interactionNotAllowed)
    #expect(context.maxBiometryFailures == 2)
    #expect(context.touchIDAuthenticationAllowableReuseDuration == 12.5)
  }

  @Test func maxBiometryFailuresHasNoEffect() async throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    context.maxBiometryFailures = 1
    try device.sensor.script("miss,miss,match")
    #expect(await context.code(of: biometrics) == 0)
  }

  // MARK: Reuse

  private func silently(_ device: TestDevice, within duration: TimeInterval) async -> Int {
    let context = device.laContext()
    context.touchIDAuthenticationAllowableReuseDuration = duration
    context.interactionNotAllowed = true
    return await context.code(of: biometrics)
  }

  private func unlockedByFinger() throws -> TestDevice {
    let device = try TestDevice.apple()
    try device.lock()
    try device.unlockWithFinger()
    return device
  }

  @Test func recentUnlockByFingerStandsInForATouch() async throws {
    let device = try unlockedByFinger()
    #expect(await silently(device, within: 10) == 0)
    #expect(device.prompts.isEmpty)
    #expect(await silently(device, within: 0) == -1004)
  }

  @Test func unlockThatIsTooOldDoesNotCount() async throws {
    let device = try unlockedByFinger()
    try device.clock.advance(by: .seconds(11))
    #expect(await silently(device, within: 10) == -1004)
    #expect(await silently(device, within: 11) == 0)
  }

  @Test func moreThanFiveMinutesActAsFiveMinutes() async throws {
    let device = try unlockedByFinger()
    let context = device.laContext()
    context.touchIDAuthenticationAllowableReuseDuration = 10_000
    #expect(context.touchIDAuthenticationAllowableReuseDuration == 10_000, "it is accepted")
    try device.clock.advance(by: .seconds(301))
    #expect(await silently(device, within: 10_000) == -1004)
    #expect(await silently(device, within: .infinity) == -1004)
  }

  @Test(arguments: [-5, -TimeInterval.infinity, .nan])
  func whatIsNoDurationIsZero(_ duration: TimeInterval) async throws {
    let device = try unlockedByFinger()
    let context = device.laContext()
    context.touchIDAuthenticationAllowableReuseDuration = duration
    #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
    #expect(await silently(device, within: duration) == -1004)
  }

  @Test func onlyAnUnlockByFingerIsReused() async throws {
    let device = try TestDevice.apple()
    try device.sensor.match()
    #expect(await device.laContext().code(of: biometrics) == 0)
    #expect(await silently(device, within: 300) == -1004, "no match of another context")
    try device.lock()
    try device.unlock()
    #expect(await silently(device, within: 300) == -1004, "no unlock by passcode")
  }

  // MARK: Domain state

  @Test func domainStateIsThatOfTheLastFinger() async throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    #expect(context.preflight(.deviceOwnerAuthentication) == 0)
    #expect(context.evaluatedPolicyDomainState == nil, "it can do without a finger")
    #expect(context.preflight(biometrics) == 0)
    let state = try #require(context.evaluatedPolicyDomainState)
    #expect(state.count >= 16)
    #expect(state == context.domainState.biometry.stateHash)
    #expect(device.laContext().domainState.stateHash == state, "without evaluating first")
  }

  @Test func successByPasscodeLeavesNoDomainState() async throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    #expect(context.preflight(biometrics) == 0)
    try device.sensor.script("miss,fallback,passcode:1234")
    #expect(await context.code(of: .deviceOwnerAuthentication) == 0)
    #expect(context.evaluatedPolicyDomainState == nil)
    let other = device.laContext()
    try device.sensor.match()
    #expect(await other.code(of: .deviceOwnerAuthentication) == 0)
    #expect(other.evaluatedPolicyDomainState != nil)
  }

  @Test func failedPreflightLeavesNoDomainState() throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    #expect(context.preflight(biometrics) == 0)
    try device.sensor.unplug()
    #expect(context.preflight(biometrics) == -13)
    #expect(context.evaluatedPolicyDomainState == nil)
  }

  @Test func everyChangeOfTheFingersChangesTheDomainState() throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    var seen: [Data?] = [context.domainState.stateHash]
    try device.sensor.enroll(.leftIndex)
    seen.append(context.domainState.stateHash)
    try device.sensor.remove(.leftIndex)
    seen.append(context.domainState.stateHash)
    #expect(Set(seen).count == 3)
    try device.sensor.remove(nil)
    #expect(context.domainState.biometry.stateHash == nil)
    #expect(context.domainState.biometry.biometryType == .touchID)
    #expect(context.domainState.stateHash == nil)
  }

  @Test func nothingIsEverPaired() throws {
    let companion = try TestDevice.apple().laContext().domainState.companion
    #expect(companion.availableCompanionTypes.isEmpty)
    #expect(companion.stateHash == nil)
    #expect(companion.stateHash(for: .watch) == nil)
  }

  // MARK: Credentials

  @Test func credentialsAreSetAndRemovedTypeByType() throws {
    let context = try TestDevice.apple().laContext()
    #expect(!context.isCredentialSet(.applicationPassword))
    #expect(context.setCredential(Data("sesame".utf8), type: .applicationPassword))
    #expect(context.setCredential(Data("0000".utf8), type: .smartCardPIN))
    #expect(context.isCredentialSet(.applicationPassword))
    #expect(context.isCredentialSet(.smartCardPIN))
    #expect(context.setCredential(nil, type: .applicationPassword))
    #expect(!context.isCredentialSet(.applicationPassword))
    #expect(context.isCredentialSet(.smartCardPIN))
    #expect(context.setCredential(nil, type: .smartCardPIN))
    #expect(context.setCredential(nil, type: .smartCardPIN), "twice is no error")
    #expect(!context.isCredentialSet(.smartCardPIN))
  }

  @Test func invalidatedContextKeepsNoCredential() throws {
    let context = try TestDevice.apple().laContext()
    context.setCredential(Data("sesame".utf8), type: .applicationPassword)
    context.setCredential(Data("0000".utf8), type: .smartCardPIN)
    context.invalidate()
    for type in [LACredentialType.applicationPassword, .smartCardPIN] {
      #expect(!context.isCredentialSet(type))
      #expect(!context.setCredential(Data([1]), type: type))
      #expect(!context.setCredential(nil, type: type))
      #expect(!context.isCredentialSet(type))
    }
  }

  @Test func emptyCredentialIsOne() throws {
    let context = try TestDevice.apple().laContext()
    #expect(context.setCredential(Data(), type: .applicationPassword))
    #expect(context.isCredentialSet(.applicationPassword))
  }
}
