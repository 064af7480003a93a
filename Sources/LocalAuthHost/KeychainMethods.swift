import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

extension MethodHandlers {
  /// `io.localauth.Keychain`.
  static var keychainMethods: [(String, MethodHandler)] {
    [
      ("Add", add), ("AddAll", addAll), ("Copy", copy), ("Update", update), ("Delete", delete),
      ("GenerateKey", generateKey), ("Sign", sign), ("ExchangeKeys", exchangeKeys),
      ("EvaluateAccessControl", evaluateAccessControl), ("InvalidateContext", invalidateContext),
      ("Groups", groups),
    ]
  }

  private static func add(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(KeychainMessages.AddCall.self)
    var query = call.query.dictionary
    guard let given = try parameters.itemData(call.data, for: &query, server.limits) else {
      return responder.reply(KeychainMessages.AskReply.dataTooLarge(server.limits))
    }
    let item = NewItem(query, data: given.data)
    try perform(.add([item]), call.asking, query, server, parameters, responder)
  }

  private static func addAll(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(KeychainMessages.AddAllCall.self)
    guard 1...server.limits.addedItemsMax ~= call.items.count else {
      throw .invalidParameter("items")
    }
    var items: [NewItem] = []
    for item in call.items {
      var query = item.query.dictionary
      guard let given = try parameters.itemData(item.data, for: &query, server.limits) else {
        return responder.reply(
          KeychainMessages.AskReply.dataTooLarge(server.limits, failedItem: items.count)
        )
      }
      items.append(NewItem(query, data: given.data))
    }
    try perform(.add(items), call.asking, [:], server, parameters, responder)
  }

  private static func copy(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(KeychainMessages.CopyCall.self)
    var cursor: KeychainCursor?
    if let after = call.after {
      guard let read = KeychainCursor(text: after) else { throw .invalidParameter("after") }
      cursor = read
    }
    let query = call.query.dictionary
    try perform(.copy(query, after: cursor), call.asking, query, server, parameters, responder)
  }

  private static func update(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(KeychainMessages.UpdateCall.self)
    let query = call.query.dictionary
    var changes = call.changes.dictionary
    guard let given = try parameters.itemData(call.data, for: &changes, server.limits) else {
      return responder.reply(KeychainMessages.AskReply.dataTooLarge(server.limits))
    }
    try perform(
      .update(query, changes: changes, data: given.data),
      call.asking,
      query,
      server,
      parameters,
      responder
    )
  }

  private static func delete(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(KeychainMessages.DeleteCall.self)
    let query = call.query.dictionary
    try perform(.delete(query), call.asking, query, server, parameters, responder)
  }

  private static func generateKey(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(KeychainMessages.GenerateKeyCall.self)
    let query = call.query.dictionary
    try perform(.generateKey(query), call.asking, query, server, parameters, responder)
  }

  private static func sign(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(KeychainMessages.SignCall.self)
    let use = KeyUse.sign(call.message.bytes, try algorithm(call.algorithm))
    let query = call.query.dictionary
    try perform(.useKey(query, use), call.asking, query, server, parameters, responder)
  }

  private static func exchangeKeys(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(KeychainMessages.ExchangeKeysCall.self)
    guard let size = Int(exactly: call.size ?? 32) else { throw .invalidParameter("size") }
    let use = KeyUse.exchange(
      publicKey: call.publicKey.bytes,
      try algorithm(call.algorithm),
      size: size,
      sharedInfo: call.sharedInfo?.bytes ?? []
    )
    let query = call.query.dictionary
    try perform(.useKey(query, use), call.asking, query, server, parameters, responder)
  }

  private static func algorithm(_ name: String) throws(WireError) -> KeyAlgorithm {
    guard let algorithm = KeyAlgorithm(rawValue: name) else { throw .invalidParameter("algorithm") }
    return algorithm
  }

  private static func evaluateAccessControl(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(KeychainMessages.EvaluateAccessControlCall.self)
    let control: AccessControl
    do throws(WireError) {
      control = try call.accessControl.accessControl()
    } catch {
      throw .invalidParameter("accessControl")
    }
    let operations: [AccessOperation]
    switch call.operation {
    // A change begins with opening, and Apple knows no operation of its own for it.
    case "decrypt": operations = [.decrypt, .update]
    case "encrypt": operations = [.encrypt]
    case "delete": operations = [.delete]
    case "sign": operations = [.sign]
    case "computeKey": operations = [.computeKey]
    case "useKey": operations = [.sign, .computeKey]
    default: throw .invalidParameter("operation")
    }
    try perform(.evaluate(control, operations), call.asking, [:], server, parameters, responder)
  }

  private static func invalidateContext(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(KeychainMessages.InvalidateContextCall.self)
    guard let number = UInt64(exactly: call.context) else { throw .invalidParameter("context") }
    server.engine.contextEnded(
      ContextIdentity(connection: responder.connection, context: number)
    )
    responder.reply(ServiceMessages.Empty())
  }

  private static func groups(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    _ = try parameters.read(ServiceMessages.Empty.self)
    var reply = KeychainMessages.GroupsReply()
    reply.applicationIdentifier = responder.entitlement.applicationIdentifier
    reply.groups = responder.entitlement.accessGroups.names
    responder.reply(reply)
  }

  // MARK: Performing

  private static func perform(
    _ operation: KeychainRequest.Operation,
    _ asking: KeychainMessages.Asking,
    _ query: QueryDictionary,
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let evaluation = try evaluationRequest(asking, query, server, parameters, responder)
    let context = try context(asking, responder)
    // Only a prompt has to recognise the process again.
    let caller = evaluation.isInteractive ? responder.callerWithProcess : responder.caller
    var request = KeychainRequest(
      operation,
      asking: evaluation,
      context: context,
      groups: responder.entitlement.accessGroups
    )
    request.applicationPassword = try parameters.secret(
      asking.applicationPassword,
      "applicationPassword"
    )
    let engine = server.engine
    let isContextOwn = asking.context == nil
    do throws(EngineError) {
      let id = try engine.keychain(request, caller: caller) {
        switch $0 {
        case .asking(let event):
          responder.replyContinuing(KeychainMessages.AskReply(event, evaluation, caller))
        case .finished(let answer):
          responder.reply(answer, server.limits)
          // A context that the caller did not name is nobody's after this.
          if isContextOwn { engine.contextEnded(context) }
        }
      }
      responder.onCancel = { engine.cancelKeychain(id) }
    } catch {
      responder.fail(error)
    }
  }

  private static func evaluationRequest(
    _ asking: KeychainMessages.Asking,
    _ query: QueryDictionary,
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) -> EvaluationRequest {
    var reason = asking.reason
    if reason == nil, case .text(let prompt)? = query[QueryKey.useOperationPrompt.rawValue] {
      reason = prompt
    }
    guard reason?.utf8.count ?? 0 <= server.limits.reasonBytesMax else {
      throw .invalidParameter("reason")
    }
    var request = EvaluationRequest(
      policy: "",
      reason: reason ?? EvaluationRequest.keychainReason,
      device: asking.device
    )
    request.isInteractive = responder.more && asking.interactive ?? true
    request.asksAgent = asking.agent ?? false
    guard !request.asksAgent || asking.script == nil else { throw .invalidParameter("agent") }
    request.timeout = try timeout(asking.timeoutMilliseconds, server.limits)
    request.script = try script(asking.script, isArgument: asking.scriptIsArgument, parameters)
    request.allowsSimulated = asking.allowSimulated ?? false
    request.fallbackTitle = asking.fallbackTitle
    request.cancelTitle = asking.cancelTitle
    return request
  }

  /// The context that the caller named, or one that no other call has: callers' numbers are no
  /// larger than half of what there is.
  private static func context(
    _ asking: KeychainMessages.Asking,
    _ responder: Responder
  ) throws(WireError) -> ContextIdentity {
    let number: UInt64
    if let named = asking.context {
      guard let valid = UInt64(exactly: named) else { throw .invalidParameter("context") }
      number = valid
    } else {
      number = responder.nextOwnContext()
    }
    return ContextIdentity(connection: responder.connection, context: number)
  }
}

/// The data that a call brings, if any.
private struct GivenData {
  let data: SecretBox?
}

extension CallParameters {
  /// The data of an item, for which `dictionary` gets its mark; nil for one that is too large.
  fileprivate func itemData(
    _ data: WireSecret?,
    for dictionary: inout QueryDictionary,
    _ limits: WireLimits
  ) throws(WireError) -> GivenData? {
    guard let data else { return GivenData(data: nil) }
    guard let box = try self.data(data, "data", limit: limits.itemBytesMax) else { return nil }
    dictionary[QueryKey.valueData.rawValue] = .secret
    return GivenData(data: box)
  }
}
