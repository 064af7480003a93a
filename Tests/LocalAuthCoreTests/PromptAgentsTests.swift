import LocalAuthCore
import Testing

@Suite struct PromptAgentsTests {
  private typealias Process = PromptAgents.Process

  private static let owner: UInt32 = 1000
  private static let service = Process(uid: 1000, pid: 50)

  private func id(_ number: UInt64) -> EvaluationID { EvaluationID(high: 0, low: number) }

  private func register(
    _ pid: Int32,
    _ session: LoginSession,
    with agents: inout PromptAgents,
    owner: UInt32 = owner
  ) throws -> PromptAgents.AgentID {
    let process = Process(uid: owner, pid: pid)
    guard case .registered(let id) = agents.register(process, for: owner, in: session) else {
      throw Refused()
    }
    return id
  }

  private struct Refused: Error {}

  /// Admits and places a request.
  private func ask(
    _ number: UInt64,
    _ agents: inout PromptAgents,
    from caller: Process = service,
    in session: LoginSession? = nil,
    owner: UInt32 = owner
  ) -> PromptAgents.Action {
    #expect(agents.admit(id(number), about: owner, from: caller, in: session) == .admitted)
    return agents.place(id(number))
  }

  // MARK: Registration

  @Test func oneAgentForEachSession() throws {
    var agents = PromptAgents()
    _ = try register(1, .audit(1), with: &agents)
    _ = try register(2, .audit(2), with: &agents)
    _ = try register(3, .processes(of: 1), with: &agents)
    let second = agents.register(Process(uid: 1000, pid: 4), for: 1000, in: .audit(1))
    #expect(second == .sessionHasOne(Process(uid: 1000, pid: 1)))
  }

  @Test func theSameSessionHasAnAgentForEachUser() throws {
    var agents = PromptAgents()
    _ = try register(1, .audit(1), with: &agents, owner: 1000)
    _ = try register(1, .audit(1), with: &agents, owner: 1001)
  }

  @Test func sessionsThatNobodyCanTellAreOne() {
    var agents = PromptAgents()
    let first = Process(uid: 1000, pid: 1)
    guard case .registered = agents.register(first, for: 1000, in: nil) else {
      Issue.record("the first was refused")
      return
    }
    #expect(
      agents.register(Process(uid: 1000, pid: 2), for: 1000, in: nil) == .sessionHasOne(first)
    )
  }

  @Test func aUserHasSoManyAndNoMore() throws {
    var agents = PromptAgents()
    for session: UInt32 in 1...8 {
      _ = try register(Int32(session), .audit(session), with: &agents)
    }
    let ninth = Process(uid: 1000, pid: 9)
    #expect(agents.register(ninth, for: 1000, in: .audit(9)) == .tooMany)
    _ = try register(9, .audit(9), with: &agents, owner: 1001)
  }

  @Test func whoLeftMakesRoomForAnother() throws {
    var agents = PromptAgents()
    let first = try register(1, .audit(1), with: &agents)
    #expect(agents.left(first).isEmpty)
    #expect(agents.left(first).isEmpty)
    _ = try register(2, .audit(1), with: &agents)
  }

  // MARK: Admission

  @Test func withoutAnAgentNobodyIsAsked() throws {
    var agents = PromptAgents()
    #expect(!agents.canAsk(about: 1000, for: Self.service))
    #expect(agents.admit(id(1), about: 1000, from: Self.service, in: nil) == .nobody)
    #expect(agents.place(id(1)) == .abandon(id(1)))
    _ = try register(1, .audit(1), with: &agents, owner: 1001)
    #expect(agents.admit(id(1), about: 1000, from: Self.service, in: nil) == .nobody)
  }

  @Test func anAgentAsksNothingOnItsOwnBehalf() throws {
    var agents = PromptAgents()
    _ = try register(50, .audit(1), with: &agents)
    #expect(!agents.canAsk(about: 1000, for: Self.service))
    #expect(agents.admit(id(1), about: 1000, from: Self.service, in: .audit(1)) == .nobody)
    let other = try register(2, .audit(2), with: &agents)
    #expect(ask(1, &agents, in: .audit(1)) == .show(id(1), at: other))
  }

  @Test func aCallerHasAShareAndAUserHasOne() throws {
    var agents = PromptAgents(
      limits: PromptAgents.Limits(requestsPerUser: 3, requestsPerCaller: 2)
    )
    _ = try register(1, .audit(1), with: &agents)
    let others = [Process(uid: 1000, pid: 51), Process(uid: 1000, pid: 52)]
    #expect(agents.admit(id(1), about: 1000, from: Self.service, in: nil) == .admitted)
    #expect(agents.admit(id(2), about: 1000, from: Self.service, in: nil) == .admitted)
    #expect(agents.admit(id(3), about: 1000, from: Self.service, in: nil) == .refused)
    #expect(agents.admit(id(4), about: 1000, from: others[0], in: nil) == .admitted)
    #expect(agents.admit(id(5), about: 1000, from: others[1], in: nil) == .refused)
    #expect(agents.ended(id(1)).isEmpty)
    #expect(agents.admit(id(6), about: 1000, from: Self.service, in: nil) == .admitted)
  }

  @Test func whatACallerAsksOfOneUserTakesNothingFromAnother() throws {
    var agents = PromptAgents(limits: PromptAgents.Limits(requestsPerCaller: 1))
    let root = Process(uid: 0, pid: 7)
    _ = try register(1, .audit(1), with: &agents, owner: 1000)
    let bob = try register(2, .audit(2), with: &agents, owner: 1001)
    #expect(agents.admit(id(1), about: 1000, from: root, in: nil) == .admitted)
    #expect(agents.admit(id(2), about: 1000, from: root, in: nil) == .refused)
    #expect(ask(3, &agents, from: root, owner: 1001) == .show(id(3), at: bob))
  }

  // MARK: The prompt

  @Test func onePromptAtATimeAndTheNextInOrder() throws {
    var agents = PromptAgents()
    let agent = try register(1, .audit(1), with: &agents)
    #expect(ask(1, &agents) == .show(id(1), at: agent))
    #expect(ask(2, &agents) == .wait(id(2), ahead: 1))
    #expect(ask(3, &agents) == .wait(id(3), ahead: 2))
    #expect(agents.shows(id(1), at: agent) && !agents.shows(id(2), at: agent))
    #expect(agents.ended(id(1)) == [.show(id(2), at: agent)])
    #expect(agents.ended(id(2)) == [.show(id(3), at: agent)])
    #expect(agents.ended(id(3)).isEmpty)
    #expect(ask(4, &agents) == .show(id(4), at: agent))
  }

  @Test func whoGivesUpWaitingChangesNothingForTheOthers() throws {
    var agents = PromptAgents()
    let agent = try register(1, .audit(1), with: &agents)
    for number: UInt64 in 1...3 { _ = ask(number, &agents) }
    #expect(agents.ended(id(2)).isEmpty)
    #expect(agents.ended(id(9)).isEmpty)
    #expect(agents.ended(id(1)) == [.show(id(3), at: agent)])
  }

  @Test func theAgentOfTheCallersSessionComesFirstAndElseTheLatest() throws {
    var agents = PromptAgents()
    let first = try register(1, .audit(1), with: &agents)
    let last = try register(2, .audit(2), with: &agents)
    #expect(ask(1, &agents, in: .audit(1)) == .show(id(1), at: first))
    #expect(ask(2, &agents, in: .audit(7)) == .show(id(2), at: last))
    #expect(ask(3, &agents, in: nil) == .wait(id(3), ahead: 1))
    #expect(ask(4, &agents, in: .audit(1)) == .wait(id(4), ahead: 1))
  }

  @Test func promptsOfOneUserNeverGoToAnAgentOfAnother() throws {
    var agents = PromptAgents()
    let ann = try register(1, .audit(1), with: &agents, owner: 1000)
    let bob = try register(2, .audit(1), with: &agents, owner: 1001)
    let root = Process(uid: 0, pid: 7)
    #expect(ask(1, &agents, from: root, in: .audit(1), owner: 1001) == .show(id(1), at: bob))
    #expect(ask(2, &agents, from: root, in: .audit(1), owner: 1000) == .show(id(2), at: ann))
    #expect(agents.left(bob) == [.abandon(id(1))])
    #expect(agents.shows(id(2), at: ann))
  }

  // MARK: Agents that go away

  @Test func whatAnAgentHadGoesToAnotherInItsOrder() throws {
    var agents = PromptAgents()
    let staying = try register(1, .audit(1), with: &agents)
    let leaving = try register(2, .audit(2), with: &agents)
    for number: UInt64 in 1...3 { _ = ask(number, &agents) }
    #expect(
      agents.left(leaving) == [
        .show(id(1), at: staying), .wait(id(2), ahead: 1), .wait(id(3), ahead: 2),
      ]
    )
    #expect(agents.ended(id(1)) == [.show(id(2), at: staying)])
  }

  @Test func aBusyAgentLetsWhatComesToItWait() throws {
    var agents = PromptAgents()
    let staying = try register(1, .audit(1), with: &agents)
    let leaving = try register(2, .audit(2), with: &agents)
    #expect(ask(1, &agents, in: .audit(1)) == .show(id(1), at: staying))
    #expect(ask(2, &agents) == .show(id(2), at: leaving))
    #expect(agents.left(leaving) == [.wait(id(2), ahead: 1)])
    #expect(!agents.shows(id(2), at: leaving))
    #expect(agents.ended(id(1)) == [.show(id(2), at: staying)])
  }

  @Test func withTheLastAgentEverythingEndsAlsoWhatWaitsForItsDevice() throws {
    var agents = PromptAgents()
    let agent = try register(1, .audit(1), with: &agents)
    for number: UInt64 in 1...2 { _ = ask(number, &agents) }
    #expect(agents.admit(id(3), about: 1000, from: Self.service, in: nil) == .admitted)
    #expect(agents.left(agent) == [.abandon(id(1)), .abandon(id(2)), .abandon(id(3))])
    #expect(agents.ended(id(1)).isEmpty)
    #expect(agents.place(id(3)) == .abandon(id(3)))
    // Their places are free again.
    let next = try register(2, .audit(1), with: &agents)
    for number: UInt64 in 4...11 { _ = ask(number, &agents) }
    #expect(agents.shows(id(4), at: next))
    #expect(agents.admit(id(12), about: 1000, from: Self.service, in: nil) == .refused)
  }
}
