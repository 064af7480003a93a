public import LocalAuthCore

/// Names one scheduled call, to cancel it.
public struct ScheduleToken: Hashable, Sendable {
  /// Unique as long as the scheduler lives.
  public var value: UInt64

  /// The token with this value.
  public init(value: UInt64) { self.value = value }
}

/// The port to the clock and to the loop that owns the engine.
///
/// All of it is used on that loop's thread only, and calls come back on it.
public protocol Scheduling: AnyObject {
  /// What the machine's clocks say.
  func now() -> Moment
  /// Calls `body` once, at `instant` or soon after.
  func schedule(at instant: BootInstant, _ body: @escaping () -> Void) -> ScheduleToken
  /// Forgets a call that has not been made yet.
  func cancel(_ token: ScheduleToken)
}
