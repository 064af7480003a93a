import LocalAuthCore

/// Two devices that receive the same events in sequence, each event with everything it causes.
struct Comparison {
  /// One of the two devices.
  struct Side: Hashable {
    private(set) var model: Model
    private(set) var outcome: OutcomeCode?
    private(set) var hasLeftOver = false

    init(_ setup: Setup, _ kind: PasscodeKind) { model = Model(setup, kind) }

    var asking: Asking { model.asking ?? outcome.map { .over($0) } ?? .nothing }

    var ending: Ending? {
      guard case .over(let outcome) = asking else { return nil }
      return Ending(outcome, hasLeftOver: hasLeftOver)
    }

    mutating func play(_ event: Event) -> Playing {
      if case .request = event { (outcome, hasLeftOver) = (nil, false) }
      let playing = model.play(event)
      if playing == .leftOver { hasLeftOver = true }
      if let answer = model.state.answers.last { outcome = answer.outcome.code }
      return playing
    }

    static func == (left: Side, right: Side) -> Bool {
      left.model.state == right.model.state && left.outcome == right.outcome
        && left.hasLeftOver == right.hasLeftOver
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(model.state)
      hasher.combine(outcome)
      hasher.combine(hasLeftOver)
    }
  }

  /// The steps so far; comparisons that continue from here share them.
  private indirect enum Trail {
    case start
    case after(Trail, Difference.Step)
  }

  /// Whether both devices have a passcode.
  let kind: PasscodeKind
  private(set) var left: Side
  private(set) var right: Side
  private(set) var length = 0
  private var trail = Trail.start

  init(_ left: Setup, _ right: Setup, _ kind: PasscodeKind) {
    self.kind = kind
    self.left = Side(left, kind)
    self.right = Side(right, kind)
  }

  /// The events so far, in order.
  var steps: [Difference.Step] {
    var steps: [Difference.Step] = []
    var trail = trail
    while case .after(let before, let step) = trail {
      steps.append(step)
      trail = before
    }
    return steps.reversed()
  }

  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(left)
    hasher.combine(right)
    return hasher.finalize()
  }

  /// The endings of both sides, once both are over.
  var endings: (Ending, Ending)? {
    guard let first = left.ending, let second = right.ending else { return nil }
    return (first, second)
  }

  mutating func play(_ event: Event) {
    let step = Difference.Step(event: event, left: left.play(event), right: right.play(event))
    trail = .after(trail, step)
    length += 1
  }

  // MARK: Failures

  /// More events than are needed to reach the last failure that matters to a shipped table.
  private static let failingMax = 1000

  /// Returns the comparisons after each event of a run of wrong attempts at `factor`, waits
  /// included.
  ///
  /// The run ends after `most` events, or when it tells both sides apart, reaches nothing new, or
  /// no table makes a difference any more.
  static func failing(
    at factor: Factor,
    _ left: Setup,
    _ right: Setup,
    upTo most: Int
  ) -> [Comparison] {
    var comparison = Comparison(left, right, .own)
    var known: Set<Int> = []
    var all: [Comparison] = []
    while all.count < min(most, failingMax), comparison.left.asking == comparison.right.asking,
      known.insert(comparison.fingerprint).inserted
    {
      comparison.play(comparison.nextToFailure(at: factor))
      all.append(comparison)
    }
    return all
  }

  private func nextToFailure(at factor: Factor) -> Event {
    guard case .open(let live, let offersFallback) = left.asking else {
      let wait = [left, right].compactMap { $0.model.wait(at: Counted(factor)) }.max()
      return wait.map { .pass(Self.playable($0)) } ?? .request(.first, Request())
    }
    guard live.contains(factor.alone) else {
      return factor == .passcode && offersFallback ? .fallback : .cancel(.first)
    }
    return factor == .passcode ? .passcode(isRight: false) : .touch(isRight: false)
  }

  // MARK: What can happen

  /// The events that a script can play and at least one side accepts, the most obvious ones first.
  var events: [Event] {
    let askings = [left.asking, right.asking]
    let isOpen = askings.contains { if case .open = $0 { true } else { false } }
    guard isOpen else { return requests + times.map { .pass($0) } + [.reboot] }
    return Self.atThePrompt.filter { event in askings.contains { $0.takes(event) } }
  }

  static let atThePrompt: [Event] = [
    .touch(isRight: true), .touch(isRight: false), .passcode(isRight: true),
    .passcode(isRight: false), .fallback, .cancel(.first),
  ]

  /// Includes requests for grants only if the policies' grant rules differ.
  private var requests: [Event] {
    let rules = [left, right].map(\.model.setup.policy.grant)
    let wishes = rules[0] == rules[1] ? [] : rules.compactMap(\.self).map(\.maxAge)
    let requests = wishes.max().map { [Request(wish: Wish(scope: 0, maxAge: $0))] } ?? []
    return ([Request()] + requests).map { .request(.first, $0) }
  }

  /// Real time runs alongside a simulated clock, so a script may miss a change that is this close.
  private static let margin = Duration.seconds(10)

  /// The part of a long time that must remain so that a script is sure to run before its end.
  private static let rest = Duration.seconds(60)

  /// The times until something changes by itself on either side, or is about to.
  private var times: [Duration] {
    let changes = Set([left, right].flatMap(\.model.boundaries).map(Self.playable))
    let long = changes.filter { $0 > Self.long }.map { $0 - Self.rest - Self.rest }
    let all = changes.union(long).sorted()
    return all.filter { time in !changes.contains { $0 > time && $0 - time < Self.margin } }
  }

  /// Times longer than this are rounded to whole minutes.
  private static let long = Duration.seconds(3600)

  /// Rounds the time up to a value that a person would advance a clock by.
  private static func playable(_ time: Duration) -> Duration {
    let seconds = time.components.seconds + (time.components.attoseconds > 0 ? 1 : 0)
    return .seconds(time > long ? (seconds + 59) / 60 * 60 : seconds)
  }
}
