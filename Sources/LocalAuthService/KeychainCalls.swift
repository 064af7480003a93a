public import LocalAuthCore
public import LocalAuthKeychain

extension Engine {
  /// Performs `request` on the caller's keychain.
  ///
  /// `onEvent` may be called before this returns; ``KeychainEvent/finished(_:)`` is the last event.
  /// Cancel with ``cancelKeychain(_:)`` and the returned identifier.
  public func keychain(
    _ request: KeychainRequest,
    caller: Caller,
    onEvent: @escaping (KeychainEvent) -> Void
  ) throws(EngineError) -> EvaluationID {
    let device = try device(named: request.asking.device, of: caller)
    let counts = request.asking.allowsSimulated || !device.record.isSimulated
    guard !counts || device.sealedKeybag == nil || device.opensKeybag else { throw .damagedKeybag }
    var request = request
    if request.asking.asksAgent {
      if let scripted = request.asking.answeredByScript(on: device) {
        request.asking = scripted
      } else if !agentDesk.canAsk(for: caller) {
        request.asking.isInteractive = false
      }
    }
    // The identifier is private, so it need not be random.
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
    // Items without access control can be read while nothing can be written; a proof waits for the
    // store by itself.
    case .copy, .copyEach, .useKey: run.begin()
    case .add, .update, .delete, .generateKey, .evaluate:
      runner.whenStorageWorks(device) { failure in
        if let failure { run.fail(.storage(failure)) } else { run.begin() }
      }
    }
    // A search that needs no proof has finished by now.
    if !run.isFinished { keychainRuns[run.id] = run }
    return run.id
  }

  /// Cancels a keychain call whose caller went away or changed its mind; a change already being
  /// written stays.
  public func cancelKeychain(_ id: EvaluationID) { keychainRuns[id]?.cancel(.appCancel) }

  /// Ends the authorizations of a context that a client invalidated.
  public func contextEnded(_ context: ContextIdentity) {
    for device in devices.values { device.authorizations.contextEnded(context) }
  }

  /// Ends the authorizations of all contexts of a connection that closed, a backup that it made or read, and what
  /// it has sent for a key-value store or of a document and did not finish.
  public func connectionEnded(_ connection: UInt64) {
    backupConnectionEnded(connection)
    keyValueConnectionEnded(connection)
    documentConnectionEnded(connection)
    for device in devices.values { device.authorizations.connectionEnded(connection) }
  }
}
