import LocalAuthCore

/// Whether a reader can be asked, from what the bus tells.
public struct ReaderStanding: Hashable, Sendable {
  /// Whether the bus is connected and has a reader that may be used.
  public var hasReader = false
  /// Whether somebody else holds the reader.
  public var isBusy = false
  /// Whether the machine is about to sleep, or asleep.
  public var isAsleep = false
  /// Whether the lid is closed; false where that is not known.
  public var isLidClosed = false

  /// The standing before anything is known.
  public init() {}

  /// The state as `Watch` of `io.localauth.Authenticator` names it.
  public var word: String {
    if isAsleep { return "suspended" }
    if !hasReader { return "gone" }
    if isLidClosed { return "lid-closed" }
    return isBusy ? "busy" : "available"
  }

  /// Why the reader cannot be asked now; nil if it can.
  public var refusal: String? {
    if isAsleep { return SensorHindrance.suspended.sentence }
    if !hasReader { return "There is no fingerprint reader." }
    if isLidClosed { return SensorHindrance.lidClosed.sentence }
    return isBusy ? SensorHindrance.busy.sentence : nil
  }
}

/// How long to wait before something is tried again.
///
/// A second first, twice as long after each failure, and never more than ``longest``.
public struct Backoff: Hashable, Sendable {
  /// The longest wait.
  public static let longest = Duration.seconds(30)
  private var failures = 0

  /// Nothing has failed yet.
  public init() {}

  /// The wait after one more failure.
  public mutating func next() -> Duration {
    defer { failures = min(failures + 1, 5) }
    return min(Self.longest, .seconds(1 << failures))
  }

  /// It worked.
  public mutating func reset() { failures = 0 }
}
