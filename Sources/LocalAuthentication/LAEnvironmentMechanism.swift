// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import LocalAuth
import LocalAuthCore

extension LAEnvironment {
  /// A mechanism of proof.
  public class Mechanism: NSObject, @unchecked Sendable {
    // @unchecked: the compiler cannot check a class with subclasses; its properties are constants.

    /// Whether it can be used now.
    public let isUsable: Bool
    /// Its name for people.
    public let localizedName: String
    /// The name of its icon.
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
    /// The kind of biometry.
    public let biometryType: LABiometryType
    /// Whether a finger is enrolled.
    public let isEnrolled: Bool
    /// Whether fingers are locked, for a time or until the passcode is proven.
    public let isLockedOut: Bool
    /// A token that changes with every change of the fingers, even back to an earlier set; empty if
    /// there are none.
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
    /// Whether a passcode is set.
    public let isSet: Bool

    init(_ mechanisms: DeviceMechanisms) {
      isSet = mechanisms.hasPasscode
      super.init(isUsable: mechanisms.passcode == .success, "Passcode", icon: "lock")
    }
  }

  /// A kind of paired device, of which there are never any.
  public final class MechanismCompanion: Mechanism, @unchecked Sendable {
    /// The kind of paired device.
    public let type: LACompanionType
    /// Always nil, because there are no paired devices.
    public var stateHash: Data? { nil }

    init(_ type: LACompanionType) {
      self.type = type
      super.init(isUsable: false, "Companion", icon: "applewatch")
    }
  }
}
