import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

@Suite struct ZoneMergeTests {
  private static let now: Int64 = 1_000 * World.day
  private let horizon = TimeHorizon(WallInstant(milliseconds: Self.now))
  private let dot = VersionVector.Dot(World.peers[0], 99)

  /// A version by `author`, which knows these counts.
  private func version(
    _ author: Int,
    _ counts: [UInt64],
    at offset: Int64 = 0,
    content: UInt8? = nil,
    isTombstone: Bool = false,
    made: VersionVector.Dot? = nil
  ) -> RecordVersion {
    var vector = VersionVector()
    for (peer, count) in zip(World.peers, counts) where count > 0 {
      vector.add(VersionVector.Dot(peer, count))
    }
    return RecordVersion(
      identifier: World.identifier,
      isTombstone: isTombstone,
      modified: WallInstant(milliseconds: Self.now + offset),
      keyClass: .afterFirstUnlock,
      content: CircleFixture.digest(content ?? UInt8(author + 1)),
      made: made ?? VersionVector.Dot(World.peers[author], counts[author]),
      vector: vector
    )
  }

  private func merge(_ local: RecordVersion, _ remote: RecordVersion) -> MergedVersion {
    ZoneMerge.merge(local, with: remote, horizon, resolving: dot)
  }

  @Test func aDescendantWinsWhateverTheClocksSay() {
    let old = version(0, [1, 0, 0], at: 10 * World.hour)
    let new = version(1, [1, 1, 0], at: -400 * World.day)
    for merged in [merge(old, new), merge(new, old)] {
      #expect(merged.winner == new)
      #expect(merged.loser == nil)
    }
    #expect(!merge(old, new).mustPush)
    #expect(merge(new, old).mustPush)
  }

  @Test func ofConcurrentChangesTheLaterWinsAndKnowsBoth() {
    let early = version(0, [1, 0, 0])
    let late = version(1, [0, 1, 0], at: 1)
    let merged = merge(early, late)
    #expect(merged.winner.content == late.content)
    #expect(merged.winner.modified == late.modified)
    #expect(merged.winner.vector == version(0, [1, 1, 0]).vector)
    #expect(merged.loser == early)
    #expect(merged.mustPush)
  }

  @Test func ofEqualTimesTheSmallerDigestWins() {
    let small = version(0, [1, 0, 0], content: 3)
    let large = version(1, [0, 1, 0], content: 4)
    #expect(merge(small, large).winner.content == small.content)
    #expect(merge(large, small).winner.content == small.content)
  }

  @Test func aTombstoneIsAChangeLikeAnyOther() {
    let edit = version(0, [1, 0, 0])
    let tombstone = version(1, [0, 1, 0], at: 1, isTombstone: true)
    #expect(merge(edit, tombstone).winner.isTombstone)
    #expect(merge(edit, tombstone).loser == edit)
    let later = version(2, [0, 0, 1], at: 2)
    #expect(merge(later, tombstone).winner.content == later.content)
    #expect(merge(later, tombstone).loser == nil, "a tombstone has nothing to keep")
  }

  @Test func aClockADayAheadOfAllLosesConcurrently() {
    let ahead = version(0, [1, 0, 0], at: World.day + 1)
    let right = version(1, [0, 1, 0])
    #expect(merge(ahead, right).winner.content == right.content)
    #expect(merge(ahead, right).isClockDistrusted)
    let atLimit = version(0, [1, 0, 0], at: World.day)
    #expect(merge(atLimit, right).winner.content == atLimit.content)
    #expect(!merge(atLimit, right).isClockDistrusted)
    let both = version(1, [0, 1, 0], at: World.day + 2)
    #expect(merge(ahead, both).winner.content == both.content)
  }

  /// What the exploration found: joined vectors bring an older content back as if it were concurrent.
  @Test func aContentThatWasReplacedDoesNotComeBackWithAMerge() {
    let first = version(0, [1, 0, 0], at: World.hour, content: 1)
    let other = version(1, [0, 1, 0], content: 5)
    let mergedElsewhere = merge(other, first).winner
    let second = version(0, [2, 0, 0], content: 9)
    #expect(second.vector.relation(to: mergedElsewhere.vector) == .concurrent)
    #expect(merge(second, mergedElsewhere).winner.content == second.content)
    #expect(merge(mergedElsewhere, second).winner.content == second.content)
  }

  @Test func equalContentIsNoConflict() {
    let merged = merge(
      version(0, [1, 0, 0], content: 3),
      version(1, [0, 1, 0], at: 1, content: 3)
    )
    #expect(merged.loser == nil)
  }

  @Test func twoContentsNeverKeepOneVector() {
    let mine = version(0, [1, 1, 0], content: 1)
    let theirs = version(1, [1, 1, 0], content: 2)
    let kept = merge(mine, theirs)
    #expect(kept.winner.content == mine.content && kept.mustPush)
    #expect(kept.winner.vector.relation(to: theirs.vector) == .descends)
    let taken = merge(theirs, mine)
    #expect(taken.winner == mine && !taken.mustPush)
  }

  @Test func whoeverMergesTheSameGetsTheSame() {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<20_000 {
      func any(_ author: Int) -> RecordVersion {
        var counts = (0..<3).map { _ in UInt64.random(in: 0...2, using: &random) }
        counts[author] = max(counts[author], 1)
        return version(
          author,
          counts,
          at: Int64.random(in: -1...1, using: &random) * World.hour * 30,
          content: UInt8.random(in: 1...3, using: &random),
          isTombstone: Bool.random(using: &random)
        )
      }
      let (one, other) = (any(0), any(1))
      let (here, there) = (merge(one, other), merge(other, one))
      let why: Comment = "seed \(random.seed)"
      #expect(here.winner.content == there.winner.content, why)
      #expect(here.winner.isTombstone == there.winner.isTombstone, why)
      #expect(here.winner.vector.relation(to: one.vector) != .precedes, why)
      #expect(here.winner.vector.relation(to: other.vector) != .concurrent, why)
    }
  }

  @Test func theHorizonNeedsTwoVoices() {
    var horizon = TimeHorizon(WallInstant(milliseconds: 100))
    let far = WallInstant(milliseconds: 900 * World.day)
    horizon.hear(far, from: .peer(World.peers[0]))
    #expect(horizon.latest == WallInstant(milliseconds: 100))
    horizon.hear(WallInstant(milliseconds: 200), from: .peer(World.peers[1]))
    #expect(horizon.latest == WallInstant(milliseconds: 200))
    horizon.hear(far, from: .hub)
    #expect(horizon.latest == far)
    horizon.hear(WallInstant(milliseconds: 300), from: .hub)
    #expect(horizon.latest == far)
  }

  @Test func aDeviceThatJoinsAgainHasOneVoice() {
    var horizon = TimeHorizon(WallInstant(milliseconds: 100))
    let far = WallInstant(milliseconds: 900 * World.day)
    horizon.hear(far, from: .peer(World.peers[0]))
    horizon.forget(.peer(World.peers[0]))
    horizon.hear(far, from: .peer(World.peers[1]))
    #expect(horizon.latest == WallInstant(milliseconds: 100))
  }

  @Test func vectorsAreOrderedByWhatTheyKnow() {
    func vector(_ counts: [UInt64]) -> VersionVector { version(0, counts).vector }
    #expect(vector([1, 0, 0]).relation(to: vector([1, 0, 0])) == .equal)
    #expect(vector([2, 0, 0]).relation(to: vector([1, 0, 0])) == .descends)
    #expect(vector([1, 0, 0]).relation(to: vector([1, 1, 0])) == .precedes)
    #expect(vector([1, 0, 2]).relation(to: vector([1, 1, 1])) == .concurrent)
    var joined = vector([1, 0, 2])
    joined.join(vector([2, 1, 1]))
    #expect(joined == vector([2, 1, 2]))
  }

  @Test func losersStayForThirtyDays() {
    var shelf = ConflictShelf()
    let lost = version(0, [1, 0, 0])
    shelf.keep(lost, of: World.names[0], at: WallInstant(milliseconds: 0))
    shelf.keep(lost, of: World.names[0], at: WallInstant(milliseconds: 5))
    #expect(shelf.entries.count == 1)
    let limit = 30 * World.day
    #expect(shelf.expire(at: WallInstant(milliseconds: limit - 1)).isEmpty)
    #expect(shelf.expire(at: WallInstant(milliseconds: limit)).map(\.version) == [lost])
    #expect(shelf.entries.isEmpty)
  }

  @Test func aShelfKeepsWhatItHasByAnyTimeThatAHubSays() {
    var shelf = ConflictShelf()
    let lost = version(0, [1, 0, 0])
    shelf.keep(lost, of: World.names[0], at: WallInstant(milliseconds: 0))
    #expect(shelf.expire(at: WallInstant(milliseconds: .min)).isEmpty)
    #expect(shelf.expire(at: WallInstant(milliseconds: .max)).map(\.version) == [lost])
    shelf.keep(lost, of: World.names[0], at: WallInstant(milliseconds: .max))
    #expect(shelf.expire(at: WallInstant(milliseconds: .min)).isEmpty)
  }

  @Test func whatAPersonTakesLeavesTheShelf() {
    var shelf = ConflictShelf()
    let lost = version(0, [1, 0, 0])
    shelf.keep(lost, of: World.names[0], at: WallInstant(milliseconds: 0))
    #expect(shelf.take(World.names[1], content: lost.content) == nil)
    #expect(shelf.take(World.names[0], content: lost.content) == lost)
    #expect(shelf.entries.isEmpty)
  }
}
