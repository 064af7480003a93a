public import LocalAuthCore
public import LocalAuthKeychain

extension Engine {
  /// Does what `request` asks of the caller's keychain.
  ///
  /// `onEvent` may be called before this returns, and ``KeychainEvent/finished(_:)`` is the last it
  /// hears. Cancel by ``cancelKeychain(_:)`` with the identifier that is returned.
  public func keychain(
    _ request: KeychainRequest,
    caller: Caller,
    onEvent: @escaping (KeychainEvent) -> Void
  ) throws(EngineError) -> EvaluationID {
    let device = try device(named: request.asking.device, of: caller)
    var request = request
    if request.asking.asksAgent {
      let scripted = request.asking.answeredByScript(on: device)
      if let scripted { request.asking = scripted }
      // Agents are asked for evaluations only.
      request.asking.asksAgent = false
      request.asking.isInteractive = scripted != nil
    }
    // It is told to nobody, so it need not be random.
    lastKeychainRun += 1
    let run = KeychainRun(
      id: EvaluationID(high: 0, low: lastKeychainRun),
      request: request,
      caller: caller,
      device: device,
      script: request.asking.script == nil ? nil : try player(for: request.asking, on: device),
      engine: self,
      onEvent: onEvent
    )
    switch request.operation {
    // What asks for no proof can be read while nothing can be written; a proof waits by itself.
    case .copy, .useKey: run.begin()
    case .add, .update, .delete, .generateKey, .evaluate:
      runner.whenStorageWorks(device) { failure in
        if let failure { run.fail(.storage(failure)) } else { run.begin() }
      }
    }
    // A search that asks nobody is over by now.
    if !run.isFinished { keychainRuns[run.id] = run }
    return run.id
  }

  /// The caller of a keychain call went away or changed its mind; what is being made durable stays.
  public func cancelKeychain(_ id: EvaluationID) { keychainRuns[id]?.cancel(.appCancel) }

  /// A client invalidated a context: its authorizations end.
  public func contextEnded(_ context: ContextIdentity) {
    for device in devices.values { device.authorizations.contextEnded(context) }
  }

  /// A connection closed: the authorizations of all its contexts end.
  public func connectionEnded(_ connection: UInt64) {
    for device in devices.values { device.authorizations.connectionEnded(connection) }
  }
}
