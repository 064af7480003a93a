import LocalAuthClient
import LocalAuthCore
import LocalAuthWire

/// `authctl can-evaluate`.
enum CanEvaluateVerb {
  static let policy = Option<String>(
    "policy",
    "NAME",
    source: .policies,
    help: "the policy to evaluate"
  )

  static let command = Command(
    "can-evaluate",
    abstract: "Say whether a policy could be evaluated now; ask nobody.",
    discussion: "Exits with the status that an evaluation would end with at once, or with 0.",
    options: [policy.declaration]
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let device = try context.device()
    var call = AuthenticationMessages.CanEvaluateCall()
    call.policy = context.arguments[policy]
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    let reply = try context.call(Methods.canEvaluate, call)
    let result = try context.calling { () throws(ClientError) in try device.checked(reply.result) }
    var report = Report(result, advice: context.advice(for: result, device)) {
      $0.member("biometryType", reply.biometryType)
      $0.member("domainState", reply.domainState)
    }
    if report.outcome == .success {
      report.remark = "\(result.policy) can be evaluated" + (result.simulated ? " (simulated)" : "")
    }
    return report
  }
}
