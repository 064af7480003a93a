/// A guess that was counted as failed, on the disk: who has it may ask the judge, and say what the judge said.
///
/// Only a ``DeviceMachine`` makes one, when the charge is durable; so nothing can be judged that was not counted.
public struct DurableCharge: Hashable, Sendable {
  /// The attempt that was charged.
  public let attempt: AttemptID

  init(_ attempt: AttemptID) { self.attempt = attempt }
}
