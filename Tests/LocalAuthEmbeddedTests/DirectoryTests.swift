import Glibc
import LocalAuth
import LocalAuthEmbedded
import LocalAuthSecret
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// Devices whose engine is inside the process and whose state is in a directory.
@Suite
struct DirectoryTests {
  private func setup() -> DeviceSetup {
    var setup = DeviceSetup()
    setup.fingers = [.rightIndex]
    return setup
  }

  @Test func stateOutlivesTheEngine() throws {
    let directory = ScratchDirectory()
    var device: Device? = try Device.create("sim", directory: directory.path, setup())
    let before = AuthContext(device: try #require(device)).domainState
    device = nil
    // The last reference is gone, so the directory is free again.
    let again = try Device("sim", directory: directory.path)
    #expect(before != nil)
    #expect(AuthContext(device: again).domainState == before)
  }

  @Test func oneEngineServesAllWhoNameTheDirectory() throws {
    let directory = ScratchDirectory()
    let first = try Device.create("one", directory: directory.path, setup())
    let second = try Device.create("two", directory: directory.path, setup())
    try AuthContext(device: first).canEvaluate(.biometrics)
    try AuthContext(device: second).canEvaluate(.biometrics)
    #expect(throws: DeviceError.exists("one")) {
      try Device.create("one", directory: directory.path, setup())
    }
  }

  @Test func directoryOfSomebodyElseIsRefused() throws {
    let directory = ScratchDirectory()
    let owner = try StateDirectory(opening: directory.path)
    #expect { try Device(directory: directory.path) } throws: {
      guard case .engine(let message)? = $0 as? DeviceError else { return false }
      return message.contains("in use by process \(getpid())")
    }
    _ = consume owner
    _ = try Device(directory: directory.path)
  }

  @Test func relativeAndMissingPlacesAreRefused() throws {
    #expect(throws: DeviceError.self) { try Device(directory: "relative") }
    #expect(throws: DeviceError.self) { try Device(directory: "/proc/nothing") }
  }

  @Test func environmentMayNameADirectory() async throws {
    let directory = ScratchDirectory()
    let variables = ["LOCALAUTH_DEVICE": directory.path]
    let refused = try Device.fromEnvironment(ProcessEnvironment(variables: variables))
    #expect(throws: AuthError.simulatedNotAllowed) {
      try AuthContext(device: refused).canEvaluate(.passcode)
    }
    let environment = ProcessEnvironment(
      variables: variables.merging(["LOCALAUTH_ALLOW_SIMULATED": "1"]) { first, _ in first }
    )
    let allowed = try Device.fromEnvironment(environment)
    #expect(AuthContext(device: allowed).biometryType == .fingerprint)
    try await Keychain(device: allowed).set("hunter2", for: "ann")
    // The device that is there is not made again.
    let again = try Device.fromEnvironment(environment)
    #expect(try await Keychain(device: again).string(for: "ann") == "hunter2")
    let named = try Device("simulated", directory: directory.path)
    #expect(try await Keychain(device: named).string(for: "ann") == "hunter2")
  }

  private func fromEnvironment(
    _ directory: ScratchDirectory,
    _ more: [String: String]
  ) throws(DeviceError) -> Device {
    let base = ["LOCALAUTH_DEVICE": directory.path, "LOCALAUTH_ALLOW_SIMULATED": "1"]
    let variables = base.merging(more) { _, last in last }
    return try .fromEnvironment(ProcessEnvironment(variables: variables))
  }

  @Test func deviceOfADirectoryIsMadeWithALockoutProfileAndKeepsIt() throws {
    let directory = ScratchDirectory()
    let device = try fromEnvironment(directory, ["LOCALAUTH_LOCKOUT": "apple"])
    #expect(throws: AuthError.passcodeNotSet) {
      try AuthContext(device: device).canEvaluate(.biometrics)
    }
    _ = try fromEnvironment(directory, ["LOCALAUTH_LOCKOUT": "apple"])
    _ = try fromEnvironment(directory, [:])
    #expect(throws: DeviceError.self) {
      try fromEnvironment(directory, ["LOCALAUTH_LOCKOUT": "android"])
    }
  }

  @Test func passcodeOfTheEnvironmentIsForEphemeralDevicesOnly() throws {
    let directory = ScratchDirectory()
    #expect(throws: DeviceError.self) {
      try fromEnvironment(directory, ["LOCALAUTH_EPHEMERAL_PASSCODE": "1234"])
    }
  }
}
