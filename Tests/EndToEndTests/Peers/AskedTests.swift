import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What `Status` says of what is asked on a device.
@Suite struct AskedTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let first: WireClient
  private let second: WireClient
  private let watching: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    first = try daemon.connect()
    second = try daemon.connect()
    watching = try daemon.connect()
    try first.create("sim", passcode: "1234")
  }

  private func asked(_ device: String = "sim") throws -> [JSONValue] {
    let reply = try watching.call(Interface.devices + "Status", ["device": .text(device)]).get()
    return reply["asked"]?.elements ?? []
  }

  @Test func whatIsAskedIsToldAndByWhom() throws {
    let prompt = try first.beginEvaluation(
      "device-owner",
      on: "sim",
      ["reason": "pay", "action": "pay 10 to ann"]
    )
    let asked = try #require(try asked().first)
    #expect(asked["evaluation"]?.string == prompt["evaluation"]?.string)
    #expect(asked["policy"]?.string == "device-owner" && asked["action"]?.string == "evaluate")
    #expect(asked["reason"]?.string == "pay")
    #expect(asked["shownAction"]?.string == "pay 10 to ann")
    #expect(asked["pid"]?.integer == Int(getpid()))
    #expect(asked["factors"]?.elements.compactMap(\.string) == ["biometry"])
    #expect((1...30).contains(asked["secondsLeft"]?.integer ?? 0))
  }

  @Test func whatHasThePromptIsFirstAndWhatWaitsFollows() throws {
    _ = try first.beginEvaluation(on: "sim", ["reason": "one"])
    try second.send(
      Interface.authentication + "Evaluate",
      WireClient.evaluation("passcode", on: "sim", ["reason": "two"]),
      more: true
    )
    #expect(try second.receive().parameters["queued"]?.integer == 1)
    #expect(try asked().compactMap { $0["reason"]?.string } == ["one", "two"])
    first.close()
    _ = try second.receivePrompt()
    let left = try asked()
    #expect(left.compactMap { $0["reason"]?.string } == ["two"])
    #expect(left.first?["factors"]?.elements.compactMap(\.string) == ["passcode"])
  }

  @Test func whatIsOverOrOnAnotherDeviceIsNotTold() throws {
    #expect(try asked().isEmpty)
    try first.create("other")
    _ = try first.beginEvaluation(on: "other")
    #expect(try asked().isEmpty)
    #expect(try asked("other").count == 1)
    #expect(try second.evaluate(on: "sim", script: "match").outcome == "success")
    #expect(try asked().isEmpty)
  }

  /// Whoever could read a nonce could answer, and the names of items are encrypted at rest.
  @Test func neitherTheNonceNorTheNameOfAnItemIsTold() throws {
    let item: JSONValue = ["class": "genp", "acct": "ann", "svce": "secret-mail"]
    let control: JSONValue = ["accessControl": ["protection": "ak", "flags": ["biometryAny"]]]
    let device: JSONValue = ["device": "sim", "allowSimulated": true]
    _ = try first.call(
      "io.localauth.Keychain.Add",
      device.setting(["query": item.setting(["accc": control]), "data": "aHVudGVyMg=="])
    ).get()
    try first.send(
      "io.localauth.Keychain.Copy",
      device.setting(["query": item.setting(["r_Data": true])]),
      more: true
    )
    let prompt = try first.receivePrompt()
    #expect(prompt["items"]?["text"]?.string?.contains("secret-mail") == true)
    let nonce = try #require(prompt["nonce"]?.string)
    let asked = try #require(try asked().first)
    #expect(asked["shownAction"]?.string == "open 1 item")
    var text: [UInt8] = []
    try asked.write(into: &text)
    let told = String(decoding: text, as: UTF8.self)
    for hidden in [nonce, "secret-mail", "ann"] { #expect(!told.contains(hidden), "\(told)") }
  }
}
