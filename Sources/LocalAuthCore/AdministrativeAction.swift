/// An action on a device other than using it.
public enum AdministrativeAction: String, CaseIterable, Hashable, Sendable {
  /// Making a simulated device.
  case create
  /// Changing fingers, passcode or lockout, erasing a device or deleting it.
  case administer
  /// Driving a simulated device: its sensor, its clock, its reboots, and scripts.
  case drive
}
