import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthPolicies
import LocalAuthWire

/// `authctl policy explain`.
enum PolicyExplainVerb {
  static let command = Command(
    "explain",
    abstract: "Explain a policy, and what decides now on a device.",
    discussion: """
      Says the clauses in words, draws what is asked for with what holds of each part on the device,
      and says what would satisfy it now, how many tries are left and how long the wait is. Then it
      names the authenticators of this machine for each clause, and what is missing. Asks nobody and
      charges nothing.
      """,
    arguments: [PolicyVerbs.name.declaration]
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let name = context.arguments[PolicyVerbs.name]
    let device = try context.device()
    var showing = PolicyMessages.ShowCall()
    showing.policy = name
    let shown = try context.call(Methods.showPolicy, showing)
    var asking = AuthenticationMessages.CanEvaluateCall()
    asking.policy = name
    asking.device = device.name
    asking.allowSimulated = device.allowsSimulated
    let preflight = try context.call(Methods.canEvaluate, asking)
    let policy: Policy
    do throws(PolicyError) {
      policy = try PolicyFile.parse(Array(shown.source.utf8), file: shown.origin)
    } catch {
      throw Failure(.badConfiguration, "\(error)")
    }
    let status = try context.call(Methods.status, DeviceVerbs.call(device))
    let list = try context.call(Methods.listAuthenticators, ServiceMessages.Empty())
    let clauses = ClauseAuthenticators(
      policy.requirement,
      on: status.device,
      among: list.authenticators
    )
    return report(shown, policy, preflight, clauses)
  }

  private static func report(
    _ shown: PolicyMessages.ShowReply,
    _ policy: Policy,
    _ preflight: AuthenticationMessages.CanEvaluateReply,
    _ clauses: ClauseAuthenticators
  ) -> Report {
    let tree = RequirementTree(policy, preflight.factors)
    let result = preflight.result
    let place = result.device + (result.simulated ? " (simulated)" : "")
    let answer =
      ["\(shown.name) (\(shown.origin)) on \(place)", ""] + Columns.paragraph(shown.description)
      + [""] + tree.lines + [""]
      + Columns.paragraph(tree.verdict(result)) + [""] + clauses.lines
    return Report("\(shown.name) is explained.", answer: answer) {
      $0.member("policy", shown.name)
      $0.member("origin", shown.origin)
      $0.member("description", shown.description)
      $0.member("device", result.device)
      $0.member("simulated", result.simulated)
      $0.member("factors", preflight.factors) { factor, writer in
        writer.member("factor", factor.factor)
        writer.member("state", factor.state)
        writer.member("message", factor.message)
        writer.member("remainingAttempts", factor.attemptsLeft)
        writer.member("retryAfterSeconds", factor.retryAfterSeconds)
      }
      $0.member("now", result.outcome)
      $0.member("because", result.isSuccess ? nil : result.message)
      $0.member("retryAfterSeconds", result.retryAfterSeconds)
      $0.member("ways", tree.ways) { way, writer in
        writer.member("factors", way.factors.map(\.rawValue))
      }
      $0.member("authenticators", clauses.rows) { row, writer in
        writer.member("clause", row.clause)
        writer.member("authenticator", row.name)
        writer.member("ready", row.isReady)
        writer.member("state", row.state)
      }
    }
  }
}
