import LocalAuthCore

/// Answering from what was proven before, and remembering what is proven now.
extension Scene {
  static func scope(_ wish: Wish) -> Grant.Scope {
    Grant.Scope(
      caller: CallerScope(
        uid: 1000,
        bounds: .process(CallerScope.ProcessStamp(id: Int32(wish.scope), start: 0)),
        program: nil
      ),
      policy: [],
      action: nil,
      audience: nil
    )
  }

  /// The generation of the enrolled set whose unlock stands in for a touch.
  var reusableUnlock: UInt64? {
    let window = min(setup.policy.reuseLimit, Self.unlockReuseMax)
    guard let unlock = world.unlock, window > .zero, let age = unlock.age(at: now),
      age <= min(window, unlock.rule.maxAge),
      unlock.proven.biometryGeneration == world.memory.enrolment.generation
    else { return nil }
    return unlock.proven.biometryGeneration
  }

  /// How long an unlock by finger may stand in for a touch, at most: what Apple allows.
  static let unlockReuseMax = Duration.seconds(300)

  func answeringGrant(_ session: Session) -> Grant? {
    guard let wish = session.request.wish, setup.policy.grant != nil, !session.request.isUnlock,
      let grant = world.memory.grants.answering(Self.scope(wish), within: wish.maxAge, at: now)
    else { return nil }
    let generation = grant.proven.biometryGeneration ?? world.memory.enrolment.generation
    return generation == world.memory.enrolment.generation ? grant : nil
  }

  /// Counts an answer of the grant; it is durable before the answer is given.
  mutating func redeem(_ slot: UInt8) {
    guard let index = world.index(of: slot) else { return }
    guard let grant = answeringGrant(world.sessions[index]),
      world.memory.grants.use(grant.id, at: now) != nil
    else { return notRedeemed(index) }
    checkUse(of: grant.id, world.sessions[index])
    world.sessions[index].redeemed = grant.id
    commit(.redeem(slot))
  }

  private mutating func notRedeemed(_ index: Int) {
    let conditions = conditions(index)
    let slot = world.sessions[index].slot
    perform(world.sessions[index].machine.notRedeemed(conditions: conditions), slot)
  }

  mutating func redeemed(_ slot: UInt8, isDurable: Bool) {
    guard let index = world.index(of: slot), world.sessions[index].machine.outcome == nil,
      let id = world.sessions[index].redeemed
    else { return }
    guard isDurable else {
      world.sessions[index].redeemed = nil
      return end(slot, Self.unwritable)
    }
    guard world.memory.grants[id] != nil else {
      world.sessions[index].redeemed = nil
      return notRedeemed(index)
    }
    world.sessions[index].auditedOutcome = .success
    checkAnswer(of: id)
    world.sessions[index].isStoodFor = true
    perform(world.sessions[index].machine.redeemed(), slot)
  }

  /// Remembers a success that its request wants remembered; true when there is something to store.
  mutating func remember(_ index: Int) -> Bool {
    let session = world.sessions[index]
    guard let wish = session.request.wish, !session.request.isUnlock,
      let rule = setup.policy.grant?.narrowed(maxAge: wish.maxAge, uses: wish.uses),
      let provenAt = session.provenAt, !session.isForgotten,
      !session.machine.isGranted, !session.machine.isUnlockReused
    else { return false }
    let grant = grant(scope: Self.scope(wish), rule, session, provenAt)
    world.memory.grants.add(grant, at: now)
    promise(grant, wish, session, provenAt)
    world.sessions[index].redeemed = grant.id
    return true
  }

  mutating func remembered(_ slot: UInt8, isDurable: Bool) {
    guard let index = world.index(of: slot) else { return }
    if !isDurable, let id = world.sessions[index].redeemed {
      _ = world.memory.grants.revoke(id)
    }
    ended(slot)
    answer(slot, isDurable ? .success : Self.unwritable)
  }

  /// A success of an unlock by finger stands in for touches for a while.
  mutating func noteSuccess(_ index: Int) {
    let session = world.sessions[index]
    guard session.request.isUnlock, session.provenAt != nil, !session.isForgotten,
      session.machine.proven.biometryGeneration != nil
    else { return }
    world.unlock = grant(
      scope: nil,
      GrantRule(maxAge: Self.unlockReuseMax),
      session,
      now
    )
    if session.witnessed.factors.contains(.biometry), !session.machine.isUnlockReused {
      world.history.sinceUnlock = 0
    }
  }

  mutating func forgetGrants() {
    world.unlock = nil
    world.memory.grants.revokeAll()
    for index in world.sessions.indices {
      if world.sessions[index].provenAt != nil { world.sessions[index].isForgotten = true }
      world.sessions[index].finger?.isForgotten = true
      world.sessions[index].passcode?.isForgotten = true
    }
    world.history.forgetGrants(after: world.writes.count)
  }

  private func grant(
    scope: Grant.Scope?,
    _ rule: GrantRule,
    _ session: Session,
    _ provenAt: Moment
  ) -> Grant {
    Grant(
      id: EvaluationID(high: 1, low: freeGrant),
      scope: scope,
      rule: rule,
      proven: session.machine.proven,
      provenAt: provenAt,
      origin: Grant.Origin(policy: "", action: nil, callerPID: 0, program: "")
    )
  }

  /// A number that no grant has, neither here nor on the disk nor on its way there.
  private var freeGrant: UInt64 {
    let records = [world.memory, world.disk] + world.writes.compactMap(\.record)
    let names = records.flatMap { $0.grants.all.map(\.id.low) } + promisedNames
    var number: UInt64 = 0
    while names.contains(number) { number += 1 }
    return number
  }

  private var promisedNames: [UInt64] {
    world.history.promises.map(\.id.low) + world.sessions.compactMap { $0.redeemed?.low }
      + (world.unlock.map { [$0.id.low] } ?? [])
  }
}
