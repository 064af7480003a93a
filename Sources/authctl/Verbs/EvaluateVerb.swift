import LocalAuthClient
import LocalAuthCore
import LocalAuthDialog
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthWire

/// `authctl evaluate`.
enum EvaluateVerb {
  static let policy = Option<String?>(
    "policy",
    "NAME",
    source: .policies,
    help: "the policy to evaluate"
  )
  static let reason = Option<Reason>("reason", "TEXT", help: "why, as the person reads it")
  static let action = Option<ActionArgument?>(
    "action",
    "TEXT",
    help: "what exactly is approved: shown, and its digest answered and audited"
  )
  static let timeout = Option<Patience>(
    "timeout",
    "DURATION",
    default: "30s",
    help: "how long the person has to answer"
  )
  static let maxAge = Option<Age?>(
    "max-age",
    "DURATION",
    help: "take an earlier success that is no older, and let this one be remembered"
  )
  static let maxUses = Option<UseCount?>(
    "max-uses",
    "N",
    help: "how often this success may answer again"
  )
  static let nonInteractive = Flag("non-interactive", help: "ask nobody, answer at once")
  static let agent = Flag("agent", help: "have an agent ask, as without a terminal")
  static let script = Option<ScriptOption?>(
    "script",
    "EVENTS|@FILE|-",
    source: .files,
    help: "what happens at the simulated sensor, and what is answered"
  )
  static let descriptor = Option<Int?>(
    "passcode-fd",
    "N",
    help: "answer the first question for a passcode from this open descriptor"
  )

  /// Which of the options that say who is asked exclude each other.
  static let exclusions = [
    ["non-interactive", "script"], ["non-interactive", "passcode-fd"],
    ["agent", "non-interactive"], ["agent", "script"], ["agent", "passcode-fd"],
    ["headless", "non-interactive"], ["headless", "agent"],
  ]

  static let command = Command(
    "evaluate",
    abstract: "Evaluate a policy and exit with its outcome.",
    discussion: """
      Asks on the terminal, never on standard input or output; where there is none, an agent asks.
      Exits with 0 only when the policy's requirement was proven; each other outcome has an exit
      status of its own, which the manual page lists. A simulated device counts only when it is named
      with --device. Where another process drives its sensor, as in a test, --headless waits for that
      and shows nothing.

      With --max-age an earlier success answers in place of the person, where the same policy, action
      and audience were approved in this session on this terminal, as far as the policy allows; see
      authctl grant list.

        authctl evaluate --policy device-owner --reason "deploy" && ./deploy
        authctl --device sim evaluate --policy biometrics --reason test --script match
        authctl --device sim evaluate --policy biometrics --reason test --headless
        authctl evaluate --policy device-owner --reason pay --action "pay 10 to ann" \\
          --assertion --audience https://pay.example --nonce 8c2f
      """,
    options: [
      policy.declaration, reason.declaration, action.declaration, timeout.declaration,
      maxAge.declaration, maxUses.declaration, nonInteractive.declaration, agent.declaration,
      Headless.flag.declaration, script.declaration, descriptor.declaration,
    ] + AssertionOptions.declarations,
    exclusions: exclusions
  ) { (context) throws(Failure) in try run(context) }

  /// Returns the request, without secrets, the device and who can be asked.
  static func request(_ arguments: ParsedArguments) -> AuthenticationMessages.EvaluateCall {
    var call = AuthenticationMessages.EvaluateCall()
    call.policy = arguments[policy] ?? ""
    call.reason = arguments[reason].text
    call.action = arguments[action]?.action.text
    call.timeoutMilliseconds = arguments[timeout].milliseconds
    call.maxUses = arguments[maxUses]?.count
    call.scriptIsArgument = arguments[script].map { $0.isInline }
    return call
  }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = context.arguments
    guard arguments[maxUses] == nil || arguments[maxAge] != nil else {
      throw Failure(
        .usage,
        "--max-uses says how often a remembered success counts: give --max-age."
      )
    }
    let wish = try AssertionOptions.wish(arguments)
    var call = request(arguments)
    call.policy = try AssertionOptions.policy(context)
    call.assertion = wish
    call.maxAgeSeconds = try AssertionOptions.maxAge(arguments)
    let report = try evaluate(call, context)
    guard wish == nil || report.outcome != .success || !report.answer.isEmpty else {
      throw Failure(.internalError, "The daemon did not sign the success: restart it.")
    }
    return report
  }

  /// Evaluates what `call` says, asks whom the options name, and reports the outcome.
  static func evaluate(
    _ call: AuthenticationMessages.EvaluateCall,
    _ context: VerbContext
  ) throws(Failure) -> Report {
    let arguments = context.arguments
    let device = try context.device()
    let isHeadless = try context.isHeadless(on: device)
    let script: Secret? =
      if let option = arguments[Self.script] { try option.read() } else { nil }
    let answer = try givenAnswer(arguments)
    let isSilent = arguments[nonInteractive] || arguments[agent] || isHeadless
    let terminal = isSilent ? nil : try? Terminal()
    let asksAgent =
      terminal == nil && script == nil && answer == nil && !isHeadless
      && !arguments[nonInteractive]
    var call = call
    call.timeoutMilliseconds = arguments[timeout].milliseconds
    call.scriptIsArgument = arguments[Self.script].map { $0.isInline }
    call.interactive = !arguments[nonInteractive]
    call.agent = asksAgent ? true : nil
    // There is no other passcode to try, so a wrong one ends the evaluation with its real outcome.
    if answer != nil, terminal == nil { call.passcodeTries = 1 }
    let address = try context.address()
    let stream = try begin(call, script) { (call) throws(ClientError) in
      try EvaluationStream(evaluating: call, on: device, at: address)
    } failing: {
      Failure($0, typed: context.typed())
    }
    let answersFirst = arguments[Self.script] != nil || arguments[descriptor] != nil
    // If nobody is asked here, only an agent or a queued script can answer.
    let isUnattended =
      terminal == nil && arguments[Self.script] == nil && !asksAgent && !isHeadless
    let run = DialogRun(
      Dialog(
        .caller(reason: call.reason),
        given: answer,
        isUnattended: isUnattended
      ),
      about: stream,
      on: DialogScreen(on: terminal, style: context.promptStyle, opensAtOnce: !answersFirst),
      timeout: arguments[timeout].duration
    )
    return try DialogEnd.report(of: run, context, device)
  }

  private static func givenAnswer(_ arguments: ParsedArguments) throws(Failure) -> SecretBox? {
    guard let number = arguments[descriptor] else { return nil }
    return SecretBox(try SecretInput.line(of: number))
  }

  /// Sends the request with its script, which is lent from secret memory until it is sent.
  private static func begin(
    _ call: AuthenticationMessages.EvaluateCall,
    _ script: consuming Secret?,
    _ body: (AuthenticationMessages.EvaluateCall) throws(ClientError) -> EvaluationStream,
    failing: (ClientError) -> Failure
  ) throws(Failure) -> EvaluationStream {
    do throws(ClientError) {
      guard let script else { return try body(call) }
      return try script.lend { (secret) throws(ClientError) in
        var call = call
        call.script = secret
        return try body(call)
      }
    } catch {
      throw failing(error)
    }
  }
}
