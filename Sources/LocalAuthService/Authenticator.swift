public import LocalAuthCore
public import LocalAuthSecret
public import LocalAuthSensor

/// What an authenticator is given to judge.
public enum Submission {
  /// Nothing: the authenticator captures its own sample.
  case none
  /// What a simulated sensor captured.
  case capture(Capture)
  /// What a person typed.
  case text(SecretBox)
}

/// An event of one attempt, reported by its authenticator in the order of occurrence.
public enum AuthenticatorEvent {
  /// It asks for text; `echoes` tells whether to show the answer while it is typed.
  case prompt(text: String, echoes: Bool)
  /// A message for the person.
  case info(String)
  /// An error message for the person.
  case error(String)
  /// What it captured cannot be judged; the person tries again.
  case retry(Acquisition)
  /// It has a sample to judge; from now on the attempt is not refunded.
  case submitted
  /// Judging the sample opened keys.
  case opened(any OpenedKeys)
  /// It could not begin, and certainly looked at no sample, so the attempt is refunded; the last
  /// event in place of the verdict.
  case turnedAway(Outcome)
  /// The verdict; the last event.
  case ended(Verdict)
}

/// An attempt that an authenticator is judging.
public protocol Judgment: AnyObject {
  /// Answers the pending prompt.
  func respond(_ answer: SecretBox)
  /// Aborts the attempt; `ended` still follows.
  func abort()
}

/// The port to one authenticator of one device, which judges one kind of evidence and knows nothing
/// of policies, callers or keys.
///
/// It is called, and calls back, on the engine's thread only.
public protocol Authenticator: AnyObject {
  /// The authenticator's description, which never changes.
  var description: AuthenticatorDescription { get }
  /// What it comes from, such as a program and its arguments; empty for a part of LocalAuth.
  ///
  /// When this changes for a device, its passcode comes before any of them.
  var provenance: String { get }
  /// Calls `body` when it is known whether it can be asked, which takes a program a moment.
  func whenSettled(_ body: @escaping () -> Void)
  /// Whether it is connected and can be asked now.
  ///
  /// Report changes with ``Engine/authenticatorsChanged(on:)``.
  var isReady: Bool { get }

  /// Judges the attempt with this charge, either capturing its own sample or judging `sample`.
  ///
  /// The charge is durable. `onEvent` ends with exactly one `ended`, whatever happens to the
  /// authenticator. The result receives later answers; it is nil for an authenticator that asks
  /// nothing and cannot be aborted.
  func judge(
    _ sample: Submission,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> (any Judgment)?
}

extension Authenticator {
  /// Calls `body` at once.
  public func whenSettled(_ body: @escaping () -> Void) { body() }
  /// Empty, as for a part of LocalAuth.
  public var provenance: String { "" }
}
