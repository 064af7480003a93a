import LocalAuthCore
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthStore

/// A crash at any moment may cost an attempt and never gives one back; nor does it cost trust.
@Suite struct CrashTests {
  /// What a crash at one moment leaves, and how many strikes were promised by then.
  private struct Moment {
    var snapshot: Snapshot
    var promised: UInt32
    var inFlight: UInt32
  }

  /// Runs attempts on one device and takes the files at every durable step.
  private func history(seed: UInt64, attempts: Int) throws -> [Moment] {
    var generator = SeededGenerator(seed: seed)
    let place = Place()
    let mirror = place.openMirror()
    let store = try place.open(mirror: mirror)
    let strikes = Mutex((promised: UInt32(0), inFlight: UInt32(0)))
    let moments = Mutex<[Moment]>([])
    let take: @Sendable () -> Void = {
      let (promised, inFlight) = strikes.withLock { $0 }
      let moment = Moment(snapshot: Snapshot(of: place), promised: promised, inFlight: inFlight)
      moments.withLock { $0.append(moment) }
    }
    mirror.observe(before: take, after: take)
    var failures: UInt32 = 0
    func commit(_ kind: CommitKind, _ line: AuditRecord) throws {
      strikes.withLock { $0.inFlight = failures }
      take()
      try store.commitAndWait([.device(Sample.device(failures: failures)), .audit(line)], kind)
      strikes.withLock { $0.promised = failures }
      take()
    }
    for number in 0..<attempts {
      failures += 1
      try commit(.guarded, Sample.line(UInt64(number)))
      let matched = Bool.random(using: &generator)
      if matched { failures = 0 }
      let outcome: OutcomeCode = matched ? .success : .authenticationFailed
      try commit(.ordinary, Sample.line(UInt64(number), outcome: outcome))
    }
    return moments.withLock { $0 }
  }

  @Test func everyDurableStepLoadsWithNoStrikeLostAndNoTrustLost() throws {
    let generator = SeededGenerator.ofThisRun
    for moment in try history(seed: generator.seed, attempts: 12) {
      let state = try moment.snapshot.restored().load()
      #expect(state.distrusted.isEmpty && !state.mayHaveLostDevices, "SEED=\(generator.seed)")
      let failures = state.devices.first?.attempts.lockout.tally.failures ?? 0
      #expect(
        failures == moment.promised || failures == moment.inFlight,
        "SEED=\(generator.seed)"
      )
    }
  }

  @Test func aCrashRightAfterACrashIsNoDifferent() throws {
    let generator = SeededGenerator.ofThisRun
    for moment in try history(seed: generator.seed, attempts: 6) {
      let place = moment.snapshot.restored()
      for _ in 0..<3 {
        let store = try place.open()
        #expect(store.state.distrusted.isEmpty, "SEED=\(generator.seed)")
        let again = Snapshot(of: place)
        store.close()
        place.put(again)
      }
    }
  }

  @Test func noCutOfTheLogGivesAnAttemptBack() throws {
    var generator = SeededGenerator.ofThisRun
    let last = try #require(try history(seed: generator.seed, attempts: 10).last)
    let log = try #require(last.snapshot.log)
    var cuts = Array(stride(from: 32, through: log.count, by: 24 + 4096)) + [0, 1, 31]
    cuts += (0..<60).map { _ in Int.random(in: 0..<log.count, using: &generator) }
    for cut in cuts {
      var snapshot = last.snapshot
      snapshot.log = Array(log[..<cut])
      let comment: Comment = "cut at \(cut), SEED=\(generator.seed)"
      try expectNoGain(snapshot.restored(), promised: last.promised, comment)
    }
  }

  @Test func cuttingTheLogAfterACrashGivesNothingBackEither() throws {
    var generator = SeededGenerator.ofThisRun
    for moment in try history(seed: generator.seed, attempts: 5) {
      let log = moment.snapshot.log ?? []
      for _ in 0..<6 where !log.isEmpty {
        let cut = Int.random(in: 0..<log.count, using: &generator)
        var snapshot = moment.snapshot
        snapshot.log = Array(log[..<cut])
        let comment: Comment = "cut at \(cut), SEED=\(generator.seed)"
        try expectNoGain(snapshot.restored(), promised: moment.promised, comment)
      }
    }
  }

  @Test func noFlippedBitGivesAnAttemptBackOrTraps() throws {
    var generator = SeededGenerator.ofThisRun
    let place = Place()
    let store = try place.open()
    for failures in UInt32(1)...4 {
      try store.commitAndWait([
        .device(Sample.device(failures: failures)), .audit(Sample.line(UInt64(failures))),
      ])
    }
    let open = Snapshot(of: place)
    store.close()
    for snapshot in [open, Snapshot(of: place)] {
      for file in [\Snapshot.database, \Snapshot.log, \Snapshot.mirror, \Snapshot.copy] {
        let size = snapshot[keyPath: file]?.count ?? 0
        for _ in 0..<150 where size > 0 {
          var flipped = snapshot
          let bit = Int.random(in: 0..<(size * 8), using: &generator)
          flipped[keyPath: file]?[bit / 8] ^= 1 << UInt8(bit % 8)
          judge(flipped, promised: 4, "bit \(bit), SEED=\(generator.seed)")
        }
      }
    }
  }

  /// Opens a damaged store: it is refused unchanged, or opened without gain and fit for use.
  private func judge(_ snapshot: Snapshot, promised: UInt32, _ comment: Comment) {
    let place = snapshot.restored()
    do throws(StorageError) {
      let store = try place.open()
      expectNoGain(store, promised: promised, comment)
      _ = try? store.audit(owner: 1000, device: nil, limit: 9)
      try? store.commitAndWait([.device(Sample.device("other")), .audit(Sample.line(99))])
      store.close()
    } catch {
      #expect(Snapshot(of: place) == snapshot, comment)
    }
  }

  private func expectNoGain(_ place: Place, promised: UInt32, _ comment: Comment) throws {
    let store = try place.open()
    defer { store.close() }
    expectNoGain(store, promised: promised, comment)
  }

  /// Wrong passcodes are counted at least as high as was promised, whatever is thought of the device; a finger counts
  /// no sooner.
  private func expectNoGain(_ store: Store, promised: UInt32, _ comment: Comment) {
    guard let device = store.state.devices.first else {
      #expect(store.state.mayHaveLostDevices || promised == 0, comment)
      switch store.doubt(of: Sample.identity()) {
      case .unknown: break
      case .atLeast(let heights): #expect(heights.passcode >= promised, comment)
      }
      return
    }
    let misses = device.attempts.lockout.tally.failures
    #expect(store.state.distrusted.contains(device.identity) || misses >= promised, comment)
    #expect(device.attempts.throttle.tally.failures >= promised, comment)
  }
}
