import LocalAuthTerminal
import LocalAuthWire
import Testing

@testable import authctl

/// What the keys of the panel do, and what it says of what comes of them.
@Suite struct PanelTests {
  private func panel(
    simulated: Bool = true,
    sensor: String = "simulated",
    fingers: [String] = ["right-index-finger", "left-thumb"]
  ) -> Panel {
    Panel(PanelSample.status(simulated: simulated, sensor: sensor, fingers: fingers))
  }

  private func press(_ keys: String, _ panel: inout Panel) -> [Panel.Action] {
    keys.unicodeScalars.map { panel.pressed(.scalar($0)) }
  }

  // MARK: Keys

  @Test func aNumberLaysTheFingerWithThatNumber() {
    var panel = panel()
    #expect(press("2", &panel) == [.perform(.touch(finger: "left-thumb"))])
    #expect(panel.ended("match") == .nothing)
    #expect(panel.message?.text == "left-thumb is laid on the sensor: match.")
  }

  @Test func zeroLaysTheTenthFinger() {
    var panel = panel(fingers: (1...10).map { "finger-\($0)" })
    #expect(press("0", &panel) == [.perform(.touch(finger: "finger-10"))])
  }

  @Test(arguments: ["3", "9", "0"]) func aFingerThatIsNotThereIsNotLaid(_ key: String) {
    var panel = panel()
    #expect(press(key, &panel) == [.nothing])
    #expect(panel.message?.text.hasPrefix("There is no finger") ?? false)
  }

  @Test func withoutFingersItSaysHowOneIsEnrolled() {
    var panel = panel(fingers: [])
    #expect(press("1", &panel) == [.nothing])
    #expect(panel.message?.text == "No finger is enrolled: authctl --device demo sensor enroll")
  }

  @Test func thePlugIsPulledAndPutBack() {
    var panel = panel()
    #expect(press("u", &panel) == [.perform(.unplug)])
    _ = panel.ended("done")
    panel.described(PanelSample.dump(["plugged": "false"]))
    #expect(press("u", &panel) == [.perform(.plug)])
  }

  @Test func theClockEndsNoRefusalOfPasscodesAndThePanelSaysSo() {
    var panel = panel()
    #expect(press("h", &panel) == [.perform(.advance(.seconds(3600)))])
    var status = PanelSample.status()
    status.device.passcodeState = "passcodeThrottled"
    status.device.passcodeRetryAfterSeconds = 90
    panel.described(status)
    _ = panel.ended("")
    #expect(panel.message?.text.contains("Passcodes are refused for 90s still") == true)
  }

  @Test func theClockMovesByAMinuteAnHourOrADay() {
    for (key, seconds) in [("c", 60), ("h", 3600), ("d", 86_400)] {
      var panel = panel()
      #expect(press(key, &panel) == [.perform(.advance(.seconds(seconds)))])
    }
  }

  @Test func aRebootNeedsTheKeyTwiceInARow() {
    var panel = panel()
    #expect(press("rxr", &panel) == [.nothing, .nothing, .nothing])
    #expect(press("r", &panel) == [.perform(.reboot)])
  }

  @Test(arguments: [Key.scalar("q"), .cancel]) func itEndsByKey(_ key: Key) {
    var panel = panel()
    #expect(panel.pressed(key) == .end)
    panel.disconnected()
    #expect(panel.pressed(key) == .end)
  }

  @Test(arguments: [Key.scalar("x"), .scalar("ä"), .enter, .backspace, .clear, .fallback])
  func anyOtherKeyDoesNothingAndSaysWhereAPasscodeIsTyped(_ key: Key) {
    var panel = panel()
    #expect(panel.pressed(key) == .nothing)
    #expect(panel.message?.text.contains("passcode is typed where it is asked for") ?? false)
    #expect(panel.pressed(.nothing) == .nothing)
  }

  @Test func aRealDeviceIsDrivenByNoKeyAndSaysWhy() {
    var panel = panel(simulated: false)
    for action in press("12mucchdrr", &panel) { #expect(action == .nothing) }
    #expect(panel.message?.text.contains("is a real device") ?? false)
  }

  @Test func withoutASensorOnlyTheClockAndTheRebootAreThere() {
    var panel = panel(sensor: "none", fingers: [])
    #expect(press("1mu", &panel) == [.nothing, .nothing, .nothing])
    #expect(panel.message?.text == "demo has no sensor.")
    #expect(press("c", &panel) == [.perform(.advance(.seconds(60)))])
  }

  // MARK: One act after the other

  @Test func whatIsPressedMeanwhileIsDoneInItsOrder() {
    var panel = panel()
    #expect(press("m1c", &panel) == [.perform(.miss), .nothing, .nothing])
    #expect(panel.ended("miss") == .perform(.touch(finger: "right-index-finger")))
    #expect(panel.failed("No.") == .perform(.advance(.seconds(60))))
    #expect(panel.message == PromptMessage(.error, "No."))
    #expect(panel.ended("") == .nothing)
  }

  @Test func tooManyKeysAreRefused() {
    var panel = panel()
    _ = press(String(repeating: "m", count: 20), &panel)
    #expect(panel.message?.text == "Too many keys wait already.")
    var count = 1
    while panel.ended("miss") == .perform(.miss) { count += 1 }
    #expect(count == 9)
  }

  @Test func withoutADaemonNothingIsDoneAndWhatWaitedIsForgotten() {
    var panel = panel()
    _ = press("mm", &panel)
    panel.disconnected()
    #expect(!panel.isConnected && panel.asked.isEmpty)
    #expect(press("m", &panel) == [.nothing])
    panel.connected()
    #expect(press("m", &panel) == [.perform(.miss)])
  }

  // MARK: The audit

  @Test func aLineUnderWayIsReplacedByItsEnd() {
    var panel = panel()
    panel.told([PanelSample.line("a", "unknown", at: 1), PanelSample.line("b", at: 2)])
    panel.told([PanelSample.line("a", at: 3)])
    #expect(panel.audit.lines.map(\.evaluation) == ["b", "a"])
    #expect(panel.audit.lines.map(\.outcome) == ["success", "success"])
  }

  @Test func onlyTheNewestLinesAreKept() {
    var audit = PanelAudit()
    audit.take((0..<600).map { PanelSample.line("\($0)", at: Int64($0)) })
    #expect(audit.lines.count == PanelAudit.most)
    #expect(audit.lines.last?.evaluation == "599")
  }
}
