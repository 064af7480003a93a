import LocalAuthHub
import Testing

/// A hub whose superuser changes its tables between what devices do.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct SyncHubLiesTests {
  private let server: PostgreSQLServer
  private let scratch = Scratch()
  private let first: SyncedMachine
  private let second: SyncedMachine

  init() throws {
    server = try PostgreSQLServer()
    let administrator = SyncHubAdministrator(server, scratch)
    try administrator.install()
    first = try SyncedMachine("laptop", in: scratch, server)
    try first.found(try administrator.code())
    second = try SyncedMachine("server", in: scratch, server)
    try first.letIn(second)
    try first.add("one", "1")
    #expect(try second.has("one", "1"))
  }

  private func sql(_ script: String) throws {
    try server.administrator().runScript(script)
  }

  /// The second device is away while the first writes, and the superuser after it.
  private func whileSecondIsAway(_ accounts: [String], _ script: String) throws {
    try second.daemon.stop()
    for account in accounts {
      try first.add(account, account)
      try first.synchronize()
    }
    try sql(script)
    try second.crash()
    _ = try second.run(["sync", "now"])
  }

  /// Everybody accepts what the hub has now, and has everything afterwards.
  private func repairAll(_ items: [(String, String)]) throws {
    for machine in [first, second] { _ = try machine.run(["sync", "now"]) }
    for machine in [first, second] {
      _ = try machine.run(["sync", "repair", "--yes", "--passcode-stdin"], "1234\n")
      _ = try machine.run(["sync", "now"])
    }
    for machine in [first, second] {
      for (account, secret) in items { #expect(try machine.has(account, secret)) }
    }
  }

  @Test func hubWhoseRowsAreAllGoneDeletesNothingAndIsFilledAgain() throws {
    try sql(
      """
      delete from localauth.record; delete from localauth.zone_entry; delete from localauth.zone
      """
    )
    for machine in [first, second] {
      let said = try machine.run(["sync", "now"])
      #expect(said.status == 77 && said.errors.contains("not believed"), "\(said)")
      #expect(said.output.contains("an older copy was put back"), "\(said)")
      #expect(try machine.status.contains("an older copy was put back"))
      let shown = try machine.run(["status"])
      #expect(shown.output.contains("The hub of its circle is not believed."), "\(shown)")
      #expect(try machine.has("one", "1"))
    }
    try first.add("two", "2")
    _ = try first.run(["sync", "now"])
    let entries = "select count(*)::text from localauth.zone_entry"
    #expect(try server.administrator().text(entries) == "0", "writing has stopped")
    try repairAll([("one", "1"), ("two", "2")])
  }

  @Test func recordThatTheHubLostComesBackByTheRepairOfWhoHasIt() throws {
    try first.add("two", "2")
    #expect(try second.has("two", "2"))
    // Both doubt a hub without anything, which comes back without the first record.
    try sql("create table kept as select * from localauth.zone")
    try sql("update localauth.zone set head = 0, head_digest = decode(repeat('00', 32), 'hex')")
    for machine in [first, second] { #expect(try machine.run(["sync", "now"]).status == 77) }
    try sql(
      """
      update localauth.zone z set head = k.head, head_digest = k.head_digest from kept k where k.id = z.id;
      delete from localauth.record where number = (select min(number) from localauth.record)
      """
    )
    let count = "select count(*)::text from localauth.record"
    #expect(try server.administrator().text(count) == "1")
    let said = try first.run(["sync", "repair", "--yes", "--passcode-stdin"], "1234\n")
    #expect(said.status == 0, "\(said)")
    #expect(try server.administrator().text(count) == "2", "it was sent")
    try repairAll([("one", "1"), ("two", "2")])
    let third = try SyncedMachine("tablet", in: scratch, server)
    try first.letIn(third)
    #expect(try third.has("one", "1") && third.has("two", "2"))
  }

  @Test func entryThatIsPlayedAgainIsNotTaken() throws {
    try whileSecondIsAway(
      ["two"],
      """
      insert into localauth.zone_entry select zone, 3, digest, decode(repeat('07', 16), 'hex'), body
        from localauth.zone_entry where number = 1;
      update localauth.zone set head = 3, head_digest =
        (select digest from localauth.zone_entry where number = 3)
      """
    )
    #expect(try second.status.contains("the hub changed what a device sent"))
    #expect(try second.has("two", nil))
    try sql(
      """
      delete from localauth.zone_entry where number = 3;
      update localauth.zone set head = 2, head_digest =
        (select digest from localauth.zone_entry where number = 2)
      """
    )
    try repairAll([("one", "1"), ("two", "two")])
  }

  @Test func entriesInAnotherOrderAreNotTaken() throws {
    let swap = """
      update localauth.zone_entry e set body = o.body, digest = o.digest
        from localauth.zone_entry o where e.number + o.number = 5 and e.number in (2, 3)
      """
    try whileSecondIsAway(["two", "three"], swap)
    #expect(try second.status.contains("the hub changed what a device sent"))
    #expect(try second.has("two", nil) && second.has("three", nil))
    try sql(swap)
    try repairAll([("one", "1"), ("two", "two"), ("three", "three")])
  }

  @Test func secondHistoryIsNoticedAndBothBecomeOne() throws {
    try second.daemon.stop()
    try sql("create table kept as select * from localauth.zone")
    try first.add("left", "1")
    try first.synchronize()
    try first.daemon.stop()
    try sql(
      """
      delete from localauth.record where number > 1; delete from localauth.zone_entry where number > 1;
      update localauth.zone z set head = k.head, head_digest = k.head_digest from kept k where k.id = z.id
      """
    )
    try second.crash()
    try second.add("right", "2")
    try second.synchronize()
    try first.crash()
    _ = try first.run(["sync", "now"])
    #expect(try first.status.contains("the hub shows another history"))
    #expect(try first.has("left", "1") && first.has("right", nil))
    try repairAll([("one", "1"), ("left", "1"), ("right", "2")])
  }
}
