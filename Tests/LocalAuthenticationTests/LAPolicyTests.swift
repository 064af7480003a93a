import LocalAuthentication
import Testing

/// Apple's numbers, which programs store and send.
@Suite struct LAPolicyTests {
  @Test func policiesHaveApplesNumbers() {
    #expect(LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue == 1)
    #expect(LAPolicy.deviceOwnerAuthentication.rawValue == 2)
    #expect(LAPolicy.deviceOwnerAuthenticationWithCompanion.rawValue == 3)
    #expect(LAPolicy.deviceOwnerAuthenticationWithWatch.rawValue == 3)
    #expect(LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion.rawValue == 4)
    #expect(LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch.rawValue == 4)
    #expect(LAPolicy.deviceOwnerAuthenticationWithWristDetection.rawValue == 5)
    #expect(kLAPolicyDeviceOwnerAuthenticationWithBiometrics == 1)
    #expect(kLAPolicyDeviceOwnerAuthentication == 2)
    #expect(kLAPolicyDeviceOwnerAuthenticationWithCompanion == 3)
    #expect(kLAPolicyDeviceOwnerAuthenticationWithWatch == 3)
    #expect(kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion == 4)
    #expect(kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch == 4)
    #expect(kLAPolicyDeviceOwnerAuthenticationWithWristDetection == 5)
  }

  @Test func unknownNumbersAreNoValues() {
    #expect(LAPolicy(rawValue: 99) == nil)
    #expect(LAPolicy(rawValue: 0) == nil)
    #expect(LACredentialType(rawValue: 42) == nil)
    #expect(LAAccessControlOperation(rawValue: 6) == nil)
    #expect(LABiometryType(rawValue: 3) == nil)
    #expect(LAError.Code(rawValue: -1001) == nil)
  }

  @Test func errorsHaveApplesNumbers() {
    let numbers: [(LAError.Code, Int32, Int)] = [
      (.authenticationFailed, kLAErrorAuthenticationFailed, -1),
      (.userCancel, kLAErrorUserCancel, -2),
      (.userFallback, kLAErrorUserFallback, -3),
      (.systemCancel, kLAErrorSystemCancel, -4),
      (.passcodeNotSet, kLAErrorPasscodeNotSet, -5),
      (.biometryNotAvailable, kLAErrorBiometryNotAvailable, -6),
      (.touchIDNotAvailable, kLAErrorTouchIDNotAvailable, -6),
      (.biometryNotEnrolled, kLAErrorBiometryNotEnrolled, -7),
      (.touchIDNotEnrolled, kLAErrorTouchIDNotEnrolled, -7),
      (.biometryLockout, kLAErrorBiometryLockout, -8),
      (.touchIDLockout, kLAErrorTouchIDLockout, -8),
      (.appCancel, kLAErrorAppCancel, -9),
      (.invalidContext, kLAErrorInvalidContext, -10),
      (.companionNotAvailable, kLAErrorCompanionNotAvailable, -11),
      (.watchNotAvailable, kLAErrorWatchNotAvailable, -11),
      (.biometryNotPaired, kLAErrorBiometryNotPaired, -12),
      (.biometryDisconnected, kLAErrorBiometryDisconnected, -13),
      (.invalidDimensions, kLAErrorInvalidDimensions, -14),
      (.notInteractive, kLAErrorNotInteractive, -1004),
    ]
    for (code, constant, number) in numbers {
      #expect(code.rawValue == number)
      #expect(constant == Int32(number))
    }
    #expect(LAErrorDomain == "com.apple.LocalAuthentication")
    #expect(kLAErrorDomain == LAErrorDomain)
  }

  @Test func theOtherKindsHaveApplesNumbers() {
    #expect(LABiometryType.none.rawValue == 0 && kLABiometryTypeNone == 0)
    #expect(LABiometryType.touchID.rawValue == 1 && kLABiometryTypeTouchID == 1)
    #expect(LABiometryType.faceID.rawValue == 2 && kLABiometryTypeFaceID == 2)
    #expect(LABiometryType.opticID.rawValue == 4 && kLABiometryTypeOpticID == 4)
    #expect(LABiometryType.LABiometryNone == LABiometryType.none)
    #expect(LACompanionType.watch.rawValue == 1 && kLACompanionTypeWatch == 1)
    #expect(LACompanionType.mac.rawValue == 2 && kLACompanionTypeMac == 2)
    #expect(LACredentialType.applicationPassword.rawValue == 0)
    #expect(LACredentialType.smartCardPIN.rawValue == -3)
    #expect(kLACredentialTypeApplicationPassword == 0 && kLACredentialTypeSmartCardPIN == -3)
    let operations: [LAAccessControlOperation] = [
      .createItem, .useItem, .createKey, .useKeySign, .useKeyDecrypt, .useKeyKeyExchange,
    ]
    #expect(operations.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
  }
}
