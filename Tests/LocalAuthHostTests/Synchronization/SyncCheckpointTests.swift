import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// Checkpoints between devices and their hub: who leaves them, who begins at them, and what a lying hub does with them.
@Suite struct SyncCheckpointTests {
  private static let interval: UInt64 = 4
  private let place = ScratchDirectory()
  private let circle: SyncCircle
  private var hub: ModelHub { circle.hub }
  private var first: SyncDevice { circle.devices[0] }
  private var second: SyncDevice { circle.devices[1] }

  init() throws {
    circle = try SyncCircle("first", "second", checkpointInterval: Self.interval, in: place)
    hub.recordsAtOnce = 2
    try circle.exchange()
  }

  /// The first device sends an entry for each of so many accounts.
  private func fill(_ count: UInt64 = 2 * interval + 1, from start: UInt64 = 0) throws {
    for number in start..<start + count {
      try first.add("item \(number)", "\(number)")
      try first.synchronize()
      try first.settle(hub)
    }
  }

  private func has(_ device: SyncDevice, _ count: UInt64 = 2 * interval + 1) throws -> Bool {
    try (0..<count).allSatisfy { try device.get("item \($0)") == "\($0)" }
  }

  /// A third device in the circle, which has not asked for zones yet.
  private func joining() throws -> SyncDevice {
    let third = try SyncDevice(hub, in: place.file("third"))
    let words = try third.join(try first.invite(), as: "third")
    let asked = try third.synchronize()
    #expect(asked.stage == .joining)
    try first.synchronize()
    try #require(try first.answering()?.words == words)
    try first.approve()
    try first.settle(hub)
    return third
  }

  private var latest: ZoneCheckpoint? { hub.checkpoint(of: .items)?.checkpoint }

  private func asked(_ isMeant: (HubRequest) -> Bool) -> Int { hub.requests.count(where: isMeant) }

  private static func isPut(_ request: HubRequest) -> Bool {
    if case .putCheckpoint = request { true } else { false }
  }

  private static func isRecords(_ request: HubRequest) -> Bool {
    if case .records = request { true } else { false }
  }

  private static func isQuery(_ request: HubRequest) -> Bool {
    if case .checkpoint = request { true } else { false }
  }

  /// Which entries of the zone a device asked for in pages, the first number behind each.
  private func pulls(since count: Int) -> [UInt64] {
    hub.requests.dropFirst(count).compactMap {
      if case .zonePull(.items, let after, _) = $0 { after } else { nil }
    }
  }

  // MARK: Leaving

  @Test func deviceWhoseEntryFillsAnIntervalLeavesACheckpoint() throws {
    try fill(Self.interval - 1)
    #expect(latest == nil && asked(Self.isQuery) == 0)
    try fill(1, from: Self.interval - 1)
    let word = try #require(latest)
    #expect(word.place == hub.zones[.items]?.head)
    #expect(try word.author == first.identifier)
    #expect(asked(Self.isPut) == 1)
    try fill(Self.interval, from: Self.interval)
    #expect(latest?.place.number == 2 * Self.interval)
    #expect(hub.zones[.items]?.checkpoints.count == 1)
  }

  @Test func checkpointIsThereBeforeTheOthersAreTold() throws {
    try fill(Self.interval)
    let put = try #require(hub.requests.lastIndex(where: Self.isPut))
    let told = try #require(hub.requests.lastIndex(of: .tell))
    #expect(put < told)
  }

  @Test func roundsWithoutNewsAskForNoCheckpoint() throws {
    try fill()
    try circle.exchange()
    let before = hub.requests.count
    try circle.exchange()
    let asked = hub.requests.dropFirst(before).filter { $0 != .heads }
    #expect(asked.isEmpty)
  }

  @Test func deviceThatWasKilledBeforeItsCheckpointIsStoodInFor() throws {
    let role = first.role
    hub.passage = { asking, request in
      asking == role && Self.isPut(request) ? .isLost : .arrives
    }
    try fill(Self.interval)
    #expect(latest == nil)
    try second.synchronize()
    #expect(try latest?.author == second.identifier)
    #expect(latest?.place == hub.zones[.items]?.head)
  }

  @Test func hubThatRefusesACheckpointTakesChangesAllTheSame() throws {
    hub.isOpenForCheckpoints = { _ in false }
    try fill()
    #expect(try first.synchronize().failure == nil)
    // Once for each interval that went by.
    #expect(asked(Self.isPut) == 2)
  }

  @Test func deviceAtTheSamePlaceNoticesACheckpointOfAnotherManifest() throws {
    try fill(Self.interval)
    let index = try #require(hub.zones[.items]?.checkpoints.indices.last)
    let word = try #require(hub.zones[.items]?.checkpoints[index].checkpoint)
    let other = ZoneCheckpoint(
      circle: word.circle,
      zone: word.zone,
      place: word.place,
      circleHead: word.circleHead,
      manifest: word.place.digest,
      author: word.author
    )
    hub.zones[.items]?.checkpoints[index].checkpoint = try first.signed(other)
    try second.synchronize()
    #expect(second.replica?.alarm == .hubTampered(.checkpoint))
    let words = try #require(latest)
    #expect(words.author == word.author, "nobody else leaves one there")
  }

  // MARK: Beginning

  @Test func deviceThatJoinsBeginsAtTheCheckpoint() throws {
    try fill()
    let before = hub.requests.count
    let third = try joining()
    try third.synchronize()
    #expect(try has(third))
    #expect(pulls(since: before).min() == 2 * Self.interval)
    #expect(third.isQuiet(with: hub))
    #expect(third.replica?.chain.manifest == first.replica?.chain.manifest)
    try third.add("mine", "3")
    try third.synchronize()
    try second.synchronize()
    #expect(try second.get("mine") == "3")
  }

  @Test func whereNoCheckpointIsWholeTheChainIsPulledFromItsBeginning() throws {
    try fill()
    hub.zones[.items]?.checkpoints.indices.forEach {
      hub.zones[.items]?.checkpoints[$0].parts = [:]
    }
    let before = hub.requests.count
    let third = try joining()
    try third.synchronize()
    #expect(try has(third) && pulls(since: before).min() == 0)
  }

  @Test func shortChainsArePulledWithoutAskingForACheckpoint() throws {
    try fill(Self.interval - 1)
    let third = try joining()
    try third.synchronize()
    #expect(try has(third, Self.interval - 1) && asked(Self.isQuery) == 0)
  }

  @Test func deviceThatIsKilledBetweenPagesGoesOnBehindTheLastOne() throws {
    try fill()
    let third = try joining()
    let role = third.role
    var pages = 0
    hub.passage = { asking, request in
      guard asking == role, Self.isRecords(request) else { return .arrives }
      pages += 1
      // Each life of the process gets one page.
      return pages.isMultiple(of: 2) ? .isLost : .arrives
    }
    var kills = 0
    try third.synchronize()
    while kills < 40, third.replica?.awaitsRecords == true {
      kills += 1
      try third.restart()
      try third.settle(hub)
    }
    hub.passage = nil
    try third.synchronize()
    #expect(kills > 1)
    #expect(try has(third) && third.isQuiet(with: hub))
    let records = hub.requests.compactMap { request -> RecordName?? in
      if case .records(_, _, let after) = request { .some(after) } else { nil }
    }
    #expect(records.count { $0 == nil } == 1, "no page is asked for twice from the beginning")
  }

  @Test func whatIsChangedWhileADeviceBeginsArrives() throws {
    try fill()
    let third = try joining()
    circle.onReply(to: third, where: Self.isRecords) {
      try first.update("item 1", "other")
      try first.delete("item 2")
      try first.synchronize()
    }
    try third.synchronize()
    #expect(try third.get("item 1") == "other" && third.get("item 2") == nil)
    #expect(third.replica?.alarm == nil && third.isQuiet(with: hub))
  }

  @Test func checkpointThatIsReplacedWhileItIsReadIsReadAnew() throws {
    try fill()
    let third = try joining()
    circle.onReply(to: third, where: Self.isQuery) {
      try fill(Self.interval, from: 2 * Self.interval + 1)
    }
    try third.synchronize()
    #expect(try has(third, 3 * Self.interval + 1) && third.isQuiet(with: hub))
  }

  @Test func checkpointOfADeviceThatJoinedMeanwhileIsNoLie() throws {
    try fill(Self.interval - 1)
    try second.synchronize()
    let third = try joining()
    circle.onReply(to: second, where: { $0 == .heads }) {
      try third.synchronize()
      try third.add("mine", "3")
      try third.synchronize()
    }
    try second.synchronize()
    try second.synchronize()
    #expect(try latest?.author == third.identifier)
    #expect(second.replica?.alarm == nil)
    #expect(try second.get("mine") == "3")
  }

  @Test func lockedDeviceBeginsAndOpensTheRestAtItsUnlock() throws {
    try fill(3)
    try first.add("open", "o", accessible: .afterFirstUnlock)
    try first.synchronize()
    try first.settle(hub)
    try fill(Self.interval, from: 3)
    let third = try joining()
    hub.passage = { _, request in Self.isQuery(request) ? .isLost : .arrives }
    try third.synchronize()
    hub.passage = nil
    try third.lock()
    let report = try third.synchronize()
    #expect(report.zones.first { $0.name == .items }?.incoming == Int(3 + Self.interval))
    try third.unlock()
    try third.settle(hub)
    #expect(try has(third, 3 + Self.interval) && third.get("open") == "o")
  }

  @Test func itemsThatADeviceHadBeforeAreMergedAndSent() throws {
    try fill()
    let third = try SyncDevice(hub, in: place.file("third"))
    try third.add("item 1", "third's")
    try third.add("own", "o")
    try third.enter(as: "third", by: first)
    for _ in 0..<2 { try third.synchronize() }
    try first.synchronize()
    #expect(try first.get("own") == "o")
    #expect(try first.get("item 1") == third.get("item 1"))
    #expect(third.isQuiet(with: hub))
  }

  // MARK: Removed devices

  /// The second device leaves a checkpoint and is removed.
  private func removeAuthor() throws -> PeerIdentifier {
    for number in 0..<Self.interval {
      try second.add("item \(number)", "\(number)")
      try second.synchronize()
      try second.settle(hub)
    }
    try first.synchronize()
    let removed = try second.identifier
    #expect(latest?.author == removed)
    try first.remove(removed)
    return removed
  }

  @Test func wordOfARemovedDeviceIsNoLieAndNobodyBeginsAtIt() throws {
    let role = second.role
    hub.isOpenForCheckpoints = { $0 == role }
    let removed = try removeAuthor()
    let before = hub.requests.count
    let third = try joining()
    try third.synchronize()
    #expect(latest?.author == removed && third.replica?.alarm == nil)
    #expect(try has(third, Self.interval))
    #expect(pulls(since: before).min() == 0)
  }

  @Test func removalHasAnotherDeviceLeaveACheckpoint() throws {
    let removed = try removeAuthor()
    try first.synchronize()
    let author = try first.identifier
    #expect(latest?.author == author && author != removed)
  }

  // MARK: Lies

  private func expect(_ alarm: HubAlarm, _ lie: @escaping (HubRequest, HubReply) -> HubReply) throws {
    if hub.zones[.items]?.entries.isEmpty != false { try fill() }
    let third = try joining()
    let role = third.role
    hub.lie = { asking, request, reply in asking == role ? lie(request, reply) : reply }
    try third.synchronize()
    #expect(third.replica?.alarm == alarm)
    #expect(third.replica?.chain.head == .beginning && third.replica?.records.isEmpty == true)
    #expect(try !has(third, 1))
    hub.lie = nil
    try third.repair()
    try third.synchronize()
    #expect(try has(third, 2 * Self.interval) && third.isQuiet(with: hub))
  }

  private func expectOfCheckpoint(
    _ alarm: HubAlarm,
    _ change: @escaping (ZoneCheckpoint) throws -> ZoneCheckpoint
  ) throws {
    try expect(alarm) { _, reply in
      guard case .checkpoint(.some(let word), let parts) = reply, let other = try? change(word)
      else { return reply }
      return .checkpoint(other, parts: parts)
    }
  }

  @Test func manifestThatWasChangedBeginsNothing() throws {
    try expect(.hubTampered(.checkpoint)) { _, reply in
      guard case .manifest(.some(let part)) = reply else { return reply }
      return .manifest(ManifestPart(Dictionary(uniqueKeysWithValues: part.lines.dropFirst().map { $0 })))
    }
  }

  @Test func checkpointThatAMemberDidNotSignBeginsNothing() throws {
    try expectOfCheckpoint(.hubTampered(.author)) {
      ZoneCheckpoint(
        circle: $0.circle,
        zone: $0.zone,
        place: ChainPlace(number: $0.place.number + 1, digest: $0.place.digest),
        circleHead: $0.circleHead,
        manifest: $0.manifest,
        author: $0.author,
        signature: $0.signature
      )
    }
  }

  @Test func checkpointOfNobodyInTheCircleBeginsNothing() throws {
    try expectOfCheckpoint(.hubTampered(.author)) {
      ZoneCheckpoint(
        circle: $0.circle,
        zone: $0.zone,
        place: $0.place,
        circleHead: $0.circleHead,
        manifest: $0.manifest,
        author: PeerIdentifier(high: 1, low: 2),
        signature: $0.signature
      )
    }
  }

  @Test func checkpointOfAnotherZoneBeginsNothing() throws {
    try expectOfCheckpoint(.hubTampered(.otherPlace)) { [first] in
      try first.signed(
        ZoneCheckpoint(
          circle: $0.circle,
          zone: .keyValues,
          place: $0.place,
          circleHead: $0.circleHead,
          manifest: $0.manifest,
          author: $0.author
        )
      )
    }
  }

  @Test func checkpointOfAnotherHistoryThanTheOthersSayIsAFork() throws {
    let number = 2 * Self.interval
    try fill(number)
    first.clock.pass(.seconds(1_000))
    try first.synchronize()
    try expectOfCheckpoint(.hubForked(.items, at: number)) { [first] in
      try first.signed(
        ZoneCheckpoint(
          circle: $0.circle,
          zone: $0.zone,
          place: ChainPlace(number: number, digest: $0.manifest),
          circleHead: $0.circleHead,
          manifest: $0.manifest,
          author: $0.author
        )
      )
    }
  }

  @Test func bodyThatWasChangedIsNotTaken() throws {
    try fill()
    let third = try joining()
    hub.lie = { _, request, reply in
      guard case .records(let bodies, let isLast) = reply else { return reply }
      return .records(bodies.mapValues { $0.dropLast() + [($0.last ?? 0) ^ 1] }, isLast: isLast)
    }
    try third.synchronize()
    #expect(third.replica?.alarm == .hubTampered(.body))
    #expect(third.replica?.records.isEmpty == true)
  }

  @Test func bodyThatIsLeftOutIsMissed() throws {
    try fill()
    let third = try joining()
    hub.lie = { _, request, reply in
      guard case .records(let bodies, let isLast) = reply else { return reply }
      let kept = bodies.sorted { $0.key < $1.key }.dropFirst(isLast ? 1 : 0)
      return .records(Dictionary(uniqueKeysWithValues: Array(kept)), isLast: isLast)
    }
    try third.synchronize()
    #expect(third.replica?.alarm == .hubTampered(.missingBody))
    hub.lie = nil
    try third.repair()
    try third.synchronize()
    #expect(try has(third) && third.isQuiet(with: hub))
  }

  @Test func hubThatGoesBackBehindTheCheckpointIsNoticedByWhoBeganThere() throws {
    try fill()
    let third = try joining()
    circle.onReply(to: third, where: Self.isRecords) { [hub] in
      hub.restore(.items, before: 3)
    }
    try third.synchronize()
    guard case .hubRolledBack = third.replica?.alarm else {
      Issue.record("it is \(String(describing: third.replica?.alarm))")
      return
    }
  }
}

extension SyncDevice {
  /// A checkpoint that says something else, signed by this device all the same.
  fileprivate func signed(_ checkpoint: ZoneCheckpoint) throws -> ZoneCheckpoint {
    var signed = checkpoint
    signed.signature = try #require(synchronizer?.secrets.signer.sign(checkpoint.signed))
    return signed
  }
}
