/// A point on the clock that starts at boot and runs through suspend (CLOCK_BOOTTIME).
///
/// Every wait, lockout and deadline uses this clock, because it cannot be set back.
public struct BootInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since boot.
  public var nanoseconds: Int64

  /// The instant `nanoseconds` after boot.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether `left` comes earlier.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The instant `duration` later, saturating at the end of the clock instead of wrapping.
  public static func + (instant: Self, duration: Duration) -> Self {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return Self(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  /// The time from `right` to `left`, saturating at the ends of `Int64` instead of wrapping.
  public static func - (left: Self, right: Self) -> Duration {
    Duration(wholeNanoseconds: left.nanoseconds(since: right))
  }

  /// As `-`, in nanoseconds.
  @inlinable
  @inline(__always)
  func nanoseconds(since other: Self) -> Int64 {
    let (span, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return overflow ? (self < other ? .min : .max) : span
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

/// A wall-clock time, for display, audit and ending grants early; never for waiting.
public struct WallInstant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01 UTC.
  public var milliseconds: Int64

  /// The time `milliseconds` after 1970-01-01 UTC.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether `left` comes earlier.
  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

/// The clock readings of one moment, taken once per event and passed to every machine.
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
  /// The duration in nanoseconds, saturating at the ends of `Int64` (292 years).
  public var wholeNanoseconds: Int64 {
    // Every timer and every clock reading of a device comes through here, so this avoids
    // `components`, which divides 128 bits by 128 bits twice.
    let magnitude = attoseconds.magnitude
    let count: UInt64
    if let small = UInt64(exactly: magnitude >> 9) {
      // Up to two and a half hours; a billion is 2 to the 9th times 1,953,125.
      count = small / 1_953_125
    } else {
      let high = UInt64(truncatingIfNeeded: magnitude >> 64)
      let low = UInt64(truncatingIfNeeded: magnitude)
      let billion: UInt64 = 1_000_000_000
      count = high < billion ? billion.dividingFullWidth((high, low)).quotient : .max
    }
    guard attoseconds < 0 else { return Int64(clamping: count) }
    return count >= Int64.min.magnitude ? .min : -Int64(count)
  }

  /// The duration of this many nanoseconds.
  @inlinable
  @inline(__always)
  init(wholeNanoseconds: Int64) {
    // 64 bits times 30 bits cannot overflow 128.
    self.init(attoseconds: Int128(wholeNanoseconds) &* 1_000_000_000)
  }

  /// The duration in whole seconds, rounded up, so that a wait is never understated.
  public var secondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    return attoseconds > 0 && seconds < .max ? seconds + 1 : seconds
  }
}
