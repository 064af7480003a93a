import LocalAuthCore
public import LocalAuthSensor

/// Randomly drawn attacks, each by a new attacker on a new person's device.
public struct AttackSimulation: Sendable {
  /// The case under attack.
  public let plan: PolicyCase
  /// The attack.
  public let attack: Attack
  /// The source of randomness.
  public let random: EventRandom

  /// Creates the simulation of `attack` on `plan`.
  public init(_ plan: PolicyCase, _ attack: Attack, seed: UInt64) {
    self.plan = plan
    self.attack = attack
    random = EventRandom(seed: seed)
  }

  /// Simulates `attacks` and adds them to `statistics`; stops when `isStopped` returns true.
  public func run(
    _ attacks: Range<UInt32>,
    into statistics: inout AttackStatistics,
    isStopped: () -> Bool = { false }
  ) {
    for attack in attacks where !isStopped() { statistics.add(success(of: attack)) }
  }

  /// Returns the start time of the attempt that met the policy, in nanoseconds; nil if none did.
  private func success(of number: UInt32) -> Int64? {
    var stream = random.stream(.impostor, user: number)
    let match = match(number)
    let secret = stream.next() % max(attack.secrets, 1)
    var guessed = 0 as UInt64
    var isKnown = false
    var walk = AttackWalk(plan, attack)
    var step = walk.begin(plan)
    while case .attempt(let factor) = step {
      let began = walk.now
      if factor == .biometry {
        step = walk.judged(factor, succeeds: stream.happens(match), plan)
      } else {
        isKnown = isKnown || guessed == secret
        guessed += 1
        step = walk.judged(factor, succeeds: isKnown, plan)
      }
      if case .succeeded = step { return began }
    }
    return nil
  }

  /// Returns the rate at which this attacker's finger, or fake, matches on this device.
  private func match(_ number: UInt32) -> Double {
    if case .presentation(let species) = attack.attacker { return species.iapar }
    let impostors = plan.sensor.impostors
    var attacker = random.stream(.attacker, user: number)
    var target = random.stream(.target, user: number)
    let rate = impostors.falseMatch(
      plan.sensor.scores,
      wolf: impostors.wolf(using: &attacker),
      lamb: attack.attacker == .targeted
        ? impostors.lamb(percentile: Attack.mostEasilyTaken) : impostors.lamb(using: &target)
    )
    return Chance.any(of: UInt64(plan.prints), each: rate)
  }
}

/// The outcomes of attacks.
public struct AttackStatistics: Hashable, Sendable {
  /// The number of attacks.
  public private(set) var attacks: UInt64 = 0
  /// The times at which attacks succeeded.
  public private(set) var times = DurationHistogram()
  /// The number of successful attacks.
  public private(set) var successes: UInt64 = 0

  /// Creates empty statistics.
  public init() {}

  mutating func add(_ success: Int64?) {
    attacks += 1
    guard let success else { return }
    successes += 1
    times.add(microseconds: UInt64(success / 1000))
  }

  /// Adds the outcomes of other attacks.
  public mutating func merge(_ other: AttackStatistics) {
    attacks += other.attacks
    successes += other.successes
    times.merge(other.times)
  }

  /// The share of attacks that succeeded.
  public var share: Proportion { Proportion(successes: successes, trials: attacks) }
}
