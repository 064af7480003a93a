import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync
import Testing

/// A hub that is dumped and comes back on another server, as docs/hub.md says.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubBackupTests {
  private let scratch = Scratch()
  private let role = HubDevice.role(1)
  private let password = HubPassword.generate()
  private let first: PostgreSQLServer
  private let second: PostgreSQLServer

  init() throws {
    first = try PostgreSQLServer(["fsync=on"])
    second = try PostgreSQLServer(["fsync=on"])
  }

  /// Runs one of PostgreSQL's programs as the administrator.
  private func run(
    _ program: String,
    _ server: PostgreSQLServer,
    _ words: [String]
  ) throws -> String {
    let report = try RunningProgram.run(
      "\(PostgreSQLServer.programs)/\(program)",
      ["--host", server.directory, "--username", "postgres"] + words,
      environment: ["PATH=/usr/bin:/bin", "PGPASSFILE=\(try server.passwords(in: scratch))"]
    )
    #expect(report.status == 0, "\(program): \(report.errors)")
    return report.output
  }

  private func connect(
    _ server: PostgreSQLServer,
    _ user: String,
    _ password: borrowing Secret
  ) throws -> HubConnection {
    try HubConnection(
      [("host", server.directory), ("user", user), ("dbname", "hub")],
      password: password
    )
  }

  private func device(_ server: PostgreSQLServer) throws -> HubClient {
    HubClient(try connect(server, role.text, password.text))
  }

  @Test func hubComesBackWithItsRolesAndRights() throws {
    _ = try run("createdb", first, ["hub"])
    let administrator = try connect(first, "postgres", PostgreSQLServer.administratorsPassword)
    _ = try HubSchema.install(administrator)
    try HubSchema.found(administrator, role: role, verifier: password.verifier())
    let entry = HubDevice.entry([HubDevice.change(1, to: [7])], batch: 1)
    #expect(
      try device(first).push(entry, [HubDevice.name(1): [7]])
        == .accepted(entry.place(MessageHash()))
    )
    let dump = scratch.file("hub.dump")
    try scratch.write(try run("pg_dumpall", first, ["--roles-only"]), to: "roles.sql")
    _ = try run("pg_dump", first, ["--format=custom", "--create", "--file", dump, "hub"])

    _ = try run("psql", second, ["--quiet", "--file", scratch.file("roles.sql"), "postgres"])
    _ = try run("pg_restore", second, ["--create", "--dbname=postgres", dump])
    let restored = try connect(second, "postgres", PostgreSQLServer.administratorsPassword)
    #expect(try HubSchema.verify(restored) == [])
    let page = try device(second).pull(.items, after: 0)
    #expect(page.entries == [entry] && page.bodies == [HubDevice.name(1): [7]])
    let next = HubDevice.entry(
      [HubDevice.change(1, to: nil)],
      after: entry.place(MessageHash()),
      batch: 2
    )
    #expect(try device(second).push(next, [:]) == .accepted(next.place(MessageHash())))
    // What devices see of a server that goes back to the dump.
    #expect(try device(first).heads().zones == [ZoneHead(.items, entry.place(MessageHash()))])
  }

  @Test func dumpWithoutItsDatabaseIsNoticed() throws {
    let administrator = try second.administrator()
    _ = try HubSchema.install(administrator)
    #expect(try HubSchema.verify(administrator) == [])
    try administrator.runScript(
      "grant temporary on database postgres to public; grant execute on function lo_create to public"
    )
    #expect(
      try HubSchema.verify(administrator) == [
        "Everybody may make temporary tables in this database, past the share of a circle.",
        "Everybody may make large objects in this database, past the share of a circle.",
      ]
    )
  }
}
