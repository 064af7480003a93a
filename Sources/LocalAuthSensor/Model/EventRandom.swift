/// Random numbers addressed by what they are for: the same seed, purpose, user, day and event give the
/// same draws, whatever else is drawn before, after or on another thread.
///
/// A simulation that gains an event, a user or a day leaves every other draw as it was. It is no
/// source of secrets.
public struct EventRandom: Hashable, Sendable {
  /// What a stream's draws decide.
  ///
  /// The numbers are part of every seeded result: none is used again for something else.
  public enum Purpose: UInt8, CaseIterable, Hashable, Sendable {
    /// Who a user is.
    case person = 0
    /// How one of a user's fingers was enrolled; the event is the finger.
    case enrolment = 1
    /// What happens in a transaction of the user.
    case transaction = 2
    /// What happens when somebody else tries.
    case impostor = 3
    /// How good an attacker is.
    case attacker = 4
    /// How easily a user is taken for another.
    case target = 5
    /// How a finger's state begins.
    case fingerState = 6
  }

  /// The seed that everything follows from.
  public let seed: UInt64

  /// The draws that belong to `seed`.
  public init(seed: UInt64) { self.seed = seed }

  /// The stream of one event; each stream has 2^25 numbers of 64 bits and then begins again.
  public func stream(
    _ purpose: Purpose,
    user: UInt32 = 0,
    day: UInt32 = 0,
    event: UInt32 = 0
  ) -> EventStream {
    EventStream(
      philox: Philox(key: seed),
      counter: .init(a: UInt32(purpose.rawValue) << 24, b: event, c: day, d: user)
    )
  }
}

/// The draws of one event, in order.
public struct EventStream: RandomNumberGenerator, Hashable, Sendable {
  private let philox: Philox
  /// The purpose in the first word's upper 8 bits, the number of the next block in its lower 24.
  private var counter: Philox.Block
  /// The second half of the block that was made last.
  private var kept: UInt64?

  init(philox: Philox, counter: Philox.Block) {
    self.philox = philox
    self.counter = counter
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    if let kept {
      self.kept = nil
      return kept
    }
    let block = philox.block(counter)
    counter.a = counter.a & 0xFF00_0000 | (counter.a &+ 1) & 0x00FF_FFFF
    kept = UInt64(block.d) << 32 | UInt64(block.c)
    return UInt64(block.b) << 32 | UInt64(block.a)
  }

  /// A number evenly from between 0 and 1, and never either.
  public mutating func uniform() -> Double { Self.fraction(of: next()) }

  /// What the upper 52 of these bits are as a fraction: half a step of 2^-52 from both ends.
  static func fraction(of bits: UInt64) -> Double { (Double(bits >> 12) + 0.5) * 0x1p-52 }

  /// A number from the standard normal distribution; one uniform number each.
  public mutating func normal() -> Double { StandardNormal.quantile(uniform()) }

  /// Whether something of this probability happens; never at 0, always at 1.
  public mutating func happens(_ probability: Double) -> Bool { uniform() < probability }
}
