import LocalAuthCore
public import LocalAuthSensor

/// Attacks that are drawn, each by another attacker on another person's device.
public struct AttackSimulation: Sendable {
  /// What is attacked.
  public let plan: PolicyCase
  /// How.
  public let attack: Attack
  /// Where chance comes from.
  public let random: EventRandom

  /// The simulation of `attack` on `plan`.
  public init(_ plan: PolicyCase, _ attack: Attack, seed: UInt64) {
    self.plan = plan
    self.attack = attack
    random = EventRandom(seed: seed)
  }

  /// Simulates `attacks` and adds them to `statistics`, until `isStopped` says so.
  public func run(
    _ attacks: Range<UInt32>,
    into statistics: inout AttackStatistics,
    isStopped: () -> Bool = { false }
  ) {
    for attack in attacks where !isStopped() { statistics.add(success(of: attack)) }
  }

  /// When the attempt was begun that met the policy, in nanoseconds; nil where none did.
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

  /// How often this attacker's finger, or fake, matches on this device.
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

/// What became of attacks.
public struct AttackStatistics: Hashable, Sendable {
  /// All attacks.
  public private(set) var attacks: UInt64 = 0
  /// When those succeeded that did.
  public private(set) var times = DurationHistogram()
  /// How many did.
  public private(set) var successes: UInt64 = 0

  /// No attacks.
  public init() {}

  mutating func add(_ success: Int64?) {
    attacks += 1
    guard let success else { return }
    successes += 1
    times.add(microseconds: UInt64(success / 1000))
  }

  /// Adds other attacks.
  public mutating func merge(_ other: AttackStatistics) {
    attacks += other.attacks
    successes += other.successes
    times.merge(other.times)
  }

  /// The share that succeeded.
  public var share: Proportion { Proportion(successes: successes, trials: attacks) }
}
