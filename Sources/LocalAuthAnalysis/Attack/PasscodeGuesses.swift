/// How likely each guess is to be the passcode, for somebody who tries the most frequent first.
///
/// Of passcodes that people choose, publications give the share found by some numbers of guesses.
/// Between them the shares are bounded: since no guess is more likely than the one before it, the
/// curve is concave, so chords between published points are the least it can be, and the chords
/// before and after, extended, the most. Past the last point the rest is spread evenly at least, and
/// goes on at the last chord's slope at most.
public struct PasscodeGuesses: Hashable, Sendable {
  /// A published share of passcodes found by this many guesses.
  public struct Point: Hashable, Sendable {
    /// The number of guesses.
    public var guesses: UInt64
    /// The share found.
    public var share: Double

    /// The point of these values.
    public init(guesses: UInt64, share: Double) {
      self.guesses = guesses
      self.share = share
    }
  }

  /// The end of what the published points allow.
  public enum Bound: Hashable, Sendable {
    case least
    case most
  }

  /// The number of passcodes there are.
  public let secrets: UInt64
  /// The published points, in ascending order; none if all passcodes are equally likely.
  public let points: [Point]
  /// The end of what the points allow.
  public let bound: Bound
  /// The most frequent passcodes that cannot be chosen.
  public let blocked: UInt64

  private init(_ secrets: UInt64, _ points: [Point], _ bound: Bound, _ blocked: UInt64) {
    self.secrets = max(1, secrets)
    self.points = points
    self.bound = bound
    self.blocked = blocked
  }

  /// `secrets` passcodes that are equally likely, as if drawn by lot.
  public static func uniform(of secrets: UInt64) -> Self { Self(secrets, [], .most, 0) }

  /// Passcodes of which a publication gives `points`, as many found as these allow.
  public static func published(_ points: [Point], of secrets: UInt64) -> Self {
    Self(secrets, points, .most, 0)
  }

  /// The same at the other end of what the points allow: what is found at least.
  public var atLeast: Self { Self(secrets, points, .least, blocked) }

  /// The guesses that the publication reaches; nil if all is known.
  public var reach: UInt64? { points.last?.guesses }

  /// The same if the `count` most frequent passcodes cannot be chosen: whoever would have chosen one
  /// of them chooses as the others do, and the attacker knows the list.
  ///
  /// Nil if that leaves nothing: the list has all passcodes, or goes past what is published.
  public func without(mostFrequent count: UInt64) -> Self? {
    guard count < secrets, reach.map({ count < $0 }) ?? true else { return nil }
    return points.isEmpty
      ? Self(secrets - count, [], bound, 0) : Self(secrets, points, bound, count)
  }

  /// The same if so many digits are known; of chosen passcodes nobody published that, so what is left
  /// counts as equally likely.
  public func knowing(digits: UInt32) -> Self {
    .uniform(of: (0..<digits).reduce(candidates) { left, _ in left / 10 })
  }

  /// The number of passcodes that may have been chosen.
  public var candidates: UInt64 { secrets - blocked }

  /// The share of passcodes that are among the first `guesses` guesses.
  public func found(by guesses: UInt64) -> Double {
    guard guesses < candidates else { return 1 }
    guard !points.isEmpty else { return Double(guesses) / Double(secrets) }
    guard blocked > 0 else { return share(guesses, bound) }
    guard guesses > 0 else { return 0 }
    // Most is found if the list barred least, and the other way round.
    let barred = share(blocked, bound == .most ? .least : .most)
    let left = 1 - share(blocked + guesses, bound)
    return barred < 1 ? max(0, 1 - left / (1 - barred)) : 1
  }

  /// The chance that the next guess is right after this many wrong ones.
  public func chance(after wrong: UInt64) -> Double {
    let left = 1 - found(by: wrong)
    guard left > 0, wrong + 1 < candidates else { return wrong < candidates ? 1 : 0 }
    guard !points.isEmpty else { return 1 / Double(secrets - wrong) }
    return min(1, max(0, found(by: wrong + 1) - found(by: wrong)) / left)
  }

  /// The number of wrong guesses before the passcode that has this place among all, from 0 to 1.
  func rank(at place: Double) -> UInt64 {
    var (low, high) = (0 as UInt64, candidates - 1)
    while low < high {
      let middle = low + (high - low) / 2
      if found(by: middle + 1) > place { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The share found by `guesses` guesses if nothing were barred, at this end of what is possible.
  private func share(_ guesses: UInt64, _ bound: Bound) -> Double {
    let knots = [Point(guesses: 0, share: 0)] + points
    guard let next = knots.firstIndex(where: { $0.guesses >= guesses }) else {
      return beyond(guesses, knots, bound)
    }
    guard next > 0 else { return 0 }
    let (from, to) = (knots[next - 1], knots[next])
    let least = from.share + Self.slope(from, to) * Double(guesses - from.guesses)
    guard bound == .most else { return least }
    let before = next > 1 ? Self.slope(knots[next - 2], from) : 1
    let after = next + 1 < knots.count ? Self.slope(to, knots[next + 1]) : 0
    let most = min(
      from.share + before * Double(guesses - from.guesses),
      to.share - after * Double(to.guesses - guesses)
    )
    return max(least, most)
  }

  private func beyond(_ guesses: UInt64, _ knots: [Point], _ bound: Bound) -> Double {
    let last = knots[knots.count - 1]
    let more = Double(guesses - last.guesses)
    switch bound {
    case .least: return last.share + (1 - last.share) * more / Double(secrets - last.guesses)
    case .most: return min(1, last.share + Self.slope(knots[knots.count - 2], last) * more)
    }
  }

  private static func slope(_ from: Point, _ to: Point) -> Double {
    (to.share - from.share) / Double(to.guesses - from.guesses)
  }
}

extension PasscodeGuesses {
  /// The passcodes of an application's lock screen on iPhones.
  ///
  /// 8,884 of 204,508 are 1234, and ten make 15 % (Amitay 2011). Three guesses find 8 to 9 % of them,
  /// and of the four digits in leaked passwords (Bonneau, Preibusch and Anderson 2012); 9 is taken.
  public static let amitay = [
    Point(guesses: 1, share: 8884.0 / 204_508), Point(guesses: 3, share: 0.09),
    Point(guesses: 10, share: 0.15),
  ]
  /// Four digits chosen to unlock a smartphone.
  ///
  /// The first choices of Markert, Bailey, Golla, Dürmuth and Aviv 2020, as remembered.
  public static let markert4 = [
    Point(guesses: 10, share: 0.046), Point(guesses: 30, share: 0.076),
    Point(guesses: 100, share: 0.162),
  ]
  /// Six digits chosen to unlock a smartphone, from the same study, as remembered.
  public static let markert6 = [
    Point(guesses: 10, share: 0.065), Point(guesses: 30, share: 0.089),
    Point(guesses: 100, share: 0.133),
  ]
}

extension PasscodeGuesses {
  /// Who published how people choose passcodes.
  public enum Publication: String, CaseIterable, Sendable {
    case amitay
    case markert

    /// What they found of passcodes of so many digits; nil if they had none of these.
    func points(digits: Int) -> [Point]? {
      switch (self, digits) {
      case (.amitay, 4): PasscodeGuesses.amitay
      case (.markert, 4): PasscodeGuesses.markert4
      case (.markert, 6): PasscodeGuesses.markert6
      default: nil
      }
    }

    /// Passcodes of so many digits as people choose them; nil if they had none of these.
    public func passcodes(digits: Int) -> PasscodeGuesses? {
      points(digits: digits).map { .published($0, of: PasscodeGuesses.secrets(digits: digits)) }
    }
  }

  /// Who published these passcodes; nil if all are equally likely, or if somebody else did.
  public var publication: Publication? {
    points.isEmpty
      ? nil : Publication.allCases.first { $0.points(digits: digits) == points }
  }

  /// The digits that so many passcodes have.
  var digits: Int {
    var (digits, power) = (0, 1.0)
    while power < Double(secrets) { (digits, power) = (digits + 1, power * 10) }
    return digits
  }

  /// Passcodes of so many digits, chosen alike and with as many barred; nil if nothing is known of them.
  func having(digits: Int) -> Self? {
    guard !points.isEmpty else {
      return Self.uniform(of: Self.secrets(digits: digits)).without(mostFrequent: barred)
    }
    return publication?.passcodes(digits: digits)?.without(mostFrequent: barred)
  }

  /// Passcodes of as many digits, with as many barred, as somebody published that people choose them; nil if
  /// that is not known.
  func chosen(as publication: Publication) -> Self? {
    publication.passcodes(digits: digits)?.without(mostFrequent: barred)
  }

  /// How many are barred.
  private var barred: UInt64 {
    points.isEmpty ? Self.secrets(digits: digits) - secrets : blocked
  }

  private static func secrets(digits: Int) -> UInt64 {
    (0..<digits).reduce(1) { ten, _ in ten * 10 }
  }
}
