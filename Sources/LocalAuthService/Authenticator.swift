public import LocalAuthCore
public import LocalAuthSecret
public import LocalAuthSensor

/// What is to be judged.
public enum Submission {
  /// Nothing yet: the authenticator captures by itself.
  case none
  /// What a simulated sensor captured.
  case capture(Capture)
  /// What a person typed.
  case text(SecretBox)
}

/// What an authenticator says about one attempt, in its order.
public enum AuthenticatorEvent {
  /// It asks for a text; `echoes` tells whether the answer may be shown while it is typed.
  case prompt(text: String, echoes: Bool)
  /// It tells the person something.
  case info(String)
  /// It tells the person that something went wrong.
  case error(String)
  /// Somebody gave it something to judge: from now on the attempt is not given back.
  case submitted
  /// Judging the sample opened keys.
  case opened(any OpenedKeys)
  /// Its verdict; nothing follows.
  case ended(Verdict)
}

/// An attempt that an authenticator works on.
public protocol Judgment: AnyObject {
  /// Answers the prompt that waits.
  func respond(_ answer: SecretBox)
  /// Breaks the attempt off; `ended` still follows.
  func abort()
}

/// The port to one authenticator of one device: it judges one kind of evidence and knows nothing else, neither policy
/// nor caller nor key.
///
/// It is used, and calls back, on the engine's thread only.
public protocol Authenticator: AnyObject {
  /// What is known of it; it stays the same.
  var description: AuthenticatorDescription { get }
  /// Whether it is connected and can be asked now. The engine is told of a change by
  /// ``Engine/authenticatorsChanged(on:)``.
  var isReady: Bool { get }

  /// Has the attempt with this charge judged: captures what it judges by itself, or judges `sample`.
  ///
  /// The charge is durable. `onEvent` ends with exactly one `ended`, whatever becomes of the authenticator. The
  /// result takes what the attempt is told later; nil for an authenticator that asks nothing and cannot be stopped.
  func judge(
    _ sample: Submission,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> (any Judgment)?
}
