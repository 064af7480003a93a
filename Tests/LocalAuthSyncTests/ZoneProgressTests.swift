import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthSync

/// What a person is told of a zone while it comes.
@Suite struct ZoneProgressTests {
  /// A device that was shown one of three entries.
  private static func world() throws -> World {
    var world = World(.ascending)
    try world.apply(.put(0, key: 0))
    try world.apply(.push(0, .never))
    try world.apply(.pull(1))
    for key in [1, 2] {
      try world.apply(.put(0, key: key))
      try world.apply(.push(0, .never))
    }
    return world
  }

  private static func progress(_ world: World, to end: OfferedEnd?) -> ZoneProgress? {
    ZoneProgress(of: world.devices[1].replica, to: end)
  }

  @Test func nothingIsOnItsWayWhereTheHubShowedAll() throws {
    var world = try Self.world()
    #expect(Self.progress(world, to: nil) == nil)
    #expect(Self.progress(world, to: .reached) == nil)
    try world.pull(1)
    #expect(Self.progress(world, to: .ahead(3)) == nil, "it came since")
  }

  @Test func whatOnlyTheHubSaysIsSaidToBeItsWord() throws {
    let progress = try #require(Self.progress(try Self.world(), to: .ahead(.max)))
    #expect(progress.entries == 1 && progress.allEntries == .max && progress.isHubsWord)
    #expect(progress.records == nil)
  }

  @Test(arguments: [nil, .ahead(2), .ahead(.max)] as [OfferedEnd?])
  func whatAMemberSignedComesBeforeWhatTheHubSays(_ end: OfferedEnd?) throws {
    var world = try Self.world()
    try world.devices[1].replica.hear(world.hub.head, from: World.peers[0])
    let progress = try #require(Self.progress(world, to: end))
    #expect(progress.entries == 1 && progress.allEntries == 3 && !progress.isHubsWord)
  }

  /// What members signed and the hub has not shown is a doubt then.
  @Test func hubThatShowsNoMoreHasNothingOnItsWay() throws {
    var world = try Self.world()
    try world.devices[1].replica.hear(world.hub.head, from: World.peers[0])
    #expect(Self.progress(world, to: .reached) == nil)
    #expect(world.devices[1].replica.chain.claimedNumber == 3)
  }

  @Test func zoneWhoseHubIsNotBelievedDoesNotCome() throws {
    var world = try Self.world()
    let fork = ChainPlace(number: 1, digest: CircleFixture.digest(9))
    #expect(throws: HubAlarm.self) {
      try world.devices[1].replica.hear(fork, from: World.peers[0])
    }
    #expect(Self.progress(world, to: .ahead(3)) == nil)
  }

  @Test func recordsOfACheckpointAreCountedUntilAllOfThemCame() throws {
    var world = try Self.world()
    try world.apply(.pull(0))
    let word = try #require(world.word(of: 0))
    let lines = world.devices[0].replica.chain.manifest.lines.mapValues { $0 }
    let circle = world.devices[2].circle
    try world.devices[2].replica.begin(at: word, lines, in: circle, World.ports)
    func progress(_ end: OfferedEnd?) -> ZoneProgress? {
      ZoneProgress(of: world.devices[2].replica, to: end)
    }
    #expect(progress(.reached)?.records == ZoneProgress.Records(count: 0, all: 3))
    #expect(progress(.reached)?.allEntries == 3 && progress(.reached)?.isHubsWord == false)
    #expect(progress(.ahead(7))?.allEntries == 7 && progress(.ahead(7))?.isHubsWord == true)
    let bodies = world.hub.bodies
    let keys = ModelKeys(access: world.devices[2].access)
    let page = bodies.filter { $0.key == World.names[0] }
    try world.devices[2].replica.takeRecords(page, isLast: false, keys, at: world.clock)
    #expect(progress(.reached)?.records == ZoneProgress.Records(count: 1, all: 3))
    let rest = bodies.filter { $0.key != World.names[0] }
    try world.devices[2].replica.takeRecords(rest, isLast: true, keys, at: world.clock)
    #expect(progress(.reached) == nil && progress(nil) == nil)
  }

  // MARK: Documents

  @Test func chunksThatAreNotHereAreMissingOnceEach() throws {
    let size = DocumentChunk.size
    let content = try #require(
      DocumentContent(
        date: World.beginning,
        size: UInt64(3 * size + 5),
        chunks: [1, 2, 2, 3].map { CircleFixture.digest($0) }
      )
    )
    var document = StoredDocument(try #require(DocumentName("film")))
    #expect(document.missingBytes == 0)
    let dot = VersionVector.Dot(World.peers[1], 1)
    let version = try #require(DocumentVersion(made: dot, content))
    _ = document.agree(on: DocumentManifest(document.name, version))
    #expect(document.missingBytes == UInt64(2 * size + 5))
    document.share(CircleFixture.digest(2), World.identifier)
    #expect(document.missingBytes == UInt64(size + 5))
    document.share(CircleFixture.digest(1), World.identifier)
    document.share(CircleFixture.digest(3), World.identifier)
    #expect(document.missingBytes == 0)
  }

  @Test func bytesOfDocumentsAreTheKnownOnesAlone() throws {
    let film = DocumentKey("local", try #require(DocumentName("film")))
    let song = DocumentKey("local", try #require(DocumentName("song")))
    var arrival = DocumentArrival()
    arrival.hear(10, missing: [:])
    #expect(arrival.bytes == 10 && arrival.all == nil)
    arrival.hear(0, missing: [film: 20, song: 5])
    #expect(arrival.bytes == 10 && arrival.all == 35)
    arrival.hear(20, missing: [film: 0])
    #expect(arrival.bytes == 30 && arrival.all == 35)
    arrival.hear(5, missing: [song: 0])
    #expect(arrival.bytes == 35 && arrival.all == nil)
  }
}
