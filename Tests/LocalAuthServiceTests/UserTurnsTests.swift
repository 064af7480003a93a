import Testing

@testable import LocalAuthService

@Suite struct UserTurnsTests {
  private typealias Turn = UserTurns.Turn

  private final class Call {}

  @Test func aUserHasNoMoreTurnsAtOnceThanOneUserMay() {
    let turns = UserTurns(inAll: 4, ofUser: 2)
    var begun: [Int] = []
    let own = (0..<3).map { _ in Turn(of: 7) }
    for (number, turn) in own.enumerated() { turns.enter(turn) { begun.append(number) } }
    #expect(begun == [0, 1])
    #expect(own.map(\.isTaken) == [true, true, false])
    #expect(!turns.isFree(for: 7) && turns.isFree(for: 8))
    turns.leave(own[0])
    #expect(begun == [0, 1, 2])
  }

  @Test func allUsersTogetherHaveNoMoreThanThereAre() {
    let turns = UserTurns(inAll: 2, ofUser: 2)
    var begun: [UInt32] = []
    let all = (0..<4).map { Turn(of: $0) }
    for turn in all.enumerated() { turns.enter(turn.element) { begun.append(UInt32(turn.offset)) } }
    #expect(begun == [0, 1])
    #expect(!turns.isFree(for: 9))
    for turn in all { turns.leave(turn) }
    #expect(begun == [0, 1, 2, 3])
    #expect(turns.isFree(for: 9))
  }

  @Test func aLongLineOfOneUserKeepsAnotherForOneTurnOnly() {
    let turns = UserTurns(inAll: 1, ofUser: 1)
    var begun: [String] = []
    let greedy = (0..<4).map { _ in Turn(of: 1) }
    let modest = Turn(of: 2)
    for turn in greedy { turns.enter(turn) { begun.append("greedy") } }
    turns.enter(modest) { begun.append("modest") }
    turns.leave(greedy[0])
    #expect(begun == ["greedy", "greedy"])
    turns.leave(greedy[1])
    #expect(begun == ["greedy", "greedy", "modest"])
    turns.leave(modest)
    #expect(begun.last == "greedy")
  }

  @Test func whoLeavesTheLineHasNoTurnAndKeepsNobody() {
    let turns = UserTurns(inAll: 1, ofUser: 1)
    var begun: [Int] = []
    let all = [Turn(of: 1), Turn(of: 1), Turn(of: 2)]
    for (number, turn) in all.enumerated() { turns.enter(turn) { begun.append(number) } }
    turns.leave(all[1])
    turns.leave(all[0])
    #expect(begun == [0, 2])
    turns.leave(all[2])
    #expect(turns.isFree(for: 1) && turns.isFree(for: 2))
    // A turn that is over does not end another's.
    turns.leave(all[0])
    let last = Turn(of: 3)
    turns.enter(last) {}
    turns.leave(all[0])
    #expect(last.isTaken && !turns.isFree(for: 1))
  }

  /// A call has secrets, which are wiped when nobody has it any more.
  @Test(arguments: [false, true]) func nothingOfACallStaysInTheLine(_ isCancelled: Bool) {
    let turns = UserTurns(inAll: 1, ofUser: 1)
    let (first, second) = (Turn(of: 1), Turn(of: 1))
    turns.enter(first) {}
    weak var seen: Call?
    do {
      let call = Call()
      seen = call
      turns.enter(second) { withExtendedLifetime(call) {} }
    }
    #expect(seen != nil)
    turns.leave(isCancelled ? second : first)
    #expect(seen == nil)
  }

  @Test func aLongLineOfThoseWhoLeaveAtOnceNeedsNoDeepStack() {
    let turns = UserTurns(inAll: 1, ofUser: 1)
    let first = Turn(of: 1)
    var ended = 0
    turns.enter(first) {}
    for _ in 0..<10_000 {
      let turn = Turn(of: 1)
      turns.enter(turn) {
        ended += 1
        turns.leave(turn)
      }
    }
    turns.leave(first)
    #expect(ended == 10_000)
  }
}
