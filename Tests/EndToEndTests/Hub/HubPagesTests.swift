import LocalAuthCore
import LocalAuthCrypto
import LocalAuthHub
import LocalAuthKeychain
import LocalAuthSync
import Testing

/// What does not fit one message comes in pages, on a real PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubPagesTests {
  private let hub: HubDevice
  private static let large = [UInt8](repeating: 7, count: 1 << 20)

  init() throws { hub = try HubDevice() }

  /// Pushes entries that bring so many bodies of 1 MiB each; every record is another one.
  private func push(_ counts: [Int]) throws -> [ZoneEntry] {
    let client = try hub.client()
    var place = ChainPlace.beginning
    var entries: [ZoneEntry] = []
    var name: UInt8 = 0
    for (index, count) in counts.enumerated() {
      let names = (0..<count).map { name + UInt8($0) }
      name += UInt8(count)
      let entry = HubDevice.entry(
        names.map { HubDevice.change($0, to: Self.large) },
        after: place,
        batch: UInt64(index)
      )
      let bodies = Dictionary(uniqueKeysWithValues: names.map { (HubDevice.name($0), Self.large) })
      place = entry.place(MessageHash())
      #expect(try client.push(entry, bodies) == .accepted(place))
      entries.append(entry)
    }
    return entries
  }

  @Test func pageEndsAtItsSizeWithWholeEntries() throws {
    let entries = try push([3, 3, 3, 1])
    let client = try hub.client()
    let first = try client.pull(.items, after: 0)
    #expect(first.entries == Array(entries[..<2]) && first.bodies.count == 6 && !first.isLast)
    let second = try client.pull(.items, after: 2)
    #expect(second.entries == Array(entries[2...]) && second.bodies.count == 4 && second.isLast)
    #expect(first.head == second.head && first.head == entries[3].place(MessageHash()))
    #expect(HubReply.zone(first).bytes(number: 1).count <= HubFrame.messageMax)
  }

  @Test func largestEntryIsAPageOfItsOwn() throws {
    let entries = try push([1, 8, 1])
    let client = try hub.client()
    let pages = try [0, 1, 2].map { try client.pull(.items, after: $0) }
    #expect(pages.map(\.entries) == entries.map { [$0] })
    #expect(pages.allSatisfy { HubReply.zone($0).bytes(number: 1).count <= HubFrame.messageMax })
  }

  @Test func pushThatBringsTooMuchIsRefusedByBothSides() throws {
    let names = (0..<9).map { UInt8($0) }
    let entry = HubDevice.entry(names.map { HubDevice.change($0, to: Self.large) }, batch: 1)
    let bodies = Dictionary(uniqueKeysWithValues: names.map { (HubDevice.name($0), Self.large) })
    let client = try hub.client()
    #expect(throws: HubError.self) { try client.push(entry, bodies) }
    #expect(throws: HubError.self, "a body is missing") { try client.push(entry, [:]) }
    let connection = try hub.server.connect(hub.role, hub.password.text)
    let zeros = "decode(repeat('00', 1048576), 'hex')"
    let code = HubDevice.refusal {
      try connection.runScript(
        """
        select localauth.zone_push('items', 0, decode(repeat('00', 32), 'hex'), decode(repeat('01', 16), 'hex'), '\\x01',
          (select array_agg(sha256(n::text::bytea)) from generate_series(1, 9) n),
          array_fill(\(zeros), array[9]))
        """
      )
    }
    #expect(code == "22023")
    #expect(try client.pull(.items, after: 0).head == .beginning)
  }

  @Test func recordsUpToAPlaceComeInPages() throws {
    _ = try push([6, 6, 1])
    let client = try hub.client()
    var found: [RecordName] = []
    var pages = 0
    var isLast = false
    while !isLast {
      let page = try client.records(.items, upTo: 2, after: found.last)
      found += page.bodies.keys.sorted()
      isLast = page.isLast
      pages += 1
    }
    #expect(found == (0..<12).map { HubDevice.name($0) } && pages == 2)
  }

  /// A zone may have a million records, and a device sorts no more than a limit.
  @Test func recordsComeInTheirOrderWithoutASort() throws {
    _ = try push([1])
    let administrator = try hub.server.administrator()
    try administrator.runScript(
      """
      insert into localauth.record select z.id, sha256(n::text::bytea), 1, decode(repeat('00', 100), 'hex')
        from localauth.zone z, generate_series(1, 150000) n;
      alter role \(hub.role.text) set temp_file_limit = '12MB';
      alter role \(hub.role.text) set work_mem = '64kB'
      """
    )
    let page = try hub.client().records(.items, upTo: 1, after: nil)
    #expect(!page.isLast && page.bodies.count > 40_000)
  }

  @Test func circleLogComesInPages() throws {
    let client = try hub.client()
    let administrator = try hub.server.administrator()
    try administrator.runScript(
      """
      insert into localauth.circle_entry select 1, n, sha256(n::text::bytea), decode(repeat('00', 262144), 'hex')
        from generate_series(1, 40) n
      """
    )
    #expect(try client.circleEntries(after: 0).isEmpty, "zeros are no entry")
    let pulled = try administrator.text("select count(*)::text from localauth.circle_entry")
    #expect(pulled == "40")
    let device = try hub.server.connect(hub.role, hub.password.text)
    #expect(try device.text("select count(*)::text from localauth.circle_pull(0)") == "32")
  }

  @Test func numberOfZonesIsLimited() throws {
    let device = try hub.server.connect(hub.role, hub.password.text)
    func push(_ name: String) -> String {
      "select localauth.zone_push('\(name)', 0, decode(repeat('00', 32), 'hex'), "
        + "decode(repeat('01', 16), 'hex'), '\\x01', '{}', '{}')"
    }
    try device.runScript(
      "do $$ begin for n in 1..1024 loop perform * from localauth.zone_push('z' || n, 0, decode(repeat('00', 32), 'hex'), "
        + "decode(repeat('01', 16), 'hex'), '\\x01', '{}', '{}'); end loop; end $$"
    )
    #expect(HubDevice.refusal { try device.runScript(push("another")) } == "54000")
    try device.runScript(push("z7"))
  }

  // MARK: Checkpoints

  private func checkpoint(_ place: ChainPlace, _ mark: UInt8 = 1) -> ZoneCheckpoint {
    ZoneCheckpoint(
      circle: HubDevice.circle,
      zone: .items,
      place: place,
      circleHead: ChainPlace(number: 1, digest: HubDevice.circle),
      manifest: HubDevice.name(mark).digest,
      author: PeerIdentifier(high: 1, low: 2),
      signature: [UInt8](repeating: 9, count: ChainPlace.signatureSize)
    )
  }

  private func part() throws -> ManifestPart { try #require(ManifestPart([:])) }

  @Test func checkpointIsShownWithItsLastPartAndTakesTheEarliersPlace() throws {
    let places = try push([1, 1]).map { $0.place(MessageHash()) }
    let client = try hub.client()
    let first = checkpoint(places[0])
    try client.put(first, part: 0, of: 1, part())
    #expect(try client.checkpoint(.items)?.checkpoint == first)
    let second = checkpoint(places[1])
    try client.put(second, part: 0, of: 2, part())
    try client.put(second, part: 0, of: 2, part())
    #expect(try client.checkpoint(.items)?.checkpoint == first, "a part is missing")
    #expect(try client.manifest(.items, at: places[1], part: 0) == nil)
    try client.put(second, part: 1, of: 2, part())
    let shown = try client.checkpoint(.items)
    #expect(shown?.checkpoint == second && shown?.parts == 2)
    #expect(try client.manifest(.items, at: places[1], part: 1) == part())
    #expect(try client.manifest(.items, at: places[0], part: 0) == nil)
  }

  private func bytesUsed() throws -> Int? {
    Int(try hub.server.administrator().text("select bytes::text from localauth.circle"))
  }

  @Test func checkpointCountsItsWordAndItsRows() throws {
    let place = try push([1])[0].place(MessageHash())
    let client = try hub.client()
    let used = try #require(try bytesUsed())
    let (word, lines) = (checkpoint(place), try part())
    for _ in 1...2 {
      try client.put(word, part: 0, of: 2, lines)
      #expect(try bytesUsed() == used + word.bytes.count + lines.bytes.count + 1000)
    }
    try client.put(word, part: 1, of: 2, lines)
    #expect(try bytesUsed() == used + word.bytes.count + 2 * lines.bytes.count + 1500)
    try client.put(checkpoint(place, 2), part: 0, of: 1, lines)
    #expect(try bytesUsed() == used + word.bytes.count + lines.bytes.count + 1000)
  }

  @Test func deviceHasOneWholeCheckpointOfAZoneTheLatest() throws {
    let places = try push([1, 1, 1]).map { $0.place(MessageHash()) }
    let client = try hub.client()
    let last = checkpoint(places[2])
    try client.put(last, part: 0, of: 1, part())
    let used = try bytesUsed()
    for place in [places[1], places[0]] {
      try client.put(checkpoint(place), part: 0, of: 1, part())
    }
    #expect(try bytesUsed() == used)
    #expect(try client.checkpoint(.items)?.checkpoint == last)
    let rows = "select count(*)::text from localauth.checkpoint"
    #expect(try hub.server.administrator().text(rows) == "1")
  }

  @Test func checkpointThatWasBegunAnewHasNoPartOfTheFirst() throws {
    let place = try push([1])[0].place(MessageHash())
    let client = try hub.client()
    try client.put(checkpoint(place), part: 0, of: 2, part())
    try client.put(checkpoint(place, 2), part: 1, of: 2, part())
    #expect(try client.checkpoint(.items) == nil)
    try client.put(checkpoint(place, 2), part: 0, of: 2, part())
    #expect(try client.checkpoint(.items)?.checkpoint == checkpoint(place, 2))
  }

  @Test func checkpointOfAPlaceThatIsNotInTheChainIsRefused() throws {
    let place = try push([1])[0].place(MessageHash())
    let client = try hub.client()
    let elsewhere = ChainPlace(number: 1, digest: HubDevice.circle)
    for wrong in [elsewhere, ChainPlace(number: 2, digest: place.digest)] {
      let word = checkpoint(wrong)
      #expect(HubDevice.refusal { try client.put(word, part: 0, of: 1, part()) } == "22023")
    }
    #expect(try client.checkpoint(.items) == nil)
  }
}
