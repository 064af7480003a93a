import LocalAuthPolicies
import LocalAuthWire
import Testing

@testable import LocalAuthHost

/// What each method is to the rules of administration.
@Suite struct AdministrativeActTests {
  private static let acts: [AdministrativeAct: Set<String>] = [
    .create: ["Devices.Create"],
    .administer: [
      "Devices.Delete", "Devices.Erase", "Devices.SetPasscode", "Devices.RemovePasscode",
      "Devices.SetLockout", "Sensor.Enroll", "Sensor.Remove",
    ],
    .drive: [
      "Devices.Reboot", "Devices.AdvanceClock", "Sensor.Touch", "Sensor.Present",
      "Sensor.Script", "Sensor.Set", "Sensor.Reset",
    ],
  ]
  /// What a device's owner, and root, may always do: use it, and look at it.
  private static let uses: Set = [
    "Devices.List", "Devices.Status", "Devices.Lock", "Devices.Unlock", "Devices.Audit",
    "Devices.VerifyAudit",
    "Sensor.List", "Sensor.Dump",
  ]

  /// A method that is added must be thought of here.
  @Test func everyMethodOfDevicesAndSensorsIsOneOrTheOther() {
    let known = Self.acts.values.reduce(Self.uses) { $0.union($1) }
    let methods = MethodHandlers.names.map { String($0.dropFirst("io.localauth.".count)) }
      .filter { $0.hasPrefix("Devices.") || $0.hasPrefix("Sensor.") }
    #expect(Set(methods) == known)
  }

  @Test func everyMethodIsWhatItIsCalled() {
    for name in MethodHandlers.names {
      let short = String(name.dropFirst("io.localauth.".count))
      let expected = Self.acts.first { $0.value.contains(short) }?.key
      #expect(MethodHandlers.act(of: name) == expected, "\(name)")
    }
  }
}
