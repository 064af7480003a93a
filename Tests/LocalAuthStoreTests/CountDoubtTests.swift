import Glibc
import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthStore

/// Every way to damage the state has a number: attempts left before and after.
///
/// docs/threat-model.md has the table.
@Suite struct CountDoubtTests {
  /// Generations of one state: after `n` wrong passcodes in a row on `desk`, each in a guarded commit.
  private struct History {
    var generations: [Snapshot] = []
    var last: Snapshot { generations[generations.count - 1] }
  }

  private func history(_ wrong: UInt32 = 7) throws -> History {
    let place = Place()
    var history = History()
    for failures in 0...wrong {
      let store = try place.open()
      try store.commitAndWait([.device(Sample.device("desk", failures: failures))])
      if failures == 0 {
        try store.commitAndWait([.keybag(Sample.identity("desk"), [1, 2, 3])])
        try store.commitAndWait([.device(Sample.device("other"))])
      }
      store.close()
      history.generations.append(Snapshot(of: place))
    }
    return history
  }

  /// Wrong passcodes left on `desk` in a state with these files: ten less what is counted, none where it is locked.
  private func attemptsLeft(_ snapshot: Snapshot) throws -> UInt32 {
    let place = snapshot.restored()
    var left: [UInt32] = []
    // Twice: what was found must not heal by starting again.
    for _ in 0..<2 {
      let store = try place.open()
      defer { store.close() }
      let failures: UInt32
      if let desk = store.state.devices.first(where: { $0.identity.name == "desk" }) {
        failures = desk.attempts.throttle.tally.failures
      } else {
        switch store.doubt(of: Sample.identity("desk")) {
        case .atLeast(let heights): failures = heights.passcode
        case .unknown: failures = 9
        }
      }
      left.append(10 - min(10, failures))
    }
    #expect(left[0] == left[1])
    return left[0]
  }

  private typealias File = WritableKeyPath<Snapshot, [UInt8]?>

  private func put(_ files: [File], from old: Snapshot, into now: Snapshot) -> Snapshot {
    var mixed = now
    for file in files { mixed[keyPath: file] = old[keyPath: file] }
    return mixed
  }

  /// Damages by the names that they have in docs/threat-model.md.
  private let damages: [(String, [File])] = [
    ("the database", [\.database, \.log]), ("sequence", [\.mirror]), ("watermark", [\.copy]),
    ("database and sequence", [\.database, \.log, \.mirror]),
    ("database and watermark", [\.database, \.log, \.copy]),
    ("sequence and watermark", [\.mirror, \.copy]),
  ]

  @Test func theTableOfTheThreatModelIsWhatHappens() throws {
    let history = try history()
    let old = history.generations[2]
    var rows: [String: UInt32] = [:]
    for (name, files) in damages {
      rows["\(name), put back"] = try attemptsLeft(put(files, from: old, into: history.last))
      let none = Snapshot(of: Place())
      rows["\(name), removed"] = try attemptsLeft(put(files, from: none, into: history.last))
    }
    for (name, sql) in [
      ("a record, edited", edits[0]), ("another device's record, copied over", edits[1]),
      ("the row, removed", edits[3]), ("the ledger, removed", edits[5]),
    ] {
      let place = history.last.restored()
      try place.edit(sql)
      rows[name] = try attemptsLeft(Snapshot(of: place))
    }
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let bytes = try #require(Files.read(root + "/docs/threat-model.md"))
    let document = String(decoding: bytes, as: UTF8.self)
    for (name, left) in rows {
      #expect(document.contains("\n| \(name) | 3 | \(left) |\n"), "\(name): \(left) are left")
    }
  }

  @Test func anUntouchedStateKeepsItsCount() throws {
    #expect(try attemptsLeft(history().last) == 3)
  }

  @Test func noFileOrPairOfFilesThatIsPutBackGivesAnAttemptBack() throws {
    let history = try history()
    let sets: [(String, [File])] = [
      ("database", [\.database, \.log]), ("sequence", [\.mirror]), ("watermark", [\.copy]),
      ("database, sequence", [\.database, \.log, \.mirror]),
      ("database, watermark", [\.database, \.log, \.copy]),
      ("sequence, watermark", [\.mirror, \.copy]),
    ]
    for (name, files) in sets {
      for (generation, old) in history.generations.enumerated() {
        let left = try attemptsLeft(put(files, from: old, into: history.last))
        #expect(left <= 3, "\(name) of generation \(generation)")
      }
    }
  }

  @Test func noFileOrPairOfFilesThatIsRemovedGivesAnAttemptBack() throws {
    let last = try history().last
    let sets: [[File]] = [
      [\.mirror], [\.copy], [\.database, \.log], [\.mirror, \.copy],
      [\.database, \.log, \.mirror], [\.database, \.log, \.copy],
    ]
    for files in sets {
      #expect(try attemptsLeft(put(files, from: Snapshot(of: Place()), into: last)) <= 3)
    }
  }

  @Test func aCountThatIsFinalStaysFinal() throws {
    let history = try history(10)
    #expect(try attemptsLeft(history.last) == 0)
    let empty = Snapshot(of: Place())
    for files in [
      [\Snapshot.database, \.log], [\.mirror], [\.copy], [\.database, \.log, \.mirror],
    ] {
      #expect(try attemptsLeft(put(files, from: empty, into: history.last)) == 0)
      for old in history.generations {
        #expect(try attemptsLeft(put(files, from: old, into: history.last)) == 0)
      }
    }
    for sql in edits {
      let place = history.last.restored()
      try place.edit(sql)
      #expect(try attemptsLeft(Snapshot(of: place)) == 0, "\(sql)")
    }
  }

  /// What nothing vouches for any more counts as the highest that is no lock for good, however much was damaged.
  @Test func aFinalCountThatNothingShowsAnyMoreIsOneTryEachTime() throws {
    let history = try history(10)
    let empty = Snapshot(of: Place())
    for old in history.generations.dropLast() {
      var damaged = old
      for junk in [nil, [], [UInt8](repeating: 7, count: mirroredSequenceSize)] as [[UInt8]?] {
        damaged.mirror = junk
        damaged.copy = junk
        #expect(try attemptsLeft(damaged) == 1)
      }
    }
    // The last database still shows it.
    #expect(try attemptsLeft(put([\.mirror, \.copy], from: empty, into: history.last)) == 0)
  }

  private let edits = [
    "UPDATE device SET record = x'00' WHERE name = 'desk'",
    "UPDATE device SET record = (SELECT record FROM device WHERE name = 'other') WHERE owner >= 0",
    """
    UPDATE device SET (sequence, record, tag) =
      (SELECT sequence, record, tag FROM device WHERE name = 'other') WHERE owner >= 0
    """,
    "DELETE FROM device WHERE name = 'desk'", "DELETE FROM device WHERE owner >= 0",
    "DELETE FROM device WHERE owner = -1", "DELETE FROM device",
    "UPDATE device SET trusted = 0 WHERE owner >= 0",
    "UPDATE device SET tag = x'00' WHERE owner >= 0",
    "UPDATE device SET sequence = 0 WHERE owner >= 0",
    "UPDATE device SET sequence = 1 WHERE owner = -1",
    "UPDATE device SET tag = x'' WHERE owner = -1",
    "UPDATE keybag SET sealed = x'00'", "DELETE FROM keybag",
    "UPDATE keybag SET sequence = 1", "DELETE FROM device WHERE name = 'other'",
  ]

  @Test func noEditOfARowGivesAnAttemptBack() throws {
    let last = try history().last
    for sql in edits {
      let place = last.restored()
      try place.edit(sql)
      #expect(try attemptsLeft(Snapshot(of: place)) <= 3, "\(sql)")
    }
  }

  @Test func aRowOfAnotherGenerationGivesNothingBack() throws {
    let history = try history()
    for old in history.generations {
      let place = history.last.restored()
      let source = old.restored()
      try place.edit(
        """
        ATTACH '\(source.database)' AS old;
        REPLACE INTO main.device SELECT * FROM old.device WHERE name = 'desk'
        """
      )
      #expect(try attemptsLeft(Snapshot(of: place)) <= 3)
    }
  }

  @Test func hundredGuessesWithTheDatabasePutBackAfterEachAreTen() throws {
    let first = try history(0).last
    let place = first.restored()
    var judged = 0
    for _ in 0..<100 {
      let store = try place.open()
      defer { store.close() }
      var record = try #require(store.state.devices.first { $0.identity.name == "desk" })
      let failures = record.attempts.throttle.tally.failures
      guard failures < 10 else { continue }
      judged += 1
      record.attempts.throttle = PasscodeThrottle(tally: Tally(failures: failures + 1))
      try store.commitAndWait([.device(record)])
      store.close()
      var back = first
      back.mirror = Files.read(place.mirror)
      back.copy = Files.read(place.copy)
      place.put(back)
    }
    #expect(judged <= 10)
    #expect(try attemptsLeft(Snapshot(of: place)) == 0)
  }

  @Test func anErasureBetweenTwoCopiesGivesNothingBack() throws {
    let old = try history(0).last
    let place = old.restored()
    let store = try place.open()
    for failures in UInt32(1)...10 {
      try store.commitAndWait([.device(Sample.device("desk", failures: failures))])
    }
    // Whoever is locked out erases the device, which forgets the count with the keys, and puts the keys back.
    try store.commitAndWait([
      .deviceRemoved(Sample.identity("desk")), .device(Sample.device("desk")),
    ])
    store.close()
    var back = old
    back.mirror = Files.read(place.mirror)
    back.copy = Files.read(place.copy)
    #expect(try attemptsLeft(back) == 0)
    let edited = back.restored()
    try edited.edit("UPDATE device SET tag = x'' WHERE owner = -1")
    #expect(try attemptsLeft(Snapshot(of: edited)) == 0)
  }

  @Test func withoutAnyCopyACountIsTheHighestThatIsNoLock() throws {
    var snapshot = try history(2).last
    snapshot.mirror = nil
    snapshot.copy = nil
    #expect(try attemptsLeft(snapshot) == 1)
  }

  @Test func aStateOfVersion010IsTakenOverWithItsCount() throws {
    var snapshot = try history(4).last
    let sequence = MirroredSequence(snapshot.mirror, TestTagger()).watermark?.sequence ?? 0
    var plain = Array("LAmirror".utf8)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      plain.append(UInt8(truncatingIfNeeded: sequence >> shift))
    }
    snapshot.mirror =
      plain + TestTagger().tag(over: plain) + [UInt8](repeating: 0, count: 16)
    snapshot.copy = nil
    let place = snapshot.restored()
    #expect(try place.load().distrusted.isEmpty)
    #expect(try attemptsLeft(Snapshot(of: place)) == 6)
    #expect(Snapshot(of: place).mirror == Snapshot(of: place).copy)
  }

  @Test func moreCountsThanThereIsRoomForAreBoundedByTheHighestThatIsLeftOut() throws {
    let place = Place()
    let store = try place.open()
    let count = UInt32(Watermark.countsMax + 20)
    for number in 1...count {
      try store.commitAndWait([.device(Sample.device("d\(number)", failures: 1 + number % 7))])
    }
    store.close()
    try place.edit("DELETE FROM device WHERE owner = -1; UPDATE device SET record = x'00'")
    let state = try place.load()
    for record in state.devices {
      let number = UInt32(record.identity.name.dropFirst())!
      #expect(record.attempts.throttle.tally.failures >= 1 + number % 7)
    }
  }
}
