import LocalAuthCore
import Testing

@testable import LocalAuthHost

/// When a daemon follows a program that says without end that there is news, or ends as soon as it was started.
@Suite struct NewsPaceTests {
  private func time(_ milliseconds: Int) -> BootInstant {
    BootInstant(nanoseconds: 0) + .milliseconds(milliseconds)
  }

  @Test func newsWithoutEndBeginsARoundASecond() {
    var pace = NewsPace()
    var rounds: [Int] = []
    for now in stride(from: 0, to: 10_000, by: 10) {
      pace.hear(at: time(now))
      guard let due = pace.due, due <= time(now) else { continue }
      pace.take(at: time(now))
      rounds.append(now)
    }
    #expect(rounds == Array(stride(from: 0, to: 10_000, by: 1_000)))
  }

  @Test func theLastNewsIsFollowedToo() {
    var pace = NewsPace()
    pace.hear(at: time(0))
    pace.take(at: time(0))
    pace.hear(at: time(1))
    #expect(pace.due == time(1_000))
    pace.hear(at: time(999))
    #expect(pace.due == time(1_000), "it is not put off")
    pace.take(at: time(1_000))
    #expect(pace.due == nil)
    pace.hear(at: time(5_000))
    #expect(pace.due == time(5_000), "after a silence it is followed at once")
  }

  @Test func programsThatEndAtOnceAreStartedMoreAndMoreSeldom() {
    var pace = NewsPace()
    var now = time(0)
    var waits: [Duration] = []
    for _ in 0..<12 {
      pace.begin(at: now)
      pace.end(at: now, owingAnswers: false)
      guard let due = pace.due else { break }
      waits.append(due - now)
      now = due
      pace.take(at: now)
    }
    #expect(waits == (0..<12).map { min(.seconds(300), .seconds(1 << $0)) })
    pace.begin(at: now)
    now = now + NewsPace.steadyRun
    pace.end(at: now, owingAnswers: false)
    #expect(pace.due == now + .seconds(1), "one that ran for long is no such program")
  }

  /// Otherwise a program that says so and ends would be started once a second.
  @Test func newsOfAProgramThatEndsWaitsForTheNextOne() {
    var pace = NewsPace()
    for _ in 0..<3 {
      pace.begin(at: time(0))
      pace.end(at: time(0), owingAnswers: true)
      #expect(pace.due == nil, "whoever waits tries again by itself")
    }
    pace.begin(at: time(0))
    pace.hear(at: time(0))
    pace.end(at: time(0), owingAnswers: true)
    #expect(pace.due == time(8_000))
  }

  @Test func newsOfAProgramThatRunsDoesNotWaitForAnother() {
    var pace = NewsPace()
    for _ in 0..<9 {
      pace.begin(at: time(0))
      pace.end(at: time(0), owingAnswers: false)
    }
    #expect(pace.due == time(256_000))
    pace.begin(at: time(1_000))
    pace.hear(at: time(1_000))
    #expect(pace.due == time(1_000))
  }
}
