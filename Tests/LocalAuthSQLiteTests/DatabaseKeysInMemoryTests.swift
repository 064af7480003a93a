import LocalAuthTestKit
import LocalAuthTestSupport
import Testing

@testable import LocalAuthFiles
@testable import LocalAuthSQLite

/// What is left of a database's key once the device is locked.
@Suite(
  .serialized,
  .disabled(if: Sanitizer.isActive, "a sanitizer keeps terabytes of memory of its own")
)
struct DatabaseKeysInMemoryTests {
  @Test(arguments: ["delete", "wal"])
  func noDatabaseKeyIsLeftAfterTheDeadline(_ mode: String) async throws {
    let world = try DatabaseWorld()
    let database = try world.open()
    try database.run("pragma journal_mode=\(mode); create table t(a); insert into t values (1)")
    let header = try #require(
      try SourceFile(world.path("notes.db"), isReplaced: false).header()
    )
    let (choice, source) = try world.device.device.resolved()
    let scan = MemoryScan()
    scan.lookFor(try FileKeySource(choice, source).open(header))
    try world.device.lock()
    try await world.passGrace()
    #expect(scan.findings() == [])
    withExtendedLifetime(database) {}
  }
}
