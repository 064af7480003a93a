// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A policy: what a person has to prove.
public enum LAPolicy: Int, Sendable {
  /// A finger and nothing else.
  case deviceOwnerAuthenticationWithBiometrics = 1
  /// A finger if one can be used, otherwise the passcode.
  case deviceOwnerAuthentication = 2
  /// A paired device nearby, of which there are never any.
  case deviceOwnerAuthenticationWithCompanion = 3
  /// A finger or a paired device nearby.
  case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
  /// A watch on the wrist, which is never available here.
  case deviceOwnerAuthenticationWithWristDetection = 5

  /// The older name of ``deviceOwnerAuthenticationWithCompanion``.
  public static let deviceOwnerAuthenticationWithWatch = deviceOwnerAuthenticationWithCompanion
  /// The older name of ``deviceOwnerAuthenticationWithBiometricsOrCompanion``.
  public static let deviceOwnerAuthenticationWithBiometricsOrWatch =
    deviceOwnerAuthenticationWithBiometricsOrCompanion
}

/// The raw value of ``LAPolicy/deviceOwnerAuthenticationWithBiometrics``.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 = 1
/// The raw value of ``LAPolicy/deviceOwnerAuthentication``.
public let kLAPolicyDeviceOwnerAuthentication: Int32 = 2
/// The raw value of ``LAPolicy/deviceOwnerAuthenticationWithCompanion``.
public let kLAPolicyDeviceOwnerAuthenticationWithCompanion: Int32 = 3
/// The raw value of ``LAPolicy/deviceOwnerAuthenticationWithWatch``.
public let kLAPolicyDeviceOwnerAuthenticationWithWatch: Int32 = 3
/// The raw value of ``LAPolicy/deviceOwnerAuthenticationWithBiometricsOrCompanion``.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion: Int32 = 4
/// The raw value of ``LAPolicy/deviceOwnerAuthenticationWithBiometricsOrWatch``.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch: Int32 = 4
/// The raw value of ``LAPolicy/deviceOwnerAuthenticationWithWristDetection``.
public let kLAPolicyDeviceOwnerAuthenticationWithWristDetection: Int32 = 5

/// The kind of biometry a device has; only fingerprint sensors are supported.
public enum LABiometryType: Int, Sendable {
  /// No biometry.
  case none = 0
  /// A fingerprint sensor.
  case touchID = 1
  /// Face recognition.
  case faceID = 2
  /// Iris recognition.
  case opticID = 4

  /// The older name of ``none``.
  public static let LABiometryNone = none
}

/// The raw value of ``LABiometryType/none``.
public let kLABiometryTypeNone: Int32 = 0
/// The raw value of ``LABiometryType/touchID``.
public let kLABiometryTypeTouchID: Int32 = 1
/// The raw value of ``LABiometryType/faceID``.
public let kLABiometryTypeFaceID: Int32 = 2
/// The raw value of ``LABiometryType/opticID``.
public let kLABiometryTypeOpticID: Int32 = 4

/// The kind of a paired device; pairing is not supported.
public enum LACompanionType: Int, Sendable {
  /// A watch.
  case watch = 1
  /// A computer.
  case mac = 2
}

/// The raw value of ``LACompanionType/watch``.
public let kLACompanionTypeWatch: Int32 = 1
/// The raw value of ``LACompanionType/mac``.
public let kLACompanionTypeMac: Int32 = 2

/// The purpose of a context's credential.
public enum LACredentialType: Int, Sendable {
  /// The application's own password, for keychain items that require one.
  case applicationPassword = 0
  /// The PIN of a smart card, which is never used here.
  case smartCardPIN = -3
}

/// The raw value of ``LACredentialType/applicationPassword``.
public let kLACredentialTypeApplicationPassword: Int32 = 0
/// The raw value of ``LACredentialType/smartCardPIN``.
public let kLACredentialTypeSmartCardPIN: Int32 = -3

/// An operation on an object that an access control protects.
public enum LAAccessControlOperation: Int, Sendable {
  /// An item is added.
  case createItem = 0
  /// An item is read or changed.
  case useItem = 1
  /// A key is generated.
  case createKey = 2
  /// A private key signs.
  case useKeySign = 3
  /// A private key decrypts.
  case useKeyDecrypt = 4
  /// A private key agrees on a secret.
  case useKeyKeyExchange = 5
}

/// The maximum age, in seconds, of an unlock by finger that can be reused.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
