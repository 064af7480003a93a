import Testing

@testable import LocalAuthSQLite

/// Somebody who asks for locks, which it shares with others.
private final class LockHolder {
  private final class Tables {
    var database = DatabaseLocks()
    var index = IndexLocks()
  }

  private let tables: Tables

  private init(_ tables: Tables) { self.tables = tables }

  static func two() -> (LockHolder, LockHolder) {
    let tables = Tables()
    return (LockHolder(tables), LockHolder(tables))
  }

  private var own: ObjectIdentifier { ObjectIdentifier(self) }

  var level: DatabaseLocks.Level { tables.database.level(of: own) }
  var isReserved: Bool { tables.database.isReserved }
  func raise(_ level: DatabaseLocks.Level) -> Bool { tables.database.raise(own, to: level) }
  func lower(_ level: DatabaseLocks.Level) { tables.database.lower(own, to: level) }
  func share(_ range: Range<Int>) -> Bool { tables.index.share(range, own) }
  func take(_ range: Range<Int>) -> Bool { tables.index.take(range, own) }
  func release(_ range: Range<Int>) { tables.index.release(range, own) }
}

/// The rules of SQLite for who may read and write a database.
@Suite struct DatabaseLocksTests {
  @Test func manyReadWhileOnePrepares() {
    let (first, second) = LockHolder.two()
    #expect(first.raise(.shared) && second.raise(.shared))
    #expect(first.raise(.reserved) && first.isReserved)
    #expect(!second.raise(.reserved))
    second.lower(.none)
    #expect(second.raise(.shared), "whoever prepares lets others read")
  }

  @Test func whoeverWaitsToWriteKeepsNewReadersOut() {
    let (first, second) = LockHolder.two()
    #expect(first.raise(.shared) && second.raise(.shared))
    #expect(first.raise(.reserved))
    #expect(!first.raise(.exclusive))
    #expect(first.level == .pending)
    second.lower(.none)
    #expect(!second.raise(.shared))
    #expect(first.raise(.exclusive))
    first.lower(.shared)
    #expect(second.raise(.shared) && !first.isReserved)
  }

  @Test func writerKeepsEverybodyElseOut() {
    let (first, second) = LockHolder.two()
    #expect(first.raise(.shared) && first.raise(.exclusive))
    for level in [DatabaseLocks.Level.shared, .reserved, .exclusive] {
      #expect(!second.raise(level))
    }
    first.lower(.none)
    #expect(second.raise(.shared) && second.raise(.reserved))
  }

  @Test func nobodyWaitsToWriteWhileAnotherPrepares() {
    let (first, second) = LockHolder.two()
    #expect(first.raise(.shared) && second.raise(.shared) && first.raise(.reserved))
    #expect(!second.raise(.exclusive))
    #expect(second.level == .shared, "or both would wait for each other")
  }

  @Test func lowerNeverRaises() {
    let (first, _) = LockHolder.two()
    #expect(first.raise(.shared))
    first.lower(.exclusive)
    #expect(first.level == .shared)
  }
}

/// The rules of SQLite for the places of a log's index.
@Suite struct IndexLocksTests {
  @Test func placeIsForManyOrForOneAlone() {
    let (first, second) = LockHolder.two()
    #expect(first.share(3..<4) && second.share(3..<4))
    #expect(!first.take(3..<4))
    second.release(3..<4)
    #expect(first.take(3..<4) && first.take(1..<2))
    #expect(!second.take(1..<2))
    #expect(!second.share(3..<4) && !second.take(3..<4))
    second.release(3..<4)
    #expect(!second.share(3..<4), "it is not the second's to give back")
    first.release(3..<4)
    #expect(second.share(3..<4))
  }

  @Test func rangeIsTakenAsAWholeOrNotAtAll() {
    let (first, second) = LockHolder.two()
    #expect(second.share(5..<6))
    #expect(!first.take(0..<8))
    for place in 0..<8 where place != 5 {
      #expect(second.take(place..<(place + 1)), "\(place) was taken in part")
    }
  }
}
