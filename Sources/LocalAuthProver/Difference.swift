import LocalAuthCore

/// A run of events after which two setups behave differently towards a person.
///
/// It involves one person at one device. Everything that an event causes completes before the next,
/// and events are played as a script plays them, so a difference can be reproduced with commands.
public struct Difference: Sendable {
  /// An event, with its result under each setup.
  public struct Step: Sendable {
    /// The event.
    public let event: Event
    /// The result under the first setup.
    public let left: Playing
    /// The result under the second setup.
    public let right: Playing
  }

  /// Whether the device has a passcode.
  public let kind: PasscodeKind
  /// The events from a fresh device on: the run, then the fewest events that end both visibly.
  public let steps: [Step]
  /// The number of steps in the run after which both differ.
  public let length: Int
  /// Whether no shorter run tells the setups apart on such a device.
  public private(set) var isShortest = true
  /// What each setup asks for after the run, or how it has ended.
  public let asked: (Asking, Asking)
  /// How the last evaluation ends under each setup.
  public let endings: (Ending, Ending)

  /// The maximum number of events that end both.
  private static let endMax = 4
  /// The maximum number of events examined after a run of failures.
  private static let afterFailuresMax = 8

  /// Finds a run that tells `left` from `right` within `bounds`, and counts the situations
  /// compared.
  ///
  /// A device with a passcode, one without, and, if neither shows a difference, what follows a run
  /// of failures get a third of the situations each. Among runs of equal length, one that ends both
  /// differently is preferred to one after which they ask differently.
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

  /// Creates the difference that `comparison` reached; nil if both ask for the same, or no script
  /// shows the difference.
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

  /// Returns a shortest continuation that ends both with different outcomes and exit statuses.
  ///
  /// If there is none, only the statuses differ, because one script has an event that nothing asked
  /// for.
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
