import LocalAuthTerminal
import LocalAuthWire
import Testing

@testable import authctl

/// How the panel is laid out.
@Suite struct PanelViewTests {
  private static let standard = ScreenSize(columns: 80, rows: 24)

  private func lines(
    _ panel: Panel,
    _ size: ScreenSize = standard,
    hasColor: Bool = false
  ) -> [String] {
    PanelView.lines(of: panel, size: size, hasColor: hasColor)
  }

  private func panel(
    asked: [DeviceMessages.Asked] = [],
    lines: Int = 0
  ) -> Panel {
    var panel = Panel(PanelSample.status())
    panel.described(PanelSample.status(asked: asked), accounts: [1000: "ann"])
    panel.described(PanelSample.dump(["state": "waiting for a finger", "plugged": "true"]))
    panel.told(
      (0..<lines).map { PanelSample.line("\($0)", at: Int64($0) * 1000, reason: "number \($0)") }
    )
    return panel
  }

  @Test func everythingHasAPlaceInEightyColumnsAndTwentyFourRows() {
    var panel = panel(asked: [PanelSample.asked(), PanelSample.asked("pay")], lines: 2)
    _ = panel.pressed(.scalar("x"))
    #expect(
      lines(panel) == [
        "demo  SIMULATED DEVICE: nobody is really authenticated",
        "",
        "Asked     deploy to production",
        "Action    publish 1.4",
        "By        authctl (process 4711) of ann on pts/3, /usr/local/bin/authctl",
        "Policy    device-owner, awaits a finger, the passcode, 1:07 left",
        "Waiting   authctl (process 4711): pay",
        "",
        "State     unlocked",
        "Sensor    simulated fingerprint sensor, waiting for a finger",
        "Fingers   1 right-index   2 left-thumb",
        "Biometry  usable, 3 tries left",
        "Passcode  its own, usable, 8 tries left, 2 wrong ones counted",
        "Lockout   three-strikes, passcode delays apple",
        "",
        "Audit     00:00:00Z success: evaluate biometrics, pay: number 0",
        "          00:00:01Z success: evaluate biometrics, pay: number 1",
        "", "", "", "", "",
        "No such key. A passcode is typed where it is asked for, never here.",
        "q quit  1-2 lay a finger  m miss  u unplug  r reboot  c/h/d clock +1m/1h/1d",
      ]
    )
  }

  @Test func theNewestLinesOfTheAuditAreShown() {
    let shown = lines(panel(lines: 50))
    #expect(shown.count == 24)
    #expect(shown.contains { $0.hasSuffix("number 49") })
    #expect(shown.count { $0.contains("number") } == 7)
    #expect(lines(panel(lines: 50), ScreenSize(columns: 80, rows: 50)).count == 50)
  }

  @Test func whereNothingIsAskedItSaysWhatToTry() {
    let shown = lines(panel())
    #expect(shown[2] == "Asked     nothing")
    #expect(shown[3].contains("authctl --device demo evaluate --policy device-owner"))
    #expect(shown.contains("Audit     nothing yet"))
    #expect(shown.firstIndex(of: "State     unlocked") == 8)
  }

  @Test func theWaitingAreCountedBehindTheNext() {
    let asked = Array(repeating: PanelSample.asked("pay"), count: 4)
    #expect(lines(panel(asked: asked))[6] == "Waiting   authctl (process 4711), and 2 more: pay")
  }

  @Test func aRealDeviceShowsNoKeysThatDriveIt() {
    let shown = lines(Panel(PanelSample.status(simulated: false)))
    #expect(shown[0] == "demo" && shown[23] == "q quit")
    #expect(shown.contains("Fingers   right-index   left-thumb"))
  }

  @Test func withoutASensorNothingIsSaidOfFingers() {
    let shown = lines(Panel(PanelSample.status(sensor: "none", fingers: [])))
    #expect(shown.contains("Sensor    none"))
    #expect(!shown.contains { $0.contains("Fingers") || $0.contains("Biometry") })
    #expect(shown[23] == "q quit  r reboot  c/h/d clock +1m/1h/1d")
  }

  @Test func tenFingersHaveTenKeys() {
    let names = (1...10).map { "right-middle-finger-\($0)" }
    let shown = lines(Panel(PanelSample.status(fingers: names)))
    #expect(shown.contains { $0.contains("0 right-middle-finger-10") })
    #expect(shown[23].contains("1-0 lay a finger"))
  }

  @Test func anUnpluggedSensorIsCalledSoAndTheKeyPlugsItIn() {
    var panel = panel()
    panel.described(PanelSample.dump(["state": "idle", "plugged": "false"]))
    let shown = lines(panel)
    #expect(shown.contains("Sensor    simulated fingerprint sensor, unplugged"))
    #expect(shown[23].contains("u plug in"))
  }

  @Test func aDaemonThatDoesNotAnswerIsSaidInOneLine() {
    var panel = panel(asked: [PanelSample.asked()])
    panel.disconnected()
    let shown = lines(panel)
    #expect(shown[22].hasPrefix("No daemon answers; waiting for one."))
    #expect(shown[2] == "Asked     nothing")
  }

  // MARK: Sizes

  @Test(arguments: [(40, 10), (71, 24), (80, 17), (30, 1), (1, 1), (0, 0)])
  func aScreenThatIsTooSmallIsToldSo(_ columns: Int, _ rows: Int) {
    let size = ScreenSize(columns: columns, rows: rows)
    let shown = lines(panel(asked: [PanelSample.asked()], lines: 9), size)
    #expect(shown.count <= max(rows, 1) && shown.count <= 2)
    for line in shown { #expect(TerminalText.width(of: line) <= max(columns - 1, 1)) }
    if columns >= 40 { #expect(shown[0] == "Needs 72x18, has \(columns)x\(rows).") }
  }

  @Test(arguments: [(72, 18), (80, 24), (200, 60)])
  func noLineIsAsWideAsItsRow(_ columns: Int, _ rows: Int) {
    let long = String(repeating: "長い理由 ", count: 60)
    var asked = PanelSample.asked(long)
    (asked.shownAction, asked.programPath, asked.policy) = (long, long, long)
    var panel = panel(asked: [asked, asked])
    panel.told([PanelSample.line("a", at: 0, reason: long)])
    _ = panel.failed(long)
    let shown = lines(panel, ScreenSize(columns: columns, rows: rows))
    #expect(shown.count == rows)
    for line in shown { #expect(TerminalText.width(of: line) < columns, "\(line)") }
    #expect(shown[2].hasSuffix("…"))
  }

  // MARK: Text of others

  @Test func textOfOtherProgramsIsSanitized() {
    let evil = "a\u{1B}[2Jb\u{7}\r\nc\u{202E}d\u{9B}e"
    var asked = PanelSample.asked(evil)
    (asked.shownAction, asked.program, asked.programPath) = (evil, evil, evil)
    (asked.policy, asked.terminal, asked.factors) = (evil, evil, [evil])
    var panel = panel(asked: [asked, asked])
    panel.told([PanelSample.line("a", evil, at: 0, reason: evil)])
    _ = panel.failed(evil)
    for line in lines(panel) {
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9B })
      #expect(!line.contains("\u{202E}"))
    }
  }

  // MARK: Color

  @Test func withoutColorNothingButTextIsWritten() {
    let shown = lines(panel(asked: [PanelSample.asked()], lines: 3))
    #expect(!shown.joined().contains("\u{1B}"))
  }

  @Test func colorChangesNoWord() {
    let panel = panel(asked: [PanelSample.asked()], lines: 3)
    let colored = lines(panel, hasColor: true)
    #expect(colored[2].contains("\u{1B}[1mdeploy to production\u{1B}[0m"))
    let plain = colored.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
    #expect(plain == lines(panel))
  }
}
