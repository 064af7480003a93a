// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// What somebody has to prove.
public enum LAPolicy: Int, Sendable {
  /// A finger and nothing else.
  case deviceOwnerAuthenticationWithBiometrics = 1
  /// A finger if one can be used, else the passcode.
  case deviceOwnerAuthentication = 2
  /// A paired device nearby, of which there is none here.
  case deviceOwnerAuthenticationWithCompanion = 3
  /// A finger or a paired device nearby.
  case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
  /// A watch on the wrist, of which there is none here.
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

/// What kind of biometry a device has; a fingerprint sensor is what can be there.
public enum LABiometryType: Int, Sendable {
  /// None at all.
  case none = 0
  /// A fingerprint sensor.
  case touchID = 1
  /// A camera that knows faces.
  case faceID = 2
  /// A camera that knows eyes.
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

/// What kind of device is paired; none ever is here.
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

/// What a credential of a context is for.
public enum LACredentialType: Int, Sendable {
  /// A password of the application's own, which opens keychain items that ask for one.
  case applicationPassword = 0
  /// The number of a smart card, for which nothing asks here.
  case smartCardPIN = -3
}

/// The raw value of ``LACredentialType/applicationPassword``.
public let kLACredentialTypeApplicationPassword: Int32 = 0
/// The raw value of ``LACredentialType/smartCardPIN``.
public let kLACredentialTypeSmartCardPIN: Int32 = -3

/// What is about to be done with what an access control protects.
public enum LAAccessControlOperation: Int, Sendable {
  /// An item is added.
  case createItem = 0
  /// An item is read or changed.
  case useItem = 1
  /// A key is made.
  case createKey = 2
  /// A private key signs.
  case useKeySign = 3
  /// A private key decrypts.
  case useKeyDecrypt = 4
  /// A private key agrees on a secret.
  case useKeyKeyExchange = 5
}

/// The longest reuse of an unlock by finger that has an effect, in seconds.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
