import LocalAuthCore
import LocalAuthReader
import LocalAuthTestSupport
import Testing

@Suite struct ReaderRunTests {
  /// A verification whose scan is under way.
  private func scanning() -> ReaderRun {
    var run = ReaderRun(.verify)
    #expect(run.claimed(.granted) == [.say(.armed), .look])
    #expect(run.finger(lies: false) == [.start])
    #expect(run.started() == [])
    return run
  }

  @Test(arguments: [true, false]) func aVerdictIsSaidAndTheReaderIsFreed(_ isMatch: Bool) {
    var run = scanning()
    let word = isMatch ? ScanWord.match : .noMatch
    #expect(run.heard(word, isDone: true) == [.say(.verdict(isMatch: isMatch)), .stop])
    #expect(run.stopped() == [.release])
    #expect(run.released() == [.over])
    #expect(run.isOver)
  }

  @Test func aVerdictBeforeTheScanBeganIsDroppedAndTheScanBeginsAnew() {
    var run = ReaderRun(.verify)
    _ = run.claimed(.granted)
    _ = run.finger(lies: false)
    #expect(run.heard(.match, isDone: true) == [])
    #expect(run.started() == [.stop])
    #expect(run.heard(.match, isDone: true) == [])
    #expect(run.stopped() == [.start])
    #expect(run.started() == [])
    #expect(run.heard(.noMatch, isDone: true) == [.say(.verdict(isMatch: false)), .stop])
  }

  @Test func aFingerThatLayThereIsLiftedBeforeTheScan() {
    var run = ReaderRun(.verify)
    _ = run.claimed(.granted)
    #expect(run.finger(lies: true) == [.say(.retry(.removeFinger))])
    #expect(run.finger(lies: true) == [])
    #expect(run.heard(.match, isDone: true) == [])
    #expect(run.finger(lies: false) == [.start])
  }

  @Test func whatLiesThereForEverEndsTheAttempt() {
    var run = ReaderRun(.verify)
    _ = run.claimed(.granted)
    _ = run.finger(lies: false)
    var said: [ReaderRun.Effect] = []
    for _ in 0...ReaderRun.restartsMax {
      _ = run.heard(.match, isDone: true)
      said += run.started()
      said += run.stopped()
    }
    #expect(said.contains(.say(.failed("Something lies on the reader."))))
    #expect(!said.contains(.say(.verdict(isMatch: true))))
  }

  @Test(arguments: [ScanWord.match, .noMatch]) func afterACancelNoVerdictCounts(_ word: ScanWord) {
    var run = scanning()
    #expect(run.cancelled() == [.stop])
    #expect(run.heard(word, isDone: true) == [])
    #expect(run.stopped() == [.release])
    #expect(run.released() == [.over])
  }

  @Test func aCancelWhileTheReaderIsClaimedReleasesItAfterwards() {
    var run = ReaderRun(.verify)
    #expect(run.cancelled() == [])
    #expect(run.claimed(.granted) == [.release])
    #expect(run.released() == [.over])
  }

  @Test func aCancelWhileTheScanBeginsStopsItAfterwards() {
    var run = ReaderRun(.verify)
    _ = run.claimed(.granted)
    _ = run.finger(lies: false)
    #expect(run.cancelled() == [])
    #expect(run.started() == [.stop])
  }

  @Test func aRetryKeepsTheScan() {
    var run = scanning()
    #expect(run.heard(.retry(.tooShort), isDone: false) == [.say(.retry(.tooShort))])
    #expect(run.heard(.match, isDone: true) == [.say(.verdict(isMatch: true)), .stop])
  }

  @Test func aRetryThatEndedTheScanBeginsItAnew() {
    var run = scanning()
    #expect(run.heard(.retry(.general), isDone: true) == [.say(.retry(.general)), .stop])
    #expect(run.stopped() == [.start])
  }

  @Test func scansThatCannotBeJudgedEndTheAttemptBeforeTheyAreTooManyWords() {
    var run = scanning()
    var words = 3
    for _ in 0...ReaderRun.retriesMax {
      words += run.heard(.retry(.general), isDone: false).count
    }
    #expect(words < Arming.wordsMax)
    #expect(run.isAbandoned)
  }

  @Test func aTouchIsToldOnce() {
    var run = scanning()
    #expect(run.finger(lies: true) == [.say(.touched)])
    #expect(run.finger(lies: false) == [])
    #expect(run.finger(lies: true) == [])
  }

  @Test func aReaderThatSomebodyElseHoldsIsClaimedAgainLater() {
    var run = ReaderRun(.verify)
    #expect(run.claimed(.busy) == [.wait])
    #expect(run.waited() == [.claim])
    #expect(run.claimed(.granted) == [.say(.armed), .look])
  }

  @Test func whoCancelsMeanwhileClaimsNothing() {
    var run = ReaderRun(.verify)
    _ = run.claimed(.busy)
    #expect(run.cancelled() == [.over])
    #expect(run.waited() == [])
  }

  @Test func anEnrolmentWaitsForNobody() {
    var run = ReaderRun(.enroll(.rightIndex))
    #expect(run.claimed(.busy).last == .over)
  }

  @Test func aReaderThatVanishesProvesNothing() {
    var run = scanning()
    #expect(run.vanished("gone") == [.say(.failed("gone")), .over])
    #expect(run.heard(.match, isDone: true) == [])
    #expect(run.vanished("gone") == [])
  }

  @Test func anInterruptionIsSaidOnceTheReaderIsFree() {
    var run = scanning()
    #expect(run.interrupted("asleep") == [.stop])
    #expect(run.heard(.match, isDone: true) == [])
    #expect(run.stopped() == [.release])
    #expect(run.released() == [.say(.failed("asleep")), .over])
  }

  @Test func whileTheMachineSleepsNothingIsReleased() {
    var run = scanning()
    #expect(run.slept("asleep") == [.stop])
    _ = run.cancelled()
    #expect(run.stopped() == [.rest])
    #expect(run.released() == [])
    #expect(run.woke() == [.release])
    #expect(run.released() == [.over])
  }

  @Test func aClaimThatIsGrantedAsleepIsReleasedAwake() {
    var run = ReaderRun(.verify)
    #expect(run.slept("asleep") == [])
    #expect(run.claimed(.granted) == [.rest])
    #expect(run.woke() == [.release])
    #expect(run.released() == [.say(.failed("asleep")), .over])
  }

  @Test func whoCancelsAnInterruptedOneHearsNothing() {
    var run = scanning()
    _ = run.interrupted("asleep")
    _ = run.cancelled()
    _ = run.stopped()
    #expect(run.released() == [.over])
  }

  @Test func anEnrolmentGoesThroughItsStages() {
    var run = ReaderRun(.enroll(.rightIndex))
    #expect(run.claimed(.granted) == [.start])
    run.has(stages: 3)
    #expect(run.started() == [])
    #expect(run.heard(.stagePassed, isDone: false) == [.say(.passed(1, of: 3))])
    #expect(run.heard(.retry(.partial), isDone: false) == [.say(.retry(.partial))])
    #expect(run.heard(.stagePassed, isDone: false) == [.say(.passed(2, of: 3))])
    #expect(run.heard(.completed, isDone: true) == [.say(.completed), .stop])
  }

  @Test func aMatchEnrolsNothing() {
    var run = ReaderRun(.enroll(.rightIndex))
    _ = run.claimed(.granted)
    _ = run.started()
    let effects = run.heard(.match, isDone: true)
    #expect(!effects.contains(.say(.completed)))
    #expect(effects.last == .stop)
  }

  /// Events in any order: the last word comes at most once, a verdict only from a scan that began and
  /// is not being stopped, and what was claimed is released at most once.
  @Test func nothingThatComesInAnyOrderIsAVerdictOutsideAScan() {
    var generator = SeededGenerator.ofThisRun
    for _ in 0..<20_000 {
      var run = ReaderRun(.verify)
      var trace: [String] = []
      var isClaimed = false
      var isStarting = false
      var isScanning = false
      var lastWords = 0
      for _ in 0..<24 {
        let event = Int.random(in: 0..<12, using: &generator)
        let effects = Self.send(event, to: &run)
        trace.append("\(event): \(effects)")
        if event == 3, isStarting { (isStarting, isScanning) = (false, true) }
        for effect in effects {
          switch effect {
          case .say(.verdict):
            #expect(isScanning, "\(trace)")
            lastWords += 1
          case .say(.failed): lastWords += 1
          case .say(.armed): isClaimed = true
          case .start: isStarting = true
          case .stop: isScanning = false
          case .release: (isScanning, isClaimed) = (false, false)
          case .over: #expect(!isClaimed, "\(trace)")
          case .claim, .wait, .look, .rest, .say: break
          }
        }
      }
      #expect(lastWords <= 1, "\(trace)")
    }
  }

  private static func send(_ event: Int, to run: inout ReaderRun) -> [ReaderRun.Effect] {
    switch event {
    case 0: run.claimed(.granted)
    case 1: run.claimed(.busy)
    case 2: run.finger(lies: false)
    case 3: run.started()
    case 4: run.started("refused")
    case 5: run.heard(.match, isDone: true)
    case 6: run.heard(.noMatch, isDone: true)
    case 7: run.heard(.retry(.general), isDone: false)
    case 8: run.stopped()
    case 9: run.released()
    case 10: run.cancelled()
    default: run.finger(lies: true)
    }
  }
}
