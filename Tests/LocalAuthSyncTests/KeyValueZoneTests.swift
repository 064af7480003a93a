import Testing

@testable import LocalAuthSync

@Suite struct KeyValueZoneTests {
  private typealias Zone = KeyValueZone

  private func value(_ number: UInt8, size: Int = 10) -> Zone.Value {
    Zone.Value(CircleFixture.digest(number).bytes, size: size)
  }

  private func ready(_ values: [KeyValueKey: Zone.Value] = [:]) -> Zone {
    var zone = Zone(hasAccount: true)
    _ = zone.downloaded(values)
    return zone
  }

  private func restored(_ zone: inout Zone, _ values: [KeyValueKey: Zone.Value]) -> Bool {
    zone.restore(values)
  }

  private func refusal(
    _ zone: inout Zone,
    _ key: KeyValueKey,
    _ value: Zone.Value?
  ) -> KeyValueRefusal? {
    let before = zone
    do throws(KeyValueRefusal) {
      try zone.set(key, to: value)
      return nil
    } catch {
      #expect(zone == before, "a write that failed changed something")
      return error
    }
  }

  @Test func spellingsThatLookAlikeAreKeysWithHashesOfTheirOwn() {
    let keys = (0..<64).map { number in
      KeyValueKey((0..<6).map { number >> $0 & 1 == 0 ? "\u{e9}" : "e\u{301}" }.joined())
    }
    #expect(Set(keys).count == 64 && Set(keys.map(\.hashValue)).count > 60)
    #expect(KeyValueKey("a") == "a" && KeyValueKey("a").hashValue == KeyValueKey("a").hashValue)
  }

  @Test func aProgramsOwnWriteIsSentAndNotToldOf() throws {
    var zone = ready()
    try zone.set("a", to: value(1))
    try zone.set("b", to: nil)
    let sent = zone.takeOutgoing()
    #expect(sent == ["a": value(1)])
    #expect(zone.takeOutgoing().isEmpty)
  }

  @Test func anOutsideChangeIsToldOfOnceWithItsKeys() {
    var zone = ready(["a": value(1)])
    let changed = zone.changed(["a": value(2), "b": value(3)])
    #expect(changed.notices == [KeyValueNotice(.server, ["a", "b"])])
    #expect(zone.changed(["a": value(2)]).notices.isEmpty)
    #expect(zone.changed(["a": nil]).notices == [KeyValueNotice(.server, ["a"])])
    #expect(zone.values == ["b": value(3)])
  }

  /// A fresh install writes its defaults before it knows what the person has.
  @Test func defaultsDoNotOverwriteWhatThePersonHas() throws {
    var zone = Zone(hasAccount: true)
    try zone.set("theme", to: value(1))
    try zone.set("new", to: value(2))
    #expect(zone.takeOutgoing().isEmpty)
    let first = zone.downloaded(["theme": value(9), "other": value(8)])
    #expect(zone.values == ["theme": value(9), "new": value(2), "other": value(8)])
    #expect(first.notices == [KeyValueNotice(.initial, ["other", "theme"])])
    #expect(first.discarded == ["theme": value(1)])
    #expect(zone.takeOutgoing() == ["new": value(2)])
  }

  @Test func aRemovalBeforeTheDownloadDoesNotReachTheHub() throws {
    var zone = Zone(hasAccount: true)
    try zone.set("a", to: value(1))
    try zone.set("a", to: nil)
    let first = zone.downloaded(["a": value(2)])
    #expect(zone.values == ["a": value(2)])
    #expect(first.discarded == ["a": nil])
    #expect(zone.takeOutgoing().isEmpty)
  }

  @Test func withoutAccountItWorksAndIsReconciledAtSignIn() throws {
    var zone = Zone(hasAccount: false)
    try zone.set("a", to: value(1))
    #expect(zone.values == ["a": value(1)])
    #expect(zone.downloaded(["a": value(7)]).notices.isEmpty, "nobody is signed in")
    zone.signedIn()
    let first = zone.downloaded(["b": value(2)])
    #expect(first.discarded.isEmpty)
    #expect(zone.values == ["a": value(1), "b": value(2)])
    #expect(zone.takeOutgoing() == ["a": value(1)])
  }

  @Test func anotherAccountsValuesReplaceEverything() throws {
    var zone = ready(["a": value(1), "b": value(2)])
    try zone.set("c", to: value(3))
    let changed = zone.changedAccount(to: ["b": value(2), "d": value(4)])
    #expect(changed.discarded == ["a": value(1), "c": value(3)])
    #expect(changed.notices == [KeyValueNotice(.account, ["a", "c", "d"])])
    #expect(zone.takeOutgoing().isEmpty, "the old account's write goes to no other")
  }

  @Test func whoLeavesKeepsAllAndSendsNothing() throws {
    var zone = ready(["a": value(1)])
    try zone.set("b", to: value(2))
    zone.signedOut()
    #expect(zone.phase == .withoutAccount && zone.takeOutgoing().isEmpty)
    #expect(zone.values == ["a": value(1), "b": value(2)])
    zone.signedIn()
    #expect(zone.downloaded(["a": value(3)]).discarded == ["a": value(1)])
    #expect(zone.takeOutgoing() == ["b": value(2)])
  }

  @Test func aWriteBeyondAQuotaFailsAndSaysSo() throws {
    var zone = ready()
    let long = String(repeating: "k", count: KeyValueLimits.keyBytesMax)
    #expect(refusal(&zone, KeyValueKey(long), value(1)) == nil)
    #expect(refusal(&zone, KeyValueKey(long + "k"), value(1)) == .keyTooLong)
    #expect(refusal(&zone, KeyValueKey(String(repeating: "ä", count: 33)), value(1)) == .keyTooLong)
    let tooMuch = value(1, size: KeyValueLimits.bytesMax + 1)
    #expect(refusal(&zone, "a", tooMuch) == .quota(KeyValueNotice(.quota, ["a"])))
    #expect(refusal(&zone, "a", value(1, size: KeyValueLimits.bytesMax - 10)) == nil)
    #expect(refusal(&zone, "b", value(1, size: 1)) == .quota(KeyValueNotice(.quota, ["b"])))
  }

  @Test func thereAreAtMost1024Keys() throws {
    var zone = ready()
    for index in 0..<KeyValueLimits.keysMax {
      try zone.set(KeyValueKey("\(index)"), to: value(1, size: 1))
    }
    #expect(refusal(&zone, "more", value(1)) == .quota(KeyValueNotice(.quota, ["more"])))
    #expect(refusal(&zone, "0", value(2, size: 1)) == nil)
    #expect(refusal(&zone, "0", nil) == nil)
    #expect(refusal(&zone, "more", value(1, size: 1)) == nil)
  }

  @Test func twoDevicesOverTheQuotaTogetherLoseNothingAndMayOnlyBecomeSmaller() throws {
    let half = KeyValueLimits.bytesMax / 2 + 1
    var zone = ready(["mine": value(1, size: half)])
    let merged = zone.changed(["theirs": value(2, size: half)])
    #expect(
      merged.notices == [KeyValueNotice(.server, ["theirs"]), KeyValueNotice(.quota, ["theirs"])]
    )
    #expect(zone.isOverQuota && zone.values.count == 2)
    #expect(refusal(&zone, "small", value(3, size: 1)) != nil)
    #expect(refusal(&zone, "mine", value(3, size: half)) != nil, "no smaller")
    #expect(refusal(&zone, "mine", value(3, size: half - 1)) == nil)
    #expect(zone.isOverQuota && zone.byteCount == 2 * half - 1)
    #expect(refusal(&zone, "theirs", nil) == nil)
    #expect(!zone.isOverQuota)
    #expect(refusal(&zone, "small", value(3, size: 1)) == nil)
  }

  @Test func aBackupLosesNothingAtAQuota() throws {
    let most = KeyValueLimits.bytesMax
    var zone = ready(["mine": value(1, size: most)])
    #expect(restored(&zone, ["mine": value(2, size: 9), "theirs": value(2, size: most)]))
    #expect(zone.values == ["mine": value(1, size: most), "theirs": value(2, size: most)])
    #expect(zone.takeOutgoing() == ["theirs": value(2, size: most)])
    #expect(refusal(&zone, "small", value(3, size: 1)) != nil)
    let before = zone
    #expect(!restored(&zone, ["more": value(3, size: 1)]), "again and again it would fill the disk")
    #expect(zone == before)
    try zone.set("theirs", to: nil)
    #expect(restored(&zone, ["more": value(3, size: 1)]))
  }

  @Test func aBackupBringsNoMoreMarksThanThereMayBe() throws {
    var zone = ready()
    for index in 0..<KeyValueLimits.marksMax {
      try zone.set(KeyValueKey("\(index)"), to: value(1))
      try zone.set(KeyValueKey("\(index)"), to: nil)
    }
    #expect(!restored(&zone, ["more": value(1)]))
  }

  @Test(arguments: [false, true])
  func whatABackupBringsIsSentOnceThereIsAnAccount(_ hasAccount: Bool) {
    var zone = Zone(hasAccount: hasAccount)
    #expect(restored(&zone, ["a": value(1)]))
    zone.signedIn()
    #expect(zone.downloaded([:]).discarded.isEmpty)
    #expect(zone.takeOutgoing() == ["a": value(1)])
  }

  @Test func spellingsOfOneTextAreTwoKeys() throws {
    var zone = ready()
    try zone.set("\u{e9}", to: value(1))
    try zone.set("e\u{301}", to: value(2))
    #expect(zone.values.count == 2)
    #expect(zone.takeOutgoing().count == 2)
  }

  @Test func withoutAccountNothingIsRememberedOfWhatWasRemoved() throws {
    var zone = Zone(hasAccount: false)
    for index in 0..<10_000 {
      try zone.set(KeyValueKey("\(index)"), to: value(1))
      try zone.set(KeyValueKey("\(index)"), to: nil)
    }
    #expect(zone == Zone(hasAccount: false))
  }

  /// Otherwise a program that is never on line would fill the disk with keys that it removed.
  @Test func aProgramThatWritesAndRemovesForEverIsRefusedWhenTooManyKeysWaitForTheHub() throws {
    var zone = ready()
    for index in 0..<KeyValueLimits.marksMax {
      try zone.set(KeyValueKey("\(index)"), to: value(1))
      try zone.set(KeyValueKey("\(index)"), to: nil)
    }
    #expect(refusal(&zone, "more", value(1)) == .quota(KeyValueNotice(.quota, ["more"])))
    #expect(refusal(&zone, "7", value(1)) == nil, "one that waits already is no more")
    _ = zone.takeOutgoing()
    #expect(refusal(&zone, "more", value(1)) == nil)
  }

  @Test func theBytesAreCountedWhateverChangesThem() throws {
    var zone = ready(["a": value(1, size: 5)])
    #expect(zone.byteCount == 5)
    try zone.set("b", to: value(2, size: 7))
    try zone.set("a", to: value(2, size: 1))
    #expect(zone.byteCount == 8)
    _ = zone.changed(["b": nil, "c": value(3, size: 100)])
    #expect(zone.byteCount == 101)
    _ = zone.changedAccount(to: ["d": value(4, size: 2)])
    #expect(zone.byteCount == 2)
    let again = Zone(
      zone.phase,
      values: zone.values,
      pending: zone.pending,
      outgoing: zone.outgoing
    )
    #expect(again == zone)
  }
}
