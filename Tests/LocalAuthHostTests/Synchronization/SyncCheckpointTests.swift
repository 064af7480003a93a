import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// Checkpoints between devices and their hub: who leaves them, and who begins at them.
@Suite struct SyncCheckpointTests {
  private let chain: LongChain
  private var hub: ModelHub { chain.hub }
  private var first: SyncDevice { chain.first }
  private var second: SyncDevice { chain.second }

  init() throws { chain = try LongChain() }

  // MARK: Leaving

  @Test func deviceWhoseEntryFillsAnIntervalLeavesACheckpoint() throws {
    try chain.fill(LongChain.interval - 1)
    #expect(chain.latest == nil && chain.asked(LongChain.isQuery) == 0)
    try chain.fill(1, from: LongChain.interval - 1)
    let word = try #require(chain.latest)
    #expect(word.place == hub.zones[.items]?.head)
    #expect(try word.author == first.identifier)
    #expect(chain.asked(LongChain.isPut) == 1)
    try chain.fill(LongChain.interval, from: LongChain.interval)
    #expect(chain.latest?.place.number == 2 * LongChain.interval)
    #expect(hub.zones[.items]?.checkpoints.count == 1)
  }

  @Test func checkpointIsThereBeforeTheOthersAreTold() throws {
    try chain.fill(LongChain.interval)
    let put = try #require(hub.requests.lastIndex(where: LongChain.isPut))
    let told = try #require(hub.requests.lastIndex(of: .tell))
    #expect(put < told)
  }

  @Test func roundsWithoutNewsAskForNoCheckpoint() throws {
    try chain.fill()
    try chain.circle.exchange()
    let before = hub.requests.count
    try chain.circle.exchange()
    let asked = hub.requests.dropFirst(before).filter { $0 != .heads }
    #expect(asked.isEmpty)
  }

  @Test func deviceThatWasKilledBeforeItsCheckpointIsStoodInFor() throws {
    let role = first.role
    hub.passage = { asking, request in
      asking == role && LongChain.isPut(request) ? .isLost : .arrives
    }
    try chain.fill(LongChain.interval)
    #expect(chain.latest == nil)
    try second.synchronize()
    #expect(try chain.latest?.author == second.identifier)
    #expect(chain.latest?.place == hub.zones[.items]?.head)
  }

  @Test func hubThatRefusesACheckpointTakesChangesAllTheSame() throws {
    hub.isOpenForCheckpoints = { _ in false }
    try chain.fill()
    #expect(try first.synchronize().failure == nil)
    // Once for each interval that went by.
    #expect(chain.asked(LongChain.isPut) == 2)
  }

  @Test func deviceAtTheSamePlaceNoticesACheckpointOfAnotherManifest() throws {
    try chain.fill(LongChain.interval)
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
    let words = try #require(chain.latest)
    #expect(words.author == word.author, "nobody else leaves one there")
  }

  // MARK: Beginning

  @Test func deviceThatJoinsBeginsAtTheCheckpoint() throws {
    try chain.fill()
    let before = hub.requests.count
    let third = try chain.joining()
    try third.synchronize()
    #expect(try chain.has(third))
    #expect(chain.pulls(since: before).min() == 2 * LongChain.interval)
    #expect(third.isQuiet(with: hub))
    #expect(third.replica?.chain.manifest == first.replica?.chain.manifest)
    try third.add("mine", "3")
    try third.synchronize()
    try second.synchronize()
    #expect(try second.get("mine") == "3")
  }

  @Test func whereNoCheckpointIsWholeTheChainIsPulledFromItsBeginning() throws {
    try chain.fill()
    for index in hub.zones[.items]?.checkpoints.indices ?? 0..<0 {
      hub.zones[.items]?.checkpoints[index].parts = [:]
    }
    let before = hub.requests.count
    let third = try chain.joining()
    try third.synchronize()
    #expect(try chain.has(third) && chain.pulls(since: before).min() == 0)
  }

  @Test func shortChainsArePulledWithoutAskingForACheckpoint() throws {
    try chain.fill(LongChain.interval - 1)
    let third = try chain.joining()
    try third.synchronize()
    #expect(try chain.has(third, LongChain.interval - 1) && chain.asked(LongChain.isQuery) == 0)
  }

  @Test func deviceThatIsKilledBetweenPagesGoesOnBehindTheLastOne() throws {
    try chain.fill()
    let third = try chain.joining()
    let role = third.role
    var pages = 0
    hub.passage = { asking, request in
      guard asking == role, LongChain.isRecords(request) else { return .arrives }
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
    #expect(try chain.has(third) && third.isQuiet(with: hub))
    let records = hub.requests.compactMap { request -> RecordName?? in
      if case .records(_, _, let after) = request { .some(after) } else { nil }
    }
    #expect(records.count { $0 == nil } == 1, "no page is asked for twice from the beginning")
  }

  @Test func whatIsChangedWhileADeviceBeginsArrives() throws {
    try chain.fill()
    let third = try chain.joining()
    chain.circle.onReply(to: third, where: LongChain.isRecords) {
      try first.update("item 1", "other")
      try first.delete("item 2")
      try first.synchronize()
    }
    try third.synchronize()
    #expect(try third.get("item 1") == "other" && third.get("item 2") == nil)
    #expect(third.replica?.alarm == nil && third.isQuiet(with: hub))
  }

  @Test func checkpointThatIsReplacedWhileItIsReadIsReadAnew() throws {
    try chain.fill()
    let third = try chain.joining()
    chain.circle.onReply(to: third, where: LongChain.isQuery) {
      try chain.fill(LongChain.interval, from: 2 * LongChain.interval + 1)
    }
    try third.synchronize()
    #expect(try chain.has(third, 3 * LongChain.interval + 1) && third.isQuiet(with: hub))
  }

  @Test func checkpointOfADeviceThatJoinedMeanwhileIsNoLie() throws {
    try chain.fill(LongChain.interval - 1)
    try second.synchronize()
    let third = try chain.joining()
    func isHeads(_ request: HubRequest) -> Bool { request == .heads }
    chain.circle.onReply(to: second, where: isHeads) {
      try third.synchronize()
      try third.add("mine", "3")
      try third.synchronize()
    }
    try second.synchronize()
    try second.synchronize()
    #expect(try chain.latest?.author == third.identifier)
    #expect(second.replica?.alarm == nil)
    #expect(try second.get("mine") == "3")
  }

  @Test func lockedDeviceBeginsAndOpensTheRestAtItsUnlock() throws {
    try chain.fill(3)
    try first.add("open", "o", accessible: .afterFirstUnlock)
    try first.synchronize()
    try first.settle(hub)
    try chain.fill(LongChain.interval, from: 3)
    let third = try chain.joining()
    hub.passage = { _, request in LongChain.isQuery(request) ? .isLost : .arrives }
    try third.synchronize()
    hub.passage = nil
    try third.lock()
    let report = try third.synchronize()
    #expect(report.zones.first { $0.name == .items }?.incoming == Int(3 + LongChain.interval))
    try third.unlock()
    try third.settle(hub)
    #expect(try chain.has(third, 3 + LongChain.interval) && third.get("open") == "o")
  }

  @Test func itemsThatADeviceHadBeforeAreMergedAndSent() throws {
    try chain.fill()
    let third = try SyncDevice(hub, in: chain.place.file("third"))
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
    for number in 0..<LongChain.interval {
      try second.add("item \(number)", "\(number)")
      try second.synchronize()
      try second.settle(hub)
    }
    try first.synchronize()
    let removed = try second.identifier
    #expect(chain.latest?.author == removed)
    try first.remove(removed)
    return removed
  }

  @Test func wordOfARemovedDeviceIsNoLieAndNobodyBeginsAtIt() throws {
    let role = second.role
    hub.isOpenForCheckpoints = { $0 == role }
    let removed = try removeAuthor()
    let before = hub.requests.count
    let third = try chain.joining()
    try third.synchronize()
    #expect(chain.latest?.author == removed && third.replica?.alarm == nil)
    #expect(try chain.has(third, LongChain.interval))
    #expect(chain.pulls(since: before).min() == 0)
  }

  @Test func removalHasAnotherDeviceLeaveACheckpoint() throws {
    let removed = try removeAuthor()
    try first.synchronize()
    let author = try first.identifier
    #expect(chain.latest?.author == author && author != removed)
  }
}
