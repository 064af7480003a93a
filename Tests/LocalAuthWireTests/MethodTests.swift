import LocalAuthCore
import LocalAuthWire
import Testing

/// Who may call what, written here once more: a mistake in the table of methods does not change this.
@Suite struct MethodTests {
  /// Methods that are about nobody's devices.
  private static let anybodys: Set = [
    "io.localauth.Daemon.Status", "org.varlink.service.GetInfo",
    "org.varlink.service.GetInterfaceDescription",
  ]
  /// What root alone may do.
  private static let roots: Set = [
    "io.localauth.Daemon.Reload", "io.localauth.Daemon.Stop", "io.localauth.Devices.VerifyAudit",
  ]
  private static let actions: [AdministrativeAction: Set<String>] = [
    .create: ["io.localauth.Devices.Create"],
    .administer: [
      "io.localauth.Devices.Delete", "io.localauth.Devices.Erase",
      "io.localauth.Devices.SetPasscode", "io.localauth.Devices.RemovePasscode",
      "io.localauth.Devices.SetLockout", "io.localauth.Sensor.Enroll",
      "io.localauth.Sensor.Remove",
    ],
    .drive: [
      "io.localauth.Devices.Reboot", "io.localauth.Devices.AdvanceClock",
      "io.localauth.Sensor.Touch", "io.localauth.Sensor.Present", "io.localauth.Sensor.Script",
      "io.localauth.Sensor.Set", "io.localauth.Sensor.Reset",
    ],
  ]
  /// What a device's owner, and root, may always do: use it, and look at it.
  private static let owners: Set = [
    "io.localauth.Agents.Register", "io.localauth.Assertions.Keys",
    "io.localauth.Assertions.Rotate", "io.localauth.Authentication.CanEvaluate",
    "io.localauth.Authentication.Evaluate", "io.localauth.Authentication.Respond",
    "io.localauth.Authenticators.List",
    "io.localauth.Backups.Create", "io.localauth.Backups.Deletions", "io.localauth.Backups.Finish",
    "io.localauth.Backups.Open",
    "io.localauth.Backups.Read", "io.localauth.Backups.Write",
    "io.localauth.Devices.Audit", "io.localauth.Devices.List", "io.localauth.Devices.Lock",
    "io.localauth.Devices.Status", "io.localauth.Devices.Unlock", "io.localauth.Devices.Watch",
    "io.localauth.Documents.List", "io.localauth.Documents.Read", "io.localauth.Documents.Remove",
    "io.localauth.Documents.Settle", "io.localauth.Documents.Versions",
    "io.localauth.Documents.Watch", "io.localauth.Documents.Write",
    "io.localauth.Files.MakeKey",
    "io.localauth.Files.OpenKey", "io.localauth.Grants.List", "io.localauth.Grants.Revoke",
    "io.localauth.KeyValues.Read", "io.localauth.KeyValues.Watch", "io.localauth.KeyValues.Write",
    "io.localauth.Keychain.Add", "io.localauth.Keychain.AddAll",
    "io.localauth.Keychain.Copy", "io.localauth.Keychain.Delete",
    "io.localauth.Keychain.EvaluateAccessControl", "io.localauth.Keychain.ExchangeKeys",
    "io.localauth.Keychain.GenerateKey", "io.localauth.Keychain.Groups",
    "io.localauth.Keychain.InvalidateContext", "io.localauth.Keychain.Sign",
    "io.localauth.Keychain.Update", "io.localauth.Policies.Check", "io.localauth.Policies.List",
    "io.localauth.Policies.Show", "io.localauth.Sensor.Dump", "io.localauth.Sensor.List",
    "io.localauth.Sync.Answering", "io.localauth.Sync.Approve", "io.localauth.Sync.Decline",
    "io.localauth.Sync.Found", "io.localauth.Sync.Invite", "io.localauth.Sync.Join",
    "io.localauth.Sync.Leave", "io.localauth.Sync.Move", "io.localauth.Sync.Remove",
    "io.localauth.Sync.Repair",
    "io.localauth.Sync.Roll",
    "io.localauth.Sync.Status", "io.localauth.Sync.Synchronize", "io.localauth.Sync.Recover",
    "io.localauth.Sync.RecoveryKey", "io.localauth.Sync.Conflicts", "io.localauth.Sync.Resolve",
    "io.localauth.Sync.Exposed",
    "io.localauth.Tables.Changes", "io.localauth.Tables.Read", "io.localauth.Tables.Watch",
    "io.localauth.Tables.Write",
  ]

  @Test func whoMayCallAMethodIsWhatWasDecided() {
    for method in Methods.all {
      let expected: Bool
      switch method.access {
      case .anybody: expected = Self.anybodys.contains(method.name)
      case .owner: expected = Self.owners.contains(method.name)
      case .administration(let action):
        expected = Self.actions[action, default: []].contains(method.name)
      case .root: expected = Self.roots.contains(method.name)
      }
      #expect(expected, "\(method.name) is for \(method.access)")
    }
  }

  /// A method that is added must be thought of here, and one that is gone is gone here.
  @Test func whoMayCallIsDecidedForEveryMethod() {
    let others = Self.anybodys.union(Self.roots).union(Self.owners)
    let decided = Self.actions.values.reduce(others) { $0.union($1) }
    #expect(Set(Methods.all.map(\.name)) == decided)
  }

  @Test func eachNameIsThereOnceAndOfItsInterface() {
    let names = Methods.all.map(\.name)
    #expect(Set(names).count == names.count)
    for interface in Interfaces.all {
      for method in interface.methods {
        #expect(method.interface == interface.name)
        #expect(method.name.hasPrefix("\(interface.name)."))
      }
    }
  }

  /// A script drives the device, which is asked for where it is read: `Call.script`.
  @Test func onlyMethodsThatMayAskTakeAScript() {
    for method in Methods.all where method.fields.contains(where: { $0.name == "script" }) {
      #expect(method.access == .owner && method.replies == .stream, "\(method.name)")
    }
  }
}
