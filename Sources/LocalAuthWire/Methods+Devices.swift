import LocalAuthCore

extension Methods {
  private static let devices = DeviceMessages.interface
  private static let sensor = SensorMessages.interface

  // MARK: io.localauth.Devices

  /// Describes every device.
  public static let listDevices: Method<Empty, DeviceMessages.ListReply> =
    .init(devices, "List", by: .owner, .once, judging: [])

  /// Describes one device and the daemon.
  public static let status: Method<DeviceMessages.DeviceCall, DeviceMessages.StatusReply> =
    .init(devices, "Status", by: .owner, .once, judging: [])

  /// Creates a simulated device.
  public static let createDevice: Method<DeviceMessages.CreateCall, DeviceMessages.DeviceReply> =
    .init(devices, "Create", by: .administration(.create), .once, judging: [])

  /// Deletes a device.
  public static let deleteDevice: Method<DeviceMessages.DeleteCall, Empty> =
    .init(devices, "Delete", by: .administration(.administer), .once, judging: [.passcode])

  /// Erases everything that a device knows.
  public static let eraseDevice: Method<DeviceMessages.EraseCall, Empty> =
    .init(devices, "Erase", by: .administration(.administer), .once, judging: [])

  /// Locks a device.
  public static let lockDevice: Method<DeviceMessages.DeviceCall, Empty> =
    .init(devices, "Lock", by: .owner, .once, judging: [])

  /// Tells whether the data of a device can be opened, and each change of that.
  public static let watchDevice: Method<DeviceMessages.DeviceCall, DeviceMessages.WatchReply> =
    .init(devices, "Watch", by: .owner, .stream, judging: [])

  /// Unlocks a device with its passcode, or with a finger.
  public static let unlockDevice:
    Method<DeviceMessages.UnlockCall, AuthenticationMessages.EvaluateReply> =
      .init(devices, "Unlock", by: .owner, .stream, judging: [.passcode, .touch])

  /// Restarts a simulated device.
  public static let rebootDevice: Method<DeviceMessages.DeviceCall, Empty> =
    .init(devices, "Reboot", by: .administration(.drive), .once, judging: [])

  /// Moves a simulated device's clock forward.
  public static let advanceClock: Method<DeviceMessages.AdvanceClockCall, Empty> =
    .init(devices, "AdvanceClock", by: .administration(.drive), .once, judging: [.passcode])

  /// Sets or changes a passcode.
  public static let setPasscode: Method<DeviceMessages.SetPasscodeCall, Empty> =
    .init(devices, "SetPasscode", by: .administration(.administer), .once, judging: [.passcode])

  /// Removes a passcode.
  public static let removePasscode: Method<DeviceMessages.RemovePasscodeCall, Empty> =
    .init(devices, "RemovePasscode", by: .administration(.administer), .once, judging: [.passcode])

  /// Chooses another lockout profile or passcode delay table.
  public static let setLockout: Method<DeviceMessages.SetLockoutCall, Empty> =
    .init(devices, "SetLockout", by: .administration(.administer), .once, judging: [.passcode])

  /// Returns the audit.
  public static let audit: Method<DeviceMessages.AuditCall, DeviceMessages.AuditReply> =
    .init(devices, "Audit", by: .owner, .stream, judging: [])

  /// Verifies the copy of the audit.
  public static let verifyAudit: Method<Empty, DeviceMessages.VerifyAuditReply> =
    .init(
      devices,
      "VerifyAudit",
      by: .root(because: "The copy is of all users: only root may look at it."),
      .once,
      judging: []
    )

  static let ofDevices: [any AnyMethod] = [
    listDevices, status, createDevice, deleteDevice, eraseDevice, lockDevice,
    watchDevice, unlockDevice,
    rebootDevice, advanceClock, setPasscode, removePasscode, setLockout, audit, verifyAudit,
  ]

  // MARK: io.localauth.Sensor

  /// Enrols a finger.
  public static let enrollFinger: Method<SensorMessages.EnrollCall, SensorMessages.EnrollReply> =
    .init(sensor, "Enroll", by: .administration(.administer), .stream, judging: [.passcode])

  /// Removes a finger, or all.
  public static let removeFinger: Method<SensorMessages.RemoveCall, Empty> =
    .init(sensor, "Remove", by: .administration(.administer), .once, judging: [.passcode])

  /// Lists the enrolled fingers.
  public static let listFingers: Method<DeviceMessages.DeviceCall, SensorMessages.ListReply> =
    .init(sensor, "List", by: .owner, .once, judging: [])

  /// Touches the sensor with a finger.
  public static let touch: Method<SensorMessages.TouchCall, SensorMessages.EffectReply> =
    .init(sensor, "Touch", by: .administration(.drive), .once, judging: [.touch])

  /// Performs one event of the script grammar.
  public static let present: Method<SensorMessages.PresentCall, SensorMessages.EffectReply> =
    .init(sensor, "Present", by: .administration(.drive), .once, judging: [.touch])

  /// Queues a script.
  public static let script: Method<SensorMessages.ScriptCall, SensorMessages.ScriptReply> =
    .init(sensor, "Script", by: .administration(.drive), .once, judging: [])

  /// Changes a setting of the sensor.
  public static let setSetting: Method<SensorMessages.SetCall, Empty> =
    .init(sensor, "Set", by: .administration(.drive), .once, judging: [])

  /// Resets the sensor to the settings of a new one.
  public static let resetSensor: Method<DeviceMessages.DeviceCall, Empty> =
    .init(sensor, "Reset", by: .administration(.drive), .once, judging: [])

  /// Returns the visible state of the sensor.
  public static let dumpSensor: Method<DeviceMessages.DeviceCall, SensorMessages.DumpReply> =
    .init(sensor, "Dump", by: .owner, .once, judging: [])

  static let ofSensor: [any AnyMethod] = [
    enrollFinger, removeFinger, listFingers, touch, present, script, setSetting, resetSensor,
    dumpSensor,
  ]
}
