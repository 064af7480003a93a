import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor

/// The pictures of a policy.
enum Picture: String, CaseIterable, ExpressibleByArgument {
  /// The sensor's two error rates at all thresholds.
  case det
  /// The share of people not locked out, over the days.
  case survival
  /// The share of attackers who succeeded, over the time they have the device.
  case attackers
  /// People by their lockouts per year.
  case people
}

/// The figures of one policy on one device: exact results, with simulated ones beside them.
struct PolicyPictures {
  /// The case to draw.
  let plan: PolicyCase
  /// The name of the sensor.
  let sensorName: String
  /// The number of days that people are followed.
  let days: UInt32
  /// The attacks to draw.
  let attacks: [Attack]
  /// How long attackers have the device.
  let attackTime: Duration
  /// The results of a simulation; nil if there was none.
  let simulated: Simulated?

  /// Returns the figure of this kind; if `isStopped`, which is asked again and again, it is worth nothing.
  func figure(_ picture: Picture, isStopped: () -> Bool) throws(Failure) -> Figure? {
    switch picture {
    case .det: det
    case .survival: survival(isStopped)
    case .attackers: try attackers(isStopped)
    case .people: people(isStopped)
    }
  }

  private var caption: String {
    "\(plan.policy.name), \(plan.rules.lockout.name), sensor \(sensorName)"
  }

  // MARK: The sensor

  private var det: Figure {
    let scores = plan.sensor.scores
    // The range stays within the axes, so every value is a valid rate.
    let curve = ((try? scores.errorTradeoff(from: 1e-8, through: 0.5)) ?? []).map {
      (x: $0.falseMatch, y: $0.falseNonMatch)
    }.filter { $0.y >= 1e-4 }
    let floors = [ComplianceFloor.androidClass3, .nist, .fido]
    return Figure(
      title: "What the sensor \(sensorName) gets wrong (d' = \(Self.rounded(scores.separation)))",
      x: .shares("False match rate: another's finger is accepted", from: 1e-8),
      y: .shares("False non-match rate: the own finger misses", from: 1e-4),
      series: [
        Figure.Series(name: "at any threshold", style: .line, points: curve),
        Figure.Series(
          name: "the threshold in use",
          style: .points,
          points: [(x: scores.falseMatch, y: scores.falseNonMatch)]
        ),
        Figure.Series(
          name: "the worst that a rule allows",
          style: .points,
          points: floors.map { (x: $0.point.falseMatch, y: $0.point.falseNonMatch) },
          labels: floors.map(\.name)
        ),
      ]
    )
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  // MARK: People

  private func survival(_ isStopped: () -> Bool) -> Figure {
    var alike = plan
    alike.sensor.population = .alike(plan.sensor.population)
    var series = [
      survival(
        "people as they are",
        Solution(plan, days: days, isStopped: isStopped).survival
      ),
      survival(
        "if all missed equally often",
        Solution(alike, days: days, isStopped: isStopped).survival
      ),
    ]
    if let simulated { series.append(survival("simulated", simulated.people.survival)) }
    return Figure(
      title: "People who were never locked out: \(caption)",
      x: Figure.Axis(label: "Days", range: 0...Double(days)),
      y: Figure.Axis(label: "People (%)", range: 0...100),
      series: series
    )
  }

  private func survival(_ name: String, _ shares: [Double]) -> Figure.Series {
    let step = Double(days) / Double(max(1, shares.count - 1))
    return Figure.Series(
      name: name,
      style: .line,
      points: shares.enumerated().map { (x: Double($0) * step, y: $1 * 100) }
    )
  }

  /// The lockouts per year at which each bar begins.
  private static let bounds = [0, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100]

  private func people(_ isStopped: () -> Bool) -> Figure {
    let shares = (simulated?.people).map(Self.met) ?? Self.expected(plan, days, isStopped)
    return Figure(
      title: "Whom lockouts meet: \(caption)",
      x: Figure.Axis(
        label: simulated == nil
          ? "Lockouts that a person expects in a year, from ... on"
          : "Lockouts that a person met in a year, from ... on",
        range: -0.5...(Double(shares.count) - 0.5),
        marks: Self.bounds.enumerated().map { (position: Double($0), text: "\(Self.short($1))") }
      ),
      y: Figure.Axis(label: "People (%)", range: 0...100),
      series: [
        Figure.Series(
          name: "people",
          style: .bars,
          points: shares.enumerated().map { (x: Double($0), y: $1 * 100) },
          labels: shares.map { $0 > 0 ? Self.percent($0) : "" }
        )
      ]
    )
  }

  /// The share of people in each bar, by what they met.
  private static func met(_ simulated: LoginStatistics) -> [Double] {
    let all = Double(simulated.lockoutsOfUsers.total)
    var shares = [Double](repeating: 0, count: bounds.count)
    for (count, users) in simulated.lockoutsOfUsers.bins.enumerated() {
      let perYear = Double(count) * 365.25 / Double(simulated.days)
      shares[bounds.lastIndex { $0 <= perYear } ?? 0] += Double(users) / all
    }
    return shares
  }

  /// The share of people in each bar, by what they expect.
  private static func expected(
    _ plan: PolicyCase,
    _ days: UInt32,
    _ isStopped: () -> Bool
  ) -> [Double] {
    let spread = LockoutSpread(plan, days: days, isStopped: isStopped)
    return zip(bounds, bounds.dropFirst() + [.infinity]).map {
      spread.share(from: $0, below: $1)
    }
  }

  private static func short(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  private static func percent(_ share: Double) -> String {
    let tenths = (share * 1000).rounded() / 10
    return tenths > 0 ? "\(short(tenths)) %" : "< 0.1 %"
  }

  // MARK: Attackers

  private func attackers(_ isStopped: () -> Bool) throws(Failure) -> Figure? {
    var series: [Figure.Series] = []
    for attack in attacks {
      guard let solution = try AttackReport.solution(plan, attack, isStopped: isStopped) else {
        return nil
      }
      let points = solution.curve.map { (x: $0.time / .seconds(1), y: $0.success) }
      series.append(Self.series(Self.name(attack), .steps, points, end))
    }
    for attacked in simulated?.attacks ?? [] {
      let name = "\(AttackerChoice.word(attacked.attack.attacker)), simulated"
      let points = attacked.seen.curve.map { (x: $0.time / .seconds(1), y: $0.success) }
      series.append(Self.series(name, .points, points, end))
    }
    return Figure(
      title: "What time with the device buys: \(caption)",
      x: Figure.Axis(
        label: "Time with the device",
        isLogarithmic: true,
        range: 1...end,
        marks: Self.times.filter { $0.position <= end }
      ),
      y: .shares("Attackers who got in", from: 1e-6),
      series: series.filter { !$0.points.isEmpty }
    )
  }

  /// How long attackers have the device, in seconds.
  private var end: Double { max(2, attackTime / .seconds(1)) }

  /// Points that a logarithmic axis can show, kept up to the end.
  private static func series(
    _ name: String,
    _ style: Figure.Style,
    _ points: [(x: Double, y: Double)],
    _ end: Double
  ) -> Figure.Series {
    var shown = points.map { (x: max(1, $0.x), y: $0.y) }
    if style == .steps, let last = shown.last, last.x < end { shown.append((x: end, y: last.y)) }
    return Figure.Series(name: name, style: style, points: shown.filter { $0.y >= 1e-6 })
  }

  /// An attacker, with the options that decide their success.
  private static func name(_ attack: Attack) -> String {
    let word = AttackerChoice.word(attack.attacker)
    switch attack.attacker {
    case .zeroEffort, .knownPIN: return word
    case .presentation(let fake): return "\(word), \(RateText.text(fake.iapar)) of fakes pass"
    case .fakeAndPIN(let fake):
      return "\(word), \(RateText.text(fake.iapar)) of fakes pass, \(passcodes(attack))"
    case .targeted, .pin, .shoulder, .insider: return "\(word), \(passcodes(attack))"
    }
  }

  private static func passcodes(_ attack: Attack) -> String {
    "\(attack.passcodes.candidates) passcodes"
  }

  private static let times: [(position: Double, text: String)] = [
    (1, "1 s"), (10, "10 s"), (60, "1 min"), (600, "10 min"), (3_600, "1 h"), (36_000, "10 h"),
    (86_400, "1 d"), (864_000, "10 d"), (31_557_600, "1 y"),
  ]
}

extension Population {
  /// Returns people who all have the mean miss rate of `people`.
  fileprivate static func alike(_ people: Population) -> Population {
    // If the mean is not a valid rate, keep the people as they are.
    (try? ProbitRates(miss: people.mean, correlation: 0)).map(Population.probit) ?? people
  }
}
