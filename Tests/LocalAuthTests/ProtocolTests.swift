import LocalAuth
import LocalAuthWire
import Testing

/// What a service must not be able to make of an answer.
@Suite
struct ProtocolTests {
  private static let status =
    #"{"parameters":{"device":{"name":"x","simulated":false,"sensor":"simulated","fingers":[],"#
    + #""passcode":"none","lockState":"unlocked","keychain":"ready","lockout":"three-strikes","#
    + #""passcodeDelays":"apple-current","biometry":"usable","passcodeState":"usable","#
    + #""prompting":false,"waiting":0},"asked":[],"daemon":{"version":"1","pid":1,"uptimeSeconds":1,"#
    + #""connections":1,"memoryLocked":true,"storage":"memory"}}}"#

  private static func result(
    outcome: String = "success",
    exit: Int = 0,
    policy: String = "biometrics",
    device: String = "x",
    method: String = #""fingerprint""#,
    simulated: Bool = false,
    rest: String = ""
  ) -> String {
    #"{"parameters":{"result":{"outcome":"\#(outcome)","exit":\#(exit),"message":"m","#
      + #""policy":"\#(policy)","device":"\#(device)","method":\#(method),"attempts":1,"#
      + #""evaluation":"e","simulated":\#(simulated),"scriptEventsLeft":0}}\#(rest)}"#
  }

  private func evaluate(_ replies: String...) async -> Result<Evaluation, AuthError> {
    let service = PreparedService(replies: [Self.status] + replies)
    let context = AuthContext(device: Device("x", servedBy: service))
    context.prompter = .nobody
    do throws(AuthError) {
      return .success(try await context.evaluate(.biometrics, reason: "test"))
    } catch {
      return .failure(error)
    }
  }

  @Test func wellFormedSuccessCounts() async throws {
    let evaluation = try await evaluate(Self.result()).get()
    #expect(evaluation.methods == [.fingerprint])
    #expect(evaluation.id == "e")
  }

  @Test func whoHasNoUserInterfaceHasAnAgentAskWhereThatWasSaid() async throws {
    let prompters: [(Prompter, interactive: Bool, agent: Bool)] = [
      (.agent, true, true), (.nobody, false, false), (.custom(PromptWatcher()), true, false),
    ]
    for (prompter, interactive, agent) in prompters {
      let service = PreparedService(replies: [Self.status, Self.result()])
      let context = AuthContext(device: Device("x", servedBy: service))
      context.prompter = prompter
      try await context.evaluate(.biometrics, reason: "test")
      let asked = service.log.last
      #expect(asked.contains(#""interactive":\#(interactive)"#), "\(asked)")
      #expect(asked.contains(#""agent":true"#) == agent, "\(asked)")
    }
  }

  @Test(
    arguments: [
      result(outcome: "triumph"), result(exit: 1), result(outcome: "timeout"),
      result(policy: "passcode"), result(device: "y"), result(method: "null"),
      result(method: #""""#), result(method: #""+""#), result(rest: #","continues":true"#),
      #"{"parameters":{}}"#, #"{"parameters":{"queued":1}}"#, "{}", "[]", "", "no JSON",
      #"{"parameters":{"result":{"outcome":"success"}}}"#,
      #"{"error":"io.localauth.Authentication.Strange","parameters":{}}"#,
    ]
  )
  func answerThatContradictsItselfIsNoSuccess(_ reply: String) async throws {
    let end = await evaluate(reply)
    #expect(throws: AuthError.self) { try end.get() }
    guard case .failure(let error) = end else { return }
    #expect(error.outcome == .internalError)
    guard case .protocolError = error else {
      Issue.record("\(error) is no protocol error")
      return
    }
  }

  @Test func simulatedSuccessOfTheUsersOwnMachineDoesNotCount() async throws {
    let service = PreparedService(replies: [Self.status, Self.result(simulated: true)])
    let context = AuthContext(device: Device(nil, servedBy: service))
    context.prompter = .nobody
    await #expect(throws: AuthError.simulatedNotAllowed) {
      try await context.evaluate(.biometrics, reason: "test")
    }
  }

  @Test(
    arguments: [
      ("Internal", #""message":"broken""#, AuthError.internalError("broken")),
      ("NotPermitted", #""message":"no""#, .notPermitted("no")), ("LimitReached", "", .busy),
      ("PolicyUnusable", #""message":"bad""#, .badConfiguration("bad")),
      (
        "Refused", #""outcome":"passcodeThrottled","retryAfterSeconds":7"#,
        .passcodeThrottled(retryAfter: .seconds(7))
      ),
      ("Refused", "", .internalError("")),
      ("Refused", #""outcome":"success""#, .protocolError("a refusal that is a success")),
    ] as [(String, String, AuthError)]
  )
  func errorsOfTheServiceKeepTheirMeaning(
    _ name: String,
    _ parameters: String,
    _ error: AuthError
  ) async throws {
    let reply = #"{"error":"io.localauth.Authentication.\#(name)","parameters":{\#(parameters)}}"#
    let end = await evaluate(reply)
    #expect(throws: error) { try end.get() }
  }
}
