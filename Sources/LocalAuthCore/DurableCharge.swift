/// A guess that is durably counted as failed; its holder may ask the judge and report the verdict.
///
/// Only a ``DeviceMachine`` makes one, once the charge is durable, so nothing is judged that was
/// not counted.
public struct DurableCharge: Hashable, Sendable {
  /// The attempt that was charged.
  public let attempt: AttemptID

  init(_ attempt: AttemptID) { self.attempt = attempt }
}
