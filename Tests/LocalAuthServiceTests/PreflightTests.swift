import LocalAuthCore
import LocalAuthService
import Testing

/// What is said of an evaluation that has not begun.
struct PreflightTests {
  private func preflight(_ policy: String, _ rig: Rig) throws -> Preflight {
    try rig.engine.canEvaluate(
      policy: policy,
      device: "sim",
      allowsSimulated: true,
      caller: rig.caller
    )
  }

  @Test func factorsOfThePolicyAreSaidWithTheirTries() throws {
    let rig = Rig()
    rig.makeDevice()
    let factors = try preflight("device-owner", rig).factors
    #expect(factors.map(\.factor) == [.biometry, .passcode])
    #expect(factors.map(\.hindrance) == [nil, nil])
    #expect(factors.map(\.attemptsLeft) == [3, 10])
    #expect(try preflight("biometrics", rig).factors.map(\.factor) == [.biometry])
  }

  @Test func lockedFingerIsNoHindranceForThePasscode() throws {
    let rig = Rig()
    rig.makeDevice()
    _ = try rig.outcome(script: "miss, miss, miss")
    let preflight = try preflight("device-owner", rig)
    #expect(preflight.result.outcome == .success)
    #expect(preflight.factors.map(\.hindrance?.code) == [.biometryLockout, nil])
    #expect(preflight.factors.map(\.attemptsLeft) == [nil, 10])
  }

  @Test func forecastChargesNothing() throws {
    let rig = Rig()
    rig.makeDevice()
    let before = rig.store.device
    for policy in ["biometrics", "device-owner", "passcode"] { _ = try preflight(policy, rig) }
    #expect(rig.store.device == before)
  }
}
