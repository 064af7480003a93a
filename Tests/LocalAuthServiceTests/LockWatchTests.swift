import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import Testing

@Suite struct LockWatchTests {
  private final class Heard {
    var reports: [LockReport?] = []
    var states: [DeviceState?] { reports.map { $0?.state } }
  }

  private func watch(_ rig: Rig) throws -> (heard: Heard, watch: LockWatch) {
    let heard = Heard()
    let watch = try rig.engine.watchLock(of: "sim", caller: rig.caller) {
      heard.reports.append($0)
    }
    return (heard, watch)
  }

  private func lock(_ rig: Rig) {
    rig.engine.lock("sim", caller: rig.caller) { _ in }
    rig.run()
  }

  private func unlock(_ rig: Rig) {
    rig.engine.unlock("sim", passcode: .of("1234"), caller: rig.caller) { _ in }
    rig.run()
  }

  private func advance(_ rig: Rig, _ seconds: Int) {
    rig.engine.advanceClock("sim", by: .seconds(seconds), passcode: nil, caller: rig.caller) { _ in
    }
    rig.run()
  }

  @Test func eachChangeIsReportedOnce() throws {
    let rig = Rig()
    rig.makeDevice()
    let (heard, watch) = try watch(rig)
    lock(rig)
    lock(rig)
    advance(rig, 4)
    unlock(rig)
    lock(rig)
    advance(rig, 10)
    unlock(rig)
    rig.engine.reboot("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(
      heard.states == [
        .unlocked, .lockedInGrace, .unlocked, .lockedInGrace, .locked, .unlocked,
        .beforeFirstUnlock,
      ]
    )
    #expect(heard.reports[1]?.timeLeft == .seconds(10))
    #expect(heard.reports.indices.filter { heard.reports[$0]?.timeLeft != nil } == [1, 3])
    watch.end()
  }

  @Test func keysAreGoneWhenTheLockIsReported() throws {
    let rig = Rig()
    rig.makeDevice()
    var outcomes: [Bool] = []
    let watch = try rig.engine.watchLock(of: "sim", caller: rig.caller) { report in
      guard report?.state == .locked else { return }
      let refused =
        (try? rig.engine.makeFileKey(
          .complete,
          on: "sim",
          allowsSimulated: true,
          caller: rig.caller
        )) == nil
      outcomes.append(refused)
    }
    lock(rig)
    advance(rig, 10)
    #expect(outcomes == [true])
    watch.end()
  }

  @Test func passcodeThatIsRemovedAndSetIsReported() throws {
    let rig = Rig()
    rig.makeDevice()
    let (heard, watch) = try watch(rig)
    rig.engine.removePasscode(on: "sim", passcode: .of("1234"), caller: rig.caller) { _ in }
    rig.run()
    rig.engine.setPasscode(.of("5678"), on: "sim", passcode: nil, caller: rig.caller) { _ in }
    rig.run()
    #expect(heard.states == [.unlocked, .noPasscode, .unlocked])
    watch.end()
  }

  @Test func erasureIsReported() throws {
    let rig = Rig()
    rig.makeDevice()
    lock(rig)
    let (heard, watch) = try watch(rig)
    rig.engine.erase("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(heard.states == [.lockedInGrace, .noPasscode])
    watch.end()
  }

  @Test func deviceThatIsDeletedIsReportedAndNothingAfterwards() throws {
    let rig = Rig()
    rig.makeDevice()
    let (heard, watch) = try watch(rig)
    rig.engine.delete("sim", passcode: .of("1234"), caller: rig.caller) { _ in }
    rig.run()
    #expect(heard.states == [.unlocked, nil])
    rig.makeDevice()
    lock(rig)
    #expect(heard.states == [.unlocked, nil])
    watch.end()
  }

  @Test func nothingIsReportedAfterTheEnd() throws {
    let rig = Rig()
    rig.makeDevice()
    let (heard, watch) = try watch(rig)
    watch.end()
    lock(rig)
    #expect(heard.states == [.unlocked])
  }

  /// As a connection does that closes on what it is told.
  @Test func watchMayEndWhileItIsTold() throws {
    let rig = Rig()
    rig.makeDevice()
    final class Place { var watch: LockWatch? }
    let place = Place()
    var told = 0
    for _ in 0..<2 {
      place.watch = try rig.engine.watchLock(of: "sim", caller: rig.caller) { report in
        told += 1
        if report?.state != .unlocked { place.watch?.end() }
      }
    }
    lock(rig)
    #expect(told == 3, "the first ended the second")
    let other = try watch(rig).watch
    place.watch = other
    rig.engine.delete("sim", passcode: .of("1234"), caller: rig.caller) { _ in }
    rig.run()
    #expect(told == 5, "the first hears that the passcode unlocked, and of the end")
  }

  @Test func anotherUsersDeviceIsNotWatched() throws {
    let rig = Rig(servesEverybody: true)
    rig.makeDevice()
    let stranger = Caller(uid: 1001, pid: 43, program: "test", process: HeldProcess())
    #expect(throws: EngineError.deviceNotFound("sim")) {
      _ = try rig.engine.watchLock(of: "sim", caller: stranger) { _ in }
    }
  }
}
