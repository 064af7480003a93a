/// A point on the clock that starts at boot and runs through suspend (CLOCK_BOOTTIME).
///
/// Every wait, lockout and deadline is counted on this clock, because nobody can turn it back.
public struct BootInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since boot.
  public var nanoseconds: Int64

  /// The instant `nanoseconds` after boot.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether `left` comes earlier.
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The instant `duration` later, held at the end of the clock rather than wrapping.
  public static func + (instant: Self, duration: Duration) -> Self {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return Self(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  /// The time from `right` to `left`, held at the ends of `Int64` rather than wrapping.
  public static func - (left: Self, right: Self) -> Duration {
    let (span, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return .nanoseconds(overflow ? (left < right ? .min : .max) : span)
  }
}

/// Names one boot: the kernel's boot id, and how often a simulated device was rebooted within it.
public struct BootIdentifier: Hashable, Sendable {
  /// The upper half of the kernel's 128-bit boot id.
  public var high: UInt64
  /// The lower half.
  public var low: UInt64
  /// Simulated reboots of the device; 0 on the user's own machine.
  public var generation: UInt32

  /// The boot with these parts.
  public init(high: UInt64, low: UInt64, generation: UInt32 = 0) {
    self.high = high
    self.low = low
    self.generation = generation
  }
}

/// A wall-clock time, for display, audit and for shortening what was granted; never for waiting.
public struct WallInstant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01 UTC.
  public var milliseconds: Int64

  /// The time `milliseconds` after 1970-01-01 UTC.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether `left` comes earlier.
  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

/// What the clocks say at one moment; it is read once per event and handed to every machine.
public struct Moment: Hashable, Sendable {
  /// Time since boot.
  public var boot: BootInstant
  /// Which boot that is.
  public var bootID: BootIdentifier
  /// Wall time.
  public var wall: WallInstant

  /// The moment with these readings.
  public init(boot: BootInstant, bootID: BootIdentifier, wall: WallInstant) {
    self.boot = boot
    self.bootID = bootID
    self.wall = wall
  }
}

extension Duration {
  /// The duration in nanoseconds, held at the ends of `Int64` (292 years).
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carried ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration in whole seconds, rounded up, so that a wait is never said to be shorter than it is.
  public var secondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    return attoseconds > 0 && seconds < .max ? seconds + 1 : seconds
  }
}
