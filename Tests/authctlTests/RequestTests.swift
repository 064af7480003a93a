import LocalAuthWire
import Testing

@testable import authctl

/// What a command line asks the daemon for.
@Suite struct RequestTests {
  private struct NotARun: Error {}

  private func parse(_ line: String) throws -> ParsedArguments {
    let words = line.split(separator: " ").map { String($0) }
    guard case .run(_, let arguments) = try CommandTable.tree.parse(words) else { throw NotARun() }
    return arguments
  }

  private func isRefused(_ line: String) -> Bool { (try? parse(line)) == nil }

  @Test func evaluateAsksWhatWasTyped() throws {
    let call = EvaluateVerb.request(
      try parse("evaluate --policy device-owner --reason deploy --timeout 5m --script @/f")
    )
    #expect(call.policy == "device-owner")
    #expect(call.reason == "deploy")
    #expect(call.timeoutMilliseconds == 300_000)
    #expect(call.scriptIsArgument == false)
    // The device and whether simulated counts are not the request's to say.
    #expect(call.device == nil)
    #expect(call.allowSimulated == nil)
  }

  @Test func actionIsAskedForAsTypedOrRefused() throws {
    let words = ["evaluate", "--policy", "p", "--reason", "r", "--action"]
    guard case .run(_, let arguments) = try CommandTable.tree.parse(words + ["pay 10 to ann"])
    else { throw NotARun() }
    #expect(EvaluateVerb.request(arguments).action == "pay 10 to ann")
    for text in ["", "a  b", "a\nb", "a\u{202E}b", String(repeating: "x", count: 1025)] {
      #expect(throws: (any Error).self) { try CommandTable.tree.parse(words + [text]) }
    }
    #expect(EvaluateVerb.request(try parse("evaluate --policy p --reason r")).action == nil)
  }

  @Test func inlineScriptIsCalledAnArgument() throws {
    let line = "evaluate --policy p --reason r --script"
    #expect(EvaluateVerb.request(try parse(line + " miss")).scriptIsArgument == true)
    #expect(EvaluateVerb.request(try parse(line + " -")).scriptIsArgument == false)
    #expect(EvaluateVerb.request(try parse(line + "=@f")).scriptIsArgument == false)
    #expect(
      EvaluateVerb.request(try parse("evaluate --policy p --reason r")).scriptIsArgument == nil
    )
  }

  @Test func evaluateWaitsHalfAMinuteUnlessToldOtherwise() throws {
    let line = "evaluate --policy p --reason r"
    #expect(EvaluateVerb.request(try parse(line)).timeoutMilliseconds == 30_000)
    #expect(
      EvaluateVerb.request(try parse(line + " --timeout 250ms")).timeoutMilliseconds == 250
    )
  }

  @Test(arguments: ["0", "0ms", "3601s", "2h", "-1", "1d", "", "9223372036854775807"])
  func timeOutTheDaemonWouldRefuseIsAUsageError(_ text: String) {
    #expect(isRefused("evaluate --policy p --reason r --timeout=\(text)"))
  }

  @Test func reasonThatIsTooLongIsAUsageError() {
    let line = "evaluate --policy p --reason="
    #expect(!isRefused(line + String(repeating: "x", count: 1024)))
    #expect(isRefused(line + String(repeating: "x", count: 1025)))
    #expect(isRefused(line))
  }

  @Test(arguments: [
    "--non-interactive --script miss", "--non-interactive --passcode-fd 3", "--script @",
    "--script=", "--passcode-fd -1", "--passcode-fd x", "--passcode 1234", "extra",
  ])
  func contradictionsAreUsageErrors(_ options: String) {
    #expect(isRefused("evaluate --policy p --reason r \(options)"))
  }

  @Test func createAsksWhatWasTyped() throws {
    let call = DeviceCreateVerb.request(
      try parse(
        "device create sim --finger right-index --finger left-thumb --lockout android"
          + " --passcode-delays gatekeeper --sensor simulated"
      ),
      from: nil
    )
    #expect(call.device == "sim")
    #expect(call.fingers == ["right-index-finger", "left-thumb"])
    #expect(call.lockout == "android")
    #expect(call.passcodeDelays == "gatekeeper")
    #expect(call.sensor == "simulated")
    #expect(call.pamService == nil)
    #expect(call.stoppedClock == nil)
  }

  @Test func createWithPAMNamesTheServiceAndItsDirectory() throws {
    let plain = try parse("device create d --sensor none --passcode-provider pam")
    #expect(DeviceCreateVerb.request(plain, from: nil).pamService == "localauth")
    #expect(DeviceCreateVerb.request(plain, from: nil).fingers == nil)
    let named = try parse("device create d --passcode-provider pam --pam-service s")
    #expect(DeviceCreateVerb.request(named, from: "/d").pamService == "s")
    #expect(DeviceCreateVerb.request(named, from: "/d").pamDirectory == "/d")
  }

  @Test(arguments: [
    "device clock advance 3651d", "device clock advance d", "device clock advance 0d",
    "device create", "device create a b", "device create a --finger right-toe",
    "device create a --passcode-stdin --passcode-fd 3", "device clock advance 0",
    "device clock advance 4000000000", "sensor set stages", "sensor set =3",
    "sensor touch right-index --timeout 0", "sensor script miss --times 0",
    "sensor script miss --times 10001", "audit --limit 0", "audit --limit 10001",
    "audit --follow --summary", "audit --verify --follow", "audit --since never",
    "audit --outcome maybe",
    "sensor remove", "passcode", "policy show", "completion tcsh",
    "device unlock --stdin --finger", "passcode change --stdin --passcode-fd 3",
  ])
  func linesThatSayNothingAreUsageErrors(_ line: String) {
    #expect(isRefused(line))
  }

  @Test func clocksMoveByDaysTooAsTheAuditIsAskedFor() throws {
    for (word, seconds) in [("10d", 864_000), ("3650d", 315_360_000), ("48h", 172_800)] {
      let line = try parse("device clock advance \(word)")
      #expect(line[DeviceVerbs.step].duration == .seconds(seconds))
    }
  }

  @Test func scriptsAreRepeatedAsTyped() throws {
    let line = "sensor script miss"
    #expect(try parse(line)[SensorVerbs.times].times == 1)
    #expect(try parse(line + " --times 7")[SensorVerbs.times].times == 7)
    #expect(try parse(line + " --times always")[SensorVerbs.times].times == 0)
  }

  @Test func settingIsCutAtItsFirstEqualsSign() throws {
    let setting = try parse("sensor set seed=a=b")[SensorVerbs.setting]
    #expect(setting.key == "seed")
    #expect(setting.value == "a=b")
  }
}
