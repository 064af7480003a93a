import LocalAuthCore

/// A run of events after which a person meets something else under two setups.
///
/// One person at one device, with everything that an event sets off completed before the next, and each
/// event done as a script does it: what is found can be played as commands.
public struct Difference: Sendable {
  /// An event, and how it came out under the first setup and under the second.
  public struct Step: Sendable {
    /// What happened.
    public let event: Event
    /// How it came out under the first setup.
    public let left: Playing
    /// How it came out under the second.
    public let right: Playing
  }

  /// Whether the device has a passcode.
  public let kind: PasscodeKind
  /// The events, from a fresh device on: the run, and the fewest that then end both so that it shows.
  public let steps: [Step]
  /// How many of them are the run after which both differ.
  public let length: Int
  /// Whether no shorter run tells them apart on such a device.
  public private(set) var isShortest = true
  /// What each asks for after the run, or how it has ended.
  public let asked: (Asking, Asking)
  /// How the last evaluation ends under the first setup, and under the second.
  public let endings: (Ending, Ending)

  /// How many events an end may have.
  private static let endMax = 4
  /// How many events after failures are looked at.
  private static let afterFailuresMax = 8

  /// A run that tells `left` from `right` within `bounds`, or nil, and the situations compared.
  ///
  /// A third of the situations each goes to a device with a passcode, to one without, and, where neither
  /// tells the two apart, to what comes after a row of failures. Of runs of one length, one that ends both
  /// otherwise goes before one after which they ask otherwise.
  public static func find(
    _ left: Setup,
    _ right: Setup,
    _ bounds: Bounds
  ) -> (difference: Difference?, states: Int) {
    var third = bounds
    third.states = max(1, bounds.states / 3)
    var states = 0
    for kind in [PasscodeKind.own, .none] {
      let found = find(from: [Comparison(left, right, kind)], third)
      states += found.states
      if let difference = found.difference { return (difference, states) }
    }
    let failures = [Factor.biometry, .passcode].flatMap { factor in
      Comparison.failing(at: factor, left, right, upTo: bounds.depth)
    }
    third.depth = min(bounds.depth, afterFailuresMax)
    var found = find(from: failures, third)
    found.difference?.isShortest = false
    return (found.difference, states + found.states)
  }

  private static func find(
    from beginnings: [Comparison],
    _ bounds: Bounds
  ) -> (difference: Difference?, states: Int) {
    var known: Set<Int> = []
    var level: [Comparison] = []
    for beginning in beginnings where known.insert(beginning.fingerprint).inserted {
      if let difference = Difference(beginning) { return (difference, known.count) }
      level.append(beginning)
    }
    for _ in 0..<bounds.depth where !level.isEmpty && known.count < bounds.states {
      var next: [Comparison] = []
      var asked: Difference?
      for comparison in level where known.count < bounds.states {
        for event in comparison.events {
          var successor = comparison
          successor.play(event)
          guard known.insert(successor.fingerprint).inserted else { continue }
          let isOver = successor.endings != nil
          guard isOver || asked == nil, let difference = Difference(successor) else {
            next.append(successor)
            continue
          }
          guard !isOver else { return (difference, known.count) }
          asked = difference
        }
      }
      if let asked { return (asked, known.count) }
      level = next
    }
    return (nil, known.count)
  }

  /// What `comparison` has come to; nil when both ask for the same, or no script shows the difference.
  private init?(_ comparison: Comparison) {
    let asked = (comparison.left.asking, comparison.right.asking)
    guard asked.0 != asked.1, let shown = Self.shown(comparison), let endings = shown.endings
    else { return nil }
    kind = comparison.kind
    self.asked = asked
    steps = shown.steps
    length = comparison.length
    self.endings = endings
  }

  /// A shortest way on that ends both with another outcome and another status, or with another status
  /// at least, because one of the scripts has an event that nobody asked for.
  private static func shown(_ comparison: Comparison) -> Comparison? {
    var level = [comparison]
    var unlike: Comparison?
    for depth in 0...endMax {
      for candidate in level {
        guard let (left, right) = candidate.endings, left.exit != right.exit else { continue }
        if left.outcome != right.outcome { return candidate }
        unlike = unlike ?? candidate
      }
      guard depth < endMax else { break }
      level = level.filter { $0.endings == nil }.flatMap { before in
        Comparison.atThePrompt.map { event in
          var after = before
          after.play(event)
          return after
        }
      }
    }
    return unlike
  }
}
