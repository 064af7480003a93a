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

  /// What a search for a difference came to.
  public struct Search: Sendable {
    /// The run that tells both apart; nil if none was found.
    public fileprivate(set) var difference: Difference?
    /// The number of situations compared.
    public fileprivate(set) var states = 0
    /// Whether it went on to its end.
    public fileprivate(set) var isComplete = true
  }

  /// Finds a run that tells `left` from `right` within `bounds`, and counts the situations
  /// compared; calls `goesOn` again and again with their number, and stops when that is false.
  ///
  /// A device with a passcode, one without, and, if neither shows a difference, what follows a run
  /// of failures get a third of the situations each. Among runs of equal length, one that ends both
  /// differently is preferred to one after which they ask differently.
  public static func find(
    _ left: Setup,
    _ right: Setup,
    _ bounds: Bounds,
    goesOn: (Int) -> Bool = { _ in true }
  ) -> Search {
    var third = bounds
    third.states = max(1, bounds.states / 3)
    var search = Search()
    for kind in [PasscodeKind.own, .none] {
      search.look(from: [Comparison(left, right, kind)], third, goesOn)
      if search.difference != nil || !search.isComplete { return search }
    }
    let failures = [Factor.biometry, .passcode].flatMap { factor in
      Comparison.failing(at: factor, left, right, upTo: bounds.depth)
    }
    third.depth = min(bounds.depth, afterFailuresMax)
    search.look(from: failures, third, goesOn)
    search.difference?.isShortest = false
    return search
  }

  /// Creates the difference that `comparison` reached; nil if both ask for the same, or no script
  /// shows the difference.
  fileprivate init?(_ comparison: Comparison) {
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

extension Difference.Search {
  /// Looks further, breadth first.
  fileprivate mutating func look(
    from beginnings: [Comparison],
    _ bounds: Bounds,
    _ goesOn: (Int) -> Bool
  ) {
    var known: Set<Int> = []
    var level: [Comparison] = []
    defer { states += known.count }
    for beginning in beginnings where known.insert(beginning.fingerprint).inserted {
      difference = Difference(beginning)
      guard difference == nil else { return }
      level.append(beginning)
    }
    for _ in 0..<bounds.depth where !level.isEmpty && known.count < bounds.states {
      var next: [Comparison] = []
      var asked: Difference?
      for comparison in level where known.count < bounds.states {
        isComplete = goesOn(states + known.count)
        guard isComplete else { return }
        for event in comparison.events {
          var successor = comparison
          successor.play(event)
          guard known.insert(successor.fingerprint).inserted else { continue }
          let isOver = successor.endings != nil
          guard isOver || asked == nil, let found = Difference(successor) else {
            next.append(successor)
            continue
          }
          guard !isOver else {
            difference = found
            return
          }
          asked = found
        }
      }
      difference = asked
      guard asked == nil else { return }
      level = next
    }
  }
}
