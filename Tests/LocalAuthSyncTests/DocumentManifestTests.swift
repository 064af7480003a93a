import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

/// Devices that change one document and meet at a hub, with a witness that no machine reads.
private struct DocumentWorld {
  struct Copy: Equatable {
    var version: RecordVersion
    var manifest: DocumentManifest
  }

  static let name = DocumentName("notes/today.txt")
  var copies: [Copy?] = [nil, nil, nil]
  var counts: [UInt64] = [0, 0, 0]
  var hub: Copy?
  var clock: Int64 = 0
  /// What was written, and what somebody replaced or removed.
  var written: Set<VersionVector.Dot> = []
  var gone: Set<VersionVector.Dot> = []
  /// What stands because each of two devices removed all that the other had left.
  var revived: Set<VersionVector.Dot> = []

  static func content(_ dot: VersionVector.Dot) -> SyncDigest {
    let bytes = ModelHash().sha256(of: ModelHash.bytes(dot.peer.high) + ModelHash.bytes(dot.count))
    return SyncDigest(bytes) ?? .none
  }

  private mutating func dot(_ device: Int) -> VersionVector.Dot {
    counts[device] += 1
    return VersionVector.Dot(World.peers[device], counts[device])
  }

  /// Puts a manifest as a change of the device's.
  private mutating func put(
    _ manifest: DocumentManifest,
    _ dot: VersionVector.Dot,
    _ device: Int
  ) {
    var vector = copies[device]?.version.vector ?? VersionVector()
    vector.add(dot)
    clock += 1
    let version = RecordVersion(
      identifier: World.identifier,
      isTombstone: false,
      modified: WallInstant(milliseconds: clock),
      keyClass: .afterFirstUnlock,
      content: Self.content(dot),
      made: dot,
      vector: vector
    )
    copies[device] = Copy(version: version, manifest: manifest)
  }

  mutating func write(_ device: Int) throws {
    let dot = dot(device)
    let version = try #require(
      DocumentContent(
        date: WallInstant(milliseconds: clock),
        size: 1,
        chunks: [Self.content(dot)]
      ).flatMap { DocumentVersion(made: dot, $0) }
    )
    written.insert(dot)
    guard var manifest = copies[device]?.manifest else {
      return put(DocumentManifest(try #require(Self.name), version), dot, device)
    }
    gone.insert(manifest.current.made)
    let isWritten = manifest.write(version)
    #expect(isWritten)
    put(manifest, dot, device)
  }

  /// Settles one of the conflicts that a device shows.
  mutating func settle(_ device: Int, _ random: inout SeededGenerator) {
    guard var manifest = copies[device]?.manifest,
      let other = manifest.others.randomElement(using: &random)
    else { return }
    let isSettled: Bool
    switch Int.random(in: 0..<3, using: &random) {
    case 0: isSettled = manifest.choose(other.made)
    case 1: isSettled = manifest.resolve(other.made)
    default:
      isSettled = manifest.remove(other.made)
      gone.insert(other.made)
    }
    #expect(isSettled)
    put(manifest, dot(device), device)
  }

  /// Merges what the hub has, as a replica does, and sends what stands.
  mutating func synchronize(_ device: Int) {
    defer { hub = copies[device] }
    guard let theirs = hub else { return }
    guard let mine = copies[device] else {
      copies[device] = theirs
      return
    }
    let next = VersionVector.Dot(World.peers[device], counts[device] + 1)
    let horizon = TimeHorizon(WallInstant(milliseconds: clock))
    let merged = ZoneMerge.merge(mine.version, with: theirs.version, horizon, resolving: next)
    if merged.winner.vector[next.peer] == next.count { counts[device] = next.count }
    let (winner, loser) = merged.origin == .local ? (mine, theirs) : (theirs, mine)
    copies[device] = Copy(version: merged.winner, manifest: winner.manifest)
    guard mine.version.vector.relation(to: theirs.version.vector) == .concurrent else { return }
    let manifest = winner.manifest.merged(
      knowing: winner.version.vector,
      over: loser.manifest,
      knowing: loser.version.vector
    )
    let made = manifest.current.made
    if loser.version.vector.knows(made),
      !loser.manifest.versions.contains(where: { $0.made == made })
    {
      revived.insert(made)
    }
    if manifest != winner.manifest { put(manifest, dot(device), device) }
  }
}

@Suite struct DocumentManifestTests {
  private static let name = DocumentName("a")
  private static let horizon = TimeHorizon(WallInstant(milliseconds: 100))

  private func version(
    _ peer: Int,
    _ count: UInt64,
    chunks: [UInt8] = [1],
    date: Int64 = 0
  ) throws -> DocumentVersion {
    try #require(
      DocumentContent(
        date: WallInstant(milliseconds: date),
        size: UInt64(chunks.count * DocumentChunk.size),
        chunks: chunks.map { CircleFixture.digest($0) }
      ).flatMap { DocumentVersion(made: VersionVector.Dot(World.peers[peer], count), $0) }
    )
  }

  private func vector(_ dots: (Int, UInt64)...) -> VersionVector {
    var vector = VersionVector()
    for (peer, count) in dots { vector.add(VersionVector.Dot(World.peers[peer], count)) }
    return vector
  }

  @Test func whateverTheOrderNothingIsLostAndNothingComesBack() throws {
    var random = SeededGenerator.ofThisRun
    var (conflicts, exact) = (0, 0)
    for _ in 0..<400 {
      var world = DocumentWorld()
      for _ in 0..<40 {
        let device = Int.random(in: 0..<3, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: try world.write(device)
        case 2: world.settle(device, &random)
        default: world.synchronize(device)
        }
        conflicts += world.copies[device]?.manifest.others.count ?? 0
      }
      for _ in 0..<2 { for device in 0..<3 { world.synchronize(device) } }
      let manifests = world.copies.map { $0?.manifest }
      #expect(Set(manifests).count == 1, "seed \(random.seed)")
      let left = Set(manifests.compactMap { $0 }.flatMap(\.versions).map(\.made))
      let expected = world.written.subtracting(world.gone)
      #expect(left.isSuperset(of: expected), "seed \(random.seed)")
      #expect(left.subtracting(expected).isSubset(of: world.revived), "seed \(random.seed)")
      exact += left == expected ? 1 : 0
    }
    #expect(conflicts > 1_000 && exact > 380)
  }

  @Test func theLoserBecomesAConflictUntilItIsRemoved() throws {
    let name = try #require(Self.name)
    let (mine, theirs) = (try version(0, 2, chunks: [1]), try version(1, 2, chunks: [2]))
    var manifest = DocumentManifest(name, mine).merged(
      knowing: vector((0, 2)),
      over: DocumentManifest(name, theirs),
      knowing: vector((1, 2))
    )
    #expect(manifest.current == mine && manifest.others == [theirs] && manifest.hasConflict)
    #expect(manifest.chunks == Set(mine.content.chunks + theirs.content.chunks))
    let isResolved = manifest.resolve(theirs.made)
    #expect(isResolved && !manifest.hasConflict)
    #expect(manifest.others.count == 1, "it stays until it is removed")
    let isChosen = manifest.choose(theirs.made)
    #expect(isChosen && manifest.current.made == theirs.made && !manifest.current.isResolved)
    #expect(manifest.others == [mine] && manifest.hasConflict)
    let isRemoved = manifest.remove(mine.made)
    #expect(isRemoved && manifest.others.isEmpty)
    let again = [
      manifest.remove(mine.made), manifest.choose(mine.made), manifest.resolve(mine.made),
      manifest.write(theirs),
    ]
    #expect(again == [false, false, false, true])
  }

  @Test func whatTheWinnerReplacedInKnowledgeIsNoConflict() throws {
    let name = try #require(Self.name)
    let (old, new) = (try version(0, 1), try version(1, 1, chunks: [2]))
    let merged = DocumentManifest(name, new).merged(
      knowing: vector((0, 1), (1, 1)),
      over: DocumentManifest(name, old),
      knowing: vector((0, 1), (2, 4))
    )
    #expect(merged == DocumentManifest(name, new))
    // The record wins whose content the other replaced: a removal is later than a new content.
    let other = DocumentManifest(name, old).merged(
      knowing: vector((0, 1), (2, 4)),
      over: DocumentManifest(name, new),
      knowing: vector((0, 1), (1, 1))
    )
    #expect(other == DocumentManifest(name, new))
  }

  @Test func whereEachReplacedTheOthersTheLatestConflictStands() throws {
    let name = try #require(Self.name)
    let others = [try version(2, 1, chunks: [3], date: 5), try version(2, 2, chunks: [4], date: 9)]
    let mine = try #require(DocumentManifest(name, try version(0, 1), others: others))
    let theirs = DocumentManifest(name, try version(1, 1, chunks: [2]))
    let merged = mine.merged(
      knowing: vector((0, 1), (1, 1), (2, 2)),
      over: theirs,
      knowing: vector((0, 1), (1, 1))
    )
    #expect(merged.current == others[1] && merged.others == [others[0]])
  }

  @Test func twoThatWroteTheSameAreOneVersion() throws {
    let name = try #require(Self.name)
    let merged = DocumentManifest(name, try version(0, 1)).merged(
      knowing: vector((0, 1)),
      over: DocumentManifest(name, try version(1, 1)),
      knowing: vector((1, 1))
    )
    #expect(merged.others.isEmpty)
  }

  @Test func whoKnewTheCurrentVersionReplacesIt() throws {
    let name = try #require(Self.name)
    let (old, new) = (try version(0, 1, date: 9), try version(1, 1, chunks: [2], date: 3))
    let written = DocumentManifest(name, old).written(new, instead: [old.made], Self.horizon)
    #expect(written == DocumentManifest(name, new), "whatever the clocks say")
  }

  @Test func whoKnewAnotherVersionIsInConflictWithTheCurrentOne() throws {
    let name = try #require(Self.name)
    let current = try version(0, 5, date: 4)
    let cases: [(Int64, Set<VersionVector.Dot>)] = [
      (3, []), (4, []), (5, [try version(0, 4).made]),
    ]
    for (date, known) in cases {
      let new = try version(1, 1, chunks: [2], date: date)
      let written = DocumentManifest(name, current).written(new, instead: known, Self.horizon)
      let expected = date < 4 ? [current, new] : [new, current]
      #expect(written.versions == expected, "the later one stands, and the other is kept")
    }
    let same = try version(1, 1, date: 1)
    let written = DocumentManifest(name, current).written(same, instead: [], Self.horizon)
    #expect(written.versions == [same], "the same bytes are no conflict")
  }

  @Test func aClockThatIsADayAheadOfAllOthersIsNotTheLaterOne() throws {
    let name = try #require(Self.name)
    let ahead = TimeHorizon.aheadMax + 10
    let (early, present) = (try version(0, 1, date: ahead), try version(1, 1, chunks: [2], date: 3))
    let horizon = TimeHorizon(WallInstant(milliseconds: 5))
    let written = DocumentManifest(name, early).written(present, instead: [], horizon)
    #expect(written.versions == [present, early])
    let other = DocumentManifest(name, present).written(early, instead: [], horizon)
    #expect(other.versions == [present, early])
    let removed = try version(2, 1, chunks: [3], date: 1)
    let manifest = try #require(DocumentManifest(name, removed, others: [early, present]))
    #expect(manifest.removing([removed.made], horizon)?.current == present)
  }

  @Test func onlyWhatWasSeenIsRemoved() throws {
    let name = try #require(Self.name)
    let others = [try version(1, 1, chunks: [2], date: 5), try version(2, 1, chunks: [3], date: 9)]
    let current = try version(0, 1, date: 7)
    let manifest = try #require(DocumentManifest(name, current, others: others))
    #expect(manifest.removing([current.made], Self.horizon)?.versions == [others[1], others[0]])
    #expect(manifest.removing([others[1].made], Self.horizon)?.versions == [current, others[0]])
    #expect(manifest.removing([], Self.horizon) == manifest)
    #expect(manifest.removing(Set(manifest.versions.map(\.made)), Self.horizon) == nil)
    let new = try version(0, 2, chunks: [4], date: 1)
    let written = manifest.written(new, instead: [current.made, others[0].made], Self.horizon)
    #expect(written.versions == [new, others[1]])
  }

  @Test func beyondTheLimitsTheOldestGoFirst() throws {
    let name = try #require(Self.name)
    func others(_ peer: Int) throws -> [DocumentVersion] {
      try (1...80).map { try version(peer, UInt64($0), chunks: [UInt8($0)], date: Int64($0)) }
    }
    let mine = try #require(
      DocumentManifest(name, try version(0, 900, chunks: [200]), others: try others(0))
    )
    let theirs = try #require(
      DocumentManifest(name, try version(1, 900, chunks: [201], date: 900), others: try others(1))
    )
    let merged = mine.merged(
      knowing: vector((0, 900)),
      over: theirs,
      knowing: vector((1, 900))
    )
    #expect(merged.current == mine.current)
    #expect(merged.others.count == DocumentManifest.othersMax)
    #expect(merged.others.contains { $0.made == theirs.current.made })
    #expect(merged.others.map(\.content.date.milliseconds).min() == 31)
    let whole = try version(2, 1, chunks: [UInt8](repeating: 1, count: DocumentChunk.countMax))
    let large = mine.merged(
      knowing: vector((0, 900)),
      over: DocumentManifest(name, whole),
      knowing: vector((2, 1))
    )
    #expect(large.versions.reduce(0) { $0 + $1.content.chunks.count } <= DocumentManifest.chunksMax)
    var full = DocumentManifest(name, whole)
    let second = try version(0, 1, chunks: [UInt8](repeating: 2, count: DocumentChunk.countMax))
    full = full.merged(
      knowing: vector((2, 1)),
      over: DocumentManifest(name, second),
      knowing: vector((0, 1))
    )
    #expect(full.others.isEmpty, "both together would not fit into a body")
    #expect(DocumentManifest(name, whole, others: [second]) == nil)
  }

  @Test func aNameLeadsOutOfNoFolder() {
    for good in ["a", "a/b.txt", "..a", "a..", ".hidden", "é/ü", "a b", "a\\b"] {
      #expect(DocumentName(good)?.text == good)
    }
    let long = String(repeating: "x", count: DocumentName.partMax)
    #expect(DocumentName(long) != nil && DocumentName(long + "x") == nil)
    #expect(DocumentName([long, long, long, long].joined(separator: "/")) != nil)
    #expect(DocumentName([long, long, long, long, "x"].joined(separator: "/")) == nil)
    for bad in [
      "", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\0b", "a\nb", "a\u{1B}[0m",
      "\u{7F}",
    ] {
      #expect(DocumentName(bad) == nil, "\(bad)")
    }
    #expect(DocumentName("\u{E9}") != DocumentName("e\u{301}"), "two names on the disk")
  }

  @Test func aChunkIsCountedForEachPiece() {
    let size = UInt64(DocumentChunk.size)
    let counts = [0, 1, size - 1, size, size + 1, 5 * size + 7].map { DocumentChunk.count(of: $0) }
    #expect(counts == [0, 1, 1, 1, 2, 6])
    #expect(DocumentChunk.count(of: .max) == UInt64.max / size + 1)
  }

  @Test func aVersionHasAChunkForEachPieceAndNoMoreThanADocumentMayHave() {
    let dot = VersionVector.Dot(World.peers[0], 1)
    func isOne(_ size: UInt64, _ count: Int, _ dot: VersionVector.Dot) -> Bool {
      let chunks = [SyncDigest](repeating: .none, count: count)
      let content = DocumentContent(date: World.beginning, size: size, chunks: chunks)
      return content.flatMap { DocumentVersion(made: dot, $0) } != nil
    }
    let size = UInt64(DocumentChunk.size)
    #expect(isOne(0, 0, dot) && isOne(size, 1, dot) && isOne(size + 1, 2, dot))
    #expect(!isOne(0, 1, dot) && !isOne(size, 2, dot) && !isOne(size + 1, 1, dot))
    #expect(isOne(4 << 30, DocumentChunk.countMax, dot))
    #expect(!isOne(4 << 30 + 1, DocumentChunk.countMax + 1, dot))
    #expect(!isOne(0, 0, VersionVector.Dot(World.peers[0], 0)))
  }
}
