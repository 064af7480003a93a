import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSync
import Testing

/// Bytes that a device leaves at a hub and that are nothing, on a real PostgreSQL: they keep nobody from the others' words.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubJunkTests {
  private let hub: HubDevice

  init() throws { hub = try HubDevice() }

  /// Calls functions as a device does that is its own program.
  private func call(
    _ script: String,
    as role: HubRole? = nil,
    _ password: HubPassword? = nil
  ) throws {
    let connection = try hub.server.connect(
      role ?? hub.role,
      (password ?? hub.password).text
    )
    try connection.runScript(script)
  }

  /// Another device of the circle.
  private func join(_ number: UInt8) throws -> (role: HubRole, password: HubPassword) {
    let (role, password) = (HubDevice.role(number), HubPassword.generate())
    let sponsor = try hub.client()
    try sponsor.invite(role, verifier: password.verifier(), offer: [])
    try hub.client(role, password.text).ask([1])
    try sponsor.admit(role, answer: [])
    return (role, password)
  }

  private static func push(
    _ text: String,
    behind place: ChainPlace,
    _ names: String = "'{}'",
    _ bodies: String = "'{}'"
  ) -> String {
    "select localauth.zone_push('items', \(place.number), '\\x\(hex(place.digest.bytes))', "
      + "decode(md5('\(text)'), 'hex'), '\(text)', \(names), \(bodies))"
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // MARK: Entries

  @Test func aPageEndsBeforeWhatIsNoEntryAndSaysSo() throws {
    let client = try hub.client()
    let entry = HubDevice.entry(
      [HubDevice.change(1, to: [7]), HubDevice.change(2, to: [8])],
      batch: 1
    )
    let place = entry.place(MessageHash())
    _ = try client.push(entry, [HubDevice.name(1): [7], HubDevice.name(2): [8]])
    // It brings another body of a record, too.
    let name = Self.hex(HubDevice.name(2).digest.bytes)
    try call(Self.push("x", behind: place, "array['\\x\(name)'::bytea]", "array['\\x09'::bytea]"))
    let spoiled = ChainPlace(number: 2, digest: MessageHash().digest(of: Array("x".utf8)))
    try call(Self.push("y", behind: spoiled))
    let head = ChainPlace(number: 3, digest: MessageHash().digest(of: Array("y".utf8)))
    let page = try client.pull(.items, after: 0)
    #expect(page.entries == [entry] && page.bodies == [HubDevice.name(1): [7]])
    #expect(page.head == head && page.isCutShort && !page.isLast)
    let next = try client.pull(.items, after: 1)
    #expect(next.entries.isEmpty && next.bodies.isEmpty && next.head == head && next.isCutShort)
    let limited = try client.pull(.items, after: 0, limit: 1)
    #expect(limited.entries == [entry] && !limited.isCutShort)
  }

  @Test func theWorkerStaysConnectedAndSaysSoToo() throws {
    try call(Self.push("x", behind: .beginning))
    let worker = try hub.worker()
    let head = ChainPlace(number: 1, digest: MessageHash().digest(of: Array("x".utf8)))
    let page = ZonePage(entries: [], bodies: [:], head: head, isCutShort: true)
    for _ in 0..<2 {
      #expect(try worker.ask(.zonePull(.items, after: 0, limit: 256)) == .zone(page))
    }
  }

  /// The hub counts bytes of entries and bodies, and names of records take room in a message, too.
  @Test func aPageOfManyEmptyBodiesIsNoLongerThanAMessage() throws {
    let client = try hub.client()
    let worker = try hub.worker()
    let hash = MessageHash()
    var place = ChainPlace.beginning
    for batch in UInt64(0)..<140 {
      let names = (0..<ZoneEntry.changesMax).map {
        RecordName(hash.digest(of: Array("\(batch) \($0)".utf8)))
      }
      let entry = HubDevice.entry(
        names.map { ZoneChange($0, hash.digest(of: []), .afterFirstUnlock) },
        after: place,
        batch: batch
      )
      place = entry.place(hash)
      let bodies = Dictionary(uniqueKeysWithValues: names.map { ($0, [UInt8]()) })
      #expect(try client.push(entry, bodies) == .accepted(place))
    }
    var end: UInt64 = 0
    while end < place.number {
      let reply = try worker.ask(.zonePull(.items, after: end, limit: 256))
      guard case .zone(let page) = reply, let last = page.entries.last else {
        Issue.record("there is no page behind \(end)")
        return
      }
      #expect(page.bodies.count == page.entries.count * ZoneEntry.changesMax)
      #expect(page.head == place && page.isLast == (last.number == place.number))
      end = last.number
    }
  }

  // MARK: Keys, checkpoints, heartbeats

  @Test func whatIsNoShareIsLeftOut() throws {
    let client = try hub.client()
    let share = HubDevice.share(to: 7)
    try client.put([share])
    let receiver = "array[decode('00000000000000070000000000000000', 'hex')]"
    let other = try join(2)
    try call(
      "select localauth.share_put('items', 2, 1, \(receiver), array[decode(repeat('00', 64), 'hex')]); "
        + "select localauth.share_put('items', 9, 1, \(receiver), array[decode(repeat('ff', 2048), 'hex')])",
      as: other.role,
      other.password
    )
    #expect(try client.shares(for: share.receiver) == [share])
  }

  @Test func whatIsNoCheckpointIsNone() throws {
    let client = try hub.client()
    let entry = HubDevice.entry([HubDevice.change(1, to: [7])], batch: 1)
    let place = entry.place(MessageHash())
    _ = try client.push(entry, [HubDevice.name(1): [7]])
    let put =
      "select localauth.checkpoint_put('items', 1, '\\x\(Self.hex(place.digest.bytes))', "
    try call(put + "'x', 0, 1, 'lines')")
    #expect(try client.checkpoint(.items) == nil)
    let word = ZoneCheckpoint(
      circle: HubDevice.circle,
      zone: .items,
      place: place,
      circleHead: ChainPlace(number: 1, digest: HubDevice.circle),
      manifest: HubDevice.name(1).digest,
      author: PeerIdentifier(high: 1, low: 2),
      signature: [UInt8](repeating: 9, count: ChainPlace.signatureSize)
    )
    try call(put + "'\\x\(Self.hex(word.bytes))', 0, 1, 'lines')")
    #expect(try client.checkpoint(.items)?.checkpoint == word)
    #expect(try client.manifest(.items, at: place, part: 0) == nil, "its parts are none")
  }

  @Test func whatIsNoHeartbeatIsLeftOut() throws {
    let first = try #require(HubDevice.heartbeat(1))
    let client = try hub.client()
    try client.put(first)
    let (second, third) = (try join(2), try join(3))
    try call("select localauth.heartbeat_put('\\x00')", as: second.role, second.password)
    let last = try #require(HubDevice.heartbeat(3))
    try hub.client(third.role, third.password.text).put(last)
    let heard = try client.heartbeats(after: nil)
    #expect(
      heard.heartbeats == [HubHeartbeat(hub.role, first), HubHeartbeat(third.role, last)]
        && heard.isLast
    )
  }

  /// A reader asks on behind the last one that it gets, so a page that has none would be the end.
  @Test func pagesOfWhatIsNoHeartbeatDoNotHideWhatIsBehindThem() throws {
    let last = HubDevice.role(255)
    try hub.server.administrator().runScript(
      """
      insert into localauth.device (role, circle)
        select 'localauth_' || lpad(to_hex(n), 32, '0'), 1 from generate_series(2, 255) n;
      insert into localauth.heartbeat (role, body)
        select d.role, decode(repeat('00', 131072), 'hex') from localauth.device d
          where d.role < 'localauth_' || lpad('ff', 32, '0')
      """
    )
    let beat = try #require(HubDevice.heartbeat(1))
    try hub.server.administrator().runScript(
      "insert into localauth.heartbeat (role, body) values ('\(last.text)', '\\x\(Self.hex(beat.bytes))')"
    )
    let heard = try hub.client().heartbeats(after: nil)
    #expect(heard.heartbeats == [HubHeartbeat(last, beat)] && heard.isLast)
  }
}
