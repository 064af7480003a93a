import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct SensorEnrolmentTests {
  static let finger = Finger.rightIndex
  static let touch = Presentation.touch(.finger(finger))

  @Test func passesEveryStageBeforeItCompletes() throws {
    var rig = try SensorRig([.leftThumb])
    #expect(rig.sensor.beginEnrolment(of: Self.finger, at: rig.now) == .ready(liftFinger: false))
    #expect(rig.sensor.operation == .enrolment(Self.finger))
    for stage in 1...4 { #expect(rig.enrolOnce(Self.touch) == .passed(stage, of: 5)) }
    let set = EnrolmentSet(fingers: [.leftThumb, Self.finger], generation: 4)
    #expect(rig.enrolOnce(Self.touch) == .completed(set))
    #expect(rig.sensor.operation == nil)
  }

  @Test func knowsTheFingerOnlyOnceTheSetIsAdopted() throws {
    var rig = try SensorRig([], ["enroll-stages": "1"])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    guard case .completed(let set) = rig.enrolOnce(.match) else {
      Issue.record("not completed")
      return
    }
    _ = rig.arm()
    #expect(rig.judge(Self.touch) == .miss)
    #expect(rig.sensor.adopt(set) == true)
    #expect(rig.judge(Self.touch) == .match(Self.finger, generation: 4))
  }

  @Test(arguments: EnrolmentSample.allCases)
  func followsEveryScriptedStatus(_ status: EnrolmentSample) throws {
    var rig = try SensorRig([])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    let expected: EnrolmentStep =
      switch status.consequence {
      case .passed: .passed(1, of: 5)
      case .again(let acquisition): .again(status, acquisition)
      case .failed(let fault): .failed(fault)
      }
    #expect(rig.enrolOnce(.stage(status)) == expected)
    #expect((rig.sensor.operation == nil) == (status.rawValue >= 0x0b && status.rawValue <= 0x0d))
  }

  @Test func takesStatusesFromItsSettingInOrder() throws {
    var rig = try SensorRig(
      [],
      ["enroll-acquired": "too-left,good,partial", "enroll-stages": "2"]
    )
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.enrolOnce(Self.touch) == .again(.tooLeft, .notCentered))
    #expect(rig.enrolOnce(Self.touch) == .passed(1, of: 2))
    #expect(rig.enrolOnce(Self.touch) == .again(.poorQuality, .insufficient))
    let set = EnrolmentSet(fingers: [Self.finger], generation: 4)
    #expect(rig.enrolOnce(Self.touch) == .completed(set))
  }

  @Test(arguments: Acquisition.named.map(\.code) + [.vendor(2000)])
  func repeatsAStageWhoseSampleIsFlawed(_ flaw: Acquisition) throws {
    var rig = try SensorRig([])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.enrolOnce(.retry(flaw)) == .again(EnrolmentSample(flaw), flaw))
    #expect(rig.enrolOnce(Self.touch) == .passed(1, of: 5))
  }

  @Test func doesNotMergeAnotherFinger() throws {
    var rig = try SensorRig([])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.enrolOnce(.touch(.finger(.leftRing))) == .again(.mergeFailure, .general))
    #expect(rig.enrolOnce(.miss) == .again(.mergeFailure, .general))
    #expect(rig.sensor.enrolling?.passed == 0)
    #expect(rig.sensor.enrolling?.samples == 2)
  }

  @Test func refusesAFingerThatIsEnrolled() throws {
    var rig = try SensorRig([Self.finger])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.enrolOnce(Self.touch) == .failed(.duplicate))
  }

  @Test func refusesAnEnrolledFingerUnderAnotherName() throws {
    var rig = try SensorRig([.leftThumb])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.enrolOnce(.touch(.finger(.leftThumb))) == .failed(.duplicate))
  }

  @Test func replacesAFingerWhenDuplicatesAreNotChecked() throws {
    var rig = try SensorRig([Self.finger], ["duplicates-check": "false", "enroll-stages": "1"])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    let set = EnrolmentSet(fingers: [Self.finger], generation: 4)
    #expect(rig.enrolOnce(Self.touch) == .completed(set))
  }

  @Test func refusesASixthFinger() throws {
    let five: [Finger] = [.rightThumb, .rightIndex, .rightMiddle, .rightRing, .rightLittle]
    var rig = try SensorRig(five)
    #expect(rig.sensor.beginEnrolment(of: .leftThumb, at: rig.now) == .refused(.storageFull))
    #expect(rig.sensor.inserting(.leftThumb) == .failed(.storageFull))
    #expect(try rig.sensor.set("max-enrollments", "6") == .none)
    #expect(rig.sensor.beginEnrolment(of: .leftThumb, at: rig.now) == .ready(liftFinger: false))
  }

  @Test func storesNothingWhenInterrupted() throws {
    var rig = try SensorRig([])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    for _ in 1...4 { _ = rig.enrolOnce(Self.touch) }
    #expect(rig.sensor.cancelEnrolment() == .stopped)
    #expect(rig.sensor.cancelEnrolment() == .notRunning)
    #expect(rig.sensor.enrolment == EnrolmentSet(fingers: [], generation: 3))
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.enrolOnce(Self.touch) == .passed(1, of: 5))
  }

  @Test func storesNothingAfterACancelItCannotObey() throws {
    var rig = try SensorRig([], ["cancellation": "false", "enroll-stages": "1"])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.sensor.cancelEnrolment() == .lingering)
    #expect(rig.read(Self.touch) == nil)
    #expect(rig.sensor.enrolment.fingers.isEmpty)
  }

  @Test func failsByAnInjectedFault() throws {
    var rig = try SensorRig([], ["enroll-error": "next:unable-to-process"])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.enrolOnce(Self.touch) == .failed(.unableToProcess))
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.enrolOnce(Self.touch) == .passed(1, of: 5))
  }

  @Test func failsByAScriptedFaultAnUnplugAndATimeOut() throws {
    var rig = try SensorRig([], ["timeout": "1m"])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.enrolOnce(.fault(.storageFull)) == .failed(.storageFull))
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.sensor.unplug() == .fault(.enrolment(Self.finger), .removed))
    rig.sensor.plug()
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    let timer = try #require(rig.sensor.timer)
    #expect(rig.sensor.timedOut(timer) == .fault(.enrolment(Self.finger), .timeout))
  }

  @Test func excludesAuthenticationMeanwhile() throws {
    var rig = try SensorRig([])
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.arm() == .refused(.busy))
    #expect(rig.sensor.disarm(for: evaluation) == .notRunning)
    #expect(rig.sensor.cancelEnrolment() == .stopped)
    _ = rig.arm()
    #expect(rig.sensor.beginEnrolment(of: Self.finger, at: rig.now) == .refused(.busy))
  }

  @Test func wantsARestingFingerLiftedFirst() throws {
    var rig = try SensorRig([])
    rig.sensor.fingerDown()
    #expect(rig.sensor.beginEnrolment(of: Self.finger, at: rig.now) == .ready(liftFinger: true))
    #expect(
      rig.enrolOnce(Self.touch) == .again(.noUserPresenceTransition, .removeFinger)
    )
    rig.sensor.fingerUp()
    #expect(rig.enrolOnce(Self.touch) == .passed(1, of: 5))
  }

  @Test func rememberTheLabelOfThePrintItEnrolled() throws {
    var rig = try SensorRig([], ["enroll-stages": "2"])
    let first = try #require(PrintIdentity(word: "A"))
    let second = try #require(PrintIdentity(word: "B"))
    _ = rig.sensor.beginEnrolment(of: Self.finger, at: rig.now)
    #expect(rig.enrolOnce(.touch(first)) == .passed(1, of: 2))
    #expect(rig.enrolOnce(.touch(second)) == .again(.mergeFailure, .general))
    guard case .completed(let set) = rig.enrolOnce(.touch(first)) else {
      Issue.record("not completed")
      return
    }
    #expect(rig.sensor.adopt(set) == true)
    #expect(rig.sensor.finger(of: first) == Self.finger)
    #expect(rig.sensor.settings.changed["prints"] == "A=right-index-finger")
    _ = rig.arm()
    #expect(rig.judge(.touch(second)) == .miss)
    #expect(rig.judge(.touch(first)) == .match(Self.finger, generation: 4))
  }

  @Test func countsEveryChangeOfTheSet() throws {
    var rig = try SensorRig([.leftThumb, .rightIndex])
    let smaller = try #require(rig.sensor.removing(.leftThumb))
    #expect(smaller == EnrolmentSet(fingers: [.rightIndex], generation: 4))
    #expect(rig.sensor.adopt(smaller) == true)
    #expect(rig.sensor.removing(.leftThumb) == nil)
    #expect(
      rig.sensor.inserting(.leftThumb)
        == .completed(EnrolmentSet(fingers: [.rightIndex, .leftThumb], generation: 5))
    )
    let none = try #require(rig.sensor.removingAll())
    #expect(none == EnrolmentSet(fingers: [], generation: 5))
    #expect(rig.sensor.adopt(none) == true)
    #expect(rig.sensor.removingAll() == nil)
  }

  @Test func refusesASetThatIsNotNewer() throws {
    var rig = try SensorRig([.leftThumb, .rightIndex])
    let one = try #require(rig.sensor.removing(.leftThumb))
    let two = try #require(rig.sensor.removing(.rightIndex))
    #expect(rig.sensor.adopt(one) == true)
    #expect(rig.sensor.adopt(two) == false)
    #expect(rig.sensor.adopt(EnrolmentSet(fingers: [.leftLittle], generation: 0)) == false)
    #expect(rig.sensor.enrolment == one)
  }

  @Test func reusesNoGenerationAtTheEndOfThemAll() throws {
    var sensor = SimulatedSensor(
      enrolment: EnrolmentSet(fingers: [.leftThumb], generation: .max)
    )
    #expect(sensor.removingAll() == nil)
    #expect(sensor.inserting(.rightIndex) == .failed(.storageFull))
    #expect(sensor.adopt(EnrolmentSet(fingers: [], generation: .max)) == false)
  }
}
