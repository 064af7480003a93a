import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

/// The methods of `io.localauth.Keychain`.
enum KeychainMethods {
  static let handlers = [
    Handler(Methods.addItem, add),
    Handler(Methods.addItems, addAll),
    Handler(Methods.copyItems, copy),
    Handler(Methods.updateItems, update),
    Handler(Methods.deleteItems, delete),
    Handler(Methods.generateKey, generateKey),
    Handler(Methods.sign, sign),
    Handler(Methods.exchangeKeys, exchangeKeys),
    Handler(Methods.evaluateAccessControl, evaluateAccessControl),
    Handler(Methods.invalidateContext, invalidateContext),
    Handler(Methods.accessGroups, groups),
  ]

  private static func add(
    _ parameters: KeychainMessages.AddCall,
    _ call: borrowing Call
  ) throws(WireError) {
    var query = parameters.query.dictionary
    guard let given = try call.itemData(parameters.data, for: &query) else {
      return call.reply(KeychainMessages.AskReply.dataTooLarge(call.limits))
    }
    let item = NewItem(query, data: given.data)
    try perform(.add([item]), parameters.asking, query, call)
  }

  private static func addAll(
    _ parameters: KeychainMessages.AddAllCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard 1...call.limits.addedItemsMax ~= parameters.items.count else {
      throw .invalidParameter("items")
    }
    var items: [NewItem] = []
    for item in parameters.items {
      var query = item.query.dictionary
      guard let given = try call.itemData(item.data, for: &query) else {
        return call.reply(
          KeychainMessages.AskReply.dataTooLarge(call.limits, failedItem: items.count)
        )
      }
      items.append(NewItem(query, data: given.data))
    }
    try perform(.add(items), parameters.asking, [:], call)
  }

  private static func copy(
    _ parameters: KeychainMessages.CopyCall,
    _ call: borrowing Call
  ) throws(WireError) {
    var cursor: KeychainCursor?
    if let after = parameters.after {
      guard let read = KeychainCursor(text: after) else { throw .invalidParameter("after") }
      cursor = read
    }
    let query = parameters.query.dictionary
    guard let also = parameters.also else {
      return try perform(.copy(query, after: cursor), parameters.asking, query, call)
    }
    guard cursor == nil else { throw .invalidParameter("after") }
    guard also.count < call.limits.searchesMax else { throw .invalidParameter("also") }
    let searches = [query] + also.map(\.dictionary)
    try perform(.copyEach(searches), parameters.asking, query, call)
  }

  private static func update(
    _ parameters: KeychainMessages.UpdateCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let query = parameters.query.dictionary
    var changes = parameters.changes.dictionary
    guard let given = try call.itemData(parameters.data, for: &changes) else {
      return call.reply(KeychainMessages.AskReply.dataTooLarge(call.limits))
    }
    try perform(
      .update(query, changes: changes, data: given.data),
      parameters.asking,
      query,
      call
    )
  }

  private static func delete(
    _ parameters: KeychainMessages.DeleteCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let query = parameters.query.dictionary
    let onlyCounts = parameters.countOnly ?? false
    try perform(.delete(query, onlyCounts: onlyCounts), parameters.asking, query, call)
  }

  private static func generateKey(
    _ parameters: KeychainMessages.GenerateKeyCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let query = parameters.query.dictionary
    try perform(.generateKey(query), parameters.asking, query, call)
  }

  private static func sign(
    _ parameters: KeychainMessages.SignCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let use = KeyUse.sign(parameters.message.bytes, try algorithm(parameters.algorithm))
    let query = parameters.query.dictionary
    try perform(.useKey(query, use), parameters.asking, query, call)
  }

  private static func exchangeKeys(
    _ parameters: KeychainMessages.ExchangeKeysCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard let size = Int(exactly: parameters.size ?? 32) else { throw .invalidParameter("size") }
    let use = KeyUse.exchange(
      publicKey: parameters.publicKey.bytes,
      try algorithm(parameters.algorithm),
      size: size,
      sharedInfo: parameters.sharedInfo?.bytes ?? []
    )
    let query = parameters.query.dictionary
    try perform(.useKey(query, use), parameters.asking, query, call)
  }

  private static func algorithm(_ name: String) throws(WireError) -> KeyAlgorithm {
    guard let algorithm = KeyAlgorithm(rawValue: name) else { throw .invalidParameter("algorithm") }
    return algorithm
  }

  private static func evaluateAccessControl(
    _ parameters: KeychainMessages.EvaluateAccessControlCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let control: AccessControl
    do throws(WireError) {
      control = try parameters.accessControl.accessControl()
    } catch {
      throw .invalidParameter("accessControl")
    }
    let operations: [AccessOperation]
    switch parameters.operation {
    // An update first opens the item, and Apple has no operation of its own for it.
    case "decrypt": operations = [.decrypt, .update]
    case "encrypt": operations = [.encrypt]
    case "delete": operations = [.delete]
    case "sign": operations = [.sign]
    case "computeKey": operations = [.computeKey]
    case "useKey": operations = [.sign, .computeKey]
    default: throw .invalidParameter("operation")
    }
    try perform(.evaluate(control, operations), parameters.asking, [:], call)
  }

  private static func invalidateContext(
    _ parameters: KeychainMessages.InvalidateContextCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard let number = UInt64(exactly: parameters.context) else {
      throw .invalidParameter("context")
    }
    call.engine.contextEnded(
      ContextIdentity(connection: call.responder.connection, context: number)
    )
    call.reply(ServiceMessages.Empty())
  }

  private static func groups(_: ServiceMessages.Empty, _ call: borrowing Call) {
    var reply = KeychainMessages.GroupsReply()
    let entitlement = call.responder.entitlement
    reply.applicationIdentifier = entitlement.applicationIdentifier
    reply.groups = entitlement.accessGroups.names
    call.reply(reply)
  }

  // MARK: Performing

  private static func perform(
    _ operation: KeychainRequest.Operation,
    _ asking: KeychainMessages.Asking,
    _ query: QueryDictionary,
    _ call: borrowing Call
  ) throws(WireError) {
    let (engine, limits, responder) = (call.engine, call.limits, call.responder)
    let evaluation = try evaluationRequest(asking, query, call)
    let context = try context(asking, responder)
    let caller = responder.caller(of: evaluation)
    var request = KeychainRequest(
      operation,
      asking: evaluation,
      context: context,
      groups: responder.entitlement.accessGroups
    )
    request.applicationPassword = try call.secret(
      asking.applicationPassword,
      "applicationPassword"
    )
    let isContextOwn = asking.context == nil
    do throws(EngineError) {
      let id = try engine.keychain(request, caller: caller) {
        switch $0 {
        case .asking(let event):
          responder.replyContinuing(KeychainMessages.AskReply(event, evaluation, caller))
        case .finished(let answer):
          responder.reply(answer, limits)
          // No later call can use a context that the caller did not name.
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
    _ call: borrowing Call
  ) throws(WireError) -> EvaluationRequest {
    var reason = asking.reason
    if reason == nil, case .text(let prompt)? = query[QueryKey.useOperationPrompt.rawValue] {
      reason = prompt
    }
    guard reason?.utf8.count ?? 0 <= call.limits.reasonBytesMax else {
      throw .invalidParameter("reason")
    }
    var request = EvaluationRequest(
      policy: "",
      reason: reason ?? EvaluationRequest.keychainReason,
      device: asking.device
    )
    request.asksAgent = asking.agent ?? false
    guard !request.asksAgent || asking.script == nil else { throw .invalidParameter("agent") }
    let canAsk = call.responder.more || request.asksAgent
    request.isInteractive = canAsk && asking.interactive ?? true
    request.timeout = try call.timeout(asking.timeoutMilliseconds)
    request.script = try call.script(asking.script, isArgument: asking.scriptIsArgument)
    request.allowsSimulated = asking.allowSimulated ?? false
    request.passcodeTries = try asking.passcodeTries.map { tries throws(WireError) in
      guard tries > 0 else { throw .invalidParameter("passcodeTries") }
      return UInt32(clamping: tries)
    }
    request.fallbackTitle = asking.fallbackTitle
    request.cancelTitle = asking.cancelTitle
    return request
  }

  /// The context that the caller named, or one that no other call has.
  ///
  /// Callers' numbers are at most half of the largest, so they never meet those of
  /// `nextOwnContext()`.
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

/// The item data of a call, if any.
private struct GivenData {
  let data: SecretBox?
}

extension Call {
  /// Reads an item's data and marks it as present in `dictionary`; nil if it is too large.
  fileprivate func itemData(
    _ data: WireSecret?,
    for dictionary: inout QueryDictionary
  ) throws(WireError) -> GivenData? {
    guard let data else { return GivenData(data: nil) }
    guard let box = try self.data(data, "data", limit: limits.itemBytesMax) else { return nil }
    dictionary[QueryKey.valueData.rawValue] = .secret
    return GivenData(data: box)
  }
}
