/// Random numbers addressed by their use.
///
/// The same seed, purpose, user, day and event give the same draws, whatever else is drawn before,
/// after or on another thread. If a simulation gains an event, a user or a day, every other draw
/// stays the same. It is not a source of secrets.
public struct EventRandom: Hashable, Sendable {
  /// What the draws of a stream decide.
  ///
  /// The numbers are part of every seeded result, so none may be reused for another purpose.
  public enum Purpose: UInt8, CaseIterable, Hashable, Sendable {
    /// The characteristics of a user.
    case person = 0
    /// The enrolment of one of a user's fingers; the event is the finger.
    case enrolment = 1
    /// The course of a transaction of the user.
    case transaction = 2
    /// The course of an impostor's attempts.
    case impostor = 3
    /// The skill of an attacker.
    case attacker = 4
    /// How easily a user is impersonated.
    case target = 5
    /// The initial state of a finger.
    case fingerState = 6
  }

  /// The seed that determines everything.
  public let seed: UInt64

  /// Creates the random numbers of `seed`.
  public init(seed: UInt64) { self.seed = seed }

  /// Returns the stream of one event; a stream repeats after 2^25 numbers of 64 bits.
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
  /// The first word holds the purpose in its upper 8 bits and the next block number in its lower
  /// 24.
  private var counter: Philox.Block
  /// The second half of the latest block, if not used yet.
  private var kept: UInt64?

  init(philox: Philox, counter: Philox.Block) {
    self.philox = philox
    self.counter = counter
  }

  /// Returns the next 64 bits.
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

  /// Returns a number uniformly distributed between 0 and 1, never either of them.
  public mutating func uniform() -> Double { Self.fraction(of: next()) }

  /// Returns the upper 52 bits as a fraction, which stays half a step of 2^-52 away from 0 and 1.
  static func fraction(of bits: UInt64) -> Double { (Double(bits >> 12) + 0.5) * 0x1p-52 }

  /// Returns a number from the standard normal distribution, using one uniform number.
  public mutating func normal() -> Double { StandardNormal.quantile(uniform()) }

  /// Whether an event of this probability happens; never at 0, always at 1.
  public mutating func happens(_ probability: Double) -> Bool { uniform() < probability }
}
