import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

/// When the worker does what nobody asks it to do, on a clock that is moved by hand.
@Suite struct HubScheduleTests {
  private typealias Schedule = HubSchedule<SeededGenerator>

  private var schedule = Schedule(.ofThisRun)

  @Test func nothingIsDueBeforeAHubIsNamed() {
    #expect(schedule.next == nil && schedule.due(at: .seconds(1_000_000)) == nil)
  }

  @Test func idleDeviceAsksOnceAMinuteAtMost() {
    var schedule = schedule
    var now = Duration.zero
    schedule.asked(at: now)
    schedule.connected(at: now)
    var looks: [Duration] = []
    while now < .seconds(24 * 3600), let next = schedule.next {
      now = next
      #expect(schedule.due(at: now) == .look)
      schedule.answered(at: now)
      looks.append(now)
    }
    let waits = zip(looks, looks.dropFirst()).map { $1 - $0 }
    #expect(waits.allSatisfy { $0 >= .seconds(60) && $0 <= .seconds(75) })
    #expect(looks.count <= 24 * 60 && Set(waits).count > 1000, "devices do not all look at once")
  }

  @Test func answerOfAnythingPutsTheLookOff() {
    var schedule = schedule
    schedule.asked(at: .zero)
    schedule.connected(at: .zero)
    for second in 1...600 {
      schedule.answered(at: .seconds(second))
      #expect(schedule.due(at: .seconds(second)) == nil)
    }
  }

  @Test func waitsDoubleUpToFiveMinutesAndDiffer() {
    var waits: [Duration] = []
    var schedule = schedule
    var now = Duration.zero
    schedule.asked(at: now)
    for _ in 0..<20 {
      schedule.lost(at: now)
      guard let next = schedule.next else { break }
      waits.append(next - now)
      now = next
      #expect(schedule.due(at: now) == .connect)
    }
    for (index, wait) in waits.enumerated() {
      let longest = min(Duration.seconds(300), .seconds(1 << index))
      #expect(wait >= longest / 2 && wait <= longest)
    }
    #expect(Set(waits).count == waits.count)
  }

  @Test func onlyAnAnswerBeginsTheWaitsAnew() {
    var schedule = schedule
    schedule.asked(at: .zero)
    for _ in 0..<10 {
      schedule.connected(at: .zero)
      schedule.lost(at: .zero)
    }
    #expect(schedule.next.map { $0 >= .seconds(150) } == true, "the hub ends each connection")
    schedule.connected(at: .zero)
    schedule.answered(at: .zero)
    schedule.lost(at: .zero)
    #expect(schedule.next.map { $0 <= .seconds(1) } == true)
  }

  @Test func othersAreToldOnceASecondAndNothingIsDropped() {
    var schedule = schedule
    schedule.asked(at: .zero)
    schedule.connected(at: .zero)
    var told: [Duration] = []
    for step in 0..<100 {
      let now = Duration.milliseconds(50 * step)
      schedule.wantsTelling(at: now)
      if schedule.due(at: now) == .tell {
        told.append(now)
        schedule.told(at: now)
      }
    }
    #expect(told == (0..<5).map { .seconds($0) })
    #expect(schedule.next == .seconds(5), "what was pushed since then is told, too")
  }

  @Test func nobodyIsToldWithoutAConnection() {
    var schedule = schedule
    schedule.asked(at: .zero)
    schedule.connected(at: .zero)
    schedule.wantsTelling(at: .zero)
    schedule.lost(at: .zero)
    schedule.wantsTelling(at: .zero)
    #expect(schedule.due(at: .seconds(10)) == .connect)
  }
}
