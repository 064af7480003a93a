import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What `authctl audit` tells: who, what, and how it ended.
@Suite struct AuditStoryTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient
  private var words: [String] { ["--home", daemon.home, "--device", "sim"] }

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
  }

  private func items(_ more: [String] = []) throws -> [JSONValue] {
    let run = try Authctl.run(words + ["--json", "audit"] + more)
    #expect(run.status == 0, "\(run.errors)")
    return try run.json["items"]?.elements ?? []
  }

  @Test func programPathTerminalAndWordsAreThereOfWhatWasShownInATerminal() throws {
    let asked = try TerminalProgram.authctl(
      words + ["evaluate", "--policy", "passcode", "--reason", "pay", "--action", "pay 10 to ann"]
    )
    try asked.wait(for: "asscode:")
    asked.type("1234\r")
    #expect(try asked.waitForExit() == .status(0), "\(asked.screen)")
    let line = try #require(try items().last)
    #expect(line["program"]?.string == "authctl")
    #expect(line["programPath"]?.string?.hasSuffix("/authctl") == true)
    #expect(line["terminal"]?.string?.hasPrefix("pts/") == true)
    #expect(line["shownAction"]?.string == "pay 10 to ann")
    let told = try Authctl.run(words + ["audit"]).output
    #expect(told.contains(" success: evaluate passcode on sim by passcode, simulated"))
    #expect(told.contains("\n  action: pay 10 to ann\n  reason: pay\n"))
    #expect(told.contains("/authctl, process ") && told.contains(" on pts/"))
    #expect(!told.contains("sha256"))
  }

  @Test func wordsThatNobodyWasShownAreNotTold() throws {
    let run = try Authctl.run(
      words + [
        "evaluate", "--policy", "passcode", "--reason", "pay", "--action", "pay 10 to ann",
        "--non-interactive",
      ]
    )
    #expect(run.status == 5)
    let line = try #require(try items().last)
    #expect(line["shownAction"]?.string == nil && line["terminal"]?.string == nil)
    #expect(line["detail"]?.string?.hasPrefix("action sha256 ") == true)
  }

  @Test func openedItemsAreCountedAndNotNamed() throws {
    let item = ["keychain", "add", "bank/ann", "--access-control", "userPresence", "--stdin"]
    #expect(try Authctl.run(words + item, input: "x").status == 0)
    let get = ["keychain", "get", "bank/ann", "--script", "passcode:1234"]
    #expect(try Authctl.run(words + get).status == 0)
    #expect(try items().last?["shownAction"]?.string == "open 1 item")
    let told = try Authctl.run(words + ["audit"]).output
    #expect(told.contains(" success: keychain on sim by passcode, simulated"), "\(told)")
    #expect(told.contains("\n  action: open 1 item\n"))
    #expect(!told.contains("bank") && !told.contains("ann"))
  }

  @Test func linesAreInTheOrderInWhichTheyEnded() throws {
    let waiting = try daemon.connect()
    let nonce = try waiting.beginEvaluation(on: "sim", ["policy": "biometrics"])["nonce"]
    _ = try client.call(
      "io.localauth.Sensor.Touch",
      ["device": "sim", "finger": "left-thumb"]
    )
    let prompt = try waiting.receivePrompt { $0["nonce"] != nonce }
    // Stored after the miss and ended before it.
    try client.create("other")
    let run = try Authctl.run(["--home", daemon.home, "--json", "audit", "--outcome", "unknown"])
    #expect(try run.json["items"]?.elements.count == 1)
    _ = try client.respond(try #require(prompt["nonce"]?.string), ["action": "cancel"])
    let late = try waiting.receiveResult().evaluation
    let all = try Authctl.run(["--home", daemon.home, "--json", "audit"]).json["items"]?.elements
    #expect(all?.last?["evaluation"]?.string == late)
  }

  @Test func everyLineSinceThenIsFoundHoweverManyAnswersItTakes() throws {
    // Each quotation mark is two bytes on the wire: this takes about three answers.
    let filler = String(repeating: "\"", count: 1000)
    for number in 1...600 {
      let result = try client.evaluate(
        on: "sim",
        ["interactive": false, "reason": .text("\(number) " + filler)]
      )
      #expect(result.outcome == "notInteractive")
    }
    let lines = try items(["--since", "1h", "--outcome", "failure"])
    let numbers = lines.compactMap { $0["reason"]?.string?.split(separator: " ").first }
    let all = (1...600).map { String($0) }
    #expect(numbers.map { String($0) } == all)
    #expect(try items(["--limit", "7", "--outcome", "failure"]).count == 7)
    #expect(try items(["--outcome", "success"]).map { $0["action"]?.string } == ["device create"])
    #expect(try items(["--since", "2999-01-01"]).isEmpty)
    let days = try Authctl.run(words + ["--json", "audit", "--summary", "--since", "48h"]).json
    let counted = days["days"]?.elements.compactMap { $0["lines"]?.integer }.reduce(0, +)
    #expect(counted == 601)
  }

  @Test func onlyTheWholeCopyIsVerified() throws {
    let run = try Authctl.run(words + ["audit", "--verify", "--since", "today"])
    #expect(run.status == 2 && run.errors.contains("--verify"))
  }

  @Test func aDeviceThatNeverWasIsAMistakeAndOneThatIsGoneIsNot() throws {
    let wrong = try Authctl.run(["--home", daemon.home, "audit", "--device", "nosuch"])
    #expect(wrong.status == 78 && wrong.errors.contains("nosuch"), "\(wrong.errors)")
    let followed = ["audit", "--device", "nosuch", "--follow"]
    let waiting = try Authctl.run(["--home", daemon.home] + followed)
    #expect(waiting.status == 78 && waiting.errors == wrong.errors, "\(waiting.errors)")
    try client.create("gone")
    let deleted = try Authctl.run(["--home", daemon.home, "device", "delete", "gone", "--yes"])
    #expect(deleted.status == 0, "\(deleted.errors)")
    let kept = try Authctl.run(["--home", daemon.home, "audit", "--device", "gone"])
    #expect(kept.status == 0 && !kept.output.isEmpty, "\(kept.errors)")
    let none = ["--device", "gone", "audit", "--outcome", "timeout"]
    #expect(try Authctl.run(["--home", daemon.home] + none).status == 0)
  }
}
