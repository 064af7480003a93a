import LocalAuthCore

/// Authenticators that judge by themselves: what they may say, and what becomes of them.
extension Model {
  /// The attempts for which one of them was started and has not ended.
  var started: [AttemptID] {
    guard !setup.byThemselves.isEmpty else { return [] }
    return state.asked.flatMap { asked in
      [Factor.biometry, .possession].filter {
        setup.byThemselves.contains($0.alone) && asked[$0]?.charge != nil
      }.map { AttemptID(asked.id, $0) }
    }
  }

  // MARK: What they do

  /// One of them is started for an attempt that is charged.
  mutating func start(_ charge: DurableCharge) {
    state[charge.attempt]?.charge = charge
    checkTrust()
  }

  /// The n-th of them says something, which no machine can prevent.
  mutating func said(_ word: Word, _ number: Int) {
    let all = started
    guard all.indices.contains(number), let truth = state[all[number]], let charge = truth.charge
    else { return }
    let attempt = all[number]
    reached(attempt.owner)
    guard let verdict = word.verdict else {
      state[attempt]?.isTouched = true
      return run { machine, _ in machine.submitted(attempt) }
    }
    // Only its first verdict is one.
    if !truth.hasSpoken { witness(word, on: attempt, truth) }
    state[attempt]?.hasSpoken = true
    guard word == .failed, !truth.hasSpoken, !truth.isTouched, attempt.factor == .biometry else {
      return run { $0.judged(charge, verdict, at: $1) }
    }
    checkGivenBack(attempt) { model in model.run { $0.judged(charge, verdict, at: $1) } }
  }

  /// They can be asked from now on, or no longer.
  mutating func become(_ presence: SensorPresence) {
    if state.outside == nil { state.machine.sensor = presence }
    state.outside?.presence = presence
    seeOutside()
    run { $0.changed(at: $1) }
  }

  /// Somebody enrols other prints past the device.
  mutating func enrolOthers() {
    guard let outside = state.outside, setup.byThemselves.contains(.biometry) else { return }
    state.outside?.prints = Outside.other(than: outside.prints)
    findPrints(byAct: false)
    run { $0.changed(at: $1) }
  }

  /// Other programs judge from now on.
  mutating func replacePrograms() {
    guard let outside = state.outside else { return }
    state.outside?.programs = Outside.other(than: outside.programs)
    seeOutside()
    run { $0.changed(at: $1) }
  }

  /// The device hears what is enrolled at the reader, and stores it if that is news.
  mutating func findPrints(byAct isOwn: Bool) {
    guard setup.byThemselves.contains(.biometry), let prints = state.outside?.enrolled else {
      return
    }
    guard state.machine.found(prints, byAct: isOwn) else { return }
    state.history.forgetGrants(after: state.writes.count)
    // An act of the device stores it itself.
    if !isOwn { run { $0.store(ModelState.housekeeping, at: $1) } }
  }

  /// An act of the device enrols other prints.
  mutating func enrolByAct() {
    guard let outside = state.outside else { return }
    state.outside?.prints = Outside.other(than: outside.prints)
    state.outside?.trustedPrints = Outside.other(than: outside.prints)
    findPrints(byAct: true)
  }

  private mutating func seeOutside() {
    if let outside = state.outside { state.machine.see(outside, setup) }
  }

  // MARK: What it means

  /// Records a verdict.
  ///
  /// It is right if it says match for an attempt that was started and not broken off; everything else
  /// that was judged, or may have been, was a guess.
  private mutating func witness(_ word: Word, on attempt: AttemptID, _ truth: ModelState.Truth) {
    let isSeen = truth.isTouched || attempt.factor == .possession
    switch word {
    case .match where !truth.isAborted:
      state[attempt]?.isRight = true
      state[attempt]?.isProven = true
      if attempt.factor == .biometry { checkPrints() }
      let generation = attempt.factor == .biometry ? state.outside?.generation : nil
      witness(attempt, .proven(finger: nil, generation: generation))
    case .match, .miss: guessed(attempt)
    case .failed: if isSeen { guessed(attempt) }
    case .touched: break
    }
  }

  private mutating func guessed(_ attempt: AttemptID) {
    state[attempt]?.isRight = false
    witness(attempt, .miss)
  }

  /// Whether the passcode has to be proven before a judge may judge, or a proof of it counts.
  var isStrange: Bool {
    guard let outside = state.outside else { return false }
    return outside.isStrange && state.machine.record.passcode != .none
  }

  private mutating func checkTrust() { check(.distrustHolds, !isStrange) }

  /// Checks that a match is not among prints that somebody enrolled past the device.
  private mutating func checkPrints() {
    let areStrange = state.outside?.arePrintsStrange ?? false
    check(
      .distrustHolds,
      !areStrange || state.machine.record.passcode == .none
    )
  }

  // MARK: What can happen

  /// What they may say: anything, until they have given a verdict, and then the opposite.
  var words: [Event] {
    started.enumerated().flatMap { number, attempt -> [Event] in
      let truth = state[attempt] ?? ModelState.Truth()
      guard !truth.hasSpoken else {
        return [.word(number, truth.isProven ? .miss : .match)]
      }
      let isTouch = attempt.factor == .biometry && !truth.isTouched
      return Word.allCases.filter { $0 != .touched || isTouch }.map { .word(number, $0) }
    }
  }

  /// The sensors that may take the place of the device's own, if the policy tells them apart.
  private var strengths: [Event] {
    guard setup.policy.minimumStrength > .weak else { return [] }
    return [SensorPresence.ready(.weak), .ready(.strong)].filter { $0 != state.machine.sensor }
      .map { .presence($0) }
  }

  /// What may become of them.
  var becoming: [Event] {
    guard let outside = state.outside else { return strengths }
    var all: [Event] = []
    for presence in [SensorPresence.ready(.strong), .hindered(.busy), .unplugged]
    where presence != outside.presence {
      all.append(.presence(presence))
    }
    if setup.byThemselves.contains(.biometry) { all.append(.prints) }
    return all + [.programs]
  }
}
