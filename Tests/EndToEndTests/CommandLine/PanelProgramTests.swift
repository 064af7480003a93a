import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl panel` in a terminal, beside a real daemon and programs that ask.
@Suite struct PanelProgramTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient
  private var words: [String] { ["--home", daemon.home, "--device", "sim"] }

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
  }

  /// A panel; returns once it shows the device.
  private func panel(_ more: [String] = []) throws -> TerminalProgram {
    let panel = try TerminalProgram.authctl(words + ["panel"] + more)
    try panel.wait(for: "Asked     nothing")
    try panel.wait(for: "idle")
    return panel
  }

  /// A program that asks in a terminal of its own; returns once the panel shows it.
  private func ask(
    _ policy: String,
    reason: String = "open the door",
    on panel: TerminalProgram
  ) throws -> TerminalProgram {
    let asked = try TerminalProgram.authctl(
      words + ["evaluate", "--policy", policy, "--reason", reason, "--action", "open door 7"]
    )
    try panel.wait(for: "Asked     ")
    return asked
  }

  private func quit(_ panel: TerminalProgram) throws {
    panel.type("q")
    #expect(try panel.waitForExit() == .status(0), "\(panel.screen)")
    #expect(panel.isRestored)
  }

  // MARK: What is shown

  @Test func whatIsAskedIsShownAndAFingerApproves() throws {
    let panel = try panel()
    let asked = try ask("biometrics", on: panel)
    try panel.wait(forAllOf: [
      "open the door", "Action    open door 7", "(process \(asked.programID)) of ",
      "biometrics, awaits a finger", "waiting for a finger",
    ])
    panel.type("1")
    #expect(try asked.waitForExit() == .status(0), "\(asked.screen)")
    try panel.wait(forAllOf: [
      "right-index-finger is laid on the sensor: match.",
      "success: evaluate biometrics by fingerprint", "Asked     nothing",
    ])
    try quit(panel)
  }

  @Test func whatWaitsIsShownBesideWhatIsAsked() throws {
    let panel = try panel()
    _ = try client.beginEvaluation(on: "sim", ["reason": "the first of them"])
    try panel.wait(for: "the first of them")
    let other = try daemon.connect()
    try other.send(
      Interface.authentication + "Evaluate",
      WireClient.evaluation("biometrics", on: "sim", ["reason": "the second of them"]),
      more: true
    )
    try panel.wait(for: ": the second of them")
    try quit(panel)
  }

  @Test func missesAreCountedUntilTheLock() throws {
    let panel = try panel()
    let asked = try ask("biometrics", on: panel)
    for left in ["2 tries left", "1 try left", "locked until the passcode"] {
      panel.type("m")
      try panel.wait(for: left)
    }
    #expect(try asked.waitForExit() == .status(10), "\(asked.screen)")
    try quit(panel)
  }

  @Test func textThatWouldForgeThePanelIsShownHarmless() throws {
    let panel = try panel()
    _ = try client.beginEvaluation(
      on: "sim",
      ["reason": "fine\u{1B}[2Jx\r\nAsked     nothing\u{202E}evil"]
    )
    try panel.wait(for: "fine?[2Jx  Asked     nothing?evil")
    try quit(panel)
    #expect(!panel.screen.contains("\u{1B}[2Jx") && !panel.screen.contains("\u{202E}"))
  }

  @Test func aSmallTerminalIsToldSoUntilItIsLargeEnough() throws {
    let panel = try panel()
    try panel.resize(columns: 40, rows: 10)
    try panel.wait(for: "Needs 72x18, has 40x10.")
    try panel.resize(columns: 100, rows: 30)
    try panel.wait(for: "Asked     nothing")
    try quit(panel)
  }

  // MARK: Keys

  @Test func theSensorIsUnpluggedAndPluggedInAgain() throws {
    let panel = try panel()
    let asked = try ask("biometrics", on: panel)
    panel.type("u")
    #expect(try asked.waitForExit() == .status(13), "\(asked.screen)")
    try panel.wait(
      forAllOf: ["The sensor is unplugged.", "fingerprint sensor, unplugged", "u plug in"]
    )
    panel.type("u")
    try panel.wait(forAllOf: ["The sensor is plugged in.", "u unplug"])
    try quit(panel)
  }

  @Test func aRebootIsAskedForTwice() throws {
    let panel = try panel()
    panel.type("r")
    try panel.wait(for: "press r again")
    panel.type("x")
    try panel.wait(for: "No such key")
    panel.type("r")
    try panel.wait(for: "press r again")
    #expect(try client.audit("sim").allSatisfy { $0["action"]?.string != "device reboot" })
    panel.type("r")
    try panel.wait(forAllOf: ["sim is rebooted.", "before first unlock"])
    try quit(panel)
    #expect(try client.audit("sim").last?["action"]?.string == "device reboot")
  }

  @Test func theClockMovesByAMinuteAnHourOrADay() throws {
    let panel = try panel()
    for (key, step) in [("c", "1m"), ("h", "1h"), ("d", "24h")] {
      panel.type(key)
      try panel.wait(for: "The clock of sim is \(step) further.")
    }
    try quit(panel)
  }

  @Test func aTouchThatNobodyWaitsForIsSaidToBeDropped() throws {
    let panel = try panel()
    panel.type("1")
    try panel.wait(for: "No prompt waits for a finger.")
    try quit(panel)
  }

  @Test func aPasscodeTypedIntoThePanelReachesNobody() throws {
    let panel = try panel()
    let asked = try ask("passcode", on: panel)
    try panel.wait(for: "awaits the passcode")
    let before = try client.audit("sim").count
    panel.type("9234\r")
    try panel.wait(for: "No such key. A passcode is typed where it is asked for, never here.")
    #expect(try client.audit("sim").count == before)
    #expect(try client.status("sim").wrongPasscodes == 0)
    #expect(try asked.end(SIGTERM) == .signal(SIGTERM))
    try quit(panel)
  }

  @Test func aRealDeviceHasNoKeysThatDriveIt() throws {
    let panel = try TerminalProgram.authctl(["--home", daemon.home, "panel"])
    try panel.wait(for: "Asked     nothing")
    for key in ["1", "m", "u", "r", "c"] {
      panel.type(key)
      try panel.wait(for: "default is a real device: no key lays its fingers or moves its clock.")
      panel.type("x")
      try panel.wait(for: "No such key.")
    }
    #expect(try client.audit("default").isEmpty)
    try quit(panel)
  }

  // MARK: Ends

  @Test(arguments: ["q", "\u{1B}", "\u{4}"]) func keyEndsItAndGivesTheScreenBack(
    _ key: String
  ) throws {
    let panel = try panel()
    panel.type(key)
    #expect(try panel.waitForExit() == .status(0), "\(panel.screen)")
    #expect(panel.isRestored && panel.screen.contains(Self.given))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func signalGivesTheScreenBackAndIsRaised(
    _ signal: Int32
  ) throws {
    let panel = try panel()
    if signal == SIGINT { panel.type("\u{3}") } else { panel.signal(signal) }
    #expect(try panel.waitForExit() == .signal(signal), "\(panel.screen)")
    #expect(panel.isRestored && panel.screen.contains(Self.given))
  }

  /// What shows the cursor and the screen of before.
  private static let given = "\u{1B}[?25h\u{1B}[?1049l"

  @Test func aDaemonThatEndsIsWaitedForAndItsSuccessorIsShown() throws {
    let panel = try panel()
    _ = try client.beginEvaluation(on: "sim")
    try panel.wait(for: "a test")
    try daemon.crash()
    try panel.wait(forAllOf: ["Asked     nothing", "No daemon answers; waiting for one."])
    let next = try DaemonProcess(home: daemon.home)
    try panel.wait(for: "A daemon answers again.")
    let other = try next.connect()
    #expect(try other.evaluate(on: "sim", script: "match").outcome == "success")
    try panel.wait(for: "success: evaluate biometrics")
    try quit(panel)
  }

  @Test func aDeviceThatIsDeletedEndsThePanelWithAnError() throws {
    let panel = try panel()
    try client.administer("Delete", "sim", ["passcode": "1234"])
    #expect(try panel.waitForExit() == .status(78), "\(panel.screen)")
    #expect(panel.isRestored && panel.screen.contains("There is no device 'sim'"))
  }

  // MARK: Where it refuses

  @Test func withoutATerminalItRefusesInOneSentence() throws {
    let report = try Authctl.run(words + ["panel"])
    #expect(report.status == 2 && report.output.isEmpty)
    #expect(report.errors.split(separator: "\n").count == 1, "\(report.errors)")
    #expect(report.errors.contains("needs a terminal as standard input and output"))
  }

  @Test(arguments: [["TERM=dumb"], ["LOCALAUTH_PROMPT_LINES=1"]])
  func aTerminalWithoutACursorIsRefusedInOneSentence(_ environment: [String]) throws {
    let script = #"export "$0"; exec "$@""#
    let panel = try TerminalProgram(
      ["/bin/sh", "-c", script] + environment + [Machine.authctl] + words + ["panel"]
    )
    #expect(try panel.waitForExit() == .status(2), "\(panel.screen)")
    #expect(panel.screen.contains("needs a terminal with a cursor that moves"))
    #expect(!panel.screen.contains("\u{1B}"))
  }

  @Test func itHasNothingForPrograms() throws {
    let panel = try TerminalProgram.authctl(["--json"] + words + ["panel"])
    #expect(try panel.waitForExit() == .status(2), "\(panel.screen)")
    #expect(panel.screen.contains("The panel is for people"))
  }
}
