import Glibc
import LocalAuthCore
import Testing

@testable import LocalAuthStore

/// A keybag is kept with its device, and an older one that is put back costs trust.
@Suite struct KeybagStorageTests {
  private let desk = Sample.identity("a")

  /// A store with devices a and b, whose keybags were changed `rounds` times.
  private func filled(rounds: UInt8 = 2) throws -> Place {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device("a")), .device(Sample.device("b"))])
    for round in 1...rounds {
      for name in ["b", "a"] {
        try store.commitAndWait([.keybag(Sample.identity(name), [round, 0xEE])])
      }
    }
    store.close()
    return place
  }

  private func change(_ place: Place, to changes: [StateChange]) throws {
    let store = try place.open()
    try store.commitAndWait(changes)
    store.close()
  }

  @Test func keybagsAreLoadedAsTheyWereCommittedLast() throws {
    let place = try filled()
    for _ in 0..<2 {
      let state = try place.load()
      #expect(state.distrusted.isEmpty && !state.mayHaveLostDevices)
      #expect(
        state.keybags
          == ["a", "b"].map {
            StoredKeybag(device: Sample.identity($0), sealed: [2, 0xEE])
          }
      )
    }
    try change(place, to: [.keybag(desk, nil)])
    #expect(try place.load().keybags.map(\.device.name) == ["b"])
    #expect(try place.load().distrusted.isEmpty)
  }

  @Test func anOlderKeybagPutBackCostsAllTrust() throws {
    let place = try filled(rounds: 1)
    let old = Snapshot(of: place).restored()
    try change(place, to: [.keybag(desk, [2])])
    try place.edit(
      """
      ATTACH '\(old.database)' AS old;
      REPLACE INTO main.keybag SELECT * FROM old.keybag WHERE name = 'a'
      """
    )
    for _ in 0..<2 {
      let state = try place.load()
      #expect(state.distrusted.map(\.name) == ["a", "b"])
      #expect(state.keybags.first?.sealed == [1, 0xEE], "whoever opens it knows that it is old")
    }
  }

  @Test func anOlderKeybagOfTheSameSequenceCostsAllTrustToo() throws {
    let place = try filled(rounds: 1)
    let store = try place.open()
    try store.commitAndWait([.keybag(desk, [7])], .ordinary)
    let old = Snapshot(of: place).restored()
    try store.commitAndWait([.keybag(desk, [8])], .ordinary)
    store.close()
    try place.edit(
      """
      ATTACH '\(old.database)' AS old;
      REPLACE INTO main.keybag SELECT * FROM old.keybag WHERE name = 'a'
      """
    )
    #expect(try place.load().distrusted.map(\.name) == ["a", "b"])
  }

  @Test(arguments: [
    "DELETE FROM keybag WHERE name = 'a'", "UPDATE keybag SET name = 'c' WHERE name = 'a'",
    "UPDATE keybag SET owner = 5 WHERE name = 'a'", "UPDATE keybag SET tag = x'00'",
    "INSERT INTO keybag SELECT owner, 'c', sequence, sealed, tag FROM keybag WHERE name = 'a'",
  ])
  func noEditOfTheTableKeepsTrust(_ sql: String) throws {
    let place = try filled()
    try place.edit(sql)
    for _ in 0..<2 {
      let state = try place.load()
      #expect(state.distrusted.map(\.name) == ["a", "b"])
      #expect(state.devices.allSatisfy { $0.attempts.freshness == Freshness() })
    }
  }

  @Test func anEditedKeybagDistrustsItsDeviceUntilAKeybagIsCommitted() throws {
    let place = try filled()
    try place.edit("UPDATE keybag SET sealed = x'0000' WHERE name = 'a'")
    for _ in 0..<2 { #expect(try place.load().distrusted.map(\.name) == ["a"]) }
    try change(place, to: [.device(Sample.device("a"))])
    #expect(try place.load().distrusted.map(\.name) == ["a"], "the keybag is still not ours")
    try change(place, to: [.device(Sample.device("a")), .keybag(desk, [3])])
    #expect(try place.load().distrusted.isEmpty)
  }

  @Test func theKeybagOfALostDeviceIsKept() throws {
    let place = try filled()
    try place.edit("DELETE FROM device WHERE name = 'a'")
    for _ in 0..<2 {
      let state = try place.load()
      #expect(state.keybags.map(\.device.name) == ["a", "b"])
      #expect(state.devices.map(\.identity.name) == ["b"])
      #expect(state.mayHaveLostDevices)
    }
  }

  @Test func everyPartOfAKeybagChangesItsMessageAndTheLedgers() {
    let base = Ledger.message(.keybag, of: desk, sequence: 1, [1])
    let other = DeviceIdentity(owner: desk.owner + 1, name: desk.name)
    let messages = [
      base, Ledger.message(.keybag, of: other, sequence: 1, [1]),
      Ledger.message(.keybag, of: Sample.identity("b"), sequence: 1, [1]),
      Ledger.message(.keybag, of: desk, sequence: 2, [1]),
      Ledger.message(.keybag, of: desk, sequence: 1, [2]),
      Ledger.message(.device, of: desk, sequence: 1, [1]),
    ]
    #expect(Set(messages).count == messages.count)
    var ledgers = [Ledger().message]
    for keybag in [
      Ledger.Part(identity: desk, tag: [1]), Ledger.Part(identity: desk, tag: [2]),
      Ledger.Part(identity: other, tag: [1]),
    ] {
      var ledger = Ledger()
      ledger.putKeybag(keybag)
      ledgers.append(ledger.message)
      ledger = Ledger()
      ledger.putWatermarks(keybag)
      ledgers.append(ledger.message)
    }
    #expect(Set(ledgers).count == ledgers.count)
  }

  @Test func withoutKeybagsTheLedgersMessageIsThatOfFormatOne() {
    var ledger = Ledger(sequence: 3, mayHaveLostDevices: true)
    let device = DeviceIdentity(owner: 2, name: "d")
    ledger.put(Ledger.Entry(identity: device, tag: [9], isTrusted: true))
    let expected: [UInt8] =
      [6, 0, 0, 0] + Array("ledger".utf8) + [3, 0, 0, 0, 0, 0, 0, 0, 1]
      + [2, 0, 0, 0, 1, 0, 0, 0] + Array("d".utf8) + [1, 1, 0, 0, 0, 9]
    #expect(ledger.message == expected)
  }
}
