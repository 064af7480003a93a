import LocalAuthCore
public import LocalAuthSensor

/// Randomly drawn attacks, each by a new attacker on a new person's device.
///
/// Attackers make the moves that the solution found best. What follows from a move is drawn, and
/// decided by the machines again.
public struct AttackSimulation: Sendable {
  /// The case under attack.
  public let plan: PolicyCase
  /// The attack.
  public let attack: Attack
  /// The source of randomness.
  public let random: EventRandom
  private let ways: [(share: Double, plan: AttackPlan)]

  /// Creates the simulation of `attack` on `plan`, which solves it first.
  ///
  /// - Parameters:
  ///   - plan: The case under attack.
  ///   - attack: The attack.
  ///   - seed: The seed of what is drawn.
  ///   - isStopped: Asked again and again whether to stop.
  /// - Throws: An error if the attack has too many states, or if it was stopped.
  public init(
    _ plan: PolicyCase,
    _ attack: Attack,
    seed: UInt64,
    isStopped: () -> Bool = { false }
  ) throws(AttackError) {
    self.plan = plan
    self.attack = attack
    random = EventRandom(seed: seed)
    var ways: [(share: Double, plan: AttackPlan)] = []
    for way in attack.ways {
      ways.append((way.share, try AttackPlan(plan, way.attack, isStopped: isStopped)))
    }
    self.ways = ways
  }

  /// Simulates `attacks` and adds them to `statistics`; stops when `isStopped` returns true.
  public func run(
    _ attacks: Range<UInt32>,
    into statistics: inout AttackStatistics,
    isStopped: () -> Bool = { false }
  ) {
    for attack in attacks where !isStopped() { statistics.add(success(of: attack)) }
  }

  /// Returns the start time of the attempt that decided the attack, in nanoseconds; nil if none did.
  private func success(of number: UInt32) -> Int64? {
    var stream = random.stream(.impostor, user: number)
    let draw = ways.count > 1 ? stream.uniform() : 0
    let way = ways.first { draw < $0.share } ?? ways[ways.count - 1]
    let match = match(number)
    let place = stream.uniform()
    // Parts of an attack are made at the same time, so the first success counts.
    return way.plan.parts.compactMap { success(of: $0, match, place, &stream) }.min()
  }

  private func success(
    of part: AttackPlan.Part,
    _ match: Double,
    _ place: Double,
    _ stream: inout EventStream
  ) -> Int64? {
    let course = part.course
    let rank = course.odds.passcodes.rank(at: place)
    var (position, node) = (part.start, 0 as AttackGraph.Node)
    while let choice = part.graph.choice(at: node) {
      let move = course.moves(position)[choice.number]
      let succeeds: Bool
      switch move {
      case .touch where position.isEnrolled: succeeds = stream.happens(choice.arc.chance)
      case .touch: succeeds = stream.happens(match)
      case .type, .unlock, .enrol: succeeds = position.knows || position.wrong == rank
      case .redeem, .restart, .wait: succeeds = true
      }
      switch course.reach(move, from: position, succeeds: succeeds) {
      case .won: return position.now
      case .lost: return nil
      case .position(let next): position = next
      }
      node = succeeds ? choice.arc.success : choice.arc.failure
    }
    return nil
  }

  /// Returns the rate at which this attacker's finger, or fake, matches on this device.
  private func match(_ number: UInt32) -> Double {
    let isTargeted: Bool
    switch attack.attacker.finger {
    case .none: return 0
    case .fake(let species): return species.iapar
    case .own(let chosen): isTargeted = chosen
    }
    let impostors = plan.sensor.impostors
    var attacker = random.stream(.attacker, user: number)
    var target = random.stream(.target, user: number)
    let rate = impostors.falseMatch(
      plan.sensor.scores,
      wolf: impostors.wolf(using: &attacker),
      lamb: isTargeted
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

  /// The share of attacks that succeeded by a time, at each time at which one did, to 3 %.
  public var curve: [AttackSolution.Point] {
    var successes = 0 as UInt64
    var points: [AttackSolution.Point] = []
    for (bin, count) in times.bins.enumerated() where count > 0 {
      successes += count
      let time = Duration.microseconds(Int64(DurationHistogram.start(of: bin)))
      let share = Proportion(successes: successes, trials: attacks).share
      points.append(AttackSolution.Point(time: time, success: share))
    }
    return points
  }

  /// The share of attacks that succeeded.
  public var share: Proportion { Proportion(successes: successes, trials: attacks) }
}
