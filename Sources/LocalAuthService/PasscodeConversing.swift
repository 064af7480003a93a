public import LocalAuthCore

/// The port to PAM.
///
/// It is used, and calls back, on the engine's thread only.
public protocol PasscodeConversing: AnyObject {
  /// Starts to authenticate the user `uid` against the PAM service.
  ///
  /// `onEvent` is never called before this has returned, and ends with exactly one `ended`, whatever
  /// becomes of the worker: it is stopped when it takes longer than `limit`.
  func converse(
    uid: UInt32,
    service: String,
    directory: String?,
    limit: Duration,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> any Judgment
}
