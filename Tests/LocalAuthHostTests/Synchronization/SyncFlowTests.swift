import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthStore
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// Two devices of a person, and a hub between them.
@Suite struct SyncFlowTests {
  /// What the hub's administrator gives to who founds a circle.
  let code = InvitationCode.generate()

  /// A hub, and the device that founded a circle there.
  func founded(_ place: ScratchDirectory) throws -> (ModelHub, SyncDevice) {
    let circle = try SyncCircle("first", in: place)
    return (circle.hub, circle.devices[0])
  }

  func pair(_ place: ScratchDirectory) throws -> (ModelHub, SyncDevice, SyncDevice) {
    let circle = try SyncCircle("first", "second", in: place)
    return (circle.hub, circle.devices[0], circle.devices[1])
  }

  /// What each has goes to the other.
  func exchange(_ first: SyncDevice, _ second: SyncDevice) throws {
    for device in [first, second, first, second] { try device.synchronize() }
  }

  @Test func aDeviceFoundsACircleAndSendsWhatItHas() throws {
    let place = ScratchDirectory()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: place.file("first"))
    try first.add("before")
    try first.found(by: code)
    let report = try first.report()
    #expect(report.stage == .member && report.peers.map(\.name) == ["first"])
    #expect(hub.zones[.items]?.records.count == 1)
    #expect(report.zones.map(\.outgoing) == [0])
  }

  @Test func whatOneDeviceAddsTheOtherHas() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    try first.add("mail", "hunter2")
    try first.synchronize()
    try second.synchronize()
    #expect(try second.get("mail") == "hunter2")
    try second.update("mail", "correct horse")
    try second.synchronize()
    try first.synchronize()
    #expect(try first.get("mail") == "correct horse")
    try first.delete("mail")
    try first.synchronize()
    try second.synchronize()
    #expect(try second.get("mail") == nil)
  }

  /// Those who were heard before are asked for twice a minute at most.
  @Test func aDeviceThatWasJustLetInIsHeardInTheNextRound() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    try first.synchronize()
    let other = try second.identifier
    let heard = try first.report().peers.first { $0.identifier == other }?.heard
    #expect(heard != nil)
  }

  @Test func manyChangesAreFewEntries() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    try first.settle(hub)
    first.clock.pass(.seconds(1))
    for number in 0..<20 {
      try first.add("item \(number)")
      try first.settle(hub)
    }
    #expect(hub.zones[.items]?.entries.count == 1)
    first.clock.pass(.seconds(1))
    try first.settle(hub)
    #expect(hub.zones[.items]?.entries.count == 2)
    try second.synchronize()
    #expect(try second.report().zones.map(\.records) == [20])
  }

  // MARK: What the hub's program says by itself

  @Test func aDeviceWithNothingToDoSaysWhenItsHubWasHeardLast() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    try first.settle(hub)
    let (before, asked) = (try #require(try first.report().heard), hub.requests.count)
    first.clock.pass(.seconds(60))
    hub.say(.looked(hub.heads))
    first.clock.runDue()
    try first.settle(hub)
    let after = try first.report()
    #expect(after.heard?.milliseconds == before.milliseconds + 60_000)
    #expect(hub.requests.count == asked, "a look is no round")
  }

  /// It was said a quarter of an hour later, with the next heartbeat.
  @Test(arguments: [HubError.unreachable("it is down"), .denied("no such role")])
  func aDeviceWithNothingToDoSaysThatItsHubIsLostAndThatItIsBack(_ error: HubError) throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    try first.settle(hub)
    hub.say(.failed(error))
    first.clock.runDue()
    try first.settle(hub)
    #expect(try first.report().failure == error)
    hub.say(.news)
    first.clock.runDue()
    try first.settle(hub)
    #expect(try first.report().failure == nil)
  }

  /// Another session held a lock for longer than the hub waits, or its disk failed: nothing else tells the device so.
  @Test(arguments: ["55P03", "58030", "XX000", "22023"])
  func whatTheHubRefusedForAWhileIsSentByItself(_ code: String) throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    try first.settle(hub)
    hub.lie = { _, request, reply in
      guard case .zonePush = request else { return reply }
      return .failed(.refused(code: code, reason: "not now"))
    }
    try first.add("mail", "1")
    #expect(try first.synchronize().failure == .refused(code: code, reason: "not now"))
    hub.lie = nil
    first.clock.pass(code == "22023" ? .milliseconds(Heartbeat.interval) : .seconds(61))
    try first.settle(hub)
    #expect(first.isQuiet(with: hub))
    #expect(try first.report().failure == nil)
  }

  // MARK: Order

  @Test func itemsOfBothAreThereAfterwardsOnBoth() throws {
    let place = ScratchDirectory()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let (first, second) = (
      try SyncDevice(hub, in: place.file("first")), try SyncDevice(hub, in: place.file("second"))
    )
    try first.add("only first", "1")
    try second.add("only second", "2")
    try second.add("stays", "here", isSynchronizable: false)
    try first.found(by: code)
    try second.enter(as: "second", by: first)
    try exchange(first, second)
    for device in [first, second] {
      #expect(try device.get("only first") == "1")
      #expect(try device.get("only second") == "2")
      #expect(try device.report().zones.map(\.records) == [2])
    }
    #expect(try first.report().zones == second.report().zones)
  }

  @Test func ofTwoWhoChangedTheSameTheLaterOneStandsAndNothingIsLost() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    try first.add("mail", "old")
    try exchange(first, second)
    try first.update("mail", "earlier")
    second.clock.pass(.seconds(10))
    try second.update("mail", "later")
    try exchange(first, second)
    #expect(try first.get("mail") == "later" && second.get("mail") == "later")
    let conflicts = try first.report().zones[0].conflicts + second.report().zones[0].conflicts
    #expect(conflicts == 1)
  }

  @Test func theSameItemAddedTwiceIsOneItem() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    try first.add("mail", "one")
    try second.add("mail", "two")
    try exchange(first, second)
    #expect(try first.get("mail") == second.get("mail"))
    #expect(try first.report().zones[0].records == 1)
  }

  @Test func anItemDeletedOnOneDeviceIsDeletedOnTheOtherThoughItWasOffline() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    try first.add("mail")
    try exchange(first, second)
    hub.isDown = true
    try second.delete("mail")
    try second.synchronize()
    #expect(try second.report().failure == .unreachable("it is down"))
    hub.isDown = false
    try exchange(second, first)
    #expect(try first.get("mail") == nil)
  }

  // MARK: Locks

  @Test func aLockedDeviceTakesWhatItCanAndTheRestAfterItsUnlock() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    try second.lock()
    try first.add("open", "1", accessible: .afterFirstUnlock)
    try first.add("closed", "2", accessible: .whenUnlocked)
    try exchange(first, second)
    #expect(try second.get("open") == "1")
    #expect(try second.report().zones[0].incoming == 1)
    try second.unlock()
    try second.synchronize()
    #expect(try second.get("closed") == "2")
    #expect(try second.report().zones[0].incoming == 0)
  }

  @Test func aLockedDeviceSendsWhatItCanSeal() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    try first.add("closed", "2", accessible: .whenUnlocked)
    try first.synchronize()
    try first.lock()
    try first.add("open", "1", accessible: .afterFirstUnlock)
    try exchange(first, second)
    #expect(try second.get("open") == "1")
    #expect(hub.zones[.items]?.records.count == 2, "the other went before the lock")
  }

  // MARK: Restarts

  @Test func afterARestartEverythingGoesOn() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    try first.add("mail", "1")
    try exchange(first, second)
    try second.restart()
    hub.isDown = true
    try second.add("new", "2")
    try second.restart(isUnlocked: false)
    hub.isDown = false
    try second.unlock()
    try exchange(second, first)
    #expect(try first.get("new") == "2")
    #expect(try second.get("mail") == "1")
    #expect(try second.report().stage == .member)
  }

  @Test func beforeTheFirstUnlockNothingIsExchangedAndSaidSo() throws {
    let place = ScratchDirectory()
    let (_, _, second) = try pair(place)
    func expectClosed() {
      #expect {
        try second.synchronize()
      } throws: { error in
        guard case .refused(let outcome)? = error as? EngineError else { return false }
        return outcome.code == .itemLocked
      }
    }
    try second.wait { second.engine.reboot("sim", caller: second.caller, then: $0) }
    expectClosed()
    try second.unlock()
    try second.synchronize()
    try second.restart(isUnlocked: false)
    expectClosed()
  }

  // MARK: What is heard

  @Test func whatADeviceWroteIsHeardOfItThoughItSaidNothing() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    try exchange(first, second)
    let peer = try first.identifier
    func heard() throws -> WallInstant? {
      try second.report().peers.first { $0.identifier == peer }?.heard
    }
    let before = try #require(try heard())
    first.clock.pass(.seconds(20))
    try first.add("mail", "1")
    try exchange(first, second)
    let last = try #require(try heard())
    #expect(last > before)
    try second.restart()
    #expect(try heard() == last)
    first.clock.pass(.seconds(20))
    try first.add("bank", "1")
    try exchange(first, second)
    let latest = try #require(try heard())
    #expect(latest > last)
    try second.delete("bank")
    try exchange(second, first)
    #expect(try heard() == latest, "nothing is left that the first one wrote then")
  }

  // MARK: Leaving

  @Test func aRemovedDeviceGetsNothingMoreAndNewKeysAreMade() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    try first.add("mail", "1")
    try exchange(first, second)
    let peer = try #require(first.report().peers.first { !$0.isMe })
    try first.remove(peer.identifier)
    try first.synchronize()
    try first.add("after", "2")
    try first.synchronize()
    #expect(hub.members.count == 1)
    #expect(hub.zones[.items]?.entries.last?.epoch == 2)
    #expect(hub.shares.filter { $0.epoch == 2 }.map(\.receiver) != [peer.identifier])
    try second.synchronize()
    #expect(try second.get("after") == nil && second.get("mail") == "1")
  }

  @Test func whoLeftCanJoinAgainAsAnotherDevice() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    try first.add("mail", "1")
    try exchange(first, second)
    try second.leave()
    #expect(try second.get("mail") == "1")
    try second.enter(as: "second", by: first)
    try exchange(first, second)
    #expect(try first.report().peers.map(\.name) == ["first", "second", "second"])
    #expect(try second.report().zones[0].records == 1)
  }

  // MARK: Letting in

  @Test func aWrongCodeAsksNothing() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    let second = try SyncDevice(hub, in: place.file("second"))
    _ = try first.invite()
    #expect(throws: EngineError.sync(.wrongCode)) { try second.join(.of("nonsense"), as: "x") }
    let other = SecretBox.of("2222-2222-2222-2222-2222-2222-22")
    #expect(throws: EngineError.self) { try second.join(other, as: "x") }
    #expect(try first.answering() == nil)
    #expect(throws: EngineError.sync(.noInvitation)) { try first.approve() }
  }

  @Test func nobodyIsLetInWithoutThePasscode() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    let second = try SyncDevice(hub, in: place.file("second"))
    _ = try second.join(try first.invite(), as: "second")
    try second.synchronize()
    _ = try first.answering()
    #expect(throws: EngineError.passcodeRequired) { try first.approve(passcode: nil) }
    #expect(throws: EngineError.self) { try first.approve(passcode: "9999") }
    #expect(try first.report().peers.count == 1)
  }

  /// Otherwise a device that was away for long would put old secrets in place of new ones.
  @Test(arguments: [true, false])
  func ofADeviceThatJoinsAndItsCircleTheLaterChangeStands(_ isCircleLater: Bool) throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    let second = try SyncDevice(hub, in: place.file("second"))
    try first.add("mail", "circle")
    try second.add("mail", "joiner")
    for device in [first, second] { device.clock.pass(.seconds(60)) }
    try (isCircleLater ? first : second).update("mail", "later")
    for device in [first, second] { device.clock.pass(.seconds(60)) }
    try first.synchronize()
    try second.enter(as: "second", by: first)
    for device in [first, second] + [first, second] { try device.synchronize() }
    #expect(try first.get("mail") == "later" && second.get("mail") == "later")
    let kept = try first.conflicts().count + second.conflicts().count
    #expect(kept == 1, "what lost is kept")
  }

  @Test func whoJoinsAgainBringsNoOldSecretBack() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    try first.add("mail", "old")
    try exchange(first, second)
    try second.leave()
    for device in [first, second] { device.clock.pass(.seconds(60)) }
    try first.update("mail", "new")
    try first.synchronize()
    try second.enter(as: "again", by: first)
    try exchange(first, second)
    #expect(try first.get("mail") == "new" && second.get("mail") == "new")
  }

  @Test func anInvitationIsOverAfterTenMinutes() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    let second = try SyncDevice(hub, in: place.file("second"))
    _ = try second.join(try first.invite(), as: "second")
    try second.synchronize()
    first.clock.pass(.seconds(601))
    #expect(throws: EngineError.sync(.noInvitation)) { try first.answering() }
  }

  // MARK: A hub that lies

  @Test func aHubThatWentBackIsNoticedAndRepairedByAPerson() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    try first.add("one", "1")
    try exchange(first, second)
    let kept = hub.zones
    try first.add("two", "2")
    try exchange(first, second)
    hub.zones = kept
    for device in [first, second] {
      let zone = try device.synchronize().zones[0]
      guard case .hubRolledBack = zone.alarm else {
        Issue.record("\(zone)")
        return
      }
      #expect(try device.get("two") == "2")
      #expect(throws: EngineError.passcodeRequired) {
        try device.wait {
          device.engine.repairSynchronization(device.callerDevice, by: OwnersProof(nil), then: $0)
        }
      }
    }
    for device in [first, second] { try device.repair() }
    try exchange(first, second)
    for device in [first, second] {
      #expect(try device.report().zones[0].alarm == nil)
      #expect(try device.get("one") == "1" && device.get("two") == "2")
    }
    #expect(throws: EngineError.sync(.nothingToRepair)) { try first.repair() }
    let lines = try first.store.audit(owner: 1000, device: "sim", limit: 1)
    #expect(lines.map(\.action) == ["sync repair"] && lines.map(\.outcome) == [.notPermitted])
  }

  @Test func aHubThatWentBackInTwoZonesIsRepairedAtOnce() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    try first.add("one", "1")
    try first.set("theme", "light")
    try exchange(first, second)
    let kept = hub.zones
    try first.add("two", "2")
    try first.set("theme", "dark")
    try exchange(first, second)
    hub.zones = kept
    for device in [first, second] {
      let alarms = try device.synchronize().zones.filter { $0.alarm != nil }.map(\.name)
      #expect(alarms.sorted() == [.items, .keyValues], "both are said after one round")
      try device.repair()
    }
    try exchange(first, second)
    for device in [first, second] {
      #expect(try device.report().zones.allSatisfy { $0.alarm == nil })
      #expect(try device.get("two") == "2")
    }
  }

  @Test func aBodyOfAnotherRecordIsNotTaken() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    try first.add("one", "1")
    try first.add("two", "2")
    try first.synchronize()
    hub.lie = { _, _, reply in
      guard case .zone(let page) = reply, page.bodies.count == 2 else { return reply }
      let swapped = zip(page.bodies.keys, page.bodies.values.reversed())
      let bodies = Dictionary(uniqueKeysWithValues: swapped.map { ($0, $1) })
      return .zone(ZonePage(entries: page.entries, bodies: bodies, head: page.head))
    }
    let zone = try second.synchronize().zones[0]
    #expect(zone.alarm == .hubTampered(.body) && zone.records == 0)
    #expect(try second.get("one") == nil && second.get("two") == nil)
  }

  @Test func anAnswerThatIsLostIsAskedForOnceMoreAndMakesOneEntry() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    var isLost = false
    hub.lie = { _, request, reply in
      guard case .zonePush = request, !isLost else { return reply }
      isLost = true
      return .failed(.unreachable("the answer was lost"))
    }
    try first.add("mail", "1")
    try first.synchronize()
    try first.restart()
    try exchange(first, second)
    #expect(isLost && hub.zones[.items]?.entries.count == 1)
    #expect(try second.get("mail") == "1")
  }

  @Test func rowsThatWerePutBackSuspendTheDevice() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    try first.add("one", "1")
    try exchange(first, second)
    let kept = try second.store.syncRows(of: DeviceIdentity(owner: 1000, name: "sim"))
    try first.add("two", "2")
    try exchange(first, second)
    try second.putBack(kept)
    try second.restart()
    #expect(try second.report().stage == .stateWasChanged)
    #expect(try second.get("two") == "2", "items are not concerned")
    try second.leave()
    try second.enter(as: "second", by: first)
    try exchange(first, second)
    #expect(try second.report().stage == .member)
  }

  /// Otherwise the hub would found one with keys of its own, and read what the device sends there.
  @Test func aDeviceJoinsNoOtherCircleThanItsSponsors() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    let otherCode = InvitationCode.generate()
    let otherHub = ModelHub(founder: try #require(otherCode.hubRole()))
    let stranger = try SyncDevice(otherHub, in: place.file("stranger"))
    try stranger.found(by: otherCode)
    let second = try SyncDevice(hub, in: place.file("second"))
    try second.add("mail", "hunter2")
    _ = try second.join(try first.invite(), as: "second")
    try second.synchronize()
    _ = try first.answering()
    try first.approve()
    hub.lie = { role, request, reply in
      guard role != hub.founder else { return reply }
      switch request {
      case .heads: return .heads(HubHeads(circle: otherHub.head, zones: [], time: hub.time))
      case .circlePull(let number): return .circle(Array(otherHub.entries.dropFirst(Int(number))))
      default: return reply
      }
    }
    let report = try second.synchronize()
    #expect(report.circleAlarm == .hubTampered(.circle) && report.zones.isEmpty)
    let hasSent = hub.requests.contains { if case .zonePush = $0 { true } else { false } }
    #expect(!hasSent)
  }

  @Test func aDeviceThatIsErasedInTheMiddleOfARoundIsInNoCircle() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    for index in 0..<200 { try first.add("item \(index)", "secret") }
    try first.synchronize()
    second.engine.erase("sim", caller: second.caller) { _ in }
    try second.wait { second.engine.erase("sim", caller: second.caller, then: $0) }
    #expect(throws: EngineError.sync(.notMember)) { try second.report() }
    try second.restart(isUnlocked: false)
    #expect(throws: EngineError.sync(.notMember)) { try second.report() }
  }
}
