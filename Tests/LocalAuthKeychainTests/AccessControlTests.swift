import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct AccessControlTests {
  private func creation(_ protection: String?, _ flags: AccessControlFlags) -> KeychainStatus {
    status { () throws(KeychainError) in
      try AccessControl(protection: protection, flags: flags)
    }
  }

  @Test func aProtectionThatIsMissingOrUnknownIsAParameterFault() {
    for name in [nil, "", "AK", "whenUnlocked", "zz"] { #expect(creation(name, []) == .param) }
    for protection in ProtectionClass.allCases {
      #expect(creation(protection.rawValue, .userPresence) == .success)
    }
  }

  @Test func orTogetherWithAndIsAParameterFault() {
    #expect(creation("ak", [.or, .and]) == .param)
    #expect(creation("ak", [.or, .and, .biometryAny, .devicePasscode]) == .param)
  }

  @Test func bothKindsOfBiometryAreAParameterFault() {
    #expect(creation("ak", [.biometryAny, .biometryCurrentSet]) == .param)
    #expect(creation("ak", [.biometryAny, .or, .biometryCurrentSet]) == .param)
  }

  @Test func userPresenceGoesOnlyWithApplicationPasswordAndPrivateKeyUsage() {
    let refused: [AccessControlFlags] = [
      .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and,
    ]
    for other in refused { #expect(creation("ak", [.userPresence, other]) == .param) }
    #expect(creation("ak", [.userPresence, .applicationPassword]) == .success)
    #expect(creation("ak", [.userPresence, .privateKeyUsage]) == .success)
    #expect(creation("ak", [.userPresence, .privateKeyUsage, .applicationPassword]) == .success)
  }

  @Test func askingAtEachUseGoesWithAnythingThatAsksSomebody() {
    for flags: AccessControlFlags in [
      .userPresence, .biometryAny, [.biometryCurrentSet, .or, .devicePasscode],
      [.privateKeyUsage, .devicePasscode], [.userPresence, .applicationPassword],
    ] {
      #expect(creation("ak", flags.union(.eachUse)) == .success)
    }
    for flags: AccessControlFlags in [[], .or, .privateKeyUsage, .applicationPassword] {
      #expect(creation("ak", flags.union(.eachUse)) == .param)
    }
  }

  @Test func unknownBitsAreIgnored() throws {
    for bit in [2, 6, 13, 29, 40, 63] {
      let unknown = AccessControlFlags(rawValue: 1 << UInt64(bit))
      let control = try AccessControl(.whenUnlocked, flags: [.biometryAny, unknown])
      #expect(control == (try AccessControl(.whenUnlocked, flags: .biometryAny)))
    }
  }

  @Test func orAndAndWithNoneOrOneConstraintAreAccepted() throws {
    for flags: AccessControlFlags in [.or, .and, [.or, .biometryAny], [.and, .devicePasscode]] {
      #expect(creation("ak", flags) == .success)
    }
    let control = try AccessControl(.whenUnlocked, flags: [.or, .biometryAny]).bound(to: .full)
    #expect(control.rule(for: .decrypt, at: 7) == .requires(.biometry(.any)))
  }

  @Test func creationNeverLooksAtTheDeviceAndAddingDoes() throws {
    let needs: [(AccessControlFlags, OutcomeCode)] = [
      (.biometryAny, .biometryNotEnrolled), (.biometryCurrentSet, .biometryNotEnrolled),
      (.devicePasscode, .passcodeNotSet), (.userPresence, .passcodeNotSet),
    ]
    for (flags, outcome) in needs {
      let control = try AccessControl(.whenUnlocked, flags: flags)
      #expect(throws: KeychainError.authentication(outcome)) { try control.bound(to: .nothing) }
    }
  }

  @Test func userPresenceWorksWithoutFingersWhileAPasscodeIsSet() throws {
    let control = try AccessControl(.whenUnlocked, flags: .userPresence).bound(to: .noFingers)
    guard case .requires(let requirement) = control.rule(for: .decrypt, at: 7) else {
      Issue.record("nothing is asked for")
      return
    }
    #expect(requirement.isReachable(from: Proven(), with: .passcode))
  }

  @Test func aTrivialOneIsBoundAtCreationAndAnyOtherWhenAdded() throws {
    #expect(AccessControl(.always).binding == .bound(generation: nil))
    #expect(try AccessControl(.always, flags: []).binding == .bound(generation: nil))
    for flags: AccessControlFlags in [.biometryAny, .applicationPassword, .privateKeyUsage] {
      let control = try AccessControl(.whenUnlocked, flags: flags)
      #expect(control.binding == .unbound)
      #expect(try control.bound(to: .full).binding == .bound(generation: nil))
    }
    let current = try AccessControl(.whenUnlocked, flags: .biometryCurrentSet)
    #expect(try current.bound(to: .full).binding == .bound(generation: 7))
  }

  @Test func anyChangeOfTheSetDestroysWhatNeedsTheCurrentOne() throws {
    let destroyed: [AccessControlFlags] = [
      .biometryCurrentSet, [.biometryCurrentSet, .and, .devicePasscode],
      [.biometryCurrentSet, .devicePasscode], [.biometryCurrentSet, .or],
    ]
    for flags in destroyed {
      let control = try AccessControl(.whenUnlocked, flags: flags).bound(to: .full)
      #expect(!control.isDestroyed(at: 7))
      #expect(control.isDestroyed(at: 8))
      #expect(control.keyInputs.contains(.enrolledSet))
    }
  }

  @Test func anyBiometryAndAlternativesSurviveAChangeOfTheSet() throws {
    let surviving: [AccessControlFlags] = [
      .biometryAny, .userPresence, .devicePasscode, [.biometryCurrentSet, .or, .devicePasscode],
    ]
    for flags in surviving {
      let control = try AccessControl(.whenUnlocked, flags: flags).bound(to: .full)
      #expect(!control.isDestroyed(at: 8))
      #expect(!control.keyInputs.contains(.enrolledSet))
    }
  }

  @Test func theApplicationPasswordGoesIntoTheKey() throws {
    let control = try AccessControl(.whenUnlocked, flags: [.applicationPassword, .biometryAny])
    #expect(control.keyInputs == .applicationPassword)
  }
}
