import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct SensorDumpTests {
  private func value(_ key: String, _ rig: SensorRig) -> String? {
    rig.sensor.dump(at: rig.now).first { $0.key == key }?.value
  }

  @Test func showsStateThenSettings() throws {
    let rig = try SensorRig()
    let keys = rig.sensor.dump(at: rig.now).map(\.key)
    let first = ["state", "finger", "enrolled", "generation", "misses", "lock", "touches"]
    #expect(keys == first + SettingKey.allCases.map(\.rawValue))
    #expect(Set(keys).count == keys.count)
    #expect(value("enrolled", rig) == "right-index-finger,left-thumb")
    #expect(value("generation", rig) == "3")
  }

  @Test func tellsEveryStateApart() throws {
    var rig = try SensorRig([], ["cancellation": "false"])
    var words: [String?] = [value("state", rig)]
    _ = rig.arm()
    words.append(value("state", rig))
    guard
      case .sampling(let sample, _) = rig.sensor.present(.match, at: rig.now, using: &rig.random)
    else {
      Issue.record("no sample")
      return
    }
    words.append(value("state", rig))
    guard case .captured(let capture, _) = rig.sensor.sampled(sample) else {
      Issue.record("no capture")
      return
    }
    words.append(value("state", rig))
    _ = rig.sensor.discard(capture)
    _ = rig.sensor.disarm(for: evaluation)
    words.append(value("state", rig))
    _ = rig.sensor.present(.match, at: rig.now, using: &rig.random)
    _ = rig.sensor.beginEnrolment(of: .leftRing, at: rig.now)
    words.append(value("state", rig))
    #expect(words.last == "enrolling left-ring-finger, stage 1 of 5")
    #expect(Set(words).count == 6)
  }

  @Test func showsTheLock() throws {
    var rig = try SensorRig()
    #expect(value("lock", rig) == "open")
    _ = rig.sensor.lockTimed(at: rig.now)
    #expect(value("lock", rig) == "for 10s")
    _ = rig.sensor.lock()
    #expect(value("lock", rig) == "until the passcode")
  }

  @Test func showsTheFinger() throws {
    var rig = try SensorRig()
    #expect(value("finger", rig) == "up")
    rig.sensor.fingerDown()
    #expect(value("finger", rig) == "down")
    _ = rig.arm()
    #expect(value("finger", rig) == "must be lifted")
  }
}
