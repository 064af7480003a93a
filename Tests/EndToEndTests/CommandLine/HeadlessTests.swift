import LocalAuthUnix
import Testing

/// A job without a terminal whose sensor another process drives.
@Suite struct HeadlessTests {
  private let device: SecretDevice

  init() throws { device = try SecretDevice() }

  private static let evaluate = ["evaluate", "--policy", "biometrics", "--reason", "test"]

  private static let verbs = [
    evaluate, ["exec", "--policy", "biometrics", "--", "/bin/true"], ["run", "--", "/bin/true"],
    ["keychain", "get", "--service", "mail", "--account", "ann"],
  ]

  private func headless(_ verb: [String]) -> [String] {
    let end = verb.firstIndex(of: "--") ?? verb.endIndex
    return verb[..<end] + ["--headless"] + verb[end...]
  }

  private func start(_ verb: [String]) throws -> RunningProgram {
    try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: device.words + headless(verb),
        environment: Authctl.environment + ["A=localauth://mail/ann"],
        descriptors: [.null, .null, .null]
      )
    )
  }

  @Test(arguments: verbs) func aTouchFromAnotherProcessAnswers(_ verb: [String]) throws {
    let job = try start(verb)
    try device.touch()
    #expect(try job.waitForExit() == .status(0))
    let refused = try start(verb)
    for _ in 0..<3 { _ = try device.authctl(["sensor", "touch", "left-thumb", "--wait"]) }
    #expect(try refused.waitForExit() == .status(10))
  }

  @Test(arguments: verbs) func withoutItAJobIsToldAtOnceThatAPersonIsNeeded(
    _ verb: [String]
  ) throws {
    let run = try device.authctl(verb, environment: ["A=localauth://mail/ann"])
    #expect(run.status == 5, "\(run.errors)")
    #expect(run.errors.contains("--headless") || verb[0] != "evaluate", "\(run.errors)")
  }

  @Test func aQueuedScriptPlaysAlsoWithAPasscodeInIt() throws {
    for (policy, events) in [("biometrics", "miss,match"), ("passcode", "passcode:2468")] {
      for more in [["--headless"], []] {
        _ = try device.authctl(["sensor", "script", events])
        let run = try device.authctl(
          ["evaluate", "--policy", policy, "--reason", "test"] + more
        )
        #expect(run.status == 0, "\(policy) \(more): \(run.errors)")
      }
    }
  }

  @Test(arguments: verbs) func aDeviceThatIsNotSimulatedRefusesIt(_ verb: [String]) throws {
    let run = try Authctl.run(
      ["--home", device.daemon.home] + headless(verb),
      environment: ["A=localauth://mail/ann"]
    )
    #expect(run.status == 77, "\(run.errors)")
    #expect(run.errors.contains("--headless needs a simulated device"), "\(run.errors)")
  }

  @Test func nothingIsShownOnATerminalEither() throws {
    let run = try device.terminal(Self.evaluate + ["--headless"])
    try device.touch()
    #expect(try run.waitForExit() == .status(0), "\(run.screen)")
    #expect(!run.screen.contains("SIMULATED DEVICE") && !run.screen.contains("Touch"))
  }

  @Test func whoIsNotAnsweredEndsInTime() throws {
    for policy in ["biometrics", "passcode"] {
      let run = try device.authctl(
        ["evaluate", "--policy", policy, "--reason", "test", "--headless", "--timeout", "300ms"]
      )
      #expect(run.status == 6, "\(run.errors)")
    }
  }

  @Test(arguments: ["--non-interactive", "--agent"]) func itExcludesWhatAsksOthers(
    _ option: String
  ) throws {
    #expect(try device.authctl(Self.evaluate + ["--headless", option]).status == 2)
  }
}
