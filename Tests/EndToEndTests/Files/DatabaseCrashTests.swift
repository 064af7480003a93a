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
  private let device: SecretDevice
  private let killer: StepKiller
  private let client: String

  init() throws {
    device = try SecretDevice()
    killer = try StepKiller(in: device.scratch)
    client = device.scratch.file("client")
    try Machine.compile(Self.source, to: client, ["-lsqlite3"])
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

  private func crash(_ journal: String, _ level: String, _ mode: StepKiller.Mode) throws {
    var step = 1 + Int(Settings.seed % UInt64(stride))
    var isKilled = true
    while isKilled {
      let path = device.scratch.file("\(journal)-\(level)-\(mode)-\(step).db")
      let environment = environment + killer.environment(mode, killedAt: step)
      let run = try RunningProgram.run(
        client,
        [Machine.sqliteExtension, path, journal, level],
        environment: environment
      )
      let context: Comment = "\(journal) \(level) \(mode) step \(step) SEED=\(Settings.seed)"
      isKilled = run.status == nil
      if !isKilled { try #require(run.status == 0, "\(context): \(run.errors)") }
      try check(path, Int(run.output.split(separator: "\n").last ?? "0") ?? 0, context)
      step += stride
    }
    #expect(step > 60, "so few steps cannot be all")
  }

  /// Each transaction adds three rows and changes one.
  private func check(_ path: String, _ known: Int, _ context: Comment) throws {
    let run = try RunningProgram.run(
      client,
      [Machine.sqliteExtension, path],
      environment: environment
    )
    #expect(run.status == 0, "\(context): \(run.errors)")
    let found = run.output.split(separator: "\n").map(String.init)
    try #require(found.count == 3, "\(context): \(run.output) \(run.errors)")
    #expect(found[0] == "ok", "\(context)")
    let rows = try #require(Int(found[1]))
    #expect(rows % 3 == 0 && rows / 3 >= known && rows / 3 <= known + 1, "\(context): \(rows)")
    #expect(found[2] == "\(rows / 3)", "\(context): the count is of another transaction")
  }

  private var environment: [String] {
    [
      "LOCALAUTH_HOME=\(device.daemon.home)", "LOCALAUTH_DEVICE=sim",
      "LOCALAUTH_ALLOW_SIMULATED=1",
    ]
  }

  private static let source = #"""
    #include <sqlite3.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    static sqlite3 *database;

    static void check(int status, const char *what) {
      if (status == SQLITE_OK) return;
      fprintf(stderr, "%s: %s (%d)\n", what, sqlite3_errmsg(database), status);
      exit(2);
    }

    static int print(void *unused, int count, char **values, char **names) {
      (void)unused, (void)count, (void)names;
      printf("%s\n", values[0] ? values[0] : "null");
      return 0;
    }

    static void run(const char *text) {
      check(sqlite3_exec(database, text, print, NULL, NULL), text);
    }

    static void say_nothing(void) {
      freopen("/dev/null", "w", stdout);
    }

    int main(int count, char **words) {
      char uri[4096], text[512];
      (void)count;
      check(sqlite3_open(":memory:", &database), "memory");
      sqlite3_enable_load_extension(database, 1);
      check(sqlite3_load_extension(database, words[1], NULL, NULL), "load");
      sqlite3_close(database);
      snprintf(uri, sizeof uri, "file:%s?vfs=localauth", words[2]);
      int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
      check(sqlite3_open_v2(uri, &database, flags, NULL), "open");
      if (words[3] == NULL) {
        run("create table if not exists t(a); create table if not exists n(a);");
        run("pragma integrity_check; select count(*) from t; select coalesce(max(a), 0) from n");
        return 0;
      }
      int acknowledged = dup(1);
      say_nothing();
      snprintf(text, sizeof text, "pragma journal_mode=%s; pragma synchronous=%s", words[3], words[4]);
      run(text);
      // Pages are written within a transaction, and a log is put into the database often.
      run("pragma cache_size=3; pragma wal_autocheckpoint=12");
      run("begin; create table t(a); create table n(a); insert into n values (0); commit");
      for (int number = 1; number <= 8; number++) {
        run("begin");
        for (int row = 0; row < 3; row++) run("insert into t values (hex(randomblob(2500)))");
        run("update n set a = a + 1; commit");
        int size = snprintf(text, sizeof text, "%d\n", number);
        if (write(acknowledged, text, size) != size) return 3;
      }
      check(sqlite3_close(database), "close");
      return 0;
    }
    """#
}
