import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthStore

@Suite struct DeviceCodingTests {
  @Test func everyRecordComesBackEqual() {
    var generator = SeededGenerator.ofThisRun
    for _ in 0..<500 {
      let record = Sample.randomDevice(&generator)
      let bytes = DeviceCoding.encode(record)
      #expect(
        DeviceCoding.decode(bytes, identity: record.identity) == record,
        "SEED=\(generator.seed)"
      )
    }
  }

  @Test func equalRecordsHaveEqualBytes() {
    var one = Sample.device()
    var other = Sample.device()
    one.sensorSettings = [:]
    other.sensorSettings = [:]
    for key in ["a", "b", "c", "d", "e", "f"] { one.sensorSettings?[key] = "1" }
    for key in ["f", "e", "d", "c", "b", "a"] { other.sensorSettings?[key] = "1" }
    #expect(DeviceCoding.encode(one) == DeviceCoding.encode(other))
  }

  @Test func everyShorteningIsRefused() {
    var generator = SeededGenerator.ofThisRun
    let record = Sample.randomDevice(&generator)
    let bytes = DeviceCoding.encode(record)
    for count in 0..<bytes.count {
      let decoded = DeviceCoding.decode(Array(bytes[..<count]), identity: record.identity)
      #expect(decoded == nil, "SEED=\(generator.seed), \(count) bytes")
    }
  }

  @Test func bytesThatAreLeftOverAreRefused() {
    let record = Sample.device()
    let bytes = DeviceCoding.encode(record) + [0]
    #expect(DeviceCoding.decode(bytes, identity: record.identity) == nil)
  }

  @Test func recordWithoutGrantsIsWrittenAsEverBefore() {
    var record = Sample.device()
    #expect(DeviceCoding.encode(record).first == 1)
    var generator = SeededGenerator.ofThisRun
    record.grants = Grants([Sample.randomGrant(&generator)])
    let bytes = DeviceCoding.encode(record)
    #expect(bytes.first == 2)
    #expect(DeviceCoding.decode([1] + bytes.dropFirst(), identity: record.identity) == nil)
  }

  @Test func countsOfWhatAPersonHasTakeAVersionOfTheirOwn() {
    var record = Sample.device()
    record.others = OtherAttempts(touches: Lockout(tally: Tally(failures: 1)))
    #expect(DeviceCoding.encode(record).first == 3)
    record.others = OtherAttempts(possession: Lockout(tally: Tally(failures: 2)))
    let bytes = DeviceCoding.encode(record)
    #expect(bytes.first == 4)
    #expect(
      DeviceCoding.decode(bytes, identity: record.identity)?.others.possession.tally.failures == 2
    )
    #expect(DeviceCoding.decode([3] + bytes.dropFirst(), identity: record.identity) == nil)
  }

  @Test func programsThatJudgeTakeAVersionOfTheirOwn() {
    var record = Sample.device()
    record.programs = 0x0102_0304_0506_0708
    let bytes = DeviceCoding.encode(record)
    #expect(bytes.first == 5)
    #expect(DeviceCoding.decode(bytes, identity: record.identity) == record)
    #expect(DeviceCoding.decode([4] + bytes.dropFirst(), identity: record.identity) == nil)
  }

  @Test func moreGrantsThanThereMayBeAreRefused() {
    var generator = SeededGenerator.ofThisRun
    var record = Sample.device()
    record.grants = Grants(
      (0...Grants.countMax).map { _ in Sample.randomGrant(&generator) }
    )
    let bytes = DeviceCoding.encode(record)
    #expect(DeviceCoding.decode(bytes, identity: record.identity) == nil)
  }

  @Test func anotherVersionIsRefused() {
    let record = Sample.device()
    var bytes = DeviceCoding.encode(record)
    bytes[0] = 2
    #expect(DeviceCoding.decode(bytes, identity: record.identity) == nil)
  }

  @Test func noChangedByteTrapsAndNoneIsMistakenForTheSame() {
    var generator = SeededGenerator.ofThisRun
    for _ in 0..<3000 {
      let record = Sample.randomDevice(&generator)
      var bytes = DeviceCoding.encode(record)
      let index = Int.random(in: bytes.indices, using: &generator)
      let before = bytes[index]
      bytes[index] = .random(in: 0...255, using: &generator)
      let decoded = DeviceCoding.decode(bytes, identity: record.identity)
      #expect(bytes[index] == before || decoded != record, "SEED=\(generator.seed)")
    }
  }

  @Test func randomBytesNeverTrap() {
    var generator = SeededGenerator.ofThisRun
    for _ in 0..<2000 {
      var bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if !bytes.isEmpty { bytes[0] = 1 }
      _ = DeviceCoding.decode(bytes, identity: Sample.identity())
    }
  }

  @Test func timesThatCouldOverflowAreRefusedOrHeldBack() {
    var record = Sample.device()
    record.clockOffset = Duration(secondsComponent: .max, attosecondsComponent: 0)
    let decoded = DeviceCoding.decode(DeviceCoding.encode(record), identity: record.identity)
    #expect(decoded?.clockOffset == .seconds(1 << 40))
  }
}
