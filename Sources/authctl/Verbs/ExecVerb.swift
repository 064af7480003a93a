import Glibc
import LocalAuthCore
import LocalAuthWire

/// `authctl exec`.
enum ExecVerb {
  static let policy = Option<String>(
    "policy",
    "NAME",
    default: "device-owner",
    help: "the policy to evaluate"
  )
  static let reason = Option<Reason>(
    "reason",
    "TEXT",
    default: "run a command",
    help: "why, as the person reads it"
  )

  static let command = Command(
    "exec",
    abstract: "Run a command only once a policy has been evaluated.",
    discussion: """
      The prompt shows the command's words, quoted, with the path of its file. On success this program
      becomes the command, without a shell and without another process, so status, signals and
      terminal are its own. Everything else exits with the outcome's status, and nothing is run.

      Unlike pkexec it changes no user: the command has your rights, your environment, your directory
      and your open descriptors, and you could have run it without being asked.

        authctl exec --reason deploy -- ./deploy --to production
      """,
    arguments: [NextProgram.words.declaration],
    options: [
      policy.declaration, reason.declaration, EvaluateVerb.timeout.declaration,
      EvaluateVerb.nonInteractive.declaration, EvaluateVerb.agent.declaration,
      Headless.flag.declaration, EvaluateVerb.script.declaration,
      EvaluateVerb.descriptor.declaration,
    ],
    exclusions: EvaluateVerb.exclusions
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let program = try NextProgram(context)
    guard let action = ActionText(program.text) else {
      throw Failure(
        .usage,
        "The command is longer than the \(ActionText.bytesMax) bytes that a prompt shows: put it into "
          + "a script. Nothing was run."
      )
    }
    var call = AuthenticationMessages.EvaluateCall()
    call.policy = context.arguments[policy]
    call.reason = context.arguments[reason].text
    call.action = action.text
    let report = try EvaluateVerb.evaluate(call, context)
    guard report.outcome == .success, report.exit == 0 else { return report }
    NextProgram.withhold([context.arguments[EvaluateVerb.descriptor]])
    // SAFETY: nothing changes the environment meanwhile.
    throw unsafe program.replaceProcess(environment: environ)
  }
}
