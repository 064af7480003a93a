import LocalAuthCore

/// The events possible in a situation, and their effects.
extension Model {
  /// Applies `event`; an event that is impossible now has no effect.
  public mutating func apply(_ event: Event) {
    state.answers = []
    premises = []
    notePremises(of: event)
    let before = ownersCharges
    meet(event)
    checkOwnersCharges(before)
    foldWall()
    checkStanding()
  }

  private mutating func meet(_ event: Event) {
    switch event {
    case .request(let client, let request):
      guard state.running(client) == nil, state.asked.count < ModelState.sessionsMax else { return }
      self.request(client, request)
    case .touch(let isRight):
      touch(isRight: isRight)
    case .passcode(let isRight): typed(isRight: isRight)
    case .fallback:
      if let id = state.machine.armed?.id { run { $0.fellBack(id, at: $1) } }
    case .fault:
      guard let id = state.machine.armed?.id else { return }
      run { $0.faulted(id, .biometry, .sensor(.general), at: $1) }
    case .cancel(let client):
      guard let id = state.running(client) else { return }
      run { $0.ended(id, Outcome(.userCancel), at: $1) }
    case .timeout(let client):
      guard let id = state.running(client) else { return }
      run { $0.ended(id, Outcome(.timeout), at: $1) }
    case .stray: stray()
    case .question: askAgain()
    case .agent(let word): agent(word)
    case .commit(let end): commitEnds(end)
    case .verdict(let number): verdict(number)
    case .refusal(let number): refusal(number)
    case .word(let number, let word): said(word, number)
    case .presence(let presence): become(presence)
    case .prints: enrolOthers()
    case .programs: replacePrograms()
    case .settle: settle()
    case .act(let act, let isRight):
      if state.acting == nil { begin(act, isRight: isRight) }
    case .lock: lock()
    case .revoke: revoke()
    case .pass(let time): pass(time)
    case .wall(let time): jump(time)
    case .reboot: reboot()
    case .crash(let kept, let isReboot): crash(kept: kept, isReboot: isReboot)
    }
  }

  /// A finger is laid on for an evaluation that waits for the prompt.
  private mutating func stray() {
    guard let id = state.waiting else { return }
    premises.insert(Premises(.onePrompt))
    state[AttemptID(id, .biometry)] = ModelState.Truth(isRight: true)
    run { _ = $0.touched(id, at: $1) }
    let isTaken = state.machine[AttemptID(id, .biometry)] != nil
    if !isTaken { state[AttemptID(id, .biometry)] = nil }
    check(.onePrompt, !isTaken)
  }

  /// The conversation of PAM's that was answered asks a further question.
  private mutating func askAgain() {
    guard let attempt = answeredConversation else { return }
    state[attempt]?.hasAskedAgain = true
    run { $0.asked(attempt, at: $1) }
  }

  /// A conversation that has an answer and may ask for another.
  var answeredConversation: AttemptID? {
    guard let run = state.machine.armed, let passcode = run.passcode, passcode.wasSubmitted,
      passcode.machine.isJudging, !passcode.isAsking, !passcode.isAborted,
      case .pam = state.machine.record.passcode
    else { return nil }
    let attempt = AttemptID(run.id, .passcode)
    let isFirst = state[attempt].map { !$0.hasAskedAgain } ?? false
    return isFirst ? attempt : nil
  }

  private mutating func agent(_ word: AgentWord) {
    guard let index = state.asked.firstIndex(where: { $0.agent != .none && !$0.isAnswered }) else {
      return
    }
    let id = state.asked[index].id
    switch (state.asked[index].agent, word) {
    case (.wanted, .admits):
      state.asked[index].agent = .placed
      run { $0.admitted(id, nil, at: $1) }
    case (.wanted, .refuses):
      state.asked[index].agent = .placed
      run { $0.admitted(id, Outcome(.notInteractive), at: $1) }
    case (.placed, .shows) where state.machine.arbiter.armed == id:
      state.asked[index].agent = .showing
      run { $0.shown(id, at: $1) }
    case (.showing, .hides): run { machine, _ in machine.hidden(id) }
    case (.none, _), (.wanted, _), (.placed, _), (.showing, _): break
    }
  }

  private mutating func request(_ client: Client, _ request: Request) {
    let id = state.freeID
    state.asked.append(ModelState.Asked(id: id, client: client, request: request))
    let asked = setup.request(request, as: id)
    run { $0.requested(asked, at: $1) }
  }

  private mutating func touch(isRight: Bool) {
    guard let armed = state.machine.armed, armed.finger == nil,
      !setup.byThemselves.contains(.biometry)
    else { return }
    state[AttemptID(armed.id, .biometry)] = ModelState.Truth(isRight: isRight)
    run { _ = $0.touched(armed.id, at: $1) }
  }

  private mutating func typed(isRight: Bool) {
    guard let armed = state.machine.armed else { return }
    let attempt = AttemptID(armed.id, .passcode)
    if let passcode = armed.passcode {
      guard passcode.isAsking else { return }
      state[attempt]?.isRight = isRight
    } else {
      guard case .device = state.machine.record.passcode else { return }
      state[attempt] = ModelState.Truth(isRight: isRight)
    }
    run { _ = $0.answered(armed.id, at: $1) }
  }

  /// The passcodes being judged.
  private var judging: [AttemptID] {
    var all: [AttemptID] = []
    for index in state.machine.evaluations.indices {
      guard let passcode = state.machine.evaluations[index].passcode, passcode.machine.isJudging,
        passcode.wasSubmitted || passcode.isAborted
      else { continue }
      let attempt = AttemptID(state.machine.evaluations[index].id, .passcode)
      // An answer on its way to the disk has not reached the conversation.
      if !isCharging(attempt) { all.append(attempt) }
    }
    for act in state.machine.acts where act.attempt?.machine.isJudging ?? false {
      all.append(AttemptID(act.id, .passcode))
    }
    return all
  }

  private func isCharging(_ attempt: AttemptID) -> Bool {
    state.writes.contains { write in
      if case .answer(attempt) = write.purpose { true } else { false }
    }
  }

  /// The conversations that PAM may end without an answer.
  private var open: [AttemptID] {
    state.machine.evaluations.indices.compactMap { index in
      guard let passcode = state.machine.evaluations[index].passcode, passcode.machine.isJudging,
        !passcode.wasSubmitted, !passcode.isAborted
      else { return nil }
      return AttemptID(state.machine.evaluations[index].id, .passcode)
    }
  }

  private mutating func verdict(_ number: Int) {
    let all = judging
    if all.indices.contains(number) { passcodeJudged(all[number]) }
  }

  /// PAM refuses without having been answered.
  private mutating func refusal(_ number: Int) {
    let all = open
    if all.indices.contains(number) { judged(all[number], .miss) }
  }

  /// Completes commits and verdicts until only a person's action is pending.
  private mutating func settle() {
    while state.violated == nil {
      if !state.writes.isEmpty {
        commitEnds(.durable)
      } else if !judging.isEmpty {
        verdict(0)
      } else {
        return
      }
    }
  }

  // MARK: What can happen

  /// Returns everything that can happen now, in a fixed order.
  func events(_ pace: Pace) -> [Event] {
    guard state.violated == nil else { return [] }
    return requests + atThePrompt + others + words + cancels + (pace == .free ? underWay : [])
      + outside
      + becoming + times
  }

  mutating func apply(_ event: Event, _ pace: Pace) {
    apply(event)
    guard pace == .calm, state.violated == nil else { return }
    let (answers, met) = (state.answers, premises)
    apply(.settle)
    state.answers = answers + state.answers
    premises.formUnion(met)
  }

  private var requests: [Event] {
    guard state.asked.count < ModelState.sessionsMax else { return [] }
    let isLonely = state.asked.isEmpty && !remembers
    let hasOthers = setup.surroundings == .others
    return Client.allCases.flatMap { client -> [Event] in
      guard state.running(client) == nil, client == .first || !isLonely || hasOthers else {
        return []
      }
      return wishes(of: client).map { .request(client, $0) }
    }
  }

  private func wishes(of client: Client) -> [Request] {
    var all = [Request()]
    if setup.surroundings == .others {
      return all + [Request(other: client == .first ? 1 : 2)]
    }
    if let grant = setup.policy.grant {
      switch client {
      case .first:
        all.append(Request(wish: Wish(scope: 0, maxAge: grant.maxAge)))
        all.append(Request(wish: Wish(scope: 0, maxAge: grant.maxAge, uses: 1)))
      case .second:
        all.append(Request(wish: Wish(scope: 0, maxAge: grant.maxAge / 2)))
        // Scopes are only compared, so that another one makes a difference to what is remembered alone.
        let scopes = state.machine.record.grants.isEmpty ? 1...1 : 1...Wish.lastScope
        all += scopes.map { Request(wish: Wish(scope: $0, maxAge: grant.maxAge)) }
      }
    }
    if client == .second, state.asked.allSatisfy({ $0.agent == .none }) {
      all.append(Request(asksAgent: true))
    }
    guard setup.policy.requirement.factors.contains(.biometry) else { return all }
    // A success by a reused unlock must not be remembered, so the request asks for that.
    let wish = setup.policy.grant.map { Wish(scope: 1, maxAge: $0.maxAge) }
    all.append(
      client == .first ? Request(isUnlock: true) : Request(wish: wish, takesUnlock: true)
    )
    return all
  }

  private var atThePrompt: [Event] {
    guard let index = state.machine.armedIndex else { return [] }
    var all: [Event] = []
    let live = live(index)
    let armed = state.machine.evaluations[index]
    if live.contains(.biometry), armed.finger == nil, !setup.byThemselves.contains(.biometry) {
      all += [.touch(isRight: false), .touch(isRight: true), .fault]
    }
    if armed.passcode?.isAsking
      ?? (live.contains(.passcode) && state.machine.record.passcode != .none)
    {
      all += [.passcode(isRight: false), .passcode(isRight: true)]
    }
    if armed.machine.offersFallback { all.append(.fallback) }
    return all
  }

  /// What agents, conversations and fingers do besides.
  private var others: [Event] {
    var all: [Event] = []
    if answeredConversation != nil { all.append(.question) }
    if state.waiting != nil, setup.policy.requirement.factors.contains(.biometry),
      !setup.byThemselves.contains(.biometry)
    {
      all.append(.stray)
    }
    switch state.asked.first(where: { $0.agent != .none && !$0.isAnswered })?.agent {
    case .wanted?: all += [.agent(.admits), .agent(.refuses)]
    case .placed?: all.append(.agent(.shows))
    case .showing?: all.append(.agent(.hides))
    case nil, .some(.none): break
    }
    return all
  }

  private var cancels: [Event] {
    Client.allCases.filter { state.running($0) != nil }.flatMap { [.cancel($0), .timeout($0)] }
      + open.indices.map { .refusal($0) }
  }

  private var underWay: [Event] {
    var all: [Event] = []
    let judging = judging.indices.map { Event.verdict($0) }
    if !state.writes.isEmpty {
      all.append(.commit(.durable))
      let isFirstFailure = state.machine.failure == nil
      if isFirstFailure { all.append(.commit(.failed)) }
      if isFirstFailure, state.writes[0].kind == .guarded { all.append(.commit(.failedButKept)) }
    }
    all += judging
    if !state.writes.isEmpty || !judging.isEmpty { all.append(.settle) }
    return all
  }

  private var hasPasscode: Bool { state.machine.record.passcode != .none }

  /// Whether a grant or an unlock may answer a later request.
  private var remembers: Bool {
    !state.machine.record.grants.isEmpty || state.machine.unlock != nil
  }

  /// Returns the factors that the evaluation with this index asks for or judges.
  func live(_ index: Int) -> FactorSet {
    let conditions = state.machine.conditions(ofEvaluation: index, at: now)
    return state.machine.evaluations[index].machine.live(conditions)
  }

  private var outside: [Event] {
    var all: [Event] = []
    if state.acting == nil {
      all = [.act(.fingers, isRight: true)]
      if hasPasscode {
        all += [.act(.passcode, isRight: true), .act(.other, isRight: false)]
        if case .device = state.machine.record.passcode {
          all.append(.act(.removal, isRight: true))
        }
      }
    }
    if state.acting == nil, !state.history.isDistrusted { all.append(.act(.erase, isRight: true)) }
    if hasPasscode { all.append(.lock) }
    if remembers { all.append(.revoke) }
    all.append(.reboot)
    for kept in 0...state.writes.count {
      all.append(.crash(kept: kept, isReboot: false))
    }
    all.append(.crash(kept: 0, isReboot: true))
    return all
  }

  private var times: [Event] {
    var all: [Event] = []
    let boundaries = boundaries
    if let next = boundaries.first {
      if next > Self.tick { all.append(.pass(next - Self.tick)) }
      all.append(.pass(next))
      if let last = boundaries.last, last > next { all.append(.pass(last)) }
    }
    if remembers || isTimed {
      if state.wallAhead >= 0 { all.append(.wall(.seconds(-10))) }
      if state.wallAhead <= 0 { all.append(.wall(Self.jumpAhead)) }
    }
    return all
  }

  /// Whether a refusal is in force or an evaluation knows when it was proven, so that somebody could
  /// look at the wrong clock.
  private var isTimed: Bool {
    state.history.isRefusing || state.machine.evaluations.contains { $0.provenAt != nil }
  }

  /// How far the wall clock jumps ahead; more than it moves back in a trace.
  static let jumpAhead = Duration.seconds(600)

  /// The shortest time that is distinguished from zero.
  static let tick = Duration.milliseconds(1)

  /// The times until something on the device changes by itself, in ascending order.
  var boundaries: [Duration] {
    let attempts = state.machine.record.attempts
    var all: [Duration] = []
    for count in Counted.allCases {
      let tally = state.machine.record.tally(of: count)
      if let refusal = tally.refusal { all.append(refusal.remaining(at: now)) }
      all += forgotten(tally, setup.tables(of: count))
    }
    all += state.machine.record.grants.all.compactMap { $0.timeLeft(at: now) }
    if let left = state.machine.unlock?.timeLeft(at: now) { all.append(left + Self.tick) }
    let rules = setup.policy.freshness
    let freshness = attempts.freshness
    for (stamp, limit) in [
      (freshness.passcode, rules.anyWithin), (freshness.match, rules.anyWithin),
      (freshness.passcode, rules.passcodeWithin), (freshness.match, rules.unlessMatchedWithin),
    ] {
      guard let stamp, let limit, stamp.boot == now.bootID else { continue }
      all.append(limit - (now.boot - stamp.at) + Self.tick)
    }
    return Set(all.filter { $0 > .zero }).sorted()
  }

  private func forgotten(_ tally: Tally, _ tables: [DelayTable]) -> [Duration] {
    guard tally.failures > 0, let refusal = tally.refusal, refusal.boot == now.bootID else {
      return []
    }
    let passed = (now.boot - refusal.start).wholeNanoseconds
    return tables.compactMap { $0.forgets?.next(after: passed) }
  }
}
