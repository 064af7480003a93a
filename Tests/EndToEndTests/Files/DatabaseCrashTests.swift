import LocalAuthTestSupport
import Testing

/// `kill -9`, torn writes and power cuts at everything that a program does to a protected database.
///
/// The program is written in C, with the system's SQLite, which loads the file system as an extension.
@Suite(
  .enabled(if: Machine.compiler != nil, "needs a C compiler"),
  .disabled(if: Sanitizer.isActive, "a sanitizer lets nothing be loaded before it")
)
struct DatabaseCrashTests {
  private let client: DatabaseClient
  private let killer: StepKiller

  init() throws {
    client = try DatabaseClient()
    killer = try StepKiller(in: client.device.scratch)
  }

  /// How far a step is from the next that is looked at.
  private let stride = Settings.kills(usually: 1) > 1 ? 1 : 11

  @Test(arguments: ["delete", "truncate", "persist", "wal"], StepKiller.Mode.allCases)
  func transactionsAreThereWhollyOrNotAtAll(_ journal: String, _ mode: StepKiller.Mode) throws {
    try crash(journal, "full", mode)
  }

  /// What was committed outlives the program, though not the machine.
  @Test(arguments: ["delete", "wal"], [StepKiller.Mode.killed, .torn])
  func transactionsThatAreNotSynchronizedOutliveTheProgram(
    _ journal: String,
    _ mode: StepKiller.Mode
  ) throws {
    try crash(journal, "normal", mode)
    if mode == .killed { try crash(journal, "off", mode) }
  }

  @Test func fileThatWasNotSealedIsSaidToBeSo() throws {
    let path = client.device.scratch.file("killed.db")
    let run = try client.run(
      [path, "add", "wal", "full"],
      environment: killer.environment(.killed, killedAt: 60)
    )
    #expect(run.status == nil, "it is killed")
    let read = try client.device.authctl(["file", "cat", path])
    #expect(read.status == 0 && read.output.hasPrefix("SQLite format 3"), "\(read.errors)")
    #expect(read.errors.contains("was not sealed"), "\(read.errors)")
    #expect(try client.device.authctl(["file", "cat", "--sealed-only", path]).status == 24)
    #expect(try client.device.authctl(["file", "status", path]).output.contains("not sealed"))
  }

  /// It shares the lock, and what it knows of the file is what the other one knew.
  @Test(arguments: ["delete", "wal"])
  func processThatWasForkedNeitherWritesNorUnlocks(_ journal: String) throws {
    let path = client.device.scratch.file("forked.db")
    let run = try client.run([path, "fork", journal, "full"])
    #expect(run.status == 0, "\(run.errors)")
    let found = try client.look(at: path)
    #expect(found.integrity == "ok" && found.rows == 2)
  }

  /// SQLite takes back what failed, and the connection goes on.
  @Test(arguments: ["delete", "truncate", "persist", "wal"], [4096, 16_384])
  func transactionOfWhichAWriteFailsIsUndone(_ journal: String, _ page: Int) throws {
    var failed = 0
    for number in Swift.stride(from: 1 + Int(Settings.seed % UInt64(stride)), to: 250, by: stride) {
      let path = client.device.scratch.file("\(journal)-\(page)-\(number).db")
      let run = try client.run(
        [path, "although", journal, "full", "\(number)", "\(page)"],
        environment: killer.environmentForFailures
      )
      let context: Comment = "\(journal) \(page) write \(number) SEED=\(Settings.seed)"
      try #require(run.status == 0, "\(context): \(run.errors)")
      failed += Int(run.output.split(separator: "\n").last ?? "") ?? 0
      let found = try client.look(at: path)
      #expect(found.integrity == "ok" && found.transactions == 8 && found.rows == 24, "\(context)")
    }
    #expect(failed > 3)
  }

  @Test(arguments: ["delete", "truncate", "persist", "wal"])
  func journalThatCannotBeReadAtTheEndIsKeptForTheNextOne(_ journal: String) throws {
    let path = client.device.scratch.file("unread.db")
    let run = try client.run(
      [path, "unread", journal, "full"],
      environment: killer.environmentForFailures
    )
    #expect(run.status == 0, "\(run.errors)")
    let found = try client.look(at: path)
    #expect(found.integrity == "ok" && found.transactions == 2 && found.rows == 6, "\(found)")
  }

  private func crash(_ journal: String, _ level: String, _ mode: StepKiller.Mode) throws {
    var step = 1 + Int(Settings.seed % UInt64(stride))
    var isKilled = true
    while isKilled {
      let path = client.device.scratch.file("\(journal)-\(level)-\(mode)-\(step).db")
      let run = try client.run(
        [path, "add", journal, level],
        environment: killer.environment(mode, killedAt: step)
      )
      let context: Comment = "\(journal) \(level) \(mode) step \(step) SEED=\(Settings.seed)"
      isKilled = run.status == nil
      if !isKilled { try #require(run.status == 0, "\(context): \(run.errors)") }
      try check(path, Int(run.output.split(separator: "\n").last ?? "0") ?? 0, context)
      step += stride
    }
    #expect(step > 60, "so few steps cannot be all")
  }

  /// The database that is opened first finds the super-journal, which has to stay until the other one was opened.
  @Test(arguments: ["delete", "truncate", "persist"], StepKiller.Mode.allCases)
  func transactionsOverTwoDatabasesAreThereInBothOrInNeither(
    _ journal: String,
    _ mode: StepKiller.Mode
  ) throws {
    try crashPair(["a.db", "b.db"], journal, mode)
  }

  /// An SQLite that looks at the journal of a protected database by itself learns what that refers to.
  @Test(
    arguments: [["a.db", "b.plain"], ["a.plain", "b.db"]],
    [StepKiller.Mode.killed, .torn]
  )
  func transactionsOverAProtectedAndAPlainDatabaseAreThereInBothOrInNeither(
    _ names: [String],
    _ mode: StepKiller.Mode
  ) throws {
    for journal in ["delete", "persist"] { try crashPair(names, journal, mode) }
  }

  private func crashPair(_ names: [String], _ journal: String, _ mode: StepKiller.Mode) throws {
    var step = 1 + Int(Settings.seed % UInt64(stride))
    var isKilled = true
    while isKilled {
      let pair = names.map { client.device.scratch.file("\(journal)-\(mode)-\(step)\($0)") }
      let run = try client.run(
        [pair[0], "pair", journal, "full", pair[1]],
        environment: killer.environment(mode, killedAt: step)
      )
      let context: Comment = "\(names) \(journal) \(mode) step \(step) SEED=\(Settings.seed)"
      isKilled = run.status == nil
      if !isKilled { try #require(run.status == 0, "\(context): \(run.errors)") }
      let (first, second) = step % 2 == 0 ? (pair[0], pair[1]) : (pair[1], pair[0])
      // One program may have both open, or one of them.
      let found = try [
        client.look(at: first, attaching: step % 3 == 0 ? second : nil), client.look(at: second),
      ]
      #expect(found.allSatisfy { $0.integrity == "ok" }, "\(context)")
      #expect(found[0].transactions == found[1].transactions, "\(context): \(found)")
      #expect(found.allSatisfy { $0.rows == 3 * $0.transactions }, "\(context): \(found)")
      let known = Int(run.output.split(separator: "\n").last ?? "0") ?? 0
      #expect((known...known + 1).contains(found[0].transactions), "\(context): \(found)")
      step += stride
    }
    #expect(step > 60, "so few steps cannot be all")
  }

  private func check(_ path: String, _ known: Int, _ context: Comment) throws {
    let found = try client.look(at: path)
    #expect(found.integrity == "ok", "\(context)")
    let isWhole = found.rows % 3 == 0 && found.transactions == found.rows / 3
    #expect(isWhole, "\(context): \(found)")
    #expect(
      (known...known + 1).contains(found.transactions),
      "\(context): \(found), known \(known)"
    )
  }
}
