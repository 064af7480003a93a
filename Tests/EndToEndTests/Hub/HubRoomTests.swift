import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSync
import Testing

/// A circle that has used up its share of bytes: what takes away goes on, and has an end.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubRoomTests {
  private let hub: HubDevice
  private let member = HubDevice.role(2)
  private let password = HubPassword.generate()
  private static let share: Int64 = 1_000_000
  private static let reserve: Int64 = 16 << 20

  init() throws {
    hub = try HubDevice()
    let client = try hub.client()
    try letIn(member, password, by: client)
    try hub.server.administrator().runScript(
      "update localauth.circle set bytes_max = \(Self.share)"
    )
  }

  private func letIn(
    _ role: HubRole,
    _ password: HubPassword,
    by sponsor: borrowing HubClient
  ) throws {
    try sponsor.invite(role, verifier: password.verifier(), offer: [1])
    try hub.client(role, password.text).ask([2])
    try sponsor.admit(role, answer: [3], entry: nil)
  }

  private func number(_ column: String) throws -> Int64 {
    let text = try hub.server.administrator().text("select (\(column))::text from localauth.circle")
    return try #require(Int64(text))
  }

  /// Deletes and adds, and uses up the reserve by what looks like keys and entries of the circle, until nothing is taken any more.
  private func exhaust() throws {
    try hub.server.connect(member, password.text).runScript(
      """
      do $$ declare
        at bigint; digest bytea; a localauth.answer;
      begin
        select h.number, h.digest into at, digest from localauth.heads() h where zone = 'items';
        if not found then at := 0; digest := decode(repeat('00', 32), 'hex'); end if;
        for n in 1..2000 loop
          begin
            a := localauth.zone_push('items', at, digest, decode(md5('add' || n), 'hex'), '',
              array[sha256(n::text::bytea)], array[decode(repeat('00', 200000), 'hex')]);
            at := a.number; digest := a.digest;
          exception when disk_full then null;
          end;
          begin
            a := localauth.zone_push('items', at, digest, decode(md5('delete' || n), 'hex'),
              decode(repeat('00', 500000), 'hex'), array[sha256(n::text::bytea)], array[null::bytea]);
            at := a.number; digest := a.digest;
          exception when disk_full then exit;
          end;
        end loop;
        for n in 1..2000 loop
          begin
            perform localauth.share_put('z', n, 1,
              (select array_agg(decode(lpad(to_hex(i), 32, '0'), 'hex')) from generate_series(1, 256) i),
              array_fill(decode(repeat('00', 2048), 'hex'), array[256]));
          exception when disk_full then exit;
          end;
        end loop;
        select h.number, h.digest into at, digest from localauth.heads() h where zone is null;
        for n in 1..2000 loop
          begin
            a := localauth.circle_push(at, digest, n::text::bytea);
            at := a.number; digest := a.digest;
          exception when disk_full then return;
          end;
        end loop;
        raise 'there was no end';
      end $$
      """
    )
  }

  private func circleHead() throws -> ChainPlace { try hub.client().heads().circle }

  /// Removes the member, where the first device remains.
  private func remove() throws -> PushAnswer {
    let remaining = HubRemaining(entries: [1], roles: [], heads: [])
    return try hub.client().push(
      HubDevice.removal(of: [], behind: circleHead()),
      removing: HubRemoval(entry: 99, role: member, remaining: remaining)
    )
  }

  private func isTaken(_ answer: PushAnswer) -> Bool {
    if case .accepted = answer { true } else { false }
  }

  @Test func fullShareTakesWhatTakesAwayAndNothingElse() throws {
    let client = try hub.client()
    let large = [UInt8](repeating: 7, count: 990_000)
    let first = HubDevice.entry([HubDevice.change(10, to: large)], batch: 1)
    _ = try client.push(first, [HubDevice.name(10): large])
    let more = HubDevice.entry(
      [HubDevice.change(11, to: large)],
      after: first.place(MessageHash()),
      batch: 2
    )
    #expect(HubDevice.refusal { _ = try client.push(more, [HubDevice.name(11): large]) } == "53100")
    let administrator = try hub.server.administrator()
    try administrator.runScript("update localauth.circle set bytes_max = bytes")
    let anew = HubDevice.entry(
      [HubDevice.change(10, to: large)],
      after: first.place(MessageHash()),
      batch: 3
    )
    #expect(isTaken(try client.push(anew, [HubDevice.name(10): large])), "sealed anew")
    #expect(try number("bytes - bytes_max") > 0)
    let key = try HubDevice.recovery(behind: circleHead())
    #expect(isTaken(try client.push(key)))
    try client.put([HubDevice.share(to: 1)])
    let added = HubDevice.entry(
      [HubDevice.change(12, to: [1])],
      after: anew.place(MessageHash()),
      batch: 4
    )
    #expect(HubDevice.refusal { _ = try client.push(added, [HubDevice.name(12): [1]]) } == "53100")
    let tombstone = HubDevice.entry(
      [HubDevice.change(10, to: [0])],
      after: anew.place(MessageHash()),
      batch: 5
    )
    #expect(isTaken(try client.push(tombstone, [HubDevice.name(10): [0]])))
    let again = HubDevice.entry(
      [HubDevice.change(12, to: [1])],
      after: tombstone.place(MessageHash()),
      batch: 6
    )
    #expect(isTaken(try client.push(again, [HubDevice.name(12): [1]])), "there is room again")
    #expect(isTaken(try remove()))
  }

  @Test func whoDeletesAndAddsWithoutEndEndsAtTheReserve() throws {
    try exhaust()
    let over = try number("bytes - bytes_max")
    #expect(over <= Self.reserve && over > Self.reserve - 500_000)
    #expect(try number("(select count(*) from localauth.circle_entry)") < 2000)
  }

  @Test func whoUsedUpTheReserveIsRemovedAndNewKeysHaveRoom() throws {
    try exhaust()
    let client = try hub.client()
    let epoch = try HubDevice.recovery(behind: circleHead())
    #expect(HubDevice.refusal { _ = try client.push(epoch) } == "53100")
    #expect(isTaken(try remove()))
    let roles = "select count(*)::text from pg_roles where rolname ~ '^localauth_0'"
    #expect(try hub.server.administrator().text(roles) == "1")
    let next = try HubDevice.recovery(behind: circleHead())
    #expect(isTaken(try client.push(next)))
    try client.put([HubDevice.share(to: 1, epoch: 3)])
    #expect(try number("bytes - bytes_max") <= Self.reserve + (2 << 20))
  }

  /// Each removal gives room, so nobody comes in meanwhile.
  @Test func nobodyIsLetInBehindTheReserve() throws {
    let (late, secret) = (HubDevice.role(3), HubPassword.generate())
    let client = try hub.client()
    try client.invite(late, verifier: secret.verifier(), offer: [1])
    try hub.client(late, secret.text).ask([2])
    try exhaust()
    #expect(isTaken(try remove()))
    #expect(HubDevice.refusal { try client.admit(late, answer: [3], entry: nil) } == "53100")
    let verifier = HubPassword.generate().verifier()
    let another = HubDevice.role(4)
    #expect(
      HubDevice.refusal { try client.invite(another, verifier: verifier, offer: [1]) } == "53100"
    )
    try hub.server.administrator().runScript("update localauth.circle set bytes_max = 10737418240")
    try client.admit(late, answer: [3], entry: nil)
    #expect(isTaken(try client.push(HubDevice.recovery(behind: circleHead()))))
    #expect(try number("removals_room") == 0)
  }

  @Test func entriesOfTheCircleCountTheirRows() throws {
    let before = try number("bytes")
    let entry = HubDevice.removal(of: [], behind: try circleHead())
    #expect(isTaken(try hub.client().push(entry)))
    #expect(try number("bytes") == before + Int64(entry.bytes.count) + 400)
  }
}
