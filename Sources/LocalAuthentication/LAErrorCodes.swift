// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// The domain of every error that a context reports.
public let LAErrorDomain = NSError.authenticationDomain
/// The older name of ``LAErrorDomain``.
public let kLAErrorDomain = LAErrorDomain

/// The raw value of ``LAError/Code/authenticationFailed``.
public let kLAErrorAuthenticationFailed: Int32 = -1
/// The raw value of ``LAError/Code/userCancel``.
public let kLAErrorUserCancel: Int32 = -2
/// The raw value of ``LAError/Code/userFallback``.
public let kLAErrorUserFallback: Int32 = -3
/// The raw value of ``LAError/Code/systemCancel``.
public let kLAErrorSystemCancel: Int32 = -4
/// The raw value of ``LAError/Code/passcodeNotSet``.
public let kLAErrorPasscodeNotSet: Int32 = -5
/// The raw value of ``LAError/Code/biometryNotAvailable``.
public let kLAErrorBiometryNotAvailable: Int32 = -6
/// The raw value of ``LAError/Code/touchIDNotAvailable``.
public let kLAErrorTouchIDNotAvailable: Int32 = -6
/// The raw value of ``LAError/Code/biometryNotEnrolled``.
public let kLAErrorBiometryNotEnrolled: Int32 = -7
/// The raw value of ``LAError/Code/touchIDNotEnrolled``.
public let kLAErrorTouchIDNotEnrolled: Int32 = -7
/// The raw value of ``LAError/Code/biometryLockout``.
public let kLAErrorBiometryLockout: Int32 = -8
/// The raw value of ``LAError/Code/touchIDLockout``.
public let kLAErrorTouchIDLockout: Int32 = -8
/// The raw value of ``LAError/Code/appCancel``.
public let kLAErrorAppCancel: Int32 = -9
/// The raw value of ``LAError/Code/invalidContext``.
public let kLAErrorInvalidContext: Int32 = -10
/// The raw value of ``LAError/Code/companionNotAvailable``.
public let kLAErrorCompanionNotAvailable: Int32 = -11
/// The raw value of ``LAError/Code/watchNotAvailable``.
public let kLAErrorWatchNotAvailable: Int32 = -11
/// The raw value of ``LAError/Code/biometryNotPaired``.
public let kLAErrorBiometryNotPaired: Int32 = -12
/// The raw value of ``LAError/Code/biometryDisconnected``.
public let kLAErrorBiometryDisconnected: Int32 = -13
/// The raw value of ``LAError/Code/invalidDimensions``.
public let kLAErrorInvalidDimensions: Int32 = -14
/// The raw value of ``LAError/Code/notInteractive``.
public let kLAErrorNotInteractive: Int32 = -1004
