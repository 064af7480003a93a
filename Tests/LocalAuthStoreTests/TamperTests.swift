import Glibc
import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthStore

/// Whoever changes or puts back stored state gets distrust, and never a strike less.
@Suite struct TamperTests {
  /// A store with two devices after `rounds` guarded commits each, closed.
  private func filled(rounds: UInt32 = 3) throws -> Place {
    let place = Place()
    let store = try place.open()
    for failures in 1...rounds {
      try store.commitAndWait([.device(Sample.device("a", failures: failures))])
      try store.commitAndWait([.device(Sample.device("b", failures: failures))])
    }
    store.close()
    return place
  }

  /// What is loaded when a device is authentic but distrusted.
  private func unfresh(_ record: DeviceRecord) -> DeviceRecord {
    var record = record
    record.attempts.freshness = Freshness()
    return record
  }

  private func expectAllDistrusted(
    _ place: Place,
    devices: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // Twice: distrust must not heal by starting again.
    for _ in 0..<2 {
      let state = try place.load()
      #expect(state.distrusted.map(\.name) == devices, sourceLocation: sourceLocation)
      #expect(state.mayHaveLostDevices, sourceLocation: sourceLocation)
      #expect(
        state.devices.allSatisfy { $0.attempts.freshness == Freshness() },
        sourceLocation: sourceLocation
      )
    }
  }

  @Test func anOlderDatabasePutBackCostsAllTrust() throws {
    let place = try filled()
    var old = Snapshot(of: place)
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device("a", failures: 9))])
    store.close()
    old.mirror = Files.read(place.mirror)
    place.put(old)
    try expectAllDistrusted(place, devices: ["a", "b"])
    let misses = try place.load().devices.map(\.attempts.lockout.tally.failures)
    #expect(misses == [3, 3], "as decoded")
  }

  @Test func aDeletedDatabaseIsNoticedThroughTheMirror() throws {
    let place = try filled()
    unsafe unlink(place.database)
    unsafe unlink(place.database + "-wal")
    try expectAllDistrusted(place, devices: [])
  }

  @Test func aLostDefaultDeviceStaysDistrustedUntilItsPasscode() throws {
    let place = try filled()
    unsafe unlink(place.database)
    var record = Sample.device(DeviceIdentity.defaultName)
    record.attempts.freshness = Freshness()
    var store = try place.open()
    try store.commitAndWait([.device(record)])
    store.close()
    #expect(try place.load().distrusted == [record.identity])
    store = try place.open()
    record.attempts.freshness.passcodeUsed(at: Sample.moment)
    try store.commitAndWait([.device(record)])
    store.close()
    #expect(try place.load().distrusted.isEmpty)
    #expect(try place.load().devices == [record])
  }

  @Test func aLostMirrorCostsAllTrust() throws {
    let place = try filled()
    unsafe unlink(place.mirror)
    try expectAllDistrusted(place, devices: ["a", "b"])
  }

  @Test func aDamagedMirrorCostsAllTrust() throws {
    for bytes in [[], [0], [UInt8](repeating: 0, count: mirroredSequenceSize)] {
      let place = try filled()
      Files.write(place.mirror, bytes)
      try expectAllDistrusted(place, devices: ["a", "b"])
    }
  }

  @Test func aMirrorTwoBehindCostsAllTrustAndOneBehindDoesNot() throws {
    for (behind, isTrusted) in [(UInt64(1), true), (2, false), (3, false)] {
      let place = try filled(rounds: 3)
      Files.write(place.mirror, Watermark(sequence: 6 - behind).record(TestTagger()))
      let state = try place.load()
      #expect(state.distrusted.isEmpty == isTrusted, "\(behind) behind")
      #expect(state.devices.map(\.attempts.lockout.tally.failures) == [3, 3])
    }
  }

  @Test func anInterruptedCommitIsMirroredAtTheNextStart() throws {
    let place = try filled(rounds: 3)
    Files.write(place.mirror, Watermark(sequence: 5).record(TestTagger()))
    _ = try place.load()
    #expect(
      MirroredSequence(Files.read(place.mirror), TestTagger()).watermark?.sequence == 6
    )
  }

  @Test func aRowOfAnOlderDatabaseCostsAllTrust() throws {
    let place = try filled(rounds: 1)
    let old = Snapshot(of: place).restored()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device("a", failures: 2))])
    store.close()
    try replaceRow("a", of: place, by: old)
    try expectAllDistrusted(place, devices: ["a", "b"])
  }

  @Test func aRowOfTheSameSequenceCostsAllTrustToo() throws {
    let place = try filled(rounds: 1)
    var store = try place.open()
    try store.commitAndWait([.device(Sample.device("a", failures: 0))], .ordinary)
    store.close()
    let old = Snapshot(of: place).restored()
    store = try place.open()
    try store.commitAndWait([.device(Sample.device("a", failures: 1))], .ordinary)
    store.close()
    try replaceRow("a", of: place, by: old)
    try expectAllDistrusted(place, devices: ["a", "b"])
  }

  @Test func aRowThatIsTakenAwayCostsAllTrust() throws {
    let place = try filled()
    try place.edit("DELETE FROM device WHERE name = 'a'")
    try expectAllDistrusted(place, devices: ["b"])
  }

  @Test func aRowThatIsRenamedIsDistrustedAndKeepsOnlyItsStrikes() throws {
    let place = try filled()
    try place.edit("UPDATE device SET name = 'c' WHERE name = 'a'")
    try expectAllDistrusted(place, devices: ["b", "c"])
    let renamed = try place.load().devices.first { $0.identity.name == "c" }
    #expect(renamed?.attempts.lockout.tally.failures == 3)
    #expect(renamed?.enrolment.fingers.isEmpty == true)
  }

  @Test func aRowUnderAnotherOwnerIsDistrusted() throws {
    let place = try filled()
    try place.edit("UPDATE device SET owner = 0 WHERE name = 'a'")
    try expectAllDistrusted(place, devices: ["a", "b"])
  }

  @Test func anEditedRecordDistrustsThatDeviceOnly() throws {
    let place = try filled()
    try place.edit("UPDATE device SET record = x'00' WHERE name = 'a'")
    for _ in 0..<2 {
      let state = try place.load()
      #expect(state.distrusted.map(\.name) == ["a"])
      #expect(state.devices.last == Sample.device("b", failures: 3))
      #expect(!state.mayHaveLostDevices)
    }
  }

  @Test func nothingOfAnEditedRecordIsBelievedButStrikesAndItsOwnPasscode() throws {
    let place = try filled()
    var forged = Sample.device("a", failures: 8)
    forged.isSimulated = false
    forged.passcode = .pam(service: "permit", directory: "/tmp")
    try write(forged, into: place)
    let loaded = try place.load().devices.first
    var expected = DeviceRecord(identity: forged.identity, isSimulated: true)
    expected.attempts.lockout = Lockout(tally: Tally(failures: 8))
    expected.attempts.throttle = PasscodeThrottle(tally: Tally(failures: 8))
    Sample.raising(&expected, .atLeast(CountHeights(passcode: 8)))
    #expect(loaded == expected)
    forged.passcode = .device
    try write(forged, into: place)
    #expect(try place.load().devices.first?.passcode == .device)
  }

  @Test(arguments: [
    "UPDATE device SET sequence = sequence + 1 WHERE owner = -1",
    "UPDATE device SET sequence = sequence - 1 WHERE owner = -1",
    "UPDATE device SET sequence = 9223372036854775807 WHERE owner = -1",
    "UPDATE device SET trusted = 0 WHERE owner = -1",
    "UPDATE device SET tag = x'' WHERE owner = -1",
    "DELETE FROM device WHERE owner = -1", "UPDATE device SET trusted = 0 WHERE owner >= 0",
    "UPDATE device SET sequence = 0 WHERE owner >= 0",
    "UPDATE device SET tag = x'00' WHERE owner >= 0",
    """
    UPDATE device SET (sequence, trusted, tag) =
      (SELECT sequence, trusted, tag FROM device WHERE name = 'a') WHERE owner = -1
    """,
  ])
  func noEditOfTheBookkeepingGainsTrust(_ sql: String) throws {
    let place = try filled()
    try place.edit(sql)
    for _ in 0..<2 {
      let state = try place.load()
      #expect(state.distrusted.map(\.name) == ["a", "b"])
    }
  }

  @Test func trustCannotBeWrittenIntoADistrustedRow() throws {
    let place = try filled()
    unsafe unlink(place.mirror)
    _ = try place.load()
    try place.edit("UPDATE device SET trusted = 1")
    try expectAllDistrusted(place, devices: ["a", "b"])
  }

  @Test func anotherKeyBelievesNothing() throws {
    let place = try filled()
    let state = try place.load(key: 2)
    #expect(state.distrusted.count == 2)
    #expect(state.mayHaveLostDevices)
    let store = try place.open(key: 2)
    try store.commitAndWait([.device(Sample.device("a", failures: 1))])
    store.close()
    #expect(try place.load(key: 2).distrusted.map(\.name) == ["b"])
  }

  @Test func commitsOfOneDeviceDoNotVouchForAnother() throws {
    let place = try filled()
    unsafe unlink(place.mirror)
    for kind in [CommitKind.ordinary, .guarded, .ordinary] {
      let store = try place.open()
      try store.commitAndWait([.device(Sample.device("a", failures: 3))], kind)
      store.close()
      let state = try place.load()
      #expect(state.distrusted.map(\.name) == ["b"])
      #expect(
        state.devices == [
          Sample.device("a", failures: 3), unfresh(Sample.device("b", failures: 3)),
        ]
      )
    }
  }

  @Test func chargesOfADistrustedDeviceCountAndDoNotBringTrust() throws {
    let place = try filled()
    unsafe unlink(place.mirror)
    let store = try place.open()
    var record = try #require(store.state.devices.first)
    record.attempts.throttle = PasscodeThrottle(tally: Tally(failures: 4))
    try store.commitAndWait([.device(record)])
    store.close()
    let state = try place.load()
    #expect(state.devices.first == record)
    #expect(state.distrusted.map(\.name) == ["a", "b"])
  }

  @Test func aCrashWhileDistrustIsWrittenDownLeavesDistrust() throws {
    let place = try filled()
    unsafe unlink(place.mirror)
    let before = Snapshot(of: place)
    let mirror = place.openMirror()
    mirror.fail(with: .full)
    #expect(throws: StorageError.full) {
      try place.open(mirror: mirror)
    }
    #expect(Snapshot(of: place) != before)
    try expectAllDistrusted(Snapshot(of: place).restored(), devices: ["a", "b"])
  }

  @Test func databaseAndMirrorPutBackTogetherAreNoticedThroughTheCopy() throws {
    let place = try filled(rounds: 1)
    var old = Snapshot(of: place)
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device("a", failures: 2))])
    store.close()
    old.copy = Files.read(place.copy)
    place.put(old)
    try expectAllDistrusted(place, devices: ["a", "b"])
    #expect(try place.load().devices.first?.attempts.throttle.tally.failures == 2)
  }

  @Test func allFilesPutBackTogetherCannotBeNoticed() throws {
    // The one thing that files alone cannot show; docs/threat-model.md says so.
    let place = try filled(rounds: 1)
    let old = Snapshot(of: place)
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device("a", failures: 2))])
    store.close()
    place.put(old)
    #expect(try place.load().distrusted.isEmpty)
  }

  private func replaceRow(_ name: String, of place: Place, by other: Place) throws {
    try place.edit(
      """
      ATTACH '\(other.database)' AS old;
      REPLACE INTO main.device SELECT * FROM old.device WHERE name = '\(name)'
      """
    )
  }

  private func write(_ record: DeviceRecord, into place: Place) throws {
    let editor = try Database.open(place.database, .readWrite)
    try editor.prepare("UPDATE device SET record = ? WHERE name = ?")
      .run([.blob(DeviceCoding.encode(record)), .text(record.identity.name)])
    _ = editor.checkpoint(truncating: true)
  }
}
