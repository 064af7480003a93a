import LocalAuth
import LocalAuthClient
import LocalAuthEmbedded
import LocalAuthTestKit
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire
import Testing

@Suite
struct DeviceTests {
  /// `device`, as a program finds it that names none.
  private func chosen(
    _ device: TestDevice,
    by variables: [String: String]
  ) throws -> AuthContext {
    let source = try device.device.resolved().source
    var all = variables
    all["LOCALAUTH_DEVICE"] = device.name
    let context = AuthContext(
      device: Device(environment: ProcessEnvironment(variables: all)) { () throws(AuthError) in
        source
      }
    )
    context.prompter = .custom(PromptWatcher())
    return context
  }

  @Test(arguments: [[:], ["LOCALAUTH_ALLOW_SIMULATED": "0"], ["LOCALAUTH_ALLOW_SIMULATED": ""]])
  func simulatedDeviceOfTheEnvironmentDoesNotCount(_ variables: [String: String]) async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let context = try chosen(device, by: variables)
    try device.sensor.match()
    await #expect(throws: AuthError.simulatedNotAllowed) {
      try await context.evaluate(.biometrics, reason: "by environment")
    }
    #expect(throws: AuthError.simulatedNotAllowed) { try context.canEvaluate(.biometrics) }
  }

  @Test func simulatedDeviceOfTheEnvironmentCountsWhereItSaysSo() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let context = try chosen(device, by: ["LOCALAUTH_ALLOW_SIMULATED": "1"])
    try device.sensor.match()
    #expect(try await context.evaluate(.biometrics, reason: "allowed").isSimulated)
  }

  @Test func usersOwnMachineHasNoSimulatedSensor() async throws {
    let source = try TestDevice().device.resolved().source
    let context = AuthContext(device: Device(nil, servedBy: source))
    #expect(context.biometryType == .none)
    #expect(throws: AuthError.biometryNotAvailable) { try context.canEvaluate(.biometrics) }
  }

  @Test func environmentThatAsksForAnEngineInsideNeedsOne() async throws {
    let environment = ProcessEnvironment(variables: ["LOCALAUTH_DEVICE": "ephemeral"])
    let device = Device(environment: environment) { () throws(AuthError) in NoService() }
    let context = AuthContext(device: device)
    await #expect { try await context.evaluate(.passcode, reason: "x") } throws: {
      ($0 as? AuthError)?.outcome == .badConfiguration
    }
  }

  @Test func daemonIsStartedOnDemandAndServesTheSameCalls() async throws {
    let directory = ScratchDirectory()
    let paths = try RuntimePaths(home: directory.path, environment: .init(variables: [:]))
    let daemon = try #require(ThisProgram.directory) + "/localauthd"
    let address = DaemonAddress(paths: paths, candidates: [daemon])
    defer { directory.stopDaemon(address) }
    let link = DeviceLink("sim", of: address)
    // Keeps the daemon from ending idle, however long this task waits for its turn.
    let connection = try address.connect()
    defer { _ = connection }
    var setup = DeviceSetup()
    setup.fingers = [.rightIndex]
    try link.create(setup, passcode: nil)

    let context = AuthContext(device: Device("sim", servedBy: address))
    context.prompter = .custom(PromptWatcher())
    #expect(context.biometryType == .fingerprint)
    try Secret(text: "miss,match").lend { (events) throws(DeviceError) in
      var call = SensorMessages.ScriptCall()
      call.device = "sim"
      call.events = events
      _ = try link.call(Methods.script, call)
    }
    let evaluation = try await context.evaluate(.biometrics, reason: "through the daemon")
    #expect(evaluation.attempts == 2)
    #expect(try await context.evaluate(.biometrics, reason: "again").isRepeated)
  }
}
