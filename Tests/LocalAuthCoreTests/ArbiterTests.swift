import LocalAuthCore
import Testing

@Suite struct ArbiterTests {
  private func id(_ number: UInt64) -> EvaluationID { EvaluationID(high: 0, low: number) }

  @Test func givesThePromptToTheFirstAndLetsTheOthersWaitInOrder() {
    var arbiter = Arbiter()
    #expect(arbiter.request(id(1), uid: 1) == .armed)
    #expect(arbiter.request(id(2), uid: 1) == .waiting(ahead: 1))
    #expect(arbiter.request(id(3), uid: 1) == .waiting(ahead: 2))
    #expect(arbiter.ended(id(1)) == .armed(id(2)))
    #expect(arbiter.ended(id(2)) == .armed(id(3)))
    #expect(arbiter.ended(id(3)) == .idle)
    #expect(arbiter.armed == nil)
  }

  @Test func whoGivesUpWaitingChangesNothingForTheOthers() {
    var arbiter = Arbiter()
    _ = arbiter.request(id(1), uid: 1)
    _ = arbiter.request(id(2), uid: 1)
    _ = arbiter.request(id(3), uid: 1)
    #expect(arbiter.ended(id(2)) == .unchanged)
    #expect(arbiter.ended(id(1)) == .armed(id(3)))
  }

  @Test func refusesBeyondTheLimitOfOneUserAndOfAll() {
    var arbiter = Arbiter(limits: Arbiter.Limits(waiting: 3, waitingPerUser: 2))
    #expect(arbiter.request(id(1), uid: 1) == .armed)
    #expect(arbiter.request(id(2), uid: 1) == .waiting(ahead: 1))
    #expect(arbiter.request(id(3), uid: 1) == .waiting(ahead: 2))
    #expect(arbiter.request(id(4), uid: 1) == .refused)
    #expect(arbiter.request(id(5), uid: 2) == .waiting(ahead: 3))
    #expect(arbiter.request(id(6), uid: 2) == .refused)
  }

  @Test func anEndThatNobodyKnowsChangesNothing() {
    var arbiter = Arbiter()
    #expect(arbiter.ended(id(9)) == .unchanged)
    _ = arbiter.request(id(1), uid: 1)
    #expect(arbiter.ended(id(9)) == .unchanged)
    #expect(arbiter.armed == id(1))
  }
}
