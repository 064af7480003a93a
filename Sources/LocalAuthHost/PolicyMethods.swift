import LocalAuthCore
import LocalAuthPolicies
import LocalAuthService
import LocalAuthWire

extension MethodHandlers {
  /// `io.localauth.Policies`.
  static var policyMethods: [(String, MethodHandler)] {
    [("List", listPolicies), ("Show", showPolicy), ("Check", checkPolicy)]
  }

  private static func listPolicies(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    _ = try parameters.read(ServiceMessages.Empty.self)
    var reply = PolicyMessages.ListReply()
    reply.policies = server.catalog.names.map { name in
      var line = PolicyMessages.PolicyLine()
      line.name = name
      line.origin = server.catalog.origin(of: name)?.word ?? ""
      switch server.catalog.policy(named: name) {
      case .success(let policy):
        line.usable = true
        line.summary = policy.summary
        line.acr = policy.acr
        line.requirement = policy.requirement.words(policy.presentation)
      case .failure(let error): line.message = "\(error)"
      }
      return line
    }
    responder.reply(reply)
  }

  private static func showPolicy(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let name = try parameters.read(PolicyMessages.ShowCall.self).policy
    switch server.catalog.policy(named: name) {
    case .failure(let error): responder.fail(.init(error, policy: name))
    case .success(let policy):
      var reply = PolicyMessages.ShowReply()
      reply.name = name
      reply.origin = server.catalog.origin(of: name)?.word ?? ""
      reply.source = server.catalog.source(of: name) ?? ""
      reply.description = policy.explanation.joined(separator: "\n")
      responder.reply(reply)
    }
  }

  private static func checkPolicy(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(PolicyMessages.CheckCall.self)
    var reply = PolicyMessages.CheckReply()
    let bytes = Array(call.source.utf8)
    let kind = PolicyKind(ofFileAt: call.file)
    guard kind == .policy else {
      let problem = server.catalog.problem(in: bytes, file: call.file, kind: kind)
      reply.valid = problem == nil
      reply.message = problem.map { "\($0)" }
      reply.description = problem == nil ? "A \(kind.words)." : nil
      return responder.reply(reply)
    }
    switch server.catalog.check(bytes, file: call.file) {
    case .success(let policy):
      reply.valid = true
      reply.description = policy.explanation.joined(separator: "\n")
    case .failure(let error): reply.message = "\(error)"
    }
    responder.reply(reply)
  }
}
