import LocalAuthCore

/// What the environment can do in a situation, and what follows from it.
extension Scene {
  /// Does `event`; what cannot happen now does nothing.
  public mutating func apply(_ event: Event) {
    world.answers = []
    switch event {
    case .request(let client, let request):
      guard world.session(of: client) == nil, world.sessions.count < World.sessionsMax else {
        return
      }
      self.request(client, request)
    case .touch(let isRight):
      guard let session = world.armed, session.finger == nil else { return }
      offer(.biometry, .finger(isRight: isRight), session.slot)
    case .passcode(let isRight): typed(isRight: isRight)
    case .fallback: if let session = world.armed { fallback(session.slot) }
    case .fault: if let session = world.armed { fault(session.slot) }
    case .cancel(let client):
      guard let session = world.session(of: client) else { return }
      end(session.slot, Outcome(.userCancel))
    case .commit(let end): commitEnds(end)
    case .verdict(let number): verdict(number)
    case .refusal(let number): refusal(number)
    case .settle: settle()
    case .act(let act, let isRight):
      if world.act == nil { begin(act, isRight: isRight) }
    case .lock: lock()
    case .revoke: revoke()
    case .pass(let time): pass(time)
    case .wall(let time): jump(time)
    case .reboot: reboot()
    case .crash(let kept, let isReboot): crash(kept: kept, isReboot: isReboot)
    }
    checkStanding()
  }

  private mutating func typed(isRight: Bool) {
    guard let session = world.armed else { return }
    if let run = session.passcode {
      guard run.isAsking else { return }
      return answerQuestion(session.slot, isRight: isRight)
    }
    guard case .device = world.memory.passcode else { return }
    offer(.passcode, .passcode(isRight: isRight), session.slot)
  }

  /// Passcodes that are being judged; nil stands for the act's.
  private var judging: [UInt8?] {
    let slots = world.sessions.filter { session in
      guard let run = session.passcode, run.machine.isJudging else { return false }
      if case .conversation(nil) = run.evidence { return run.isAborted }
      return true
    }
    let act: [UInt8?] = world.act?.run.machine.isJudging ?? false ? [nil] : []
    return slots.map(\.slot) + act
  }

  /// Conversations that PAM may end without an answer.
  private var open: [UInt8] {
    world.sessions.filter { session in
      guard let run = session.passcode, run.machine.isJudging, !run.isAborted else { return false }
      return run.evidence == .conversation(isRight: nil)
    }.map(\.slot)
  }

  private mutating func verdict(_ number: Int) {
    let all = judging
    guard all.indices.contains(number) else { return }
    if let slot = all[number] { passcodeJudged(slot) } else { actJudged() }
  }

  private mutating func refusal(_ number: Int) {
    let all = open
    guard all.indices.contains(number) else { return }
    passcodeRefused(all[number])
  }

  /// Lets commits and verdicts come until nothing is under way but what a person must do.
  private mutating func settle() {
    while world.violated == nil {
      if !world.writes.isEmpty {
        commitEnds(.durable)
      } else if !judging.isEmpty {
        verdict(0)
      } else {
        return
      }
    }
  }

  // MARK: What can happen

  /// Everything that can happen now, in an order of its own.
  func events(_ pace: Pace) -> [Event] {
    guard world.violated == nil else { return [] }
    return requests + atThePrompt + cancels + (pace == .free ? underWay : []) + outside + times
  }

  mutating func apply(_ event: Event, _ pace: Pace) {
    apply(event)
    guard pace == .calm, world.violated == nil else { return }
    let answers = world.answers
    apply(.settle)
    world.answers = answers + world.answers
  }

  private var requests: [Event] {
    guard world.sessions.count < World.sessionsMax else { return [] }
    let isLonely = world.sessions.isEmpty && world.memory.grants.isEmpty && world.unlock == nil
    return Client.allCases.flatMap { client -> [Event] in
      guard world.session(of: client) == nil, client == .first || !isLonely else { return [] }
      return wishes(of: client).map { .request(client, $0) }
    }
  }

  private func wishes(of client: Client) -> [Request] {
    var all = [Request()]
    if let grant = setup.policy.grant {
      switch client {
      case .first:
        all.append(Request(wish: Wish(scope: 0, maxAge: grant.maxAge)))
        all.append(Request(wish: Wish(scope: 0, maxAge: grant.maxAge, uses: 1)))
      case .second:
        all.append(Request(wish: Wish(scope: 0, maxAge: grant.maxAge / 2)))
        all.append(Request(wish: Wish(scope: 1, maxAge: grant.maxAge)))
      }
    }
    guard setup.policy.requirement.factors.contains(.biometry) else { return all }
    // What an unlock stood in for must not be remembered, so it is wished for.
    let wish = setup.policy.grant.map { Wish(scope: 1, maxAge: $0.maxAge) }
    all.append(
      client == .first ? Request(isUnlock: true) : Request(wish: wish, takesUnlock: true)
    )
    return all
  }

  private var atThePrompt: [Event] {
    guard let session = world.armed, let index = world.index(of: session.slot) else { return [] }
    var all: [Event] = []
    let live = session.machine.live(conditions(index))
    if live.contains(.biometry), session.finger == nil {
      all += [.touch(isRight: false), .touch(isRight: true), .fault]
    }
    if session.passcode?.isAsking ?? (live.contains(.passcode) && world.memory.passcode != .none) {
      all += [.passcode(isRight: false), .passcode(isRight: true)]
    }
    if session.machine.offersFallback { all.append(.fallback) }
    return all
  }

  private var cancels: [Event] {
    Client.allCases.filter { world.session(of: $0) != nil }.map { .cancel($0) }
      + open.indices.map { .refusal($0) }
  }

  private var underWay: [Event] {
    var all: [Event] = []
    let judging = judging.indices.map { Event.verdict($0) }
    if !world.writes.isEmpty {
      all.append(.commit(.durable))
      if !world.hasFailed { all.append(.commit(.failed)) }
      if !world.hasFailed, world.writes[0].isGuarded { all.append(.commit(.failedButKept)) }
    }
    all += judging
    if !world.writes.isEmpty || !judging.isEmpty { all.append(.settle) }
    return all
  }

  private var outside: [Event] {
    var all: [Event] = []
    if world.act == nil {
      all = [.act(.fingers, isRight: true)]
      if world.memory.passcode != .none {
        all += [.act(.passcode, isRight: true), .act(.other, isRight: false)]
      }
    }
    if world.memory.passcode != .none { all.append(.lock) }
    if !world.memory.grants.isEmpty || world.unlock != nil { all.append(.revoke) }
    all.append(.reboot)
    for kept in Set([0, world.writes.count]).sorted() {
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
    if !world.memory.grants.isEmpty || world.unlock != nil {
      all += [.wall(.seconds(-10)), .wall(Self.jumpAhead)]
    }
    return all
  }

  /// How far the wall clock jumps ahead: further than it goes back in a trace.
  static let jumpAhead = Duration.seconds(600)

  /// The shortest time that is told from none.
  static let tick = Duration.milliseconds(1)

  /// After how long something about the device changes by itself, in order.
  var boundaries: [Duration] {
    let attempts = world.memory.attempts
    let tallies = [attempts.lockout.tally, attempts.throttle.tally]
    var all = tallies.compactMap { $0.refusal?.remaining(at: now) }
    all += forgotten(attempts.lockout.tally, setup.fingerTables)
    all += forgotten(attempts.throttle.tally, setup.passcodeTables)
    all += world.memory.grants.all.compactMap { $0.timeLeft(at: now) }
    if let left = world.unlock?.timeLeft(at: now) { all.append(left + Self.tick) }
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
