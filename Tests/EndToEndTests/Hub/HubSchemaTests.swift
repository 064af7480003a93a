import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSync
import Testing

/// What an administrator does to a database that becomes a hub.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubSchemaTests {
  private let server: PostgreSQLServer

  init() throws { server = try PostgreSQLServer() }

  @Test func hubIsMadeOnceAndStaysAsItIs() throws {
    let connection = try server.administrator()
    #expect(try HubSchema.status(connection).version == nil)
    #expect(try HubSchema.upgrade(connection) == ["circles and zones", "values of a mebibyte"])
    let status = try HubSchema.status(connection)
    #expect(status.version == 2 && status.missing.isEmpty && status.server >= 150_000)
    #expect(try HubSchema.upgrade(connection).isEmpty)
  }

  @Test func schemaOfANewerProgramIsLeftAlone() throws {
    let connection = try server.administrator()
    _ = try HubSchema.upgrade(connection)
    try connection.runScript("insert into localauth.migration values (99, 'of the future')")
    #expect(throws: HubError.schema(found: 99, wanted: 2)) { try HubSchema.upgrade(connection) }
  }

  @Test func hubOfTheFirstVersionIsUpgradedAndKeepsWhatItHas() throws {
    let connection = try server.administrator()
    _ = try HubSchema.upgrade(connection)
    let verifier = HubPassword.generate().verifier()
    try HubSchema.found(connection, role: HubDevice.role(1), verifier: verifier)
    try connection.runScript(
      """
      delete from localauth.migration where number = 2;
      alter table localauth.record drop constraint record_body_check;
      alter table localauth.record add check (length(body) <= 1048576)
      """
    )
    #expect(try HubSchema.status(connection).missing == ["values of a mebibyte"])
    #expect(throws: HubError.schema(found: 1, wanted: 2)) { try HubSchema.verify(connection) }
    #expect(try HubSchema.upgrade(connection) == ["values of a mebibyte"])
    #expect(try HubSchema.census(connection).circles == 1)
    #expect(try HubSchema.verify(connection).allSatisfy { $0.contains("is off") })
    let devices = "select count(*)::text from localauth.device"
    #expect(try connection.text(devices) == "1")
  }

  @Test func upgradeThatFailsLeavesTheDatabaseAsItWas() throws {
    let connection = try server.administrator()
    try connection.runScript("create schema localauth; create table localauth.circle (a int)")
    #expect(throws: HubError.self) { try HubSchema.upgrade(connection) }
    #expect(try HubSchema.status(connection).version == nil)
  }
}
