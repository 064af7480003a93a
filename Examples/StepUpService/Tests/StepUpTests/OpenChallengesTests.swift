import Testing

@testable import StepUp

@Suite struct OpenChallengesTests {
  private let now = ContinuousClock.now
  private var challenges = OpenChallenges(lifetime: .seconds(120), limit: 3)

  private func failure(
    _ challenges: inout OpenChallenges,
    _ nonce: String,
    _ action: String = "a",
    after delay: Duration = .zero
  ) -> OpenChallenges.Failure? {
    do throws(OpenChallenges.Failure) {
      try challenges.spend(nonce, for: action, at: now + delay)
      return nil
    } catch { return error }
  }

  @Test mutating func countsOnceForItsActionAndInItsTime() {
    let nonce = challenges.open("a", at: now)
    #expect(nonce.utf8.count == 32)
    #expect(failure(&challenges, nonce, after: .seconds(119)) == nil)
    #expect(failure(&challenges, nonce) == .unknown)
  }

  @Test mutating func countsNoMoreWhenItsTimeIsOver() {
    let nonce = challenges.open("a", at: now)
    #expect(failure(&challenges, nonce, after: .seconds(120)) == .expired)
    #expect(failure(&challenges, nonce) == .unknown, "a late answer spends it too")
  }

  @Test mutating func countsForNoOtherAction() {
    let nonce = challenges.open("a", at: now)
    #expect(failure(&challenges, nonce, "b") == .forAnotherAction)
    #expect(failure(&challenges, nonce, "a") == .unknown)
  }

  @Test mutating func oldestMakesRoom() {
    let nonces = (0..<4).map { _ in challenges.open("a", at: now) }
    #expect(Set(nonces).count == 4)
    #expect(failure(&challenges, nonces[0]) == .unknown)
    for nonce in nonces.dropFirst() { #expect(failure(&challenges, nonce) == nil) }
  }
}
