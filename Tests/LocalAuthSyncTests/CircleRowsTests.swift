import LocalAuthCore
import Testing

@testable import LocalAuthSync

@Suite struct CircleRowsTests {
  private func fixture() throws -> (CircleFixture, RowStore) {
    var fixture = try CircleFixture()
    var store = RowStore()
    store.apply(fixture.log.changes(appended: fixture.entries))
    for joiner in 1..<4 {
      try fixture.add(joiner, by: 0)
      store.apply(fixture.log.changes(appended: fixture.entries.suffix(1)))
    }
    try fixture.append(.roll(.items, epoch: 1, shares: .none), by: 0)
    try fixture.append(.remove(CircleFixture.peer(2), cuts: []), by: 1)
    store.apply(fixture.log.changes(appended: fixture.entries.suffix(2)))
    return (fixture, store)
  }

  @Test func theLogReadsAsItWas() throws {
    let (fixture, store) = try fixture()
    #expect(CircleLog(rows: store.rows, World.ports) == fixture.log)
    #expect(CircleLog(rows: [], World.ports) == CircleLog())
    #expect(fixture.log.changes(appended: []).isEmpty)
  }

  @Test func aLogIsVerifiedAgainAndHasNoGap() throws {
    let rows = try fixture().1.rows
    for (index, row) in rows.enumerated() {
      var missing = rows
      missing.remove(at: index)
      #expect(CircleLog(rows: missing, World.ports) == nil, "\(row.key)")
      #expect(CircleLog(rows: rows + [row], World.ports) == nil, "\(row.key)")
      for place in row.value.indices {
        var (changed, cut) = (rows, rows)
        var value = row.value
        value[place] ^= 1
        changed[index] = SyncRow(row.key, value)
        #expect(CircleLog(rows: changed, World.ports) == nil, "\(row.key), byte \(place)")
        cut[index] = SyncRow(row.key, Array(row.value[..<place]))
        #expect(CircleLog(rows: cut, World.ports) == nil, "\(row.key), \(place) bytes")
      }
    }
  }

  private func book(_ devices: [Int], _ circle: CircleLog) throws -> HeartbeatBook {
    var book = HeartbeatBook()
    for device in devices {
      var heartbeat = try #require(
        Heartbeat(
          circle: circle.circle,
          author: CircleFixture.peer(device),
          time: WallInstant(milliseconds: Int64(device + 100)),
          circleHead: circle.head,
          heads: [ZoneHead(.items, ChainPlace(number: 9, digest: CircleFixture.digest(9)))],
          acknowledged: [UInt64(device)]
        )
      )
      heartbeat.signature = ModelSigner(device).sign(heartbeat.signed) ?? []
      try book.hear(heartbeat, in: circle, World.ports)
    }
    return book
  }

  @Test func whatWasHeardReadsAsItWasAlsoOfADeviceThatLeft() throws {
    var (fixture, _) = try fixture()
    let old = try book([0, 1], fixture.log)
    let new = try book([0, 1, 3], fixture.log)
    var store = RowStore(old.rows)
    let changes = new.changes(from: old)
    #expect(changes.count == 2, "the heartbeat, and how many there are")
    store.apply(changes)
    try fixture.append(.remove(CircleFixture.peer(3), cuts: []), by: 0)
    #expect(HeartbeatBook(rows: store.rows, in: fixture.log, World.ports) == new)
    #expect(HeartbeatBook(rows: [], in: fixture.log, World.ports) == HeartbeatBook())
  }

  @Test func heartbeatsAreVerifiedAgain() throws {
    let (fixture, _) = try fixture()
    let rows = try book([0, 1, 3], fixture.log).rows
    func read(_ rows: [SyncRow]) -> HeartbeatBook? {
      HeartbeatBook(rows: rows, in: fixture.log, World.ports)
    }
    #expect(read(rows) != nil)
    for (index, row) in rows.enumerated() {
      var missing = rows
      missing.remove(at: index)
      #expect(read(missing) == nil)
      #expect(read(rows + [row]) == nil)
      for place in row.value.indices {
        var (changed, cut) = (rows, rows)
        var value = row.value
        value[place] ^= 1
        changed[index] = SyncRow(row.key, value)
        #expect(read(changed) == nil, "\(row.key), byte \(place)")
        cut[index] = SyncRow(row.key, Array(row.value[..<place]))
        #expect(read(cut) == nil, "\(row.key), \(place) bytes")
      }
    }
    #expect(HeartbeatBook(rows: rows, in: CircleLog(), World.ports) == nil)
  }
}

@Suite struct SyncRowKeyTests {
  /// Names of which one begins as another does, or has bytes that could pass for an end.
  private let zones = ["a", "a\0", "a\0b", "ab", "b", "items", "kv:\u{1}", "é", "\u{10FFFF}"]
    .compactMap { ZoneName($0) }

  private var keys: [SyncRow.Key] {
    let numbers: [UInt64] = [0, 1, 255, 256, .max]
    let peers = numbers.map { PeerIdentifier(high: $0, low: 7) }
    return SyncRow.Kind.allCases.flatMap { kind -> [SyncRow.Key] in
      (kind.isOfZone ? zones.map { Optional($0) } : [nil]).flatMap { zone -> [SyncRow.Key] in
        switch kind.form {
        case .one: [SyncRow.Key(kind, zone)]
        case .number: numbers.map { SyncRow.Key(kind, zone, .number($0)) }
        case .name: World.names.map { SyncRow.Key(kind, zone, .name($0)) }
        case .peer: peers.map { SyncRow.Key(kind, zone, .peer($0)) }
        case .content:
          World.names.map { SyncRow.Key(kind, zone, .content($0, $0.digest)) }
        }
      }
    }
  }

  @Test func keysAreOrderedByKindThenZoneThenNumberOrName() {
    #expect(zones.count == 9 && zones == zones.sorted())
    let bytes = keys.map(\.bytes)
    for (left, right) in zip(bytes, bytes.dropFirst()) {
      #expect(left.lexicographicallyPrecedes(right))
    }
  }

  @Test func aKeyReadsAsItWasAndNothingElseDoes() {
    for key in keys {
      #expect(SyncRow.Key(key.bytes) == key)
      #expect(SyncRow.Key(key.bytes + [0]) == nil)
      for size in key.bytes.indices { #expect(SyncRow.Key(Array(key.bytes[..<size])) == nil) }
      let prefix = SyncRow.Key.prefix(key.kind, key.zone)
      for other in keys {
        let isOne = other.kind == key.kind && other.zone == key.zone
        #expect(other.bytes.starts(with: prefix) == isOne)
      }
    }
    #expect(SyncRow.Key([99, 0]) == nil)
    #expect(SyncRow.Key([SyncRow.Kind.zone.rawValue, 0]) == nil, "a zone's row names its zone")
    #expect(SyncRow.Key([SyncRow.Kind.circle.rawValue, 98, 0]) == nil)
    let long = [UInt8](repeating: 98, count: ZoneName.bytesMax + 1)
    #expect(SyncRow.Key([SyncRow.Kind.zone.rawValue] + long + [0]) == nil)
    #expect(SyncRow.Key([SyncRow.Kind.zone.rawValue, 255, 0]) == nil, "no UTF-8")
  }
}
