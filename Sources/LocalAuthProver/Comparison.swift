import LocalAuthCore

/// Two devices that meet the same events, one after the other, with all that each sets off.
struct Comparison {
  /// One of them.
  struct Side: Hashable {
    private(set) var scene: Scene
    private(set) var outcome: OutcomeCode?
    private(set) var hasLeftOver = false

    init(_ setup: Setup, _ kind: PasscodeKind) { scene = Scene(setup, World(kind)) }

    var asking: Asking { scene.asking ?? outcome.map { .over($0) } ?? .nothing }

    var ending: Ending? {
      guard case .over(let outcome) = asking else { return nil }
      return Ending(outcome, hasLeftOver: hasLeftOver)
    }

    mutating func play(_ event: Event) -> Playing {
      if case .request = event { (outcome, hasLeftOver) = (nil, false) }
      let playing = scene.play(event)
      if playing == .leftOver { hasLeftOver = true }
      if let answer = scene.world.answers.last { outcome = answer.outcome.code }
      return playing
    }

    static func == (left: Side, right: Side) -> Bool {
      left.scene.world == right.scene.world && left.outcome == right.outcome
        && left.hasLeftOver == right.hasLeftOver
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(scene.world)
      hasher.combine(outcome)
      hasher.combine(hasLeftOver)
    }
  }

  private(set) var left: Side
  private(set) var right: Side
  private(set) var run: [Difference.Step] = []

  init(_ left: Setup, _ right: Setup, _ kind: PasscodeKind) {
    self.left = Side(left, kind)
    self.right = Side(right, kind)
  }

  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(left)
    hasher.combine(right)
    return hasher.finalize()
  }

  /// What each ends with, when both are over.
  var endings: (Ending, Ending)? {
    guard let first = left.ending, let second = right.ending else { return nil }
    return (first, second)
  }

  mutating func play(_ event: Event) {
    run.append(Difference.Step(event: event, left: left.play(event), right: right.play(event)))
  }

  // MARK: What can happen

  /// What a script can play and at least one of both takes, what a person thinks of first in front.
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

  /// What is remembered makes a difference only between policies that let it do different things.
  private var requests: [Event] {
    let rules = [left, right].map(\.scene.setup.policy.grant)
    let wishes = rules[0] == rules[1] ? [] : rules.compactMap(\.self).map(\.maxAge)
    let requests = wishes.max().map { [Request(wish: Wish(scope: 0, maxAge: $0))] } ?? []
    return ([Request()] + requests).map { .request(.first, $0) }
  }

  /// Real time goes on beside a simulated clock: where the next change is this near, none of a script
  /// would be sure to happen before it.
  private static let margin = Duration.seconds(10)

  /// After how long something changes by itself on one of both.
  private var times: [Duration] {
    let all = Set([left, right].flatMap(\.scene.boundaries).map(Self.playable)).sorted()
    return zip(all, all.dropFirst() + [.seconds(Int64.max)]).compactMap { time, next in
      next - time < Self.margin ? nil : time
    }
  }

  /// The time rounded up to what a person would advance a clock by.
  private static func playable(_ time: Duration) -> Duration {
    let seconds = time.components.seconds + (time.components.attoseconds > 0 ? 1 : 0)
    guard seconds > 3600 else { return .seconds(seconds) }
    return .seconds((seconds + 59) / 60 * 60)
  }
}
