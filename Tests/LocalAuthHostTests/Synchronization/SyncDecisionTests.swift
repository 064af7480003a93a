import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// What was overruled, and the way back by paper.
extension SyncFlowTests {
  /// Two devices who changed one item at once, and the one that has what lost.
  private func conflict(
    _ place: ScratchDirectory
  ) throws -> (loser: SyncDevice, other: SyncDevice) {
    let (_, first, second) = try pair(place)
    try first.add("mail", "old")
    try exchange(first, second)
    try first.update("mail", "earlier")
    second.clock.pass(.seconds(10))
    try second.update("mail", "later")
    try exchange(first, second)
    return try first.conflicts().isEmpty ? (second, first) : (first, second)
  }

  // MARK: What was overruled

  @Test func whatLostIsRestoredOnBothAndWhatStoodIsKept() throws {
    let place = ScratchDirectory()
    let (device, other) = try conflict(place)
    let lost = try #require(try device.conflicts().first)
    #expect(lost.item?.account == "mail" && !lost.isDeleted)
    try device.resolve(lost.identifier, .restore)
    #expect(try device.get("mail") == "earlier")
    try exchange(device, other)
    #expect(try other.get("mail") == "earlier")
    let kept = try #require(try device.conflicts().first)
    #expect(try device.conflicts().count == 1 && kept.identifier != lost.identifier)
    try device.resolve(kept.identifier, .restore)
    try exchange(device, other)
    #expect(try device.get("mail") == "later" && other.get("mail") == "later")
  }

  @Test func whatIsDiscardedIsGoneAlsoAfterARestart() throws {
    let place = ScratchDirectory()
    let (device, _) = try conflict(place)
    let lost = try #require(try device.conflicts().first)
    try device.resolve(lost.identifier, .discard)
    #expect(try device.get("mail") == "later" && device.conflicts().isEmpty)
    try device.restart()
    #expect(try device.report().stage == .member && device.conflicts().isEmpty)
    #expect(throws: EngineError.sync(.noSuchConflict)) {
      try device.resolve(lost.identifier, .restore)
    }
  }

  @Test func anEditThatLostAgainstADeletionComesBack() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    try first.add("mail", "old")
    try exchange(first, second)
    try first.update("mail", "edited")
    second.clock.pass(.seconds(10))
    try second.delete("mail")
    try exchange(first, second)
    #expect(try first.get("mail") == nil)
    let (device, other) = try first.conflicts().isEmpty ? (second, first) : (first, second)
    let lost = try #require(try device.conflicts().first)
    #expect(lost.isDeleted)
    try device.resolve(lost.identifier, .restore)
    try exchange(device, other)
    #expect(try device.get("mail") == "edited" && other.get("mail") == "edited")
    #expect(try device.conflicts().isEmpty)
  }

  @Test func aProgramOfOtherGroupsSeesAndDecidesNothing() throws {
    let place = ScratchDirectory()
    let (device, _) = try conflict(place)
    let lost = try #require(try device.conflicts().first)
    #expect(try device.conflicts(groups: ["other"]).isEmpty)
    #expect(throws: EngineError.sync(.noSuchConflict)) {
      try device.resolve(lost.identifier, .restore, groups: ["other"])
    }
    #expect(try device.get("mail") == "later")
  }

  @Test func aLockedDeviceDoesNotSayWhatLostAndDecidesNothing() throws {
    let place = ScratchDirectory()
    let (device, _) = try conflict(place)
    try device.lock()
    let lost = try #require(try device.conflicts().first)
    #expect(lost.item == nil)
    #expect(throws: EngineError.self) { try device.resolve(lost.identifier, .discard) }
    try device.unlock()
    #expect(try device.conflicts().first?.item?.account == "mail")
  }

  @Test func whatLostIsForgottenAfterThirtyDaysThatOthersCountToo() throws {
    let place = ScratchDirectory()
    let (device, other) = try conflict(place)
    let days = Int64(31 * 24 * 3600)
    device.clock.pass(.seconds(days))
    try device.unlock()
    try device.synchronize()
    #expect(try device.conflicts().count == 1, "a clock that is ahead throws nothing away")
    other.clock.pass(.seconds(days))
    try other.unlock()
    try other.synchronize()
    device.clock.pass(.seconds(3600))
    try device.unlock()
    try device.synchronize()
    #expect(try device.conflicts().isEmpty)
    try device.restart()
    #expect(try device.report().stage == .member)
  }

  // MARK: Letting in

  /// Otherwise the device that joins waits for ever, and the circle has a peer that nobody lets in.
  @Test func anApprovalThatWasInterruptedIsGoneOnWith() throws {
    for cut in 0..<3 {
      let place = ScratchDirectory()
      let (hub, first) = try founded(place)
      try first.add("mail", "1")
      let second = try SyncDevice(hub, in: place.file("second"))
      _ = try second.join(try first.invite(), as: "second")
      try second.synchronize()
      _ = try first.answering()
      var left = cut
      hub.lie = { _, request, reply in
        switch request {
        case .circlePush, .putShares, .admit:
          left -= 1
          return left < 0 ? .failed(.unreachable("cut")) : reply
        default: return reply
        }
      }
      #expect(throws: EngineError.self) { try first.approve() }
      hub.lie = nil
      try first.approve()
      #expect(throws: EngineError.sync(.noInvitation)) { try first.approve() }
      try exchange(second, first)
      #expect(try second.get("mail") == "1", "cut \(cut)")
      #expect(hub.entries.count == 3, "founded, keys, added")
      #expect(try first.report().circleAlarm == nil)
    }
  }

  // MARK: The recovery key

  @Test func whoHasLostAllDevicesComesBackByThePaper() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    try first.add("mail", "hunter2")
    let key = try first.makeRecoveryKey()
    try first.add("later", "3")
    try first.synchronize()
    #expect(
      try first.report().peers.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [
        .device, .recovery,
      ]
    )
    let second = try SyncDevice(hub, in: place.file("second"))
    try second.add("own", "2")
    try second.recover(key, as: "second")
    try second.synchronize()
    #expect(try second.get("mail") == "hunter2" && second.get("later") == "3")
    #expect(try second.report().stage == .member)
    try second.restart()
    try exchange(second, first)
    #expect(try first.get("own") == "2")
    try second.remove(
      try #require(try second.report().peers.first { $0.name == "first" }).identifier
    )
    try second.add("after", "4")
    try second.synchronize()
    #expect(try second.report().zones.map(\.outgoing) == [0])
  }

  /// A device is removed, so all keys are new, and the paper has them too.
  @Test func thePaperOpensWhatWasWrittenUnderNewerKeys() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    let key = try first.makeRecoveryKey()
    try first.add("old", "1")
    try exchange(first, second)
    try first.remove(
      try #require(try first.report().peers.first { $0.name == "second" }).identifier
    )
    try first.add("new", "2")
    try first.synchronize()
    let third = try SyncDevice(hub, in: place.file("third"))
    let told = hub.requests.count { $0 == .tell }
    try third.recover(key, as: "third")
    #expect(hub.requests.count { $0 == .tell } == told + 1, "the others hear that somebody came")
    #expect(try third.get("old") == "1" && third.get("new") == "2")
  }

  @Test func aNewPaperEndsTheOneBefore() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    let members = hub.members.count
    let old = try first.makeRecoveryKey()
    let new = try first.makeRecoveryKey()
    #expect(hub.members.count == members + 1)
    let acts = hub.entries.map(\.act)
    #expect(
      acts.count { if case .recovery = $0 { true } else { false } } == 2
        && !acts.contains { if case .remove = $0 { true } else { false } },
      "the entry that has the new key ends the old one"
    )
    let second = try SyncDevice(hub, in: place.file("second"))
    #expect(throws: EngineError.self) { try second.recover(old, as: "second") }
    #expect(throws: EngineError.sync(.notMember)) { try second.report() }
    try first.add("mail", "1")
    try first.synchronize()
    try second.recover(new, as: "second")
    try second.synchronize()
    #expect(try second.get("mail") == "1")
  }

  @Test(arguments: [ModelHub.Passage.isLost, .losesReply, .arrivesLate])
  func whoIsCutOffAtAnyStepOfANewPaperStillHasOneThatOpens(_ passage: ModelHub.Passage) throws {
    for step in 0..<6 {
      let place = ScratchDirectory()
      let (hub, first) = try founded(place)
      try first.add("mail", "1")
      try first.synchronize()
      let old = try first.makeRecoveryKey()
      var left = step
      hub.passage = { [hub] _, request in
        switch request {
        case .invite, .admit, .putShares, .putOlderKeys, .circlePush: break
        default: return .arrives
        }
        left -= 1
        guard left < 0 else { return .arrives }
        hub.passage = nil
        return passage
      }
      let new = try? first.makeRecoveryKey()
      hub.passage = nil
      hub.arriveLate()
      try first.synchronize()
      let key = if let new { new } else { try first.makeRecoveryKey() }
      #expect(try first.report().peers.count { $0.kind == .recovery } == 1, "step \(step)")
      let second = try SyncDevice(hub, in: place.file("second"))
      try second.recover(key, as: "second")
      try second.synchronize()
      #expect(try second.get("mail") == "1", "step \(step)")
      let third = try SyncDevice(hub, in: place.file("third"))
      #expect(throws: EngineError.self) { try third.recover(old, as: "third") }
    }
  }

  /// Peers that left count, too, so even one device fills a circle in time.
  @Test func aCircleThatIsFullKeepsThePaperThatItHas() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    var key = try first.makeRecoveryKey()
    for _ in 2..<CircleLog.peersMax { key = try first.makeRecoveryKey() }
    #expect(throws: EngineError.sync(.circleFull)) { try first.makeRecoveryKey() }
    #expect(throws: EngineError.sync(.circleFull)) { try first.invite() }
    #expect(try first.report().peers.count { $0.kind == .recovery } == 1)
    let invited = hub.invited.count
    let second = try SyncDevice(hub, in: place.file("second"))
    #expect(throws: EngineError.sync(.circleFull)) { try second.recover(key, as: "second") }
    #expect(hub.invited.count == invited)
  }

  @Test func aPaperTakesThePasscodeAndMistypedOnesAreNoticed() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    #expect(throws: EngineError.passcodeRequired) { try first.makeRecoveryKey(passcode: nil) }
    #expect(throws: EngineError.self) { try first.makeRecoveryKey(passcode: "9999") }
    #expect(try first.report().peers.count == 1 && hub.members.count == 1)
    let second = try SyncDevice(hub, in: place.file("second"))
    for wrong in ["", "ABCD", "0000-0000-0000-0000-0000-0000-00"] {
      #expect(throws: EngineError.sync(.wrongCode)) {
        try second.recover(.of(wrong), as: "second")
      }
    }
  }

  /// A hub knows the public halves of the paper, and could found a circle that has them.
  @Test func aHubThatShowsThePaperAnotherCircleIsNotBelieved() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    let key = try first.makeRecoveryKey()
    let otherCode = InvitationCode.generate()
    let otherHub = ModelHub(founder: try #require(otherCode.hubRole()))
    let stranger = try SyncDevice(otherHub, in: place.file("stranger"))
    try stranger.found(by: otherCode)
    let second = try SyncDevice(hub, in: place.file("second"))
    try second.add("mail", "hunter2")
    hub.lie = { _, request, reply in
      guard case .circlePull(let number) = request else { return reply }
      return .circle(Array(otherHub.entries.dropFirst(Int(number))))
    }
    #expect(throws: EngineError.sync(.otherCircle)) { try second.recover(key, as: "second") }
    let hasSent = hub.requests.contains { if case .zonePush = $0 { true } else { false } }
    #expect(!hasSent)
  }

  @Test func aHubThatWithholdsThePapersSharesLetsNobodyIn() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    let key = try first.makeRecoveryKey()
    let entries = hub.entries.count
    let second = try SyncDevice(hub, in: place.file("second"))
    hub.lie = { _, request, reply in
      if case .shares = request { .shares([]) } else { reply }
    }
    #expect(throws: EngineError.sync(.otherCircle)) { try second.recover(key, as: "second") }
    #expect(hub.entries.count == entries)
  }

  /// Nothing that a person was shown may be worth nothing, wherever its making ends.
  @Test func aPaperWhoseMakingWasInterruptedIsNeverShown() throws {
    let place = ScratchDirectory()
    let (hub, first) = try founded(place)
    try first.add("mail", "1")
    try first.synchronize()
    for steps in 0..<6 {
      var left = steps
      hub.lie = { _, request, reply in
        switch request {
        case .invite, .admit, .putShares, .circlePush:
          left -= 1
          return left < 0 ? .failed(.unreachable("cut")) : reply
        default: return reply
        }
      }
      guard let key = try? first.makeRecoveryKey() else { continue }
      hub.lie = nil
      let second = try SyncDevice(hub, in: place.file("second \(steps)"))
      try second.recover(key, as: "second \(steps)")
      try second.synchronize()
      #expect(try second.get("mail") == "1")
    }
    hub.lie = nil
    _ = try first.makeRecoveryKey()
    #expect(try first.report().peers.count { $0.kind == .recovery } == 1)
  }

  /// Of two rows that are too long for one, the later is the row.
  @Test func whatLostOfARowIsRestoredOnceThereIsRoomForIt() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let long = CellValue.text(String(repeating: "x", count: 40 << 10))
    try first.write(row: "a", ["title": .text("Milk")])
    try circle.exchange()
    try first.write(row: "a", ["one": long])
    second.clock.pass(.seconds(60))
    try second.write(row: "a", ["two": long])
    try circle.exchange()
    let holder = try first.conflicts().isEmpty ? second : first
    let lost = try #require(try holder.conflicts().first).identifier
    #expect(throws: EngineError.sync(.rowTooLarge)) { try holder.resolve(lost, .restore) }
    #expect(try holder.conflicts().map(\.identifier) == [lost], "nothing was changed")
    try holder.write(row: "a", ["two": .null])
    try holder.resolve(lost, .restore)
    #expect(try holder.row("a")?["one"] == long)
  }
}
