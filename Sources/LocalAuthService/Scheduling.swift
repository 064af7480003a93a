public import LocalAuthCore

/// Identifies one scheduled call, for cancelling it.
public struct ScheduleToken: Hashable, Sendable {
  /// The value, unique during the scheduler's lifetime.
  public var value: UInt64

  /// The token with this value.
  public init(value: UInt64) { self.value = value }
}

/// The port to the clock and to the loop that owns the engine.
///
/// It is called, and calls back, on that loop's thread only.
public protocol Scheduling: AnyObject {
  /// The current time of the machine's clocks.
  func now() -> Moment
  /// Calls `body` once, at `instant` or soon after.
  func schedule(at instant: BootInstant, _ body: @escaping () -> Void) -> ScheduleToken
  /// Cancels a call that has not been made yet.
  func cancel(_ token: ScheduleToken)
}
