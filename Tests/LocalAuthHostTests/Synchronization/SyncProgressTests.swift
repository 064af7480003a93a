import LocalAuthCore
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// What a person is told of a zone while it comes.
@Suite struct SyncProgressTests {
  private let place = ScratchDirectory()

  /// Has requests of a device's that are meant wait, until the hub is let go on.
  private func hold(
    _ device: SyncDevice,
    at hub: ModelHub,
    _ isMeant: @escaping (HubRequest) -> Bool
  ) {
    let role = device.role
    hub.passage = { asking, request in asking == role && isMeant(request) ? .waits : .arrives }
  }

  private func zone(_ name: ZoneName = .items, of device: SyncDevice) throws -> SyncReport.Zone {
    try #require(try device.report().zones.first { $0.name == name })
  }

  /// Begins a round, as far as the hub lets it come.
  private func begin(_ device: SyncDevice, _ hub: ModelHub) throws {
    device.engine.synchronize(device.callerDevice) { _ in }
    try device.settle(hub)
  }

  private static func isPull(_ zone: ZoneName = .items) -> (HubRequest) -> Bool {
    { if case .zonePull(zone, _, _) = $0 { true } else { false } }
  }

  @Test func zoneThatComesIsCountedUpToWhatMembersSigned() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try circle.exchange()
    let before = try zone(of: second).head.number
    for name in ["a", "b", "c"] {
      try first.add(name)
      try first.synchronize()
    }
    first.clock.pass(.seconds(16 * 60))
    try first.synchronize()
    second.clock.pass(.seconds(60))
    hold(second, at: circle.hub, Self.isPull())
    try begin(second, circle.hub)
    let coming = try zone(of: second)
    let progress = try #require(coming.progress)
    #expect(progress.entries == before && progress.allEntries == before + 3)
    #expect(!progress.isHubsWord && coming.alarm == nil && coming.arrival == nil)
    circle.hub.passage = nil
    _ = circle.hub.release(try #require(second.role), as: .arrives)
    try second.settle(circle.hub)
    let done = try zone(of: second)
    #expect(done.progress == nil && done.claimed == nil && done.head.number == before + 3)
  }

  @Test func hubThatSaysTooMuchBeginsNoAlarmAndNoEndlessWait() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try circle.exchange()
    try first.add("a")
    try first.synchronize()
    circle.hub.lie = { _, _, reply in
      switch reply {
      case .heads(let heads):
        let zones = heads.zones.map {
          ZoneHead($0.zone, ChainPlace(number: 1 << 40, digest: $0.place.digest))
        }
        return .heads(HubHeads(circle: heads.circle, zones: zones, time: heads.time))
      case .zone(let page):
        let far = ChainPlace(number: 1 << 40, digest: page.head.digest)
        return .zone(ZonePage(entries: page.entries, bodies: page.bodies, head: far))
      default: return reply
      }
    }
    hold(second, at: circle.hub, Self.isPull())
    try begin(second, circle.hub)
    let progress = try #require(try zone(of: second).progress)
    #expect(progress.allEntries == 1 << 40 && progress.isHubsWord)
    circle.hub.passage = nil
    _ = circle.hub.release(try #require(second.role), as: .arrives)
    try second.synchronize()
    #expect(try second.report().zones.allSatisfy { $0.progress == nil && $0.alarm == nil })
    #expect(try second.get("a") == "secret")
  }

  /// What a member signed stays to be said, as a doubt.
  @Test func hubThatHoldsBackIsNotSaidToHaveShownAll() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try circle.exchange()
    let old = circle.hub.zones[.items]
    try first.add("a")
    try first.synchronize()
    first.clock.pass(.seconds(16 * 60))
    try first.synchronize()
    second.clock.pass(.seconds(60))
    circle.hub.zones[.items] = old
    try second.synchronize()
    let zone = try zone(of: second)
    #expect(zone.progress == nil && zone.alarm == nil && zone.claimed == zone.head.number + 1)
  }

  /// It begins anew with the next round.
  @Test func pullThatIsCutOffIsSaidToBeOnItsWay() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try circle.exchange()
    try first.add("a")
    try first.synchronize()
    let role = second.role
    circle.hub.passage = { asking, request in
      asking == role && Self.isPull()(request) ? .isLost : .arrives
    }
    let report = try second.synchronize()
    #expect(report.failure != nil)
    let progress = try #require(report.zones.first { $0.name == .items }?.progress)
    #expect(progress.entries + 1 == progress.allEntries && progress.isHubsWord)
    circle.hub.passage = nil
    #expect(try second.synchronize().zones.allSatisfy { $0.progress == nil })
  }

  @Test func recordsOfACheckpointAreCountedAlsoAfterAStart() throws {
    let chain = try LongChain()
    try chain.fill()
    let third = try chain.joining()
    hold(third, at: chain.hub, LongChain.isRecords)
    let role = try #require(third.role)
    try begin(third, chain.hub)
    let all = 2 * Int(LongChain.interval)
    func records() throws -> [Int]? {
      try zone(of: third).progress?.records.map { [$0.count, $0.all] }
    }
    #expect(try records() == [0, all])
    _ = chain.hub.release(role, as: .arrives)
    try third.settle(chain.hub)
    #expect(try records() == [2, all])
    chain.hub.forget(role)
    try third.restart()
    try third.settle(chain.hub)
    #expect(try records() == [2, all])
    chain.hub.passage = nil
    _ = chain.hub.release(role, as: .arrives)
    try third.synchronize()
    #expect(try zone(of: third).progress == nil && chain.has(third))
  }

  // MARK: Documents

  @Test func bytesOfDocumentsAreCountedWhileTheyCome() throws {
    let circle = try SyncCircle("first", "second", checkpointInterval: 2, in: place)
    let (first, second, hub) = (circle.devices[0], circle.devices[1], circle.hub)
    hub.recordsAtOnce = 2
    let bytes = DocumentTests.bytes(5 * DocumentChunk.size + 7)
    try first.put("film", bytes)
    try first.synchronize()
    try first.put("song", text: "la")
    try first.synchronize()
    try #require(hub.checkpoint(of: .documents) != nil)
    hold(second, at: hub, LongChain.isRecords)
    try begin(second, hub)
    let role = try #require(second.role)
    var last: UInt64 = 0
    while let arrival = try zone(.documents, of: second).arrival {
      #expect(arrival.bytes >= last)
      last = arrival.bytes
      // Which record comes first follows from its name, which no test chooses.
      let isMissed = try second.documents().contains { !$0.isComplete }
      #expect(arrival.all.map { $0 > last && $0 <= UInt64(bytes.count + 2) } ?? !isMissed)
      try #require(hub.release(role, as: .arrives))
      try second.settle(hub)
    }
    #expect(last > 0)
    hub.passage = nil
    try second.synchronize()
    #expect(try second.document("film") == bytes)
    #expect(try zone(.documents, of: second).arrival == nil)
  }
}
