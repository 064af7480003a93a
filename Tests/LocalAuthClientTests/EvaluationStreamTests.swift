import LocalAuthClient
import LocalAuthSecret
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire
import Testing

@Suite struct EvaluationStreamTests {
  private func call() -> AuthenticationMessages.EvaluateCall {
    var call = AuthenticationMessages.EvaluateCall()
    call.policy = "biometrics"
    call.reason = "test"
    return call
  }

  private static func continuing(_ parameters: String) -> String {
    #"{"parameters":\#(parameters),"continues":true}"#
  }

  private static func last(_ parameters: String) -> String { #"{"parameters":\#(parameters)}"# }

  /// What the first event is, or the error in its place, when the daemon answers so.
  private func firstEvent(_ reply: String, of device: DeviceChoice) throws -> String {
    try withFakeDaemon { daemon, request in
      daemon.reply(reply, to: request)
    } _: { daemon in
      var stream = try EvaluationStream(evaluating: call(), on: device, at: address(of: daemon))
      do throws(ClientError) {
        switch try stream.next() {
        case .queued(let ahead): return "queued \(ahead)"
        case .prompt(let prompt): return "prompt \(prompt.nonce)"
        case .notice(let notice): return "notice \(notice.text)"
        case .result(let result): return "result \(result.outcome)"
        case .registered, .dismissed: return "what an agent is told"
        }
      } catch {
        return kind(error)
      }
    }
  }

  @Test func requestSaysWhichDeviceAndWhetherSimulatedCounts() throws {
    try withFakeDaemon { daemon, request in
      daemon.reply(Self.continuing(#"{"queued":1}"#), to: request)
    } _: { daemon in
      var lying = call()
      lying.device = "another"
      lying.allowSimulated = true
      let chosen = try choice(nil, ["LOCALAUTH_DEVICE": "sim"])
      var stream = try EvaluationStream(
        evaluating: lying,
        on: chosen,
        at: address(of: daemon)
      )
      _ = try stream.next()
      let sent = daemon.requests.first?.text
      #expect(
        sent == #"{"method":"io.localauth.Authentication.Evaluate","parameters":{"#
          + #""policy":"biometrics","reason":"test","device":"sim","allowSimulated":false},"#
          + #""more":true}"#
      )
    }
  }

  @Test func everyKindOfEventIsTold() throws {
    let device = try choice("sim")
    #expect(try firstEvent(Self.continuing(#"{"queued":2}"#), of: device) == "queued 2")
    let prompt = #"{"prompt":\#(promptJSON(nonce: "n1"))}"#
    #expect(try firstEvent(Self.continuing(prompt), of: device) == "prompt n1")
    let notice = #"{"notice":{"kind":"miss","text":"no"}}"#
    #expect(try firstEvent(Self.continuing(notice), of: device) == "notice no")
    let success = #"{"result":\#(resultJSON("success", exit: 0))}"#
    #expect(try firstEvent(Self.last(success), of: device) == "result success")
  }

  @Test func simulatedSuccessIsCheckedHereOnceMore() throws {
    let success = Self.last(#"{"result":\#(resultJSON("success", exit: 0))}"#)
    let chosen = try choice(nil, ["LOCALAUTH_DEVICE": "sim"])
    #expect(try firstEvent(success, of: chosen) == "result simulatedNotAllowed")
  }

  @Test func replyThatBreaksTheStreamsRulesIsRefused() throws {
    let device = try choice("sim")
    let success = #""result":\#(resultJSON("success", exit: 0))"#
    for reply in [
      Self.continuing("{\(success)}"), Self.last(#"{"queued":1}"#), Self.continuing("{}"),
      Self.last("{}"), Self.last(#"{"queued":1,\#(success)}"#),
      Self.last(#"{"result":\#(resultJSON("success", exit: 10))}"#), "{}", "x",
    ] {
      #expect(try firstEvent(reply, of: device) == "protocolError", "\(reply)")
    }
  }

  @Test func daemonThatEndsMeanwhileIsNoSuccess() throws {
    try withFakeDaemon { daemon, request in
      daemon.reply(Self.continuing(#"{"prompt":\#(promptJSON(nonce: "n1"))}"#), to: request)
      daemon.close(request.connection)
    } _: { daemon in
      var stream = try EvaluationStream(
        evaluating: call(),
        on: choice("sim"),
        at: address(of: daemon)
      )
      _ = try stream.next()
      #expect(kind(failure { try stream.next() }) == "unreachable")
      #expect(kind(failure { try stream.next() }) == "unreachable")
    }
  }

  @Test func answersGoOverASecondConnection() throws {
    try withFakeDaemon { daemon, request in
      if request.text.contains("Evaluate") {
        daemon.reply(Self.continuing(#"{"prompt":\#(promptJSON(nonce: "n1"))}"#), to: request)
      } else if request.text.contains(#""nonce":"n1""#) {
        daemon.reply(#"{"error":"io.localauth.Authentication.PromptNotFound"}"#, to: request)
        daemon.send(Self.continuing(#"{"prompt":\#(promptJSON(nonce: "n2"))}"#), on: 0)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Self.last(#"{"result":\#(resultJSON("success", exit: 0))}"#), on: 0)
      }
    } _: { daemon in
      var stream = try EvaluationStream(
        evaluating: call(),
        on: choice("sim"),
        at: address(of: daemon)
      )
      _ = try stream.next()
      let passcode = secret("2468")
      let late = failure {
        try stream.answers.respond(nonce: "n1", passcode: passcode)
      }
      #expect(kind(late) == "io.localauth.Authentication.PromptNotFound")
      guard case .prompt(let second) = try stream.next() else {
        Issue.record("no second prompt")
        return
      }
      try stream.answers.respond(nonce: second.nonce, passcode: passcode)
      guard case .result(let end) = try stream.next() else {
        Issue.record("no result")
        return
      }
      #expect(end.outcome == "success")
      let answers = daemon.requests.dropFirst()
      #expect(answers.allSatisfy { $0.connection > 0 })
      #expect(answers.map(\.text).last?.contains(#""nonce":"n2","passcode":"2468""#) ?? false)
    }
  }

  @Test func cancellingAndFallingBackNameTheirPrompt() throws {
    try withFakeDaemon { daemon, request in
      guard request.text.contains("Respond") else { return }
      daemon.reply("{}", to: request)
    } _: { daemon in
      var stream = try EvaluationStream(
        evaluating: call(),
        on: choice("sim"),
        at: address(of: daemon)
      )
      try stream.answers.fallback(nonce: "n1")
      try stream.answers.cancel(nonce: "n2")
      let method = #"{"method":"io.localauth.Authentication.Respond","parameters":"#
      #expect(
        daemon.requests.filter { $0.connection == 1 }.map(\.text) == [
          method + #"{"nonce":"n1","action":"fallback"}}"#,
          method + #"{"nonce":"n2","action":"cancel"}}"#,
        ]
      )
    }
  }
}
