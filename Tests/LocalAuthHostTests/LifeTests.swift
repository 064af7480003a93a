import Glibc
import LocalAuthTestSupport
import Testing

/// Devices, evaluations, touches, enrolments, agents and keychain calls in any order, with everything
/// armed: devices are locked, restarted, erased and deleted, clocks advance, clients and agents leave.
///
/// The seed replays it all, what completes when too; with `SWIFT_DETERMINISTIC_HASHING=1` in the same order to the last.
@Suite struct LifeTests {
  /// How long it goes on: `LIFE_SECONDS` of the environment.
  private static let length: Duration = {
    // SAFETY: the C string is copied at once, and no test changes the environment.
    let text = unsafe getenv("LIFE_SECONDS").map { unsafe String(cString: $0) }
    return .seconds(text.flatMap { Int($0) } ?? 0)
  }()

  @Test(.enabled(if: length > .zero, "LIFE_SECONDS says how long"))
  func everyCallIsAnsweredOnceAndNothingIsLeft() throws {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    let end = ContinuousClock.now + Self.length
    var lives = 0
    repeat {
      lives += 1
      let context: Comment = "SEED=\(seed), life \(lives)"
      let life = try Life(SeededGenerator(seed: generator.next()))
      for _ in 0..<400 { life.step() }
      life.end()
      #expect(life.pending.isEmpty, context)
      #expect(life.answeredTwice.isEmpty, context)
      #expect(life.clock.isEmpty, "a timer is left; \(context)")
      #expect(life.letGo(), "the engine is still kept by something; \(context)")
    } while ContinuousClock.now < end
  }
}
