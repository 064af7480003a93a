import LocalAuthTestKit
import Testing

/// What an app finds on a new device.
@Suite struct BackupTests {
  private static let password = "a password of twelve"

  private func old() async throws -> TestDevice {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let keychain = device.keychain(service: "mail")
    try await keychain.set("comes", for: "ann")
    let anyFinger = try AccessControl(.whenUnlocked, flags: .biometryAny)
    try await keychain.set("asks", for: "bob", accessControl: anyFinger)
    let here = try AccessControl(.whenUnlockedThisDeviceOnly, flags: [])
    try await keychain.set("stays", for: "eve", accessControl: here)
    return device
  }

  @Test func anotherDeviceGetsWhatIsNotBoundToTheOldOne() async throws {
    let backup = try await old().backUp(password: Self.password)
    #expect(backup.items == 2)
    #expect(backup.leftOut == ["accessControl": 1])
    let new = try TestDevice(passcode: "5678")
    let restored = try new.restore(backup, password: Self.password)
    #expect(restored.restored == 1 && restored.otherDevice == 1)
    #expect(try await new.keychain(service: "mail").accounts() == ["ann"])
    #expect(try await new.keychain(service: "mail").string(for: "ann") == "comes")
    #expect(try new.restore(backup, password: Self.password).older == 1)
  }

  @Test func aWrongPasswordRestoresNothing() async throws {
    let backup = try await old().backUp(password: Self.password)
    let new = try TestDevice(passcode: "5678")
    #expect(throws: DeviceError.refused(.authenticationFailed)) {
      try new.restore(backup, password: "another password")
    }
    #expect(try await new.keychain(service: "mail").accounts().isEmpty)
  }

  @Test func aLockedDeviceMakesNone() async throws {
    let device = try await old()
    try device.lock()
    // The keys stay for ten seconds.
    try device.clock.advance(by: .seconds(11))
    let error = #expect(throws: DeviceError.self) { try device.backUp(password: Self.password) }
    #expect(error?.description == "The device is locked, so items would be missing.")
  }

  @Test func manyItemsComeInSeveralChunks() async throws {
    let device = try TestDevice()
    let keychain = device.keychain(service: "mail")
    let long = String(repeating: "x", count: 60_000)
    for account in ["a", "b", "c", "d"] { try await keychain.set(long, for: account) }
    let backup = try device.backUp(password: Self.password)
    #expect(backup.bytes.count > 3 * 65_536)
    #expect(try TestDevice().restore(backup, password: Self.password).restored == 4)
  }
}
