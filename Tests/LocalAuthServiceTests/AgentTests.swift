import LocalAuthCore
import LocalAuthService
import LocalAuthToken
import Testing

/// Evaluations whose callers have no user interface, with agents that the test plays.
@Suite struct AgentTests {
  private let rig = Rig()

  init() { rig.makeDevice() }

  /// What an agent heard.
  private final class Screen {
    var id: PromptAgents.AgentID?
    var events: [AgentEvent] = []
    var caller: Caller

    init(_ caller: Caller) { self.caller = caller }

    var prompts: [ShownPrompt] {
      events.compactMap { if case .asking(.prompt(let state), _, _) = $0 { state } else { nil } }
    }

    var dismissed: [Outcome] {
      events.compactMap { if case .dismissed(let result) = $0 { result.outcome } else { nil } }
    }

    var nonce: EvaluationID { prompts.last?.nonce ?? EvaluationID(high: 0, low: 0) }
  }

  private func caller(_ pid: Int32, in session: LoginSession? = nil, uid: UInt32 = 1000) -> Caller {
    var caller = Caller(uid: uid, pid: pid, program: "program\(pid)", process: HeldProcess())
    caller.session = session
    return caller
  }

  private func register(_ pid: Int32, in session: UInt32 = 1) throws -> Screen {
    let screen = Screen(caller(pid, in: .audit(session)))
    screen.id = try rig.engine.registerAgent(screen.caller) { [weak screen] event in
      screen?.events.append(event)
    }
    return screen
  }

  private func leave(_ screen: Screen) throws { rig.engine.agentLeft(try #require(screen.id)) }

  private func ask(
    _ policy: String = "passcode",
    as caller: Caller? = nil,
    reason: String = "test",
    device: String = "sim",
    _ change: (inout EvaluationRequest) -> Void = { _ in }
  ) throws -> Hearing {
    var request = EvaluationRequest(policy: policy, reason: reason, device: device)
    request.asksAgent = true
    request.allowsSimulated = true
    change(&request)
    let hearing = Hearing()
    hearing.id = try rig.engine.evaluate(request, caller: caller ?? rig.caller) { event in
      hearing.events.append(event)
    }
    return hearing
  }

  private func makeOtherDevice() {
    var description = DeviceDescription(name: "other")
    description.passcode = .of("1234")
    rig.engine.create(description, caller: rig.caller) { _ in }
    rig.run()
  }

  private func approve(_ screen: Screen) {
    #expect(rig.respond(screen.nonce, .passcode(.of("1234")), as: screen.caller))
    rig.run()
  }

  // MARK: Who is asked

  @Test func withoutAnAgentTheAnswerComesAtOnce() throws {
    let hearing = try ask()
    rig.run()
    #expect(hearing.result?.outcome.code == .notInteractive)
    #expect(hearing.result?.outcome.detail?.contains("no agent") == true)
    #expect(rig.store.auditLines.last?.outcome == .notInteractive)
  }

  @Test func theAgentIsAskedAndTheCallerHearsTheResultAlone() throws {
    let agent = try register(70)
    let hearing = try ask(reason: "deploy") { $0.action = ActionText("deploy build 7") }
    guard case .asking(.prompt, let request, let caller)? = agent.events.first else {
      Issue.record("the agent heard \(agent.events)")
      return
    }
    #expect(request.reason == "deploy" && request.action?.text == "deploy build 7")
    #expect(caller.pid == 42)
    approve(agent)
    #expect(hearing.events.count == 1)
    #expect(hearing.result?.outcome == .success && hearing.result?.method == "passcode")
    #expect(agent.dismissed == [.success])
    #expect(rig.store.auditLines.last?.detail.contains("agent process 70") == true)
  }

  @Test func theTouchOfAFingerIsForThePromptOfTheAgent() throws {
    let agent = try register(70)
    let hearing = try ask("biometrics")
    rig.touch(.leftThumb)
    rig.run()
    #expect(agent.events.contains { if case .asking(.miss, _, _) = $0 { true } else { false } })
    rig.touch(.rightIndex)
    rig.run()
    #expect(hearing.result?.outcome == .success)
  }

  @Test func aRefusalReachesNoAgent() throws {
    let agent = try register(70)
    let hearing = try ask { $0.allowsSimulated = false }
    rig.run()
    #expect(hearing.result?.outcome.code == .simulatedNotAllowed)
    #expect(agent.events.isEmpty)
  }

  @Test func anAgentSaysNo() throws {
    let agent = try register(70)
    let hearing = try ask()
    #expect(rig.respond(agent.nonce, .cancel, as: agent.caller))
    rig.run()
    #expect(hearing.result?.outcome.code == .userCancel)
    #expect(agent.dismissed.map(\.code) == [.userCancel])
  }

  // MARK: Who may answer

  @Test func nobodyButTheAgentThatShowsAPromptAnswersIt() throws {
    let shows = try register(70, in: 1)
    let other = try register(71, in: 2)
    let asking = caller(42, in: .audit(1))
    let hearing = try ask(as: asking)
    #expect(other.events.isEmpty)
    for stranger in [asking, other.caller, caller(70, uid: 1001), caller(99), rig.caller] {
      #expect(!rig.respond(shows.nonce, .passcode(.of("1234")), as: stranger))
    }
    #expect(rig.respond(shows.nonce, .passcode(.of("1234")), as: shows.caller))
    rig.run()
    #expect(hearing.result?.outcome == .success)
  }

  @Test func anAgentThatHasEndedIsNotTheOneWithItsNumber() throws {
    let agent = try register(70)
    let hearing = try ask()
    (agent.caller.process as? HeldProcess)?.end()
    #expect(!rig.respond(agent.nonce, .passcode(.of("1234")), as: caller(70)))
    rig.run()
    #expect(hearing.result == nil)
  }

  @Test func anAgentIsNeverAskedForItself() throws {
    let agent = try register(42)
    let hearing = try ask(as: agent.caller)
    rig.run()
    #expect(hearing.result?.outcome.code == .notInteractive)
    #expect(agent.events.isEmpty)
  }

  @Test func whoseProcessNobodyHoldsCannotBeAnAgent() {
    var nobody = caller(70)
    nobody.process = nil
    #expect(throws: EngineError.self) { try rig.engine.registerAgent(nobody) { _ in } }
  }

  @Test func oneAgentForEachSession() throws {
    _ = try register(70, in: 1)
    _ = try register(71, in: 2)
    let error = #expect(throws: EngineError.self) { try register(72, in: 1) }
    guard case .limitReached(let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("process 70"))
  }

  // MARK: The queue

  @Test func onePromptAtATimeAlsoOfSeveralDevices() throws {
    makeOtherDevice()
    let agent = try register(70)
    let first = try ask()
    let second = try ask(device: "other")
    #expect(agent.prompts.count == 1)
    guard case .queued(let ahead)? = second.events.last else {
      Issue.record("\(second.events)")
      return
    }
    #expect(ahead == 1)
    approve(agent)
    #expect(first.result?.outcome == .success && second.result == nil)
    #expect(agent.prompts.last?.id == second.id)
    approve(agent)
    #expect(second.result?.outcome == .success)
  }

  @Test func aTouchWhileItWaitsForTheAgentAnswersNothing() throws {
    var description = DeviceDescription(name: "other")
    description.fingers = [.rightIndex]
    rig.engine.create(description, caller: rig.caller) { _ in }
    rig.run()
    let agent = try register(70)
    _ = try ask()
    let second = try ask("biometrics", device: "other")
    var error: EngineError?
    rig.engine.touch(.rightIndex, on: "other", waitingFor: nil, caller: rig.caller) {
      if case .failure(let failure) = $0 { error = failure }
    }
    rig.run()
    #expect(error == .notArmed && second.result == nil)
    approve(agent)
    #expect(second.result == nil, "a touch before its prompt is nobody's")
  }

  @Test func aCallerHasSoManyRequestsAndOthersHaveTheirs() throws {
    let agent = try register(70)
    let many = try (0..<8).map { try ask(reason: "reason \($0)") }
    let ninth = try ask(reason: "one more")
    rig.run()
    #expect(ninth.result?.outcome.code == .busy)
    #expect(many.allSatisfy { $0.result == nil })
    let other = try ask(as: caller(43))
    rig.run()
    #expect(other.result == nil)
    #expect(rig.respond(agent.nonce, .cancel, as: agent.caller))
    rig.run()
    let next = try ask(reason: "again")
    rig.run()
    #expect(next.result == nil)
  }

  @Test func whoeverWaitsRunsOutOfTime() throws {
    let agent = try register(70)
    let first = try ask()
    let second = try ask(reason: "later")
    rig.clock.pass(.seconds(30))
    rig.run()
    #expect(first.result?.outcome.code == .timeout && second.result?.outcome.code == .timeout)
    #expect(agent.dismissed.map(\.code).contains(.timeout))
  }

  @Test func aCallerThatGoesAwayTakesItsPromptWithIt() throws {
    let agent = try register(70)
    let first = try ask()
    let second = try ask(as: caller(43))
    rig.engine.cancel(first.id)
    rig.run()
    #expect(agent.dismissed.map(\.code) == [.appCancel])
    #expect(agent.prompts.last?.id == second.id)
    approve(agent)
    #expect(second.result?.outcome == .success)
  }

  // MARK: Agents that go away

  @Test func withTheLastAgentTheEvaluationEnds() throws {
    let agent = try register(70)
    let first = try ask()
    let second = try ask(reason: "later")
    let nonce = agent.nonce
    try leave(agent)
    rig.run()
    for hearing in [first, second] {
      #expect(hearing.result?.outcome.code == .systemCancel)
      #expect(hearing.result?.outcome.detail?.contains("agent") == true)
    }
    #expect(!rig.respond(nonce, .passcode(.of("1234")), as: agent.caller))
    // The next one finds nobody.
    let third = try ask()
    rig.run()
    #expect(third.result?.outcome.code == .notInteractive)
  }

  @Test func thePromptMovesToAnotherAgent() throws {
    let staying = try register(70, in: 1)
    let leaving = try register(71, in: 2)
    let hearing = try ask()
    let old = leaving.nonce
    try leave(leaving)
    #expect(hearing.result == nil && staying.prompts.count == 1)
    #expect(staying.nonce != old)
    #expect(!rig.respond(old, .passcode(.of("1234")), as: leaving.caller))
    #expect(!rig.respond(staying.nonce, .passcode(.of("1234")), as: leaving.caller))
    approve(staying)
    #expect(hearing.result?.outcome == .success)
  }

  @Test func whileNobodyShowsItNoFingerAnswersIt() throws {
    makeOtherDevice()
    let staying = try register(70, in: 1)
    let leaving = try register(71, in: 2)
    let busy = try ask(as: caller(44, in: .audit(1)), device: "other")
    let moving = try ask("biometrics")
    #expect(leaving.prompts.count == 1)
    try leave(leaving)
    rig.touch(.rightIndex)
    rig.run()
    #expect(moving.result == nil)
    approve(staying)
    #expect(busy.result?.outcome == .success && moving.result == nil)
    #expect(staying.prompts.last?.id == moving.id)
    rig.touch(.rightIndex)
    rig.run()
    #expect(moving.result?.outcome == .success)
  }

  @Test func whatWaitsForItsDeviceGoesToTheAgentThatIsLeft() throws {
    let staying = try register(70, in: 1)
    let leaving = try register(71, in: 2)
    let busy = try ask(as: caller(44, in: .audit(1)))
    let moving = try ask("biometrics")
    try leave(leaving)
    #expect(moving.result == nil)
    #expect(rig.respond(staying.nonce, .cancel, as: staying.caller))
    rig.run()
    #expect(busy.result?.outcome.code == .userCancel)
    for _ in 1...3 {
      rig.touch(.leftThumb)
      rig.run()
    }
    #expect(moving.result?.outcome.code == .biometryLockout)
  }

  // MARK: Requests that are shared

  @Test func identicalRequestsOfOneCallerShareOnePrompt() throws {
    let agent = try register(70)
    let hearings = try (0..<3).map { _ in try ask() }
    #expect(agent.prompts.count == 1)
    #expect(Set(hearings.map(\.id)).count == 3)
    approve(agent)
    #expect(hearings.allSatisfy { $0.result?.outcome == .success })
    #expect(Set(hearings.compactMap { $0.result?.id }).count == 1)
    let lines = rig.store.auditLines
    #expect(lines.count == 1 && lines[0].detail.contains("asked 3 times"))
  }

  @Test func whoLeavesASharedEvaluationEndsItForNobodyElse() throws {
    let agent = try register(70)
    let hearings = try (0..<3).map { _ in try ask() }
    // The first is the one that began it.
    rig.engine.cancel(hearings[0].id)
    rig.engine.cancel(hearings[1].id)
    rig.run()
    #expect(agent.dismissed.isEmpty)
    approve(agent)
    #expect(hearings.map { $0.result?.outcome == .success } == [false, false, true])
  }

  /// The caller that began a shared evaluation leaves it.
  private func leaveToTheSecond(_ shared: [Hearing]) {
    #expect(shared.count == 2)
    rig.engine.cancel(shared[0].id)
    rig.run()
    #expect(shared[1].result == nil)
  }

  @Test func whatTheFirstLeavesIsShownWhenItsTurnComes() throws {
    makeOtherDevice()
    let agent = try register(70)
    let busy = try ask(as: caller(43))
    let shared = try (0..<2).map { _ in try ask(device: "other") }
    let later = try ask(as: caller(44), reason: "later")
    leaveToTheSecond(shared)
    approve(agent)
    #expect(busy.result?.outcome == .success && agent.prompts.last?.id == shared[0].id)
    approve(agent)
    #expect(shared[1].result?.outcome == .success && later.result == nil)
    approve(agent)
    #expect(later.result?.outcome == .success, "the agent was free for the next one")
  }

  @Test func whatTheFirstLeavesMovesToAnotherAgent() throws {
    let staying = try register(70, in: 1)
    let leaving = try register(71, in: 2)
    let shared = try (0..<2).map { _ in try ask() }
    #expect(leaving.prompts.count == 1)
    leaveToTheSecond(shared)
    try leave(leaving)
    approve(staying)
    #expect(shared[1].result?.outcome == .success)
  }

  @Test func whatTheFirstLeavesEndsWithTheLastAgent() throws {
    let agent = try register(70)
    let shared = try (0..<2).map { _ in try ask() }
    leaveToTheSecond(shared)
    try leave(agent)
    rig.run()
    #expect(shared[1].result?.outcome.code == .systemCancel)
  }

  @Test func whenAllHaveLeftItEnds() throws {
    let agent = try register(70)
    let hearings = try (0..<2).map { _ in try ask() }
    for hearing in hearings { rig.engine.cancel(hearing.id) }
    rig.run()
    #expect(agent.dismissed.map(\.code) == [.appCancel])
  }

  @Test func nothingElseIsEverShared() throws {
    _ = try register(70)
    let scope = CallerScope(
      uid: 1000,
      bounds: .process(CallerScope.ProcessStamp(id: 200, start: 1)),
      program: nil
    )
    let wished = GrantRequest(caller: scope, maxAge: .seconds(60))
    let wish = try #require(AssertionRequest(audience: "https://a", nonce: "n"))
    let different: [(inout EvaluationRequest) -> Void] = [
      { $0.reason = "another" },
      { $0.policy = "device-owner" },
      { $0.action = ActionText("pay") },
      { $0.timeout = .seconds(29) },
      { $0.fallbackTitle = "other" },
      { $0.cancelTitle = "other" },
      { $0.reuse = .seconds(1) },
      { $0.grant = wished },
      { $0.grant = wished },
    ]
    let one = caller(200)
    let first = try ask(as: one)
    let approving = try ask(as: one) { $0.action = ActionText("pay") }
    for change in different {
      // Whoever left a shared evaluation would hear nothing more of it.
      let hearing = try ask(as: one, change)
      rig.engine.cancel(hearing.id)
      rig.run()
      #expect(hearing.result?.outcome.code == .appCancel, "it was an evaluation of its own")
    }
    // There is no key in this rig to sign with, which a shared evaluation would not have noticed.
    let signed = try ask(as: one) { $0.assertion = wish }
    rig.run()
    #expect(signed.result?.outcome.code == .internalError)
    #expect(first.result == nil && approving.result == nil)
    // Another process asks the same: that is another request.
    let other = try ask(as: caller(201))
    rig.engine.cancel(other.id)
    rig.run()
    #expect(other.result?.outcome.code == .appCancel && first.result == nil)
  }

  @Test func anAnswerThatWasGivenBeforeIsNobodyElses() throws {
    let agent = try register(70)
    let first = try ask()
    #expect(rig.respond(agent.nonce, .passcode(.of("1234")), as: agent.caller))
    // The passcode is being judged when the same is asked again.
    let second = try ask()
    rig.run()
    #expect(first.result?.outcome == .success)
    #expect(second.result == nil)
    approve(agent)
    #expect(second.result?.outcome == .success)
  }

  @Test func callersThatAskThemselvesNeverShare() throws {
    let first = try rig.evaluate("passcode")
    let second = try rig.evaluate("passcode")
    #expect(first.prompts.count == 1 && second.prompts.isEmpty)
  }
}
