import LocalAuthCore
import LocalAuthTestSupport
import Testing

@Suite struct AttemptTests {
  private static let right = Verdict.proven(finger: nil, generation: nil)

  @Test func chargesBeforeItJudgesAndSettlesBeforeItReports() {
    var attempt = Attempt(at: .passcode)
    #expect(attempt.begin() == .charge)
    #expect(attempt.charged() == .judge)
    #expect(attempt.judged(.miss) == .settle(.miss))
    #expect(attempt.settled() == .report(.miss))
    #expect(attempt.isClosed)
  }

  @Test func judgesNothingWhenTheChargeIsNotDurable() {
    var attempt = Attempt(at: .biometry)
    _ = attempt.begin()
    let failure = Outcome(.internalError)
    #expect(attempt.chargeFailed(failure) == .report(.unjudged(failure)))
    #expect(attempt.charged() == .ignore)
    #expect(attempt.judged(Self.right) == .ignore)
  }

  @Test func aVerdictWhoseSettlementIsNotDurableDoesNotCount() {
    var attempt = Attempt(at: .biometry)
    _ = attempt.begin()
    _ = attempt.charged()
    _ = attempt.judged(Self.right)
    let failure = Outcome(.internalError)
    #expect(attempt.settleFailed(failure) == .report(.unjudged(failure)))
    #expect(attempt.settled() == .ignore)
  }

  @Test func aVerdictBeforeTheChargeIsIgnored() {
    var attempt = Attempt(at: .biometry)
    #expect(attempt.judged(Self.right) == .ignore)
    _ = attempt.begin()
    #expect(attempt.judged(Self.right) == .ignore)
  }

  @Test func inAnyOrderOfEventsAProofIsReportedOnlyAfterChargeVerdictAndSettlement() {
    var random = SeededGenerator.ofThisRun
    for run in 0..<20_000 {
      var attempt = Attempt(at: .biometry)
      var steps: [String] = []
      for _ in 0..<12 {
        let action: Attempt.Action
        switch UInt8.random(in: 0...5, using: &random) {
        case 0: action = attempt.begin()
        case 1: action = attempt.charged()
        case 2: action = attempt.chargeFailed(Outcome(.internalError))
        case 3: action = attempt.judged(Bool.random(using: &random) ? Self.right : .miss)
        case 4: action = attempt.settled()
        default: action = attempt.settleFailed(Outcome(.internalError))
        }
        switch action {
        case .charge: steps.append("charge")
        case .judge: steps.append("judge")
        case .settle: steps.append("settle")
        case .report(Self.right):
          #expect(
            steps == ["charge", "judge", "settle"],
            "run \(run) of seed \(random.seed)"
          )
        case .report: steps.append("report")
        case .ignore: break
        }
      }
    }
  }
}
