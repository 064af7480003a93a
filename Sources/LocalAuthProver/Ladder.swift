import LocalAuthCore

/// The beginnings of an exploration: situations that a run of attempts reaches from a fresh device.
///
/// An exhaustive search from a fresh device would never reach the twentieth miss. Real events lead
/// to each of these, so a trace through one starts at a fresh device.
struct Ladder {
  /// A beginning and the events that lead to it.
  struct Rung: Sendable {
    let kind: PasscodeKind
    let isDistrusted: Bool
    let trace: [Event]
    let model: Model
    /// How often the way to it met the premise of each property.
    let premises: PremiseCounts
  }

  private let setup: Setup
  private let kind: PasscodeKind
  private let isDistrusted: Bool
  private var model: Model
  private var trace: [Event] = []
  private var premises = PremiseCounts()

  private init(_ setup: Setup, _ kind: PasscodeKind, isDistrusted: Bool) {
    self.setup = setup
    self.kind = kind
    self.isDistrusted = isDistrusted
    model = Model(setup, kind, isDistrusted: isDistrusted)
  }

  /// Returns the beginnings of this sort under `setup`.
  static func rungs(_ setup: Setup, _ beginning: Beginning) -> [Rung] {
    switch beginning {
    case .fresh:
      PasscodeKind.allCases.flatMap { kind in
        [false, true].map { Ladder(setup, kind, isDistrusted: $0).rung }
      }
    case .tried: PasscodeKind.allCases.flatMap { tried(setup, $0) }
    }
  }

  /// The beginnings that runs of attempts lead to.
  private static func tried(_ setup: Setup, _ kind: PasscodeKind) -> [Rung] {
    func climbed(_ climb: (inout Ladder) -> [Rung]) -> [Rung] {
      var ladder = Ladder(setup, kind, isDistrusted: false)
      return climb(&ladder)
    }
    var rungs = climbed { $0.climb(.finger) }
    if setup.byThemselves.contains(.possession) { rungs += climbed { $0.climb(.possession) } }
    if setup.surroundings == .others {
      rungs += climbed { $0.climb(.othersFinger) } + climbed { $0.climb(.othersPasscode) }
    }
    rungs += climbed { $0.remember() }
    guard kind != .none else { return rungs }
    return rungs + climbed { $0.grow() } + climbed { $0.climb(.passcode) }
  }

  private var rung: Rung {
    Rung(
      kind: kind,
      isDistrusted: isDistrusted,
      trace: trace,
      model: model,
      premises: premises
    )
  }

  /// Fails at what is counted repeatedly, and keeps each situation at which a table makes a difference.
  private mutating func climb(_ count: Counted) -> [Rung] {
    var rungs: [Rung] = []
    let counts = interesting(count)
    guard !counts.isEmpty else { return [] }
    let last = deepest(count)
    var known = model.failures(count)
    while model.failures(count) < last, model.state.violated == nil, fail(at: count) {
      guard model.failures(count) > known else { return rungs }
      known = model.failures(count)
      if counts.contains(known) { rungs.append(rung) }
    }
    // What only the way shows, such as a delay that stops doubling, is a beginning that is broken.
    if model.state.violated != nil { rungs.append(rung) }
    return rungs
  }

  /// The count up to which the way is gone: past every doubling that a table makes.
  private func deepest(_ count: Counted) -> UInt32 {
    let doubled = setup.tables(of: count).flatMap { table in
      table.rows.compactMap { row in row.doublesEvery.map { row.from + $0 * (Self.doublings + 1) } }
    }
    return max(interesting(count).max() ?? 0, min(doubled.max() ?? 0, Self.failuresMax))
  }

  /// No delay doubles more often.
  private static let doublings: UInt32 = 20
  /// As many failures as the way to a beginning has at most.
  private static let failuresMax: UInt32 = 250

  /// Matches repeatedly until the passcode is almost too old for fingers to be allowed.
  private mutating func grow() -> [Rung] {
    let rules = setup.policy.freshness
    guard let limit = rules.passcodeWithin?.wholeNanoseconds,
      let step = rules.anyWithin?.wholeNanoseconds, step > 0
    else { return [] }
    while let age = model.state.history.sincePasscode, age + step <= limit {
      self.step(.request(.first, Request()))
      self.offer(.biometry, isRight: true)
      self.step(.settle)
      guard model.state.history.sinceMatch == 0 else { return [] }
      self.step(.pass(.nanoseconds(step)))
    }
    self.step(.request(.first, Request()))
    self.offer(.biometry, isRight: true)
    self.step(.settle)
    return [rung]
  }

  /// Succeeds once and has the success remembered, if the policy allows it.
  private mutating func remember() -> [Rung] {
    guard let rule = setup.policy.grant else { return [] }
    step(.request(.first, Request(wish: Wish(scope: 0, maxAge: rule.maxAge))))
    for factor in setup.byThemselves.intersection(.possession).factors + [.biometry, .passcode] {
      offer(factor, isRight: true)
      step(.settle)
    }
    silence()
    return model.state.disk.grants.isEmpty ? [] : [rung]
  }

  /// The failure counts at each change in a table, and immediately before it.
  private func interesting(_ count: Counted) -> [UInt32] {
    var edges: [UInt32] = []
    for table in setup.tables(of: count) {
      for row in table.rows {
        edges.append(row.from)
        if let through = row.through { edges.append(through + 1) }
        if let doubling = row.doublesEvery { edges.append(row.from + doubling) }
      }
      if let lock = table.locksAt { edges.append(lock) }
    }
    return Set(edges.flatMap { [$0 > 1 ? $0 - 1 : 1, $0] }).sorted()
  }

  /// Makes one wrong attempt, doing or waiting for whatever must come first; false if none is left.
  private mutating func fail(at count: Counted) -> Bool {
    let before = model.failures(count)
    for _ in 0..<8 {
      if model.state.machine.armed == nil {
        step(.request(.first, Request(other: count.isOfOthers ? 1 : 0)))
      }
      offer(count.factor, isRight: false)
      step(.settle)
      if model.failures(count) > before { break }
      for refusing in count.refusing { skipWait(refusing) }
      if count.isOfPasscode, model.state.machine.armed != nil { step(.fallback) }
    }
    if model.state.machine.armed != nil { step(.cancel(.first)) }
    silence()
    step(.settle)
    return model.failures(count) > before
  }

  /// Makes one attempt at `factor`, or has the judge that was started for one give its verdict.
  private mutating func offer(_ factor: Factor, isRight: Bool) {
    guard setup.byThemselves.contains(factor.alone) else {
      guard factor != .possession else { return }
      return step(factor == .passcode ? .passcode(isRight: isRight) : .touch(isRight: isRight))
    }
    step(.settle)
    let judges = model.started
    guard let number = judges.firstIndex(where: { $0.factor == factor }) else { return }
    step(.word(number, isRight ? .match : .miss))
  }

  /// Ends every judge that judges by itself, since none is needed any more.
  private mutating func silence() {
    // A machine that breaks a property may never come to an end.
    while !model.started.isEmpty, model.state.machine.armed == nil, model.state.violated == nil {
      step(.word(0, .failed))
      step(.settle)
    }
  }

  private mutating func skipWait(_ count: Counted) {
    if let wait = model.wait(at: count) { step(.pass(wait)) }
  }

  /// Applies an event; only events that change something become part of the trace.
  private mutating func step(_ event: Event) {
    let before = model.state
    model.apply(event)
    premises.add(model.premises)
    if model.state != before { trace.append(event) }
  }
}
