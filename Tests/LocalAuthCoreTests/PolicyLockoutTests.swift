import Testing

@testable import LocalAuthCore

/// A lockout profile that a policy names beside the device's: the stricter of both applies.
@Suite struct PolicyLockoutTests {
  private let now = Moment(
    boot: BootInstant(nanoseconds: 1_000),
    bootID: BootIdentifier(high: 0, low: 1),
    wall: WallInstant(milliseconds: 1)
  )

  private func profile(needsPasscode: Bool) -> LockoutProfile {
    var profile = LockoutProfile(name: "profile", delays: DelayTable(locksAt: 5))
    profile.needsPasscode = needsPasscode
    return profile
  }

  private func biometry(
    _ passcode: PasscodeProvider,
    device: Bool,
    policy: Bool?
  ) -> BiometryCondition {
    var record = DeviceRecord(identity: .init(owner: 0, name: "test"), isSimulated: true)
    record.passcode = passcode
    record.enrolment.fingers = [.rightIndex]
    record.attempts.freshness.passcodeUsed(at: now)
    let rules = DeviceAttempts.Rules(
      lockout: profile(needsPasscode: device),
      and: policy.map { profile(needsPasscode: $0) },
      delays: PasscodeDelays(name: "delays", delays: DelayTable(locksAt: 10))
    )
    return DeviceFacts(record, sensor: .ready(.strong), isDistrusted: false)
      .conditions(for: Policy(name: "test", requirement: .biometry(.any)), under: rules, at: now)
      .biometry
  }

  @Test(arguments: [
    (false, nil), (false, false), (true, nil), (true, false), (false, true), (true, true),
  ])
  func aFingerIsRefusedWithoutAPasscodeIfEitherProfileWantsOne(_ device: Bool, _ policy: Bool?) {
    let isWanted = device || policy ?? false
    #expect(
      biometry(.none, device: device, policy: policy) == (isWanted ? .needsPasscodeSet : .usable)
    )
    #expect(biometry(.device, device: device, policy: policy) == .usable)
  }
}
