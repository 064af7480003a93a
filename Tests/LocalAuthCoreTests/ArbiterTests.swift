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

  @Test func whatStrangersFillLeavesTheOwnersPlacesFree() {
    let limits = Arbiter.Limits(waiting: 1, waitingOfStrangers: 3, waitingPerStranger: 2)
    var arbiter = Arbiter(limits: limits)
    #expect(arbiter.request(id(1), uid: 0, from: .user(1001)) == .armed)
    #expect(arbiter.request(id(2), uid: 0, from: .user(1001)) == .waiting(ahead: 1))
    #expect(arbiter.request(id(3), uid: 0, from: .user(1001)) == .waiting(ahead: 2))
    #expect(arbiter.request(id(4), uid: 0, from: .user(1001)) == .refused, "two of one origin")
    #expect(arbiter.request(id(5), uid: 0, from: .host("h")) == .waiting(ahead: 3))
    #expect(arbiter.request(id(6), uid: 0, from: .host("other")) == .refused, "three of all")
    #expect(arbiter.request(id(7), uid: 0) == .waiting(ahead: 1))
    #expect(arbiter.request(id(8), uid: 0) == .refused)
  }

  @Test func theOwnersRequestsComeBeforeThoseOfStrangers() {
    var arbiter = Arbiter()
    _ = arbiter.request(id(1), uid: 0, from: .user(1001))
    #expect(!arbiter.isOwedToOwner)
    _ = arbiter.request(id(2), uid: 0, from: .user(1001))
    #expect(!arbiter.isOwedToOwner)
    #expect(arbiter.request(id(3), uid: 0) == .waiting(ahead: 1))
    #expect(arbiter.request(id(4), uid: 1000) == .waiting(ahead: 2))
    #expect(arbiter.isOwedToOwner)
    #expect(arbiter.armed == id(1) && arbiter.waiting == [id(3), id(4), id(2)])
    #expect(arbiter.ended(id(1)) == .armed(id(3)))
    #expect(!arbiter.isOwedToOwner)
  }
}
