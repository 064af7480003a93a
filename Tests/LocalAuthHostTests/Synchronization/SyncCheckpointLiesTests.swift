import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// A hub that lies to who begins at a checkpoint: nothing of it is taken, and everything comes once it is honest.
@Suite struct SyncCheckpointLiesTests {
  private let chain: LongChain
  private var hub: ModelHub { chain.hub }
  private var first: SyncDevice { chain.first }

  init() throws { chain = try LongChain() }

  private func expect(_ alarm: HubAlarm, _ lie: @escaping (HubRequest, HubReply) -> HubReply) throws
  {
    if hub.zones[.items]?.entries.isEmpty != false { try chain.fill() }
    let third = try chain.joining()
    let role = third.role
    hub.lie = { asking, request, reply in asking == role ? lie(request, reply) : reply }
    try third.synchronize()
    #expect(third.replica?.alarm == alarm)
    #expect(third.replica?.chain.head == .beginning && third.replica?.records.isEmpty == true)
    #expect(try !chain.has(third, 1))
    hub.lie = nil
    try third.repair()
    try third.synchronize()
    #expect(try chain.has(third, 2 * LongChain.interval) && third.isQuiet(with: hub))
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
      let fewer = part.lines.dropFirst().map { ($0.key, $0.value) }
      return .manifest(ManifestPart(Dictionary(uniqueKeysWithValues: fewer)))
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
    let number = 2 * LongChain.interval
    try chain.fill(number)
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
    try chain.fill()
    let third = try chain.joining()
    hub.lie = { _, request, reply in
      guard case .records(let bodies, let isLast) = reply else { return reply }
      return .records(bodies.mapValues { $0.dropLast() + [($0.last ?? 0) ^ 1] }, isLast: isLast)
    }
    try third.synchronize()
    #expect(third.replica?.alarm == .hubTampered(.body))
    #expect(third.replica?.records.isEmpty == true)
  }

  /// Whether the device is killed behind the last page, which says nothing of what is left out, or not.
  @Test(arguments: [false, true])
  func bodyThatIsLeftOutIsMissed(isKilled: Bool) throws {
    try chain.fill(2 * LongChain.interval)
    let third = try chain.joining()
    let role = third.role
    hub.lie = { _, request, reply in
      guard case .records(let bodies, let isLast) = reply else { return reply }
      let kept = bodies.sorted { $0.key < $1.key }.dropFirst(isLast ? 1 : 0)
      return .records(Dictionary(uniqueKeysWithValues: Array(kept)), isLast: isLast)
    }
    if isKilled {
      hub.passage = { asking, request in
        if asking == role, case .zonePull(.items, _, _) = request { .isLost } else { .arrives }
      }
    }
    try third.synchronize()
    hub.passage = nil
    if isKilled {
      #expect(third.replica?.alarm == nil && third.replica?.awaitsRecords == false)
      try third.restart()
      try third.synchronize()
    }
    #expect(third.replica?.alarm == .hubTampered(.missingBody))
    hub.lie = nil
    try third.repair()
    try third.synchronize()
    #expect(try chain.has(third, 2 * LongChain.interval) && third.isQuiet(with: hub))
  }

  @Test func hubThatGoesBackBehindTheCheckpointIsNoticedByWhoBeganThere() throws {
    try chain.fill()
    let third = try chain.joining()
    chain.circle.onReply(to: third, where: LongChain.isRecords) { [hub] in
      hub.restore(.items, before: 3)
    }
    try third.synchronize()
    guard case .hubRolledBack = third.replica?.alarm else {
      Issue.record("it is \(String(describing: third.replica?.alarm))")
      return
    }
  }
}
