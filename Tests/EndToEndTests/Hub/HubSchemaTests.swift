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
    #expect(try HubSchema.upgrade(connection) == ["circles and zones"])
    let status = try HubSchema.status(connection)
    #expect(status.version == 1 && status.missing.isEmpty && status.server >= 150_000)
    #expect(try HubSchema.upgrade(connection).isEmpty)
  }

  @Test func schemaOfANewerProgramIsLeftAlone() throws {
    let connection = try server.administrator()
    _ = try HubSchema.upgrade(connection)
    try connection.runScript("insert into localauth.migration values (99, 'of the future')")
    #expect(throws: HubError.schema(found: 99, wanted: 1)) { try HubSchema.upgrade(connection) }
  }

  @Test func upgradeThatFailsLeavesTheDatabaseAsItWas() throws {
    let connection = try server.administrator()
    try connection.runScript("create schema localauth; create table localauth.circle (a int)")
    #expect(throws: HubError.self) { try HubSchema.upgrade(connection) }
    #expect(try HubSchema.status(connection).version == nil)
  }
}
