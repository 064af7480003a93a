/// Wrong guesses in a row, counted for each key separately, in bounded space.
///
/// If there are more keys than ``capacity``, the lowest count is dropped and raises the ``floor``,
/// at which every key without a count of its own begins. So nobody sheds a count by filling the
/// space with keys. The count of a guess that is still being judged is not dropped, or a right one
/// would count as wrong for every key.
public struct GuessCounts<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The most keys with a count of their own, besides those of guesses that are being judged.
  public let capacity: Int
  /// The most keys whose guesses are being judged at once.
  public static var heldMax: Int { 4096 }
  /// The keys' own counts.
  public private(set) var own: [Key: PasscodeThrottle]
  /// The count of every key without one of its own.
  public private(set) var floor: PasscodeThrottle

  /// Counts with these values, of which at most `capacity` are kept.
  public init(
    capacity: Int,
    own: [Key: PasscodeThrottle] = [:],
    floor: PasscodeThrottle = PasscodeThrottle()
  ) {
    self.capacity = capacity
    self.own = own
    self.floor = floor
    shrink(keeping: [])
  }

  /// Whether no wrong guess is counted.
  public var isEmpty: Bool { own.isEmpty && floor == PasscodeThrottle() }

  /// The count of `key`.
  public subscript(key: Key) -> PasscodeThrottle { own[key] ?? floor }

  /// Asks to judge one guess and counts it as wrong until it is judged otherwise; `held` are the
  /// keys of all guesses that are being judged.
  public mutating func charge(
    _ key: Key,
    under delays: PasscodeDelays,
    at now: Moment,
    beside held: Set<Key> = []
  ) -> Tally.Charge {
    guard held.count < Self.heldMax else { return .refused(for: .seconds(1)) }
    var throttle = self[key]
    let charge = throttle.charge(under: delays, at: now)
    if charge == .charged { put(throttle, for: key, keeping: held) }
    return charge
  }

  /// The charged guess was right; `held` are the keys of guesses that are still being judged.
  public mutating func proven(_ key: Key, beside held: Set<Key> = []) {
    own[key] = nil
    if floor != PasscodeThrottle() { put(PasscodeThrottle(), for: key, keeping: held) }
  }

  /// The charged guess ended with nothing judged; gives back what `refund` says.
  public mutating func refunded(
    _ key: Key,
    _ refund: Tally.Refund = .all,
    under delays: PasscodeDelays
  ) {
    guard var throttle = own[key] else { return }
    throttle.refunded(refund, under: delays)
    own[key] = throttle == floor && throttle == PasscodeThrottle() ? nil : throttle
  }

  /// The highest count, which bounds the count of every key.
  public var highest: UInt32 {
    own.values.map(\.tally.failures).reduce(floor.tally.failures, max)
  }

  /// At least how many guesses `key` was charged itself; zero if it has no count of its own.
  ///
  /// What its count began with, the floor, is other keys' guesses, and the floor has not fallen since. A key with a
  /// count was charged once.
  func charged(to key: Key) -> UInt32 {
    guard let failures = own[key]?.tally.failures, failures > 0 else { return 0 }
    return max(1, failures - min(failures, floor.tally.failures))
  }

  /// Raises every count to at least `failures`, and restarts the refusals.
  mutating func raise(to failures: UInt32, under delays: PasscodeDelays, at now: Moment) {
    forEach { $0.raise(to: failures, under: delays, at: now) }
  }

  /// Applies `body` to every count.
  mutating func forEach(_ body: (inout PasscodeThrottle) -> Void) {
    body(&floor)
    own = own.mapValues { throttle in
      var changed = throttle
      body(&changed)
      return changed
    }
  }

  private mutating func put(
    _ throttle: PasscodeThrottle,
    for key: Key,
    keeping held: Set<Key>
  ) {
    own[key] = throttle == floor && throttle == PasscodeThrottle() ? nil : throttle
    shrink(keeping: held.union([key]))
  }

  /// Drops the lowest counts until there is room, but none of `held`.
  private mutating func shrink(keeping held: Set<Key>) {
    while own.count > capacity {
      let lowest = own.lazy.filter { !held.contains($0.key) }.min {
        $0.value.tally < $1.value.tally
      }
      guard let lowest else { return }
      own[lowest.key] = nil
      if floor.tally < lowest.value.tally { floor = lowest.value }
    }
  }
}

extension Tally {
  /// Whether `left` is laxer: it has fewer failures, or as many and a shorter refusal.
  static func < (left: Tally, right: Tally) -> Bool {
    left.failures != right.failures
      ? left.failures < right.failures
      : left.refusal?.nanoseconds ?? 0 < right.refusal?.nanoseconds ?? 0
  }
}
