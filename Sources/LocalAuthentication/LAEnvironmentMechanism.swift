// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuth
import LocalAuthCore

extension LAEnvironment {
  /// Something to prove with.
  public class Mechanism: NSObject, @unchecked Sendable {
    // @unchecked: a class that is inherited from cannot be checked; nothing here changes.

    /// Whether it could be used now.
    public let isUsable: Bool
    /// What it is called.
    public let localizedName: String
    /// The name of a picture of it.
    public let iconSystemName: String

    fileprivate init(isUsable: Bool, _ localizedName: String, icon: String) {
      self.isUsable = isUsable
      self.localizedName = localizedName
      iconSystemName = icon
      super.init()
    }
  }

  /// The sensor.
  public final class MechanismBiometry: Mechanism, @unchecked Sendable {
    /// What kind it is.
    public let biometryType: LABiometryType
    /// Whether a finger is enrolled.
    public let isEnrolled: Bool
    /// Whether fingers are locked until the passcode.
    public let isLockedOut: Bool
    /// Changes with every change of the fingers, back to an earlier set too; empty where there are none.
    public let stateHash: Data
    /// Whether the sensor is disconnected or cannot be used.
    public let builtInSensorInaccessible: Bool

    init(_ mechanisms: DeviceMechanisms) {
      biometryType = .touchID
      isEnrolled = mechanisms.hasFingers
      isLockedOut = mechanisms.biometry == .biometryLockout
      stateHash = mechanisms.domainState?.bytes ?? Data()
      builtInSensorInaccessible =
        mechanisms.biometry == .biometryDisconnected || mechanisms.biometry == .biometryNotAvailable
      super.init(isUsable: mechanisms.biometry == .success, "Fingerprint", icon: "touchid")
    }
  }

  /// The passcode.
  public final class MechanismUserPassword: Mechanism, @unchecked Sendable {
    /// Whether there is one.
    public let isSet: Bool

    init(_ mechanisms: DeviceMechanisms) {
      isSet = mechanisms.hasPasscode
      super.init(isUsable: mechanisms.passcode == .success, "Passcode", icon: "lock")
    }
  }

  /// A kind of paired device, of which there is none here.
  public final class MechanismCompanion: Mechanism, @unchecked Sendable {
    /// Which kind.
    public let type: LACompanionType
    /// Changes with every change of the paired devices; nil where there are none.
    public var stateHash: Data? { nil }

    init(_ type: LACompanionType) {
      self.type = type
      super.init(isUsable: false, "Companion", icon: "applewatch")
    }
  }
}
