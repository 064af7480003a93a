import LocalAuthCore
import LocalAuthSensor
import LocalAuthService
import Synchronization
import Testing

/// A touch that a sensor's model drew is durable before anybody hears what came of it.
@Suite struct ModelledTouchTests {
  private static let random = EventRandom(seed: 7)

  /// Somebody whose first touch gives no sample, which is the first draw of a touch.
  private static let withoutSample = (UInt32(0)...).first {
    var stream = random.stream(.transaction, user: $0)
    return stream.uniform() < AcquisitionRates.standard.failureToAcquire
  }

  private func rig(person: UInt32) throws -> Rig {
    let rig = Rig()
    rig.makeDevice(stoppedClock: true)
    for (key, value) in [("seed", "7"), ("model", "standard"), ("person", String(person))] {
      rig.engine.set(key, value, on: "sim", caller: rig.caller) { _ in }
      rig.run()
    }
    return rig
  }

  private func storedTouches(_ rig: Rig) -> String? {
    rig.store.device?.sensorSettings?["touch-history"]?.split(separator: ",").first.map(String.init)
  }

  @Test func aTouchWithoutSampleIsStoredBeforeItIsHeardOf() throws {
    let rig = try rig(person: try #require(Self.withoutSample))
    let hearing = try rig.evaluate(script: "touch:right-index,cancel")
    #expect(rig.store.waiting.withLock { $0.first?.kind } == .ordinary)
    let isRetry = { (event: SessionEvent) in if case .retry = event { true } else { false } }
    #expect(!hearing.events.contains(where: isRetry))
    #expect(storedTouches(rig) == nil)
    _ = rig.store.finishNext(.success(()))
    #expect(storedTouches(rig) == "1")
    rig.engine.completionsArrived()
    #expect(hearing.events.contains(where: isRetry))
    rig.run()
    #expect(hearing.result?.outcome.code == .userCancel)
    #expect(hearing.result?.attempts == 0)
  }

  @Test func aTouchWithoutSampleThatCannotBeStoredEndsTheEvaluation() throws {
    let rig = try rig(person: try #require(Self.withoutSample))
    let hearing = try rig.evaluate(script: "touch:right-index,match")
    rig.finishCommit(.failure(.full))
    rig.run()
    #expect(hearing.result?.outcome.code == .internalError)
  }

  @Test func aJudgedTouchIsStoredByItsCharge() throws {
    let rig = try rig(person: 0)
    let hearing = try rig.evaluate(script: "touch:right-index,match")
    #expect(rig.store.waiting.withLock { $0.count } == 1)
    #expect(rig.store.waiting.withLock { $0.first?.kind } == .guarded)
    _ = rig.store.finishNext(.success(()))
    #expect(storedTouches(rig) == "1")
    #expect(rig.store.device?.attempts.lockout.tally.failures == 1)
    rig.engine.completionsArrived()
    rig.run()
    #expect(hearing.result?.outcome == .success)
  }

  @Test func exactTouchesStoreNothingMore() throws {
    let rig = try rig(person: 0)
    #expect(try rig.outcome(script: "miss,retry:dirty,match") == .success)
    #expect(storedTouches(rig) == nil)
  }

  @Test func resettingTheSensorForgetsItsTouches() throws {
    let rig = try rig(person: 0)
    _ = try rig.outcome(script: "touch:right-index,match")
    #expect(storedTouches(rig) == "1")
    rig.engine.resetSensor(on: "sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(rig.store.device?.sensorSettings == [:])
  }
}
