public import LocalAuthWire

/// A method of the daemon: its full name, what it takes and what it answers.
public struct RemoteMethod<Call: WireObject, Reply: WireObject>: Sendable {
  /// The full name, interface included.
  public let name: String

  /// The method of this name.
  public init(_ name: String) { self.name = name }
}

/// The daemon's methods; the `.varlink` files describe them.
public enum Methods {
  /// No parameters.
  public typealias Empty = ServiceMessages.Empty

  /// Evaluates a policy; called with `more`.
  public static var evaluate:
    RemoteMethod<AuthenticationMessages.EvaluateCall, AuthenticationMessages.EvaluateReply>
  { .init("io.localauth.Authentication.Evaluate") }
  /// Answers a prompt.
  public static var respond: RemoteMethod<AuthenticationMessages.RespondCall, Empty> {
    .init("io.localauth.Authentication.Respond")
  }
  /// Says whether an evaluation could succeed now.
  public static var canEvaluate:
    RemoteMethod<AuthenticationMessages.CanEvaluateCall, AuthenticationMessages.CanEvaluateReply>
  { .init("io.localauth.Authentication.CanEvaluate") }

  /// Registers the process as an agent; called with `more`.
  public static var registerAgent: RemoteMethod<Empty, AgentMessages.RegisterReply> {
    .init("io.localauth.Agents.Register")
  }

  /// Gives out the keys that assertions are signed with.
  public static var assertionKeys:
    RemoteMethod<AssertionMessages.KeysCall, AssertionMessages.KeysReply>
  { .init("io.localauth.Assertions.Keys") }
  /// Replaces the key that assertions are signed with.
  public static var rotateAssertionKey:
    RemoteMethod<AssertionMessages.KeysCall, AssertionMessages.KeysReply>
  { .init("io.localauth.Assertions.Rotate") }

  /// Lists what was granted.
  public static var listGrants: RemoteMethod<GrantMessages.ListCall, GrantMessages.ListReply> {
    .init("io.localauth.Grants.List")
  }
  /// Ends what was granted.
  public static var revokeGrants: RemoteMethod<GrantMessages.RevokeCall, GrantMessages.RevokeReply>
  { .init("io.localauth.Grants.Revoke") }

  /// Adds an item; called with `more`, as are all that may ask somebody.
  public static var addItem: RemoteMethod<KeychainMessages.AddCall, KeychainMessages.AskReply> {
    .init("io.localauth.Keychain.Add")
  }
  /// Adds items, all of them or none.
  public static var addItems: RemoteMethod<KeychainMessages.AddAllCall, KeychainMessages.AskReply> {
    .init("io.localauth.Keychain.AddAll")
  }
  /// Finds items.
  public static var copyItems: RemoteMethod<KeychainMessages.CopyCall, KeychainMessages.AskReply> {
    .init("io.localauth.Keychain.Copy")
  }
  /// Changes items.
  public static var updateItems:
    RemoteMethod<KeychainMessages.UpdateCall, KeychainMessages.AskReply>
  { .init("io.localauth.Keychain.Update") }
  /// Deletes items.
  public static var deleteItems:
    RemoteMethod<KeychainMessages.DeleteCall, KeychainMessages.AskReply>
  { .init("io.localauth.Keychain.Delete") }
  /// Makes a private key.
  public static var generateKey:
    RemoteMethod<KeychainMessages.GenerateKeyCall, KeychainMessages.AskReply>
  { .init("io.localauth.Keychain.GenerateKey") }
  /// Has a private key sign.
  public static var sign: RemoteMethod<KeychainMessages.SignCall, KeychainMessages.AskReply> {
    .init("io.localauth.Keychain.Sign")
  }
  /// Has a private key agree on a secret.
  public static var exchangeKeys:
    RemoteMethod<KeychainMessages.ExchangeKeysCall, KeychainMessages.AskReply>
  { .init("io.localauth.Keychain.ExchangeKeys") }
  /// Has proven beforehand what an access control asks for.
  public static var evaluateAccessControl:
    RemoteMethod<KeychainMessages.EvaluateAccessControlCall, KeychainMessages.AskReply>
  { .init("io.localauth.Keychain.EvaluateAccessControl") }
  /// Ends what was proven in a context of the connection.
  public static var invalidateContext: RemoteMethod<KeychainMessages.InvalidateContextCall, Empty> {
    .init("io.localauth.Keychain.InvalidateContext")
  }
  /// Says which access groups the caller has.
  public static var accessGroups: RemoteMethod<Empty, KeychainMessages.GroupsReply> {
    .init("io.localauth.Keychain.Groups")
  }

  /// Describes every device.
  public static var listDevices: RemoteMethod<Empty, DeviceMessages.ListReply> {
    .init("io.localauth.Devices.List")
  }
  /// Describes one device and the daemon.
  public static var status: RemoteMethod<DeviceMessages.DeviceCall, DeviceMessages.StatusReply> {
    .init("io.localauth.Devices.Status")
  }
  /// Makes a simulated device.
  public static var createDevice:
    RemoteMethod<DeviceMessages.CreateCall, DeviceMessages.DeviceReply>
  { .init("io.localauth.Devices.Create") }
  /// Forgets a device.
  public static var deleteDevice: RemoteMethod<DeviceMessages.DeviceCall, Empty> {
    .init("io.localauth.Devices.Delete")
  }
  /// Forgets all that a device knows.
  public static var eraseDevice: RemoteMethod<DeviceMessages.DeviceCall, Empty> {
    .init("io.localauth.Devices.Erase")
  }
  /// Locks a device.
  public static var lockDevice: RemoteMethod<DeviceMessages.DeviceCall, Empty> {
    .init("io.localauth.Devices.Lock")
  }
  /// Unlocks a device with its passcode, or with a finger when called with `more`.
  public static var unlockDevice:
    RemoteMethod<DeviceMessages.UnlockCall, AuthenticationMessages.EvaluateReply>
  { .init("io.localauth.Devices.Unlock") }
  /// Restarts a simulated device.
  public static var rebootDevice: RemoteMethod<DeviceMessages.DeviceCall, Empty> {
    .init("io.localauth.Devices.Reboot")
  }
  /// Moves a simulated device's clock forward.
  public static var advanceClock: RemoteMethod<DeviceMessages.AdvanceClockCall, Empty> {
    .init("io.localauth.Devices.AdvanceClock")
  }
  /// Sets or changes a passcode.
  public static var setPasscode: RemoteMethod<DeviceMessages.SetPasscodeCall, Empty> {
    .init("io.localauth.Devices.SetPasscode")
  }
  /// Removes a passcode.
  public static var removePasscode: RemoteMethod<DeviceMessages.DeviceCall, Empty> {
    .init("io.localauth.Devices.RemovePasscode")
  }
  /// Gives out the audit; called with `more` to follow it.
  public static var audit: RemoteMethod<DeviceMessages.AuditCall, DeviceMessages.AuditReply> {
    .init("io.localauth.Devices.Audit")
  }

  /// Says whether the copy of the audit is what was written.
  public static var verifyAudit: RemoteMethod<Empty, DeviceMessages.VerifyAuditReply> {
    .init("io.localauth.Devices.VerifyAudit")
  }

  /// Enrols a finger; called with `more` to hear of each stage.
  public static var enrollFinger:
    RemoteMethod<SensorMessages.EnrollCall, SensorMessages.EnrollReply>
  { .init("io.localauth.Sensor.Enroll") }
  /// Removes a finger, or all.
  public static var removeFinger: RemoteMethod<SensorMessages.RemoveCall, Empty> {
    .init("io.localauth.Sensor.Remove")
  }
  /// Lists the enrolled fingers.
  public static var listFingers: RemoteMethod<DeviceMessages.DeviceCall, SensorMessages.ListReply> {
    .init("io.localauth.Sensor.List")
  }
  /// Lays a finger on the sensor.
  public static var touch: RemoteMethod<SensorMessages.TouchCall, SensorMessages.EffectReply> {
    .init("io.localauth.Sensor.Touch")
  }
  /// Lets one event happen.
  public static var present: RemoteMethod<SensorMessages.PresentCall, SensorMessages.EffectReply> {
    .init("io.localauth.Sensor.Present")
  }
  /// Queues a script.
  public static var script: RemoteMethod<SensorMessages.ScriptCall, SensorMessages.ScriptReply> {
    .init("io.localauth.Sensor.Script")
  }
  /// Changes a setting of the sensor.
  public static var setSetting: RemoteMethod<SensorMessages.SetCall, Empty> {
    .init("io.localauth.Sensor.Set")
  }
  /// Gives the sensor the settings of a new one.
  public static var resetSensor: RemoteMethod<DeviceMessages.DeviceCall, Empty> {
    .init("io.localauth.Sensor.Reset")
  }
  /// Shows everything there is to see of the sensor.
  public static var dumpSensor: RemoteMethod<DeviceMessages.DeviceCall, SensorMessages.DumpReply> {
    .init("io.localauth.Sensor.Dump")
  }

  /// Lists the policies.
  public static var listPolicies: RemoteMethod<Empty, PolicyMessages.ListReply> {
    .init("io.localauth.Policies.List")
  }
  /// Shows one policy.
  public static var showPolicy: RemoteMethod<PolicyMessages.ShowCall, PolicyMessages.ShowReply> {
    .init("io.localauth.Policies.Show")
  }
  /// Checks a policy's text.
  public static var checkPolicy: RemoteMethod<PolicyMessages.CheckCall, PolicyMessages.CheckReply> {
    .init("io.localauth.Policies.Check")
  }
}
