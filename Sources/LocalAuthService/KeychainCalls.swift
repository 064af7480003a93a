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
    _ = try device(named: request.asking.device, of: caller)
    onEvent(.finished(KeychainAnswer(error: .unsupported("keychain"))))
    return EvaluationID(using: &random)
  }

  /// The caller of a keychain call went away or changed its mind; what is being made durable stays.
  public func cancelKeychain(_ id: EvaluationID) {}

  /// A client invalidated a context: its authorizations end.
  public func contextEnded(_ context: ContextIdentity) {}

  /// A connection closed: the authorizations of all its contexts end.
  public func connectionEnded(_ connection: UInt64) {}
}
