import LocalAuthCore
import LocalAuthPolicies
import LocalAuthService
import LocalAuthWire

/// The methods of `io.localauth.Policies`.
enum PolicyMethods {
  static let handlers = [
    Handler(Methods.listPolicies, listPolicies),
    Handler(Methods.showPolicy, showPolicy),
    Handler(Methods.checkPolicy, checkPolicy),
  ]

  private static func listPolicies(_: ServiceMessages.Empty, _ call: borrowing Call) {
    let catalog = call.server.catalog
    var reply = PolicyMessages.ListReply()
    reply.policies = catalog.names.map { name in
      var line = PolicyMessages.PolicyLine()
      line.name = name
      line.origin = catalog.origin(of: name)?.word ?? ""
      switch catalog.policy(named: name) {
      case .success(let policy):
        line.usable = true
        line.summary = policy.summary
        line.acr = policy.acr
        line.requirement = policy.requirement.words(policy.presentation)
      case .failure(let error): line.message = "\(error)"
      }
      return line
    }
    call.reply(reply)
  }

  private static func showPolicy(_ parameters: PolicyMessages.ShowCall, _ call: borrowing Call) {
    let name = parameters.policy
    let catalog = call.server.catalog
    switch catalog.policy(named: name) {
    case .failure(let error): call.responder.fail(.init(error, policy: name))
    case .success(let policy):
      var reply = PolicyMessages.ShowReply()
      reply.name = name
      reply.origin = catalog.origin(of: name)?.word ?? ""
      reply.source = catalog.source(of: name) ?? ""
      reply.description = policy.explanation.joined(separator: "\n")
      call.reply(reply)
    }
  }

  private static func checkPolicy(_ parameters: PolicyMessages.CheckCall, _ call: borrowing Call) {
    let catalog = call.server.catalog
    var reply = PolicyMessages.CheckReply()
    let bytes = Array(parameters.source.utf8)
    let kind = PolicyKind(ofFileAt: parameters.file)
    guard kind == .policy else {
      let problem = catalog.problem(in: bytes, file: parameters.file, kind: kind)
      reply.valid = problem == nil
      reply.message = problem.map { "\($0)" }
      reply.description = problem == nil ? "A \(kind.words)." : nil
      return call.reply(reply)
    }
    switch catalog.check(bytes, file: parameters.file) {
    case .success(let policy):
      reply.valid = true
      reply.description = policy.explanation.joined(separator: "\n")
    case .failure(let error): reply.message = "\(error)"
    }
    call.reply(reply)
  }
}
