/// Wrong guesses in a row, counted for each key by itself, in a room that does not grow.
///
/// Where there are more keys than ``capacity``, the lowest count gives way and becomes the ``floor``, with which
/// every key begins that has no count of its own. So nobody loses a count by filling the room with keys.
public struct GuessCounts<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The most keys with a count of their own.
  public let capacity: Int
  /// The keys' own counts.
  public private(set) var own: [Key: PasscodeThrottle]
  /// What a key without a count of its own begins with.
  public private(set) var floor: PasscodeThrottle

  /// Counts with these values, which hold at most `capacity` keys.
  public init(
    capacity: Int,
    own: [Key: PasscodeThrottle] = [:],
    floor: PasscodeThrottle = PasscodeThrottle()
  ) {
    self.capacity = capacity
    self.own = own
    self.floor = floor
  }

  /// Whether nobody has guessed wrong.
  public var isEmpty: Bool { own.isEmpty && floor == PasscodeThrottle() }

  /// The count of `key`.
  public subscript(key: Key) -> PasscodeThrottle { own[key] ?? floor }

  /// Asks to judge one guess and counts it as wrong until it is judged otherwise.
  public mutating func charge(
    _ key: Key,
    under delays: PasscodeDelays,
    at now: Moment
  ) -> Tally.Charge {
    var throttle = self[key]
    let charge = throttle.charge(under: delays, at: now)
    if charge == .charged { put(throttle, for: key) }
    return charge
  }

  /// The charged guess was right.
  public mutating func proven(_ key: Key) {
    own[key] = nil
    if floor != PasscodeThrottle() { put(PasscodeThrottle(), for: key) }
  }

  /// The charged guess ended with nothing judged.
  public mutating func refunded(_ key: Key, under delays: PasscodeDelays) {
    guard var throttle = own[key] else { return }
    throttle.refunded(under: delays)
    put(throttle, for: key)
  }

  /// The highest count, and so a bound of that of any key.
  public var highest: UInt32 {
    own.values.map(\.tally.failures).reduce(floor.tally.failures, max)
  }

  /// Counts at least `failures` for every key, and refuses anew.
  mutating func raise(to failures: UInt32, under delays: PasscodeDelays, at now: Moment) {
    forEach { $0.raise(to: failures, under: delays, at: now) }
  }

  /// Changes every count alike.
  mutating func forEach(_ body: (inout PasscodeThrottle) -> Void) {
    body(&floor)
    own = own.mapValues { throttle in
      var changed = throttle
      body(&changed)
      return changed
    }
  }

  private mutating func put(_ throttle: PasscodeThrottle, for key: Key) {
    own[key] = throttle == floor && throttle == PasscodeThrottle() ? nil : throttle
    guard own.count > capacity else { return }
    let lowest = own.filter { $0.key != key }.min { $0.value.tally < $1.value.tally }
    guard let lowest else { return }
    own[lowest.key] = nil
    if floor.tally < lowest.value.tally { floor = lowest.value }
  }
}

extension Tally {
  /// Whether it allows more: by its failures, and where these are equal by how long it refuses.
  static func < (left: Tally, right: Tally) -> Bool {
    left.failures != right.failures
      ? left.failures < right.failures
      : left.refusal?.nanoseconds ?? 0 < right.refusal?.nanoseconds ?? 0
  }
}
