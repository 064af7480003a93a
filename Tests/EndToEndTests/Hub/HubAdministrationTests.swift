import Glibc
import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync
import Testing

/// `authctl hub`, for who administers a hub.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubAdministrationTests {
  private let server: PostgreSQLServer
  private let scratch = Scratch()

  // What `hub verify` says of settings has to be about settings of a hub.
  init() throws { server = try PostgreSQLServer(["fsync=on"]) }

  private var connection: String { "host=\(server.directory) dbname=postgres user=postgres" }

  private func hub(_ words: [String], _ connection: String? = nil) throws -> RunningProgram.Report {
    try RunningProgram.run(
      Machine.authctl,
      ["hub"] + words.prefix(1) + [connection ?? self.connection] + words.dropFirst(),
      environment: [
        "PATH=/usr/bin:/bin", "LOCALAUTH_DAEMON=\(Machine.localauthd)",
        "PGPASSFILE=\(server.passwords(in: scratch))",
      ]
    )
  }

  @Test func hubIsMadeLookedAtAndFoundedIn() throws {
    let none = try hub(["status"])
    #expect(none.status == 78 && none.errors.contains("authctl hub install"))
    #expect(try hub(["upgrade"]).status == 78)
    let made = try hub(["install"])
    #expect(made.status == 0 && made.output.contains("made: circles and zones"), "\(made)")
    #expect(made.output.contains("made: values of a mebibyte"), "\(made)")
    #expect(made.output.contains("made: roles of members"), "\(made)")
    #expect(made.output.contains("made: late shares"), "\(made)")
    #expect(made.output.contains("made: late older keys"), "\(made)")
    #expect(made.output.contains("made: nobody is left behind"), "\(made)")
    #expect(made.output.contains("made: invitations are revoked"), "\(made)")
    #expect(made.output.contains("made: room for removals"), "\(made)")
    #expect(made.output.contains("made: what a removed device leaves"), "\(made)")
    #expect(try hub(["install"]).errors.contains("already"))
    #expect(try hub(["upgrade"]).output.contains("already"))
    let verified = try hub(["verify"])
    #expect(verified.output.contains("Nothing is wrong"), "\(verified)")
    let path = scratch.file("code.txt")
    let founded = try hub(["found", "--out", path])
    #expect(founded.status == 0, "\(founded)")
    #expect(try hub(["status"]).output.contains("1 circles, 1 devices"))
    let typed = Secret(copying: try Files.read(path).dropLast())
    guard let code = InvitationCode(typed: typed) else {
      Issue.record("that is no code")
      return
    }
    let role = try #require(code.hubRole())
    let password = try #require(code.hubPassword())
    let device = HubClient(try server.connect(role, password.text))
    #expect(try device.heads().zones.isEmpty)
    let own = HubPassword.generate()
    try device.setVerifier(own.verifier())
    #expect(throws: HubError.self) { _ = try server.connect(role, password.text) }
  }

  /// The number and the name of each circle, by `hub status`.
  private func circles() throws -> [(number: String, line: Substring)] {
    try hub(["status"]).output.split(separator: "\n").filter { $0.hasPrefix("circle ") }
      .map { (String($0.split(separator: " ")[1]), $0) }
  }

  private func remove(_ circle: String, _ more: [String] = []) throws -> RunningProgram.Report {
    try RunningProgram.run(
      Machine.authctl,
      ["hub", "remove-circle", circle, connection] + more,
      environment: [
        "PATH=/usr/bin:/bin", "LOCALAUTH_DAEMON=\(Machine.localauthd)",
        "PGPASSFILE=\(server.passwords(in: scratch))",
      ]
    )
  }

  @Test func circleIsRemovedWithItsRolesAndNothingElseIs() throws {
    #expect(try hub(["install"]).status == 0)
    #expect(try circles().isEmpty)
    let (first, second) = (scratch.file("first"), scratch.file("second"))
    for path in [first, second] { #expect(try hub(["found", "--out", path]).status == 0) }
    let numbers = try circles().map(\.number)
    #expect(try numbers.count == 2 && circles().allSatisfy { $0.line.contains("never used") })
    // A session of the circle that goes, which would lock the other one out of nothing.
    let code = try #require(
      InvitationCode(typed: Secret(copying: try Files.read(first).dropLast()))
    )
    let (role, password) = try (#require(code.hubRole()), #require(code.hubPassword()))
    let device = HubClient(try server.connect(role, password.text))
    _ = try device.heads()
    let own = try #require(try circles().first { !$0.line.contains("never used") }).number
    #expect(try remove(own).status == 2, "nobody could be asked")
    #expect(try remove("99", ["--yes"]).status == 20)
    #expect(try circles().count == 2)
    let removed = try remove(own, ["--yes"])
    #expect(removed.status == 0 && removed.output.contains("1 circles, 1 devices"), "\(removed)")
    #expect(throws: HubError.self) { _ = try device.heads() }
    #expect(throws: HubError.self) { _ = try server.connect(role, password.text) }
    let administrator = try server.administrator()
    let roles = "select count(*)::text from pg_roles where rolname ~ '^localauth_[0-9a-f]{32}$'"
    #expect(try administrator.text(roles) == "1")
    #expect(try circles().map(\.number) == numbers.filter { $0 != own })
    let verified = try hub(["verify"])
    #expect(verified.output.contains("Nothing is wrong"), "\(verified)")
  }

  @Test func newerSchemaIsLeftAlone() throws {
    #expect(try hub(["install"]).status == 0)
    let administrator = try server.administrator()
    try administrator.runScript("insert into localauth.migration values (99, 'of the future')")
    for act in ["upgrade", "verify"] {
      let report = try hub([act])
      #expect(report.status == 78 && report.errors.contains("use a newer program"), "\(report)")
    }
  }

  @Test func whatShouldNotBeInAHubIsSaid() throws {
    #expect(try hub(["install"]).status == 0)
    let administrator = try server.administrator()
    try HubSchema.found(
      administrator,
      role: HubDevice.role(1),
      verifier: HubPassword.generate().verifier()
    )
    try administrator.runScript(
      """
      grant select on localauth.record to public;
      grant execute on function localauth.charge to public;
      create or replace function localauth.own_circle() returns bigint language sql as 'select 1::bigint';
      create role intruder login in role localauth_device;
      alter role \(HubDevice.role(1).text) createdb;
      insert into localauth.zone (circle, name, head) select id, 'items', 3 from localauth.circle;
      """
    )
    let report = try hub(["verify"])
    #expect(report.status == 78)
    for words in [
      "Everybody may select the table record", "Everybody may call the function charge",
      "own_circle is not the one of this version", "intruder belongs to no device",
      "is that of a device and may do more", "chain of the zone items",
    ] { #expect(report.output.contains(words), "\(words): \(report.output)") }
  }

  @Test func waysInThatAreTooWideAreSaid() throws {
    let access = """
      local all postgres scram-sha-256
      local all all trust
      host all +localauth_device 10.0.0.0/8 scram-sha-256
      hostssl all +localauth_device 10.0.0.0/8 scram-sha-256
      """
    let wide = try PostgreSQLServer(access: access)
    let connection = "host=\(wide.directory) dbname=postgres user=postgres"
    #expect(try hub(["install"], connection).status == 0)
    let report = try hub(["verify"], connection)
    let lines = report.output.split(separator: "\n").filter { $0.contains("pg_hba") }
    #expect(
      lines == [
        "Line 2 of pg_hba.conf lets devices in by trust.",
        "Line 3 of pg_hba.conf lets devices in over a network without TLS.",
      ],
      "\(report)"
    )
    #expect(report.output.contains("fsync is off"))
  }

  @Test func whoIsNoSuperuserMakesNoHub() throws {
    let administrator = try server.administrator()
    try administrator.runScript("create role somebody login password 'an administrator''s'")
    let other = connection.replacing("user=postgres", with: "user=somebody")
    let report = try hub(["install"], other)
    #expect(report.status == 77 && report.errors.contains("superuser"), "\(report)")
    #expect(report.errors.contains("permission denied"), "\(report)")
  }

  /// The server says then what it skips, before it says why it refuses.
  @Test func reasonIsSaidWhereAnotherDatabaseHasAHub() throws {
    #expect(try hub(["install"]).status == 0)
    let administrator = try server.administrator()
    try administrator.runScript("create database other")
    let somebody = "create role somebody login createrole password 'an administrator''s'"
    try administrator.runScript(somebody)
    let other = connection.replacing("user=postgres", with: "user=somebody")
      .replacing("dbname=postgres", with: "dbname=other")
    let report = try hub(["install"], other)
    #expect(report.status == 77 && report.errors.contains("must be owner"), "\(report)")
    #expect(!report.errors.contains("NOTICE") && report.errors.contains("superuser"))
  }

  @Test func schemaOfAnotherProgramIsNamedAndStaysAsItIs() throws {
    try server.administrator().runScript(
      "create schema localauth; create table localauth.circle (a int)"
    )
    let report = try hub(["install"])
    #expect(report.status == 78, "\(report)")
    #expect(report.errors.contains("a schema localauth that is no hub's"), "\(report)")
  }

  @Test func reasonOfAnUpgradeThatFailsIsSaid() throws {
    #expect(try hub(["install"]).status == 0)
    try server.administrator().runScript("delete from localauth.migration where number > 8")
    let report = try hub(["upgrade"])
    #expect(report.status == 78, "\(report)")
    #expect(report.errors.contains("\"pusher\" of relation \"circle_entry\" already exists"))
    #expect(try hub(["status"]).output.contains("version 8"))
  }

  /// libpq itself complains there, before anything else is said.
  @Test func complaintOfAFileIsNotTakenForTheReason() throws {
    let path = try server.passwords(in: scratch)
    Files.setMode(0o644, of: path)
    let report = try RunningProgram.run(
      Machine.authctl,
      ["hub", "status", connection],
      environment: [
        "PATH=/usr/bin:/bin", "LOCALAUTH_DAEMON=\(Machine.localauthd)", "PGPASSFILE=\(path)",
      ]
    )
    #expect(report.status != 0 && !report.errors.contains("WARNING"), "\(report)")
  }

  @Test func serverThatIsNotThereIsSaid() throws {
    let report = try hub(["status"], "host=\(scratch.path) user=postgres")
    #expect(report.status == 69 && report.errors.contains("cannot be reached"), "\(report)")
  }

  @Test func serverWithoutSuchADatabaseIsNotCalledUnreachable() throws {
    let report = try hub(["status"], "host=\(server.directory) dbname=nope user=postgres")
    #expect(report.status == 69 && report.errors.contains("opened no session"), "\(report)")
    #expect(report.errors.contains("nope") && !report.errors.contains("cannot be reached"))
  }

  @Test(arguments: [
    "host=localhost sslmode=prefer", "host=hub.example sslmode=disable", "password=x",
    "postgresql://a:b@/hub", "hostaddr=127.0.0.1 sslmode=require", "no such option",
  ])
  func weakOrWrongStringsAreRefused(_ string: String) throws {
    let report = try hub(["status"], string)
    #expect(report.status == 78, "\(report)")
  }

  @Test func codeIsNotPutWhereItIsSeenByAccident() throws {
    #expect(try hub(["install"]).status == 0)
    let piped = try hub(["found"])
    #expect(piped.status == 0 && piped.output.count == 33, "\(piped)")
    #expect(try hub(["status"]).output.contains("1 circles"))
  }

  @Test(.enabled(if: Machine.canMount, "needs mount namespaces"))
  func circleWhoseCodeCannotBeWrittenIsNotFounded() throws {
    #expect(try hub(["install"]).status == 0)
    let words = ["hub", "found", connection]
    let lost = try run(words, "\"$@\" >/dev/full")
    #expect(lost.status == 78 && lost.errors.contains("no circle was founded"), "\(lost)")
    #expect(try hub(["found", "--out", scratch.file("none/code")]).status == 2)
    #expect(try hub(["status"]).output.contains("0 circles, 0 devices"))
  }

  @Test(.enabled(if: Machine.canMount, "needs mount namespaces"))
  func fullDiskGetsNeitherACodeNorACircle() throws {
    #expect(try hub(["install"]).status == 0)
    let disk = try scratch.makeDirectory("disk")
    let script = """
      mount -t tmpfs -o size=4k none "\(disk)" && head -c 1 /dev/zero > "\(disk)/full" || exit 99
      "$@"; status=$?
      ls -A "\(disk)"; exit $status
      """
    let full = try run(["hub", "found", connection, "--out", disk + "/code"], script)
    #expect(full.status == 78 && full.errors.contains("no circle was founded"), "\(full)")
    #expect(full.output == "full\n")
    #expect(try hub(["status"]).output.contains("0 circles, 0 devices"))
  }

  @Test func codeThatIsThereIsNotReplaced() throws {
    #expect(try hub(["install"]).status == 0)
    let path = scratch.file("code.txt")
    #expect(try hub(["found", "--out", path]).status == 0)
    let code = try Files.read(path)
    #expect(try hub(["found", "--out", path]).status == 2)
    #expect(try Files.read(path) == code)
    #expect(try hub(["status"]).output.contains("1 circles"))
  }

  /// Runs authctl within a shell's script, with a mount namespace of its own.
  private func run(_ words: [String], _ script: String) throws -> RunningProgram.Report {
    try RunningProgram.run(
      "/usr/bin/unshare",
      ["--mount", "/bin/sh", "-c", script, "sh", Machine.authctl] + words,
      environment: [
        "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LOCALAUTH_DAEMON=\(Machine.localauthd)",
        "PGPASSFILE=\(server.passwords(in: scratch))",
      ]
    )
  }
}
