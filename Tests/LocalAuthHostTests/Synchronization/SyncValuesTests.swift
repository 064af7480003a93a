import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthStore
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// Key-value stores of two devices.
@Suite struct SyncValuesTests {
  // MARK: One value

  @Test func whatOneDeviceSetsTheOtherReadsAndIsToldOnce() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let heard = try second.watch()
    try first.set("theme", "dark")
    try circle.exchange()
    #expect(try second.texts() == ["theme": "dark"])
    #expect(heard.notices == [KeyValueNotice(.server, ["theme"])])
    try second.set("theme", "light")
    try circle.exchange()
    #expect(try first.texts() == ["theme": "light"])
    #expect(heard.notices.count == 2, "a program that wrote without a number hears of itself")
    try first.unset("theme")
    try circle.exchange()
    #expect(try second.texts().isEmpty)
    #expect(heard.notices.last == KeyValueNotice(.server, ["theme"]))
  }

  @Test func aWriteGoesOutByItselfAtMostOnceASecond() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.set("a", "0")
    try circle.exchange()
    try first.settle(circle.hub)
    first.rest()
    func pushes() -> Int {
      circle.hub.requests.count { request in
        guard case .zonePush(let entry, _) = request else { return false }
        return entry.zone == .keyValues
      }
    }
    let before = pushes()
    for number in 1...9 {
      try first.set("a", "\(number)")
      try first.settle(circle.hub)
    }
    #expect(pushes() == before + 1)
    first.rest()
    try first.settle(circle.hub)
    #expect(pushes() == before + 2)
    try second.synchronize()
    #expect(try second.texts() == ["a": "9"])
  }

  @Test func theLargestValueArrives() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    let largest = KeyValueText.data(size: KeyValueLimits.bytesMax)
    try circle.devices[0].write([KeyValueChange("k", largest)])
    try circle.exchange()
    #expect(try circle.devices[1].lists() == ["k": largest])
  }

  @Test func storesOfOneNameAreOneAndOthersAreNot() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.set("size", "1", in: "local")
    try first.set("size", "2", in: "more")
    try circle.exchange()
    #expect(try second.texts(in: "local") == ["size": "1"])
    #expect(try second.texts(in: "more") == ["size": "2"])
    #expect(try second.report().zones.map(\.name) == [.items, .keyValues])
  }

  @Test func whereNoProgramHasAStoreThereIsNoZone() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    try circle.devices[0].add("mail")
    try circle.exchange()
    #expect(circle.hub.zones[.keyValues] == nil)
    #expect(try circle.devices[1].report().zones.map(\.name) == [.items])
  }

  @Test func theHubIsToldNoStoreNoKeyAndNoValue() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    try circle.devices[0].set("colour", "turquoise", in: "more")
    try circle.exchange()
    #expect(try circle.devices[1].texts(in: "more") == ["colour": "turquoise"])
    for request in circle.hub.requests {
      let text = String(decoding: request.bytes(number: 1), as: UTF8.self)
      for word in ["colour", "turquoise", "more"] { #expect(!text.contains(word)) }
    }
  }

  // MARK: The first download

  @Test func whatAFreshDeviceWroteBeforeLosesAgainstTheOthersAndIsKept() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    try first.set("theme", "dark")
    try first.synchronize()
    let second = try SyncDevice(circle.hub, in: place.file("second"))
    second.clock.pass(.seconds(3600))
    try second.write([
      KeyValueChange("theme", KeyValueText.list("default")),
      KeyValueChange("size", KeyValueText.list("12")),
    ])
    let heard = try second.watch()
    try second.enter(as: "second", by: first)
    for device in [first, second, first, second] { try device.synchronize() }
    for device in [first, second] {
      #expect(try device.texts() == ["theme": "dark", "size": "12"])
    }
    #expect(heard.notices == [KeyValueNotice(.initial, ["theme"])])
    #expect(try second.overruled() == ["local theme"])
    let lost = try #require(try second.conflicts().first)
    try second.resolve(lost.identifier, .restore)
    for device in [second, first] { try device.synchronize() }
    #expect(try first.texts()["theme"] == "default")
    #expect(try second.overruled() == ["local theme"], "what stood is kept in its stead")
  }

  @Test func defaultsLoseAlsoAgainstWhatIsWrittenWhileTheFirstDownloadEnds() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    circle.hub.time = first.clock.moment.wall
    try first.set("other", "1")
    try first.synchronize()
    let second = try SyncDevice(circle.hub, in: place.file("second"))
    second.clock.pass(.seconds(7200))
    try second.set("theme", "default")
    let words = try second.join(try first.invite(), as: "second")
    try second.synchronize()
    #expect(try first.answering()?.words == words)
    try first.approve()
    var isDone = false
    let isLastLook: (HubRequest) -> Bool = { request in
      guard case .zonePull(.keyValues, let after, _) = request else { return false }
      return after > 0
    }
    circle.onReply(to: second, where: isLastLook) {
      first.rest()
      try first.set("theme", "dark")
      try first.synchronize()
      isDone = true
    }
    for device in [second, first, second] { try device.synchronize() }
    #expect(isDone)
    for device in [first, second] { #expect(try device.texts()["theme"] == "dark") }
    #expect(try second.overruled() == ["local theme"])
  }

  @Test func aStoreFromBeforeTheCircleIsSent() throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: place.file("first"))
    try first.set("theme", "dark")
    try first.found(by: code)
    try first.synchronize()
    #expect(hub.zones[.keyValues]?.records.count == 1)
    let second = try SyncDevice(hub, in: place.file("second"))
    try second.enter(as: "second", by: first)
    try second.synchronize()
    #expect(try second.texts() == ["theme": "dark"])
  }

  @Test func aDeviceThatIsKilledInItsFirstDownloadGoesOnThere() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    for number in 0..<20 {
      try first.set("key \(number)", "\(number)")
      try first.synchronize()
    }
    let second = try SyncDevice(circle.hub, in: place.file("second"))
    try second.set("key 3", "mine")
    let joiner = try second.join(try first.invite(), as: "second")
    try second.synchronize()
    #expect(try first.answering()?.words == joiner)
    try first.approve()
    // Ends when the zone's page has come and nobody has taken it up.
    circle.hub.passage = { role, request in
      guard role == second.role, case .zonePull(.keyValues, let after, _) = request, after > 0
      else { return .arrives }
      return .isLost
    }
    try second.synchronize()
    #expect(try second.texts() == ["key 3": "mine"])
    try second.restart { circle.hub.passage = nil }
    try second.synchronize()
    #expect(try second.texts().count == 20 && second.texts()["key 3"] == "3")
    try second.restart()
    #expect(try second.report().stage == .member)
    try second.synchronize()
    #expect(try second.texts() == first.texts())
  }

  /// The same version comes once more, in another body.
  @Test func valuesThatAreSealedAnewWithinAFirstDownloadAreTaken() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    try first.set("theme", "dark")
    try first.synchronize()
    let second = try SyncDevice(circle.hub, in: place.file("second"))
    circle.hub.passage = { [weak second] role, request in
      guard role == second?.role, case .zonePull(.keyValues, let after, _) = request, after > 0
      else { return .arrives }
      return .isLost
    }
    try second.enter(as: "second", by: first)
    try second.synchronize()
    #expect(try second.texts() == [:])
    circle.hub.passage = nil
    try first.roll()
    try circle.exchange()
    #expect(first.replica(of: .keyValues)?.chain.manifest.oldestEpoch == 2)
    for _ in 1...2 { try second.synchronize() }
    #expect(try second.texts() == ["theme": "dark"])
    #expect(second.isQuiet(with: circle.hub))
  }

  /// Neither had a value before, so that no keys are there when both write.
  @Test(arguments: [false, true], [false, true])
  func ofTwoMembersWhoUseValuesForTheFirstTimeAtOnceTheLaterWriteStandsAndNothingIsLost(
    laterComesFirst: Bool,
    isRestarted: Bool
  ) throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    let (first, second) = (circle.devices[0], circle.devices[1])
    try circle.exchange()
    circle.hub.isDown = true
    try first.set("theme", "earlier")
    second.clock.pass(.seconds(10))
    try second.set("theme", "later")
    if isRestarted { for device in circle.devices { try device.restart() } }
    circle.hub.isDown = false
    let order = laterComesFirst ? [second, first] : [first, second]
    for device in order + order + order { try device.synchronize() }
    for device in order { #expect(try device.texts() == ["theme": "later"]) }
    #expect(try first.overruled() + second.overruled() == ["local theme"])
  }

  // MARK: Two at once

  /// Two devices set one key at once; returns the one that has what lost.
  private func loser(of circle: SyncCircle) throws -> SyncDevice {
    let (first, second) = (circle.devices[0], circle.devices[1])
    try first.set("theme", "old")
    try circle.exchange()
    circle.hub.isDown = true
    try first.set("theme", "earlier")
    second.clock.pass(.seconds(10))
    try second.set("theme", "later")
    circle.hub.isDown = false
    try circle.exchange()
    return try first.conflicts().isEmpty ? second : first
  }

  @Test func ofTwoWhoSetTheSameKeyTheLaterOneStandsAndTheOtherIsKept() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let loser = try loser(of: circle)
    #expect(try first.texts() == ["theme": "later"] && second.texts() == ["theme": "later"])
    #expect(try loser.overruled() == ["local theme"])
    try loser.restart()
    let lost = try #require(try loser.conflicts().first)
    try loser.resolve(lost.identifier, .restore)
    try circle.exchange()
    #expect(try first.texts() == ["theme": "earlier"] && second.texts() == ["theme": "earlier"])
  }

  @Test func aProgramOfOtherGroupsDecidesNothing() throws {
    let place = ScratchDirectory()
    let loser = try loser(of: try SyncCircle.pair(in: place).circle)
    let lost = try #require(try loser.conflicts().first)
    #expect(try loser.conflicts(groups: ["other"]).isEmpty)
    #expect(throws: EngineError.sync(.noSuchConflict)) {
      try loser.resolve(lost.identifier, .restore, groups: ["other"])
    }
    try loser.resolve(lost.identifier, .discard)
    #expect(try loser.conflicts().isEmpty)
  }

  @Test func twoWhoExceedTheQuotaTogetherKeepAllAndMayOnlyBecomeSmaller() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.set("seed", "1")
    try circle.exchange()
    circle.hub.isDown = true
    for (device, name) in [(first, "a"), (second, "b")] {
      try device.write((0..<700).map { KeyValueChange("\(name)\($0)", KeyValueText.list("1")) })
    }
    circle.hub.isDown = false
    let heard = try first.watch()
    try circle.exchange()
    try circle.exchange()
    for device in [first, second] {
      #expect(try device.texts().count == 1401)
      #expect(
        try device.write([KeyValueChange("more", KeyValueText.list("1"))]).refused == ["more"]
      )
    }
    #expect(heard.notices.contains { $0.reason == .quota })
    try first.write((0..<400).map { KeyValueChange("a\($0)", nil) })
    try circle.exchange()
    try second.set("more", "2")
    try circle.exchange()
    #expect(try first.texts()["more"] == "2" && first.texts().count == 1002)
    #expect(try first.texts() == second.texts())
  }

  // MARK: Locks and ends

  @Test func aLockedDeviceTakesAndSendsValues() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.set("theme", "old")
    try circle.exchange()
    try second.lock()
    try first.set("theme", "dark")
    try second.set("size", "12")
    try circle.exchange()
    #expect(try first.texts() == ["theme": "dark", "size": "12"])
    #expect(try second.texts() == ["theme": "dark", "size": "12"])
  }

  @Test func afterARestartValuesGoOn() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.set("theme", "dark")
    try circle.exchange()
    circle.hub.isDown = true
    try first.set("theme", "light")
    try first.unset("size")
    for device in circle.devices { try device.restart() }
    circle.hub.isDown = false
    try circle.exchange()
    #expect(try second.texts() == ["theme": "light"])
    #expect(try second.report().zones.map(\.outgoing) == [0, 0])
  }

  /// Nothing else was sent any more, by devices that each had kept to the quota.
  @Test func aStoreThatGrewTooLongKeepsNothingElseFromBeingSent() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", "third", "fourth", "fifth", in: place)
    try circle.devices[0].set("begun", "1")
    try circle.exchange()
    circle.hub.isDown = true
    for (index, device) in circle.devices.enumerated() {
      try device.write([KeyValueChange("long\(index)", KeyValueText.data(size: 1_000_000))])
    }
    circle.hub.isDown = false
    for _ in 0..<2 { for device in circle.devices { try device.synchronize() } }
    for (index, device) in circle.devices.enumerated() { try device.add("item\(index)", "1") }
    for _ in 0..<2 { for device in circle.devices { try device.synchronize() } }
    for device in circle.devices {
      #expect(try (0..<5).allSatisfy { try device.get("item\($0)") == "1" })
    }
  }

  @Test func valuesAreSealedAnewWhenADeviceIsRemoved() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second) = (circle.devices[0], circle.devices[1])
    try first.set("theme", "dark")
    try circle.exchange()
    try first.remove(try circle.devices[2].identifier)
    try first.synchronize()
    try first.synchronize()
    let replica = try #require(first.synchronizer?.state.zones[.keyValues])
    #expect(replica.chain.manifest.oldestEpoch == 2)
    try second.synchronize()
    try second.set("size", "12")
    try second.synchronize()
    try first.synchronize()
    #expect(try first.texts() == ["theme": "dark", "size": "12"])
    try circle.devices[2].synchronize()
    #expect(try circle.devices[2].texts() == ["theme": "dark"])
  }

  // MARK: Leaving

  @Test func whoLeftKeepsItsValuesAndSendsNothing() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.set("theme", "dark")
    try circle.exchange()
    try second.leave()
    for number in 0..<5 { try second.set("own \(number)", "1") }
    try second.set("theme", "light")
    #expect(try second.texts().count == 6)
    try first.synchronize()
    #expect(try first.texts() == ["theme": "dark"])
    try second.enter(as: "again", by: first)
    try circle.exchange()
    #expect(try second.texts()["theme"] == "dark")
    #expect(try second.overruled() == ["local theme"])
    #expect(try first.texts() == second.texts() && first.texts().count == 6)
  }

  @Test func anotherCircleIsAnotherAccountWhoseValuesReplaceWhatIsHere() throws {
    let place = ScratchDirectory()
    let one = try SyncCircle("first", "second", in: place)
    let elsewhere = ScratchDirectory()
    let other = try SyncCircle("third", in: elsewhere)
    try one.devices[0].set("theme", "dark")
    try one.devices[0].set("only", "here")
    try one.exchange()
    try other.devices[0].set("theme", "light")
    try other.exchange()
    let wanderer = one.devices[1]
    try wanderer.leave()
    try wanderer.restart(reaching: other.hub)
    let heard = try wanderer.watch()
    try wanderer.enter(as: "wanderer", by: other.devices[0])
    for device in [wanderer, other.devices[0], wanderer] { try device.synchronize() }
    #expect(try wanderer.texts() == ["theme": "light"])
    #expect(heard.notices == [KeyValueNotice(.account, ["only", "theme"])])
    #expect(try Set(wanderer.overruled()) == ["local only", "local theme"])
    #expect(try other.devices[0].texts() == ["theme": "light"])
  }

  @Test func whoFoundsAnotherCircleBringsItsValues() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    try first.set("theme", "dark")
    try first.synchronize()
    try first.leave()
    let code = InvitationCode.generate()
    let other = ModelHub(founder: try #require(code.hubRole()))
    try first.restart(reaching: other)
    try first.found(by: code)
    try first.synchronize()
    #expect(try first.texts() == ["theme": "dark"] && first.conflicts().isEmpty)
    #expect(other.zones[.keyValues]?.records.count == 1)
  }

  // MARK: Damage

  @Test func aHubThatLostValuesIsRepairedAndNothingIsLost() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.set("a", "1")
    try circle.exchange()
    first.rest()
    try first.set("b", "2")
    try circle.exchange()
    circle.hub.restore(.keyValues, before: 1)
    for device in circle.devices {
      try device.synchronize()
      #expect(try device.report().zones.last?.alarm != nil)
      #expect(try device.texts() == ["a": "1", "b": "2"])
      try device.repair()
      try device.synchronize()
    }
    try circle.exchange()
    #expect(try first.texts() == ["a": "1", "b": "2"] && second.texts() == first.texts())
    #expect(circle.hub.zones[.keyValues]?.records.count == 2)
  }

  @Test func aBodyOfAnotherKeyIsNotTaken() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.set("a", "1")
    try first.set("b", "2")
    try first.synchronize()
    let names = try #require(circle.hub.zones[.keyValues]).records.keys.sorted()
    let zone = circle.hub.zones[.keyValues]
    circle.hub.zones[.keyValues]?.records[names[0]]?.body =
      zone?.records[names[1]]?.body ?? []
    try second.synchronize()
    #expect(try second.report().zones.last?.alarm == .hubTampered(.body))
    #expect(try second.texts().isEmpty)
  }

  @Test func whoFetchesOnceMoreTakesNoOlderHistory() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    for number in 1...3 {
      try first.set("theme", "\(number)")
      try circle.exchange()
    }
    try second.damageStores()
    circle.hub.restore(.keyValues, before: 2)
    try second.write([], removingAll: true)
    for _ in 0..<3 { try second.synchronize() }
    #expect(try second.texts().isEmpty, "the hub has not shown what was here already")
    try first.synchronize()
    try first.repair()
    for number in 1...3 {
      try first.set("size", "\(number)")
      try first.synchronize()
    }
    try second.synchronize()
    #expect(try second.report().zones.last?.alarm != nil)
    try second.repair()
    try circle.exchange()
    for device in circle.devices { #expect(try device.texts() == ["theme": "3", "size": "3"]) }
  }

  @Test func aStoreThatIsDamagedIsFetchedOnceMoreAfterAllOfItWasRemoved() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.set("theme", "dark")
    try first.set("size", "12", in: "more")
    try circle.exchange()
    try second.damageStores()
    #expect(throws: EngineError.self) { try second.texts() }
    try first.set("theme", "light")
    try first.synchronize()
    try second.synchronize()
    try second.add("mail", "items go on")
    try second.synchronize()
    try first.synchronize()
    #expect(try first.get("mail") == "items go on")
    for store in ["local", "more"] { try second.write([], store, removingAll: true) }
    try circle.exchange()
    try circle.exchange()
    for device in circle.devices {
      #expect(try device.texts() == ["theme": "light"])
      #expect(try device.texts(in: "more") == ["size": "12"])
    }
  }
}
