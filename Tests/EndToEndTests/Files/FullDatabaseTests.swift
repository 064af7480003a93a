import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// A protected database on a disk that is full.
@Suite(
  .enabled(if: Machine.compiler != nil && Machine.canMount, "needs gcc and mount namespaces"),
  .disabled(if: Sanitizer.isActive, "a program without the sanitizer loads no library with it")
)
struct FullDatabaseTests {
  private let client: DatabaseClient

  init() throws { client = try DatabaseClient() }

  @Test(arguments: ["delete", "truncate", "persist", "wal"])
  func connectionGoesOnOnceThereIsRoom(_ journal: String) throws {
    let disk = client.device.scratch.file("disk")
    let script = """
      mkdir "$0" && mount -t tmpfs -o size=900k none "$0" &&
        head -c 300000 /dev/zero > "$0/ballast" || exit 99
      "$@"; status=$?
      cp "$0/full.db" "$0.db"; exit $status
      """
    let words = [
      "--mount", "/bin/sh", "-c", script, disk, client.program, Machine.sqliteExtension,
      disk + "/full.db", "fill", journal, "full", disk + "/ballast",
    ]
    let ran = try RunningProgram.run("/usr/bin/unshare", words, environment: client.environment)
    #expect(ran.status == 0, "\(ran.errors)")
    let known = try #require(ran.output.split(separator: "\n").last.flatMap { Int($0) })
    let found = try client.look(at: disk + ".db")
    #expect(found.integrity == "ok")
    #expect(found.transactions == known && found.rows == 3 * known, "\(found), known \(known)")
    #expect(known > 5)
  }

  /// SQLite goes on with the connection, and rolls back by what it has put into the journal.
  @Test(arguments: ["delete", "truncate", "persist", "wal"], [4096, 16_384])
  func transactionThatFailsLeavesNothing(_ journal: String, _ page: Int) throws {
    for synchronous in ["full", "off"] { try fail(journal, synchronous, page) }
  }

  private func fail(_ journal: String, _ synchronous: String, _ page: Int) throws {
    let path = client.device.scratch.file("\(synchronous).db")
    let ran = try client.run([path, "fail", journal, synchronous, "", "\(page)"])
    #expect(ran.status == 0, "\(ran.errors)")
    let failed = try #require(Int(ran.output.split(separator: "\n").last ?? ""))
    #expect(failed > 5)
    #expect(try client.look(at: path).integrity == "ok")
  }

  /// What of the journal is in memory only is gone with the key; SQLite must not take what is left for all.
  @Test(arguments: ["delete", "persist"])
  func transactionThatALockInterruptsOnAFullDiskLeavesNothing(_ journal: String) throws {
    let disk = client.device.scratch.file("disk")
    let device = ([Machine.authctl] + client.device.words + ["device"]).joined(separator: " ")
    let script = """
      mkdir "$0" && mount -t tmpfs -o size=2m none "$0" || exit 99
      "$@"; status=$?
      cp "$0/full.db" "$0.db"; exit $status
      """
    let words = [
      "--mount", "/bin/sh", "-c", script, disk, client.program, Machine.sqliteExtension,
      disk + "/full.db", "locked", journal, "full", disk + "/ballast",
    ]
    let commands = [
      "LOCK=\(device) lock --quiet && \(device) clock advance 11s --quiet",
      "UNLOCK=echo 2468 | \(device) unlock --passcode-stdin --quiet",
    ]
    let ran = try RunningProgram.run(
      "/usr/bin/unshare",
      words,
      environment: client.environment + commands
    )
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(try client.look(at: disk + ".db").integrity == "ok")
  }
}
