public import LocalAuthCore

/// The port to PAM.
///
/// It is called, and calls back, on the engine's thread only.
public protocol PasscodeConversing: AnyObject {
  /// Starts to authenticate the user `uid` against the PAM service, as `origin` asks for it.
  ///
  /// `onEvent` is not called before this returns, and ends with exactly one `ended`, whatever
  /// happens to the worker. The worker is stopped if it takes longer than `limit`.
  func converse(
    uid: UInt32,
    from origin: Origin,
    service: String,
    directory: String?,
    limit: Duration,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> any Judgment

  /// What keeps PAM from judging for that service at all, as far as it is known without asking; nil
  /// if nothing does.
  func obstacle(service: String, directory: String?) -> Outcome?
}

extension PasscodeConversing {
  /// Nothing is known without asking.
  public func obstacle(service: String, directory: String?) -> Outcome? { nil }
}
