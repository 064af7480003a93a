import LocalAuthTestSupport

/// What a fake daemon answers to `evaluate`, and how that is typed.
enum Replies {
  static func evaluation(
    _ outcome: String,
    exit: Int,
    simulated: Bool = true,
    left: Int = 0
  ) -> String {
    """
    {"parameters":{"result":{"outcome":"\(outcome)","exit":\(exit),"laError":0,"message":"It is so.",\
    "policy":"biometrics","device":"sim","method":"fingerprint","finger":"right-thumb","attempts":1,\
    "remainingAttempts":3,"evaluation":"0123","simulated":\(simulated),"scriptEventsLeft":\(left)}}}
    """
  }

  static let prompt = """
    {"parameters":{"prompt":{"nonce":"n1","evaluation":"e","policy":"passcode","reason":"r",\
    "caller":"c","device":"sim","simulated":true,"biometry":false,"passcode":true,\
    "passcodePrompt":"Passcode:","passcodeEchoes":false,"fallback":false}},"continues":true}
    """

  static let evaluate = ["evaluate", "--policy", "biometrics", "--reason", "r"]
}

extension ProgramRun {
  /// Runs the program against a daemon that answers every request with `replies`.
  static func answered(
    _ words: [String],
    answering replies: [String],
    input: String = "",
    environment: [String] = []
  ) throws -> (run: ProgramRun, requests: [String]) {
    try withFakeDaemon { daemon, request in
      for reply in replies { daemon.reply(reply, to: request) }
    } _: { daemon in
      let run = try ProgramRun(
        ["--socket", daemon.path] + words,
        input: input,
        environment: environment
      )
      return (run, daemon.requests.map(\.text))
    }
  }
}
