import LocalAuthJSON
import LocalAuthUnix
import Testing

/// A passcode that PAM keeps and cannot judge is not called usable.
@Suite struct PAMObstacleTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let services: String
  private var missing: String {
    "the PAM service file \(services)/localauth is missing or unreadable"
  }

  init() throws {
    services = try scratch.makeDirectory("pam.d", mode: 0o755)
    daemon = try DaemonProcess(
      home: scratch.file("home"),
      .init(arguments: ["--pam-confdir", services])
    )
  }

  private func run(_ words: [String], input: String = "") throws -> RunningProgram.Report {
    try Authctl.run(["--home", daemon.home] + words, input: input)
  }

  private func state() throws -> JSONValue? { try run(["--json", "status"]).json["state"] }

  @Test func statusSaysThatTheServiceFileIsMissingUntilItIsThere() throws {
    let before = try #require(try state())
    #expect(before["passcodeState"]?.string == "badConfiguration")
    #expect(before["passcodeObstacle"]?.string?.contains(missing) == true)
    let told = try run(["status"]).output.split(separator: "\n").joined(separator: " ")
    #expect(told.contains("PAM (localauth). PAM cannot judge") && !told.contains("usable"))
    try scratch.write(
      "auth required pam_permit.so\naccount required pam_permit.so\n",
      to: "pam.d/localauth",
      mode: 0o644
    )
    let after = try #require(try state())
    #expect(after["passcodeState"]?.string == "usable")
    #expect(after["passcodeObstacle"]?.string == nil)
  }

  @Test func forecastAndEvaluationEndForTheSameReason() throws {
    let forecast = try run(["can-evaluate", "--policy", "passcode"])
    let evaluation = try run(
      ["evaluate", "--policy", "passcode", "--reason", "x", "--passcode-fd", "0"],
      input: "word\n"
    )
    for ended in [forecast, evaluation] {
      #expect(ended.status == 78 && ended.errors.contains(missing), "\(ended)")
      #expect(ended.errors.contains("localauthd(8)"))
    }
    let explained = try run(["policy", "explain", "passcode"])
    #expect(!explained.output.contains("usable"), "\(explained)")
  }

  @Test func deviceWithItsOwnPasscodeNeedsNoFile() throws {
    try daemon.connect().create("sim", passcode: "1234")
    let status = try run(["--json", "--device", "sim", "status"]).json["state"]
    #expect(status?["passcodeState"]?.string == "usable")
    #expect(try run(["--device", "sim", "can-evaluate", "--policy", "passcode"]).status == 0)
  }

  /// What can do without the passcode is not held up.
  @Test func policyThatAFingerMeetsIsForecastAsBefore() throws {
    try daemon.connect().create(
      "sim",
      passcode: nil,
      ["pamService": "localauth", "pamDirectory": .text(services)]
    )
    let words = ["--device", "sim", "can-evaluate", "--policy"]
    #expect(try run(words + ["passcode"]).status == 78)
    let without = try run(words + ["biometrics"])
    try scratch.write("auth required pam_permit.so\n", to: "pam.d/localauth", mode: 0o644)
    #expect(try run(words + ["passcode"]).status == 0)
    #expect(try run(words + ["biometrics"]).status == without.status)
    #expect(without.status != 78, "\(without)")
  }
}
