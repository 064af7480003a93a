import LocalAuthCore
import Testing

@testable import LocalAuthSync

/// How far a removal lets a removed device's entries count where the hub is not believed.
@Suite struct ZoneSurveyTests {
  /// A hub with three entries of two devices.
  private func busyWorld() throws -> World {
    var world = World(.ascending)
    for event: Event in [
      .put(0, key: 0), .put(0, key: 1), .push(0, .never), .pull(1), .put(1, key: 0),
      .push(1, .never), .delete(1, key: 1), .push(1, .never),
    ] { try world.apply(event) }
    return world
  }

  private func page(
    _ entries: [ZoneEntry],
    of world: World,
    endingAt head: ChainPlace? = nil
  ) -> ZonePage {
    ZonePage(entries: entries, bodies: [:], head: head ?? world.hub.head)
  }

  /// The survey of these pages, and whether it asks for more behind each.
  private func surveyed(_ pages: [ZonePage], in world: World) -> (ZoneSurvey, [Bool]) {
    let circle = world.devices[2].circle
    var survey = ZoneSurvey(of: .items, in: circle)
    let hasMore = pages.map { survey.take($0, in: circle, World.ports) }
    return (survey, hasMore)
  }

  @Test func whatMembersSignedIsSurveyedToItsEndWithoutItsBodies() throws {
    let world = try busyWorld()
    let (whole, _) = surveyed([page(world.hub.entries, of: world)], in: world)
    #expect(whole.isWhole && whole.end == world.hub.head && whole.zone == .items)
    let pages = world.hub.entries.map { page([$0], of: world) }
    let (paged, hasMore) = surveyed(pages, in: world)
    #expect(paged == whole && hasMore == [true, true, false])
  }

  @Test func aZoneWithoutEntriesIsWholeAtItsBeginning() throws {
    let world = World(.ascending)
    let (empty, hasMore) = surveyed([page([], of: world)], in: world)
    #expect(empty.isWhole && empty.end == .beginning && hasMore == [false])
  }

  @Test func whatNobodyMayHaveSignedEndsItAndNotWhatIsBeforeThat() throws {
    let world = try busyWorld()
    var entries = world.hub.entries
    entries[2].signature[0] ^= 1
    let (survey, hasMore) = surveyed([page(entries, of: world)], in: world)
    #expect(!survey.isWhole && survey.end == world.hub.places[2] && hasMore == [false])
  }

  @Test func aHubThatKeepsItsEndBackIsNotAskedForEver() throws {
    let world = try busyWorld()
    let far = ChainPlace(number: 9, digest: CircleFixture.digest(9))
    let pages = [
      page(world.hub.entries, of: world, endingAt: far), page([], of: world, endingAt: far),
    ]
    let (survey, hasMore) = surveyed(pages, in: world)
    #expect(!survey.isWhole && survey.end == world.hub.head && hasMore == [true, false])
  }

  @Test func whatIsNoEntryEndsItToo() throws {
    let world = try busyWorld()
    let far = ChainPlace(number: 9, digest: CircleFixture.digest(9))
    let pages = [world.hub.entries, []].map {
      ZonePage(entries: $0, bodies: [:], head: far, isCutShort: true)
    }
    let (survey, hasMore) = surveyed(pages, in: world)
    #expect(!survey.isWhole && survey.end == world.hub.head && hasMore == [true, false])
  }

  @Test func aRemovalCutsWhereTheHubIsNotBelievedAtTheEndOfTheSurvey() throws {
    var world = try busyWorld()
    try world.apply(.pull(2))
    var zones = SyncedZones()
    zones[.items] = world.devices[2].replica
    #expect(zones.doubted.isEmpty && zones.cuts([:]) == [ZoneHead(.items, world.hub.head)])
    // The hub is restored, and another device goes on.
    let lost = world.hub.head
    let earlier = world.hub.places[1]
    #expect(throws: HubAlarm.hubRolledBack(verified: lost, offered: earlier)) {
      try world.take(ZoneAnswer(entries: [], bodies: [:], head: earlier), 2)
    }
    zones[.items] = world.devices[2].replica
    #expect(zones.doubted == [.items] && zones.haveLostEntries)
    let restored = page(Array(world.hub.entries.prefix(1)), of: world, endingAt: earlier)
    let (survey, _) = surveyed([restored], in: world)
    #expect(zones.cuts([.items: survey]) == [ZoneHead(.items, earlier)])
  }
}
