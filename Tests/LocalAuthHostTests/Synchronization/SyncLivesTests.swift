import Foundation
import LocalAuthTestSupport
import Testing

/// Lives of devices, each by a seed of its own: `SYNC_SEEDS` says how many, and `SEED` which one alone.
@Suite struct SyncLivesTests {
  static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  @Test func devicesAgreeAtTheEndOfEveryLifeAndNothingIsLost() throws {
    var random = SeededGenerator.ofThisRun
    let lives = Self.setting("SEED") == nil ? Self.setting("SYNC_SEEDS") ?? 20 : 1
    for _ in 0..<lives {
      let seed = lives == 1 ? random.seed : random.next()
      let life = try SyncLife(SeededGenerator(seed: seed))
      do {
        try life.run(60)
      } catch {
        Issue.record("\(error)\n\(life.trace.joined(separator: "\n"))\nSEED=\(seed)")
        return
      }
    }
  }
}
