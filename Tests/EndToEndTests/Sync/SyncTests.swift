import LocalAuthHub
import LocalAuthJSON
import Testing

/// Items of two and three devices, each with a daemon and a worker of its own, through a real PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct SyncTests {
  let server: PostgreSQLServer
  let scratch = Scratch()
  let hub: SyncHubAdministrator

  init() throws {
    server = try PostgreSQLServer()
    hub = SyncHubAdministrator(server, scratch)
    try hub.install()
  }

  func founded() throws -> SyncedMachine {
    let first = try SyncedMachine("laptop", in: scratch, server)
    try first.found(try hub.code())
    return first
  }

  func pair() throws -> (SyncedMachine, SyncedMachine) {
    let first = try founded()
    let second = try SyncedMachine("server", in: scratch, server)
    try first.letIn(second)
    return (first, second)
  }

  @Test func whatOneDeviceAddsChangesAndDeletesTheOtherHasAMomentLater() throws {
    let (first, second) = try pair()
    try first.add("mail", "hunter2")
    #expect(try second.has("mail", "hunter2"))
    try second.type(["keychain", "update", "mail", "--stdin"], "correct horse")
    #expect(try first.has("mail", "correct horse"))
    try first.type(["keychain", "delete", "mail", "--yes"])
    #expect(try second.has("mail", nil))
  }

  @Test func anItemOfOneDeviceIsMadeOneOfAllAndBack() throws {
    let (first, second) = try pair()
    try first.type(["keychain", "add", "old", "--stdin"], "hunter2")
    try first.add("marks the place", "1")
    #expect(try second.has("marks the place", "1"))
    #expect(try second.has("old", nil))
    try first.type(["keychain", "update", "old", "--set-synchronizable", "yes"])
    #expect(try second.has("old", "hunter2"))
    try first.type(["keychain", "update", "old", "--set-synchronizable", "no"])
    #expect(try second.has("old", nil))
    #expect(try first.has("old", "hunter2"))
  }

  @Test func hubsDiskAndLogHaveNoNameAndNoSecret() throws {
    let (first, second) = try pair()
    try first.add("very-private-account", "hunter2-is-the-secret")
    #expect(try second.has("very-private-account", "hunter2-is-the-secret"))
    let administrator = try server.administrator()
    try administrator.runScript("checkpoint")
    for word in ["very-private-account", "hunter2-is-the-secret", "localauth-secret-group"] {
      let found = try RunningProgram.run("/bin/grep", ["-rlaF", word, server.data])
      #expect(found.status == 1 && found.output.isEmpty, "\(word): \(found)")
    }
    #expect(!server.log.contains("hunter2"))
  }

  @Test func daemonsAndHubThatAreKilledLoseNothing() throws {
    let (first, second) = try pair()
    for round in 0..<6 {
      try first.add("item-\(round)", "secret \(round)")
      switch round % 3 {
      case 0: try first.crash()
      case 1: try second.crash()
      default:
        server.kill()
        try second.add("offline-\(round)", "made without a hub")
        try server.start()
      }
    }
    for machine in [first, second] { _ = try machine.run(["sync", "now"]) }
    for round in 0..<6 {
      #expect(try second.has("item-\(round)", "secret \(round)"))
    }
    #expect(try first.has("offline-2", "made without a hub"))
    #expect(try first.has("offline-5", "made without a hub"))
    let records = try server.administrator().text("select count(*)::text from localauth.record")
    #expect(records == "8")
  }

  @Test func removedDeviceHasNoRoleAndGetsNothingMore() throws {
    let (first, second) = try pair()
    try first.add("before", "1")
    #expect(try second.has("before", "1"))
    try first.type(["sync", "remove", "server", "--yes", "--passcode-stdin"], "1234\n")
    try first.add("after", "2")
    try first.synchronize()
    let roles = "select count(*)::text from localauth.device"
    #expect(try server.administrator().text(roles) == "1")
    #expect(try second.run(["sync", "now"]).status == 77)
    #expect(try second.has("after", nil) && second.has("before", "1"))
    #expect(try first.has("after", "2"))
    #expect(try first.status.contains("2 items"))
  }

  @Test func wordsThatDifferLetNobodyIn() throws {
    let first = try founded()
    let second = try SyncedMachine("server", in: scratch, server)
    let code = try first.type(["sync", "invite", "--no-wait"])
    let joined = try second.join(code)
    #expect(joined.output.split(separator: " ").count == 6, "\(joined)")
    #expect(
      try first.eventually {
        try first.run(["sync", "approve", "--words", "a b", "--passcode-stdin"], "1234\n").status
          == 77
      }
    )
    let peers = try first.run(["--json", "sync", "status"]).json["peers"]?.elements ?? []
    #expect(peers.count == 1, "\(peers)")
  }

  @Test func whoWaitsIsToldThatTheInvitationIsOver() throws {
    let first = try founded()
    let given = try first.run(["sync", "invite", "--no-wait", "--passcode-stdin"], "0000\n")
    #expect(given.status == 2 && given.errors.contains("sync approve"), "\(given)")
    let second = try SyncedMachine("server", in: scratch, server)
    let code = try first.type(["sync", "invite", "--no-wait"])
    _ = try second.join(code)
    let expire = "update localauth.device set expires = now() where expires is not null"
    try server.administrator().runScript(expire)
    let said = try second.run(
      [
        "sync", "join", server.directory, "--database", "postgres", "--name", "server",
      ],
      by: code
    )
    #expect(said.status == 77 && said.errors.contains("The invitation is over"), "\(said)")
  }

  @Test func hubThatWentBackIsNoticedAndNothingIsLost() throws {
    let (first, second) = try pair()
    try first.add("one", "1")
    #expect(try second.has("one", "1"))
    let administrator = try server.administrator()
    try administrator.runScript("create table kept as select * from localauth.zone")
    try first.add("two", "2")
    #expect(try second.has("two", "2"))
    try administrator.runScript(
      """
      delete from localauth.zone_entry where number > 1;
      delete from localauth.record where number > 1;
      update localauth.zone z set head = k.head, head_digest = k.head_digest from kept k where k.id = z.id
      """
    )
    _ = try first.run(["sync", "now"])
    #expect(try first.status.contains("an older copy was put back"))
    #expect(try first.has("two", "2") && first.has("one", "1"))
    for machine in [first, second] {
      _ = try machine.run(["sync", "now"])
      try machine.type(["sync", "repair", "--yes", "--passcode-stdin"], "1234\n")
      try machine.synchronize()
      #expect(try !machine.status.contains("put back"))
    }
    try second.add("three", "3")
    #expect(try first.has("three", "3"))
    #expect(try first.has("two", "2") && second.has("two", "2"))
  }

  /// A copy of the database in the same cluster is a hub at another address, with the same roles.
  @Test func devicesFollowAHubThatMovedAndTakeNoOlderCopyForIt() throws {
    let (first, second) = try pair()
    try first.add("one", "1")
    #expect(try second.has("one", "1"))
    for machine in [first, second] { try machine.synchronize() }
    let administrator = try server.administrator()
    func copy(_ name: String) throws {
      try administrator.runScript("create database \(name)")
      let made = try RunningProgram.run(
        "/bin/sh",
        [
          "-c",
          #"set -e; "$1/pg_dump" -h "$2" -U postgres postgres | "$1/psql" -q -v ON_ERROR_STOP=1 -h "$2" -U postgres "$3""#,
          "sh", PostgreSQLServer.programs, server.directory, name,
        ],
        environment: [
          "PATH=/usr/bin:/bin", "PGPASSFILE=\(server.passwords(in: scratch))",
        ]
      )
      try #require(made.status == 0, "\(made)")
    }
    try copy("older")
    try first.add("two", "2")
    #expect(try second.has("two", "2"))
    for machine in [first, second] { try machine.synchronize() }
    try copy("moved")
    func move(_ machine: SyncedMachine, _ database: String) throws -> RunningProgram.Report {
      try machine.run(
        ["sync", "move", server.directory, "--database", database, "--passcode-stdin"],
        "1234\n"
      )
    }
    let older = try move(first, "older")
    #expect(older.status == 77 && older.errors.contains("older copy"), "\(older)")
    #expect(try first.status.contains("database postgres"))
    #expect(try move(first, "nowhere").status == 69)
    let head = "select head::text from localauth.zone where name = 'items'"
    let left = try administrator.text(head)
    for machine in [first, second] {
      let moved = try move(machine, "moved")
      #expect(moved.status == 0, "\(moved)")
    }
    try first.add("three", "3")
    #expect(try second.has("three", "3") && second.status.contains("database moved"))
    #expect(try administrator.text(head) == left, "nothing is sent to the old one")
  }

  @Test func bodyThatTheHubChangedIsNotTaken() throws {
    let (first, second) = try pair()
    try second.daemon.stop()
    try first.add("one", "1")
    try first.synchronize()
    try server.administrator().runScript(
      "update localauth.record set body = set_byte(body, 60, get_byte(body, 60) # 1)"
    )
    try second.crash()
    _ = try second.run(["sync", "now"])
    #expect(try second.status.contains("the hub changed what a device sent"))
    #expect(try second.has("one", nil))
  }

  @Test func threeDevicesAgree() throws {
    let (first, second) = try pair()
    let third = try SyncedMachine("phone", in: scratch, server)
    try first.add("early", "0")
    try second.letIn(third)
    try first.add("a", "1")
    try second.add("b", "2")
    try third.add("c", "3")
    for machine in [first, second, third] {
      for (account, secret) in [("early", "0"), ("a", "1"), ("b", "2"), ("c", "3")] {
        #expect(try machine.has(account, secret), "\(machine.name) \(account)")
      }
    }
  }

  /// The entries before the checkpoint are gone, so that nobody could begin with them.
  @Test func deviceThatJoinsALongChainBeginsAtItsCheckpoint() throws {
    let first = try founded()
    for number in 0..<260 {
      try first.add("item-\(number)", "\(number)")
      try first.synchronize()
    }
    let administrator = try server.administrator()
    let number = "select max(number)::text from localauth.checkpoint"
    #expect(try administrator.text(number) == "256")
    try administrator.runScript("delete from localauth.zone_entry where number < 256")
    let second = try SyncedMachine("server", in: scratch, server)
    try first.letIn(second)
    #expect(try second.has("item-0", "0") && second.has("item-259", "259"))
    #expect(try !second.status.contains("changed or left out"))
    try second.add("back", "b")
    #expect(try first.has("back", "b"))
  }
}
