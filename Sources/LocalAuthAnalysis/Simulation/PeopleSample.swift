import LocalAuthSensor

/// Whom a simulation draws.
///
/// People who are drawn independently say little about those who are met rarely: among 50 there is
/// mostly nobody whose fingers could not be enrolled, and few goats. A stratified sample asks each
/// kind of people, more of those who are hard to recognize, and gives each its known share; only
/// what differs within a stratum is left to chance.
public struct PeopleSample: Hashable, Sendable {
  /// People who are recognized about equally well.
  public struct Stratum: Hashable, Sendable {
    /// The place among the strata, the best recognized first.
    let number: UInt32
    /// Their share of all people.
    let share: Double
    /// What one person of the sample counts in a histogram.
    let weight: UInt64
    /// Whom one person of the sample is drawn from.
    let kind: Kind

    /// All people, drawn independently.
    public static let everybody = Stratum(number: 0, share: 1, weight: 1, kind: .everybody)
  }

  /// Whom a stratum has.
  enum Kind: Hashable, Sendable {
    case everybody
    /// Those without a print.
    case unenrolled
    /// The shares of those with a print, the best recognized first.
    case recognized(Range<Double>)
  }

  /// People drawn independently, as many as wanted.
  public static let independent = PeopleSample(strata: [.everybody], round: [0])

  private let strata: [Stratum]
  /// The strata of successive people, over and over.
  private let round: [UInt32]

  /// The stratum of a person.
  public subscript(user: UInt32) -> Stratum {
    strata[Int(round[Int(user) % round.count])]
  }
}

extension PeopleSample {
  /// The most people between repetitions.
  private static let mostInRound = 1000 as UInt32
  /// The most strata of one kind of people.
  private static let mostStrata = 200.0
  /// What the average person weighs, so that rounding moves less than a millionth of all people.
  private static let unit = 0x1p20

  /// People by strata, or independently if they are too few.
  ///
  /// Among those with a print, the worst recognized share s gets the fourth root of s of the
  /// sample: three misses in a row happen to few people.
  public init(_ count: UInt32, of plan: PolicyCase) {
    let size = min(count, Self.mostInRound)
    let areSteps = plan.sensor.areSteps
    let parts = plan.sensor.parts(prints: plan.prints).flatMap { part in
      areSteps
        ? [part] : part.split(into: Int(min(Double(size) * part.room / 2 - 1, Self.mostStrata)))
    }
    guard Int(size) >= 2 * parts.count + 2 else {
      self = .independent
      return
    }
    let people = Self.seats(size, for: parts.map(\.room))
    strata = zip(parts, people).enumerated().map { number, part in
      let weight = part.0.share * Double(size) / Double(part.1) * Self.unit
      return Stratum(
        number: UInt32(number),
        share: part.0.share,
        weight: UInt64(max(1, weight.rounded())),
        kind: part.0.kind
      )
    }
    round = Self.mixed(people)
  }

  /// Returns two seats for each part, from whose difference its variance is known, and the others
  /// by `rooms`, the largest remainders first.
  private static func seats(_ count: UInt32, for rooms: [Double]) -> [Int] {
    let free = Double(Int(count) - 2 * rooms.count)
    let room = rooms.reduce(0, +)
    let shares = rooms.map { $0 * free / room }
    var seats = shares.map { 2 + Int($0) }
    let left = Int(count) - seats.reduce(0, +)
    let remainders = shares.indices.sorted {
      (shares[$0] - shares[$0].rounded(.down), $1) > (shares[$1] - shares[$1].rounded(.down), $0)
    }
    for part in remainders.prefix(left) { seats[part] += 1 }
    return seats
  }

  /// Returns the strata of successive people, so that a run that ends early has asked all kinds.
  private static func mixed(_ people: [Int]) -> [UInt32] {
    let places = people.enumerated().flatMap { stratum, count in
      (0..<count).map { (place: (Double($0) + 0.5) / Double(count), stratum: UInt32(stratum)) }
    }
    return places.sorted { ($0.place, $0.stratum) < ($1.place, $1.stratum) }.map(\.stratum)
  }

  /// A range of people in the order of how well they are recognized.
  fileprivate struct Part {
    let kind: Kind
    /// Their share of all people.
    let share: Double
    /// Their share of the sample, if nothing is rounded.
    let room: Double

    /// Those without a print, of whom one is like the other.
    init(unenrolled share: Double) {
      (kind, self.share, room) = (.unenrolled, share, share)
    }

    /// Those with a print between these shares of `enrolled`.
    init(_ shares: Range<Double>, enrolled: Double) {
      kind = .recognized(shares)
      share = (shares.upperBound - shares.lowerBound) * enrolled
      room = (Self.place(shares.lowerBound) - Self.place(shares.upperBound)) * enrolled
    }

    /// The share of the sample that is recognized worse than this share of people.
    private static func place(_ share: Double) -> Double {
      max(0, 1 - share).squareRoot().squareRoot()
    }

    /// Returns `count` parts with equal shares of the sample, or itself.
    func split(into count: Int) -> [Part] {
      guard case .recognized(let shares) = kind, count > 1 else { return [self] }
      let (best, worst) = (Self.place(shares.lowerBound), Self.place(shares.upperBound))
      let cuts = (1..<count).map { number in
        let place = best + (worst - best) * Double(number) / Double(count)
        return 1 - place * place * place * place
      }
      let ends = [shares.lowerBound] + cuts + [shares.upperBound]
      let enrolled = share / (shares.upperBound - shares.lowerBound)
      return zip(ends, ends.dropFirst()).map { Part($0..<$1, enrolled: enrolled) }
    }
  }
}

extension SensorModel {
  /// Returns the kinds of people: those with a print, at each step of how well they are recognized,
  /// and those without.
  fileprivate func parts(prints: UInt32) -> [PeopleSample.Part] {
    let none = Chance.all(of: UInt64(prints), each: acquisition.failureToEnrol)
    let cuts = [0] + steps + [1]
    let parts = zip(cuts, cuts.dropFirst()).map {
      PeopleSample.Part($0..<$1, enrolled: 1 - none)
    }
    return (parts + [PeopleSample.Part(unenrolled: none)]).filter { $0.share > 0 }
  }
}
