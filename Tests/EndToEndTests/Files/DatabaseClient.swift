import LocalAuthUnix
import Testing

/// A program in C that uses the system's SQLite, which loads the file system as an extension, on a device of its own.
struct DatabaseClient {
  let device: SecretDevice
  let program: String

  init() throws {
    device = try SecretDevice()
    program = device.scratch.file("client")
    try Machine.compile(Self.source, to: program, ["-lsqlite3"])
  }

  /// Runs the program on a database.
  ///
  /// - Parameters:
  ///   - words: The database; what to do, `add` eight transactions, add a `pair` of the same in two databases, `fill` the
  ///     disk, `fail` at limits of the files' size, add `although` the write of a number fails, leave a journal `unread`, have the device `locked`
  ///     on a full disk, `fork` or `look`, by itself or beside another database; the journal's mode, how much is synchronized, and for `fill`
  ///     and `locked` a file that is removed once the disk was full, for `pair` the other database, for `although` the number; the bytes
  ///     of a page.
  ///   - environment: Variables more.
  /// - Returns: what it wrote: the number of each transaction once it was committed.
  /// - Throws: what running it throws.
  func run(_ words: [String], environment: [String] = []) throws -> RunningProgram.Report {
    try RunningProgram.run(
      program,
      [Machine.sqliteExtension] + words,
      environment: self.environment + environment
    )
  }

  var environment: [String] {
    [
      "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LOCALAUTH_HOME=\(device.daemon.home)",
      "LOCALAUTH_DEVICE=sim", "LOCALAUTH_ALLOW_SIMULATED=1",
    ]
  }

  /// What is in a database: each transaction adds three rows and changes one.
  struct Found {
    let integrity: String
    let rows: Int
    let transactions: Int
  }

  /// Opens a database alone, or together with one that is attached first, and looks what is in it.
  func look(at path: String, attaching other: String? = nil) throws -> Found {
    let run = try run([path, "look"] + (other.map { [$0] } ?? []))
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 3, "\(run.output) \(run.errors)")
    return Found(
      integrity: lines[0],
      rows: try #require(Int(lines[1])),
      transactions: try #require(Int(lines[2]))
    )
  }

  private static let source = #"""
    #include <signal.h>
    #include <sqlite3.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/resource.h>
    #include <sys/wait.h>
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

    // What ends in .plain is no protected database.
    static void address(char *uri, size_t size, const char *path) {
      size_t length = strlen(path);
      int is_plain = length > 6 && strcmp(path + length - 6, ".plain") == 0;
      snprintf(uri, size, "file:%s?vfs=%s", path, is_plain ? "unix" : "localauth");
    }

    static void attach(const char *path) {
      char uri[4096], text[4200];
      address(uri, sizeof uri, path);
      snprintf(text, sizeof text, "attach '%s' as two", uri);
      run(text);
    }

    static void look(void) {
      run("create table if not exists t(a); create table if not exists n(a);");
      run("pragma integrity_check; select count(*) from t; select coalesce(max(a), 0) from n");
    }

    static const char *pair;

    // Three rows more, and one that is changed; of two databases in each.
    static int add(void) {
      int status = sqlite3_exec(database, "begin", NULL, NULL, NULL);
      for (int row = 0; row < 3 && status == SQLITE_OK; row++)
        status = sqlite3_exec(
          database, "insert into main.t values (hex(randomblob(2500)))", NULL, NULL, NULL);
      for (int row = 0; pair && row < 3 && status == SQLITE_OK; row++)
        status = sqlite3_exec(
          database, "insert into two.t values (hex(randomblob(2500)))", NULL, NULL, NULL);
      if (pair && status == SQLITE_OK)
        status = sqlite3_exec(database, "update two.n set a = a + 1", NULL, NULL, NULL);
      if (status != SQLITE_OK) return status;
      return sqlite3_exec(database, "update main.n set a = a + 1; commit", NULL, NULL, NULL);
    }

    static void limit(rlim_t size) {
      struct rlimit limits;
      getrlimit(RLIMIT_FSIZE, &limits);
      limits.rlim_cur = size ? size : limits.rlim_max;
      if (setrlimit(RLIMIT_FSIZE, &limits) != 0) exit(2);
    }

    static int take_number(void *found, int count, char **values, char **names) {
      (void)count, (void)names;
      *(int *)found = atoi(values[0]);
      return 0;
    }

    // Transactions whose files may not grow beyond a limit: what is rolled back leaves nothing. Returns how many were.
    static int fail(void) {
      int failed = 0;
      signal(SIGXFSZ, SIG_IGN);
      run("delete from t; with recursive c(k) as (select 1 union all select k + 1 from c where k < 100) "
          "insert into t select 'old' || hex(randomblob(250)) from c");
      for (rlim_t size = 5000; size < 130000; size += 350) {
        int new = -1;
        limit(size);
        int status = sqlite3_exec(
          database, "begin; update t set a = 'new' || substr(a, 4); insert into n values (1)", NULL, NULL, NULL);
        if (status == SQLITE_OK) status = sqlite3_exec(database, "commit", NULL, NULL, NULL);
        if (status != SQLITE_OK) sqlite3_exec(database, "rollback", NULL, NULL, NULL), failed++;
        limit(0);
        check(sqlite3_exec(database, "select count(*) from t where a like 'new%'", take_number, &new, NULL), "count");
        if (new != (status == SQLITE_OK ? 100 : 0)) {
          fprintf(stderr, "%d rows of a transaction that ended with %d, at %lu\n", new, status, (unsigned long)size);
          exit(5);
        }
        run("update t set a = 'old' || substr(a, 4)");
      }
      return failed;
    }

    // Adds although one write fails: what that was for is rolled back, and done once more. Returns how often that was.
    static int add_although(const char *failing) {
      int failed = 0;
      setenv("FAIL", failing, 1);
      for (int number = 1; number <= 8; number++) {
        int status = add(), found = -1;
        if (status == SQLITE_OK) continue;
        const char *ask = "select coalesce(max(a), 0) from n";
        sqlite3_exec(database, "rollback", NULL, NULL, NULL);
        // An error may come late, too.
        if (sqlite3_exec(database, ask, take_number, &found, NULL) != SQLITE_OK)
          sqlite3_exec(database, ask, take_number, &found, NULL);
        if (++failed > 2 || found != number - 1) {
          fprintf(stderr, "transaction %d ended with %d, and there are %d\n", number, status, found);
          exit(5);
        }
        number--;
      }
      return failed;
    }

    // Rolls back what the lock interrupted, on a disk that was full at that moment.
    static void lock_on_a_full_disk(const char *path, const char *ballast, int rows) {
      static char zeros[512];
      char uri[4096], text[128];
      int new = -1;
      sqlite3 *other;
      address(uri, sizeof uri, path);
      check(sqlite3_open_v2(uri, &other, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, NULL), "open");
      snprintf(text, sizeof text, "begin; update t set a = 'new' || substr(a, 4) where rowid <= %d", rows);
      run(text);
      FILE *file = fopen(ballast, "w");
      setvbuf(file, NULL, _IONBF, 0);
      while (fwrite(zeros, sizeof zeros, 1, file) == 1);
      fclose(file);
      if (system(getenv("LOCK")) != 0) exit(2);
      // This connection has everything in memory.
      while (sqlite3_exec(other, "select count(*) from n", NULL, NULL, NULL) == SQLITE_OK) usleep(1000);
      sqlite3_close(other);
      if (system(getenv("UNLOCK")) != 0) exit(2);
      sqlite3_exec(database, "rollback", NULL, NULL, NULL);
      unlink(ballast);
      const char *ask = "select count(*) from t where a like 'new%'";
      if (sqlite3_exec(database, ask, take_number, &new, NULL) != SQLITE_OK)
        check(sqlite3_exec(database, ask, take_number, &new, NULL), ask);
      if (new != 0) {
        fprintf(stderr, "%d rows of what was rolled back\n", new);
        exit(5);
      }
    }

    // The status with which a process of ours ends, which uses the connection or opens the database itself.
    static int in_child(const char *program, char **words) {
      int status;
      pid_t child = fork();
      if (child == 0 && program) execl(program, program, words[1], words[2], "look", NULL);
      if (child == 0) {
        int written = sqlite3_exec(database, "insert into t values (2)", NULL, NULL, NULL);
        sqlite3_close(database);
        _exit(written == SQLITE_OK ? 0 : 7);
      }
      return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    static void fork_away(char **words) {
      char program[4096] = {0};
      if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) exit(2);
      run("insert into t values (1)");
      if (in_child(NULL, words) != 7) exit(6);
      if (in_child(program, words) != 2) exit(8);
      run("insert into t values (3)");
    }

    static void say_nothing(void) {
      if (!freopen("/dev/null", "w", stdout)) exit(2);
    }

    int main(int count, char **words) {
      char uri[4096], text[512];
      check(sqlite3_open(":memory:", &database), "memory");
      sqlite3_enable_load_extension(database, 1);
      check(sqlite3_load_extension(database, words[1], NULL, NULL), "load");
      sqlite3_close(database);
      address(uri, sizeof uri, words[2]);
      int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
      check(sqlite3_open_v2(uri, &database, flags, NULL), "open");
      if (strcmp(words[3], "look") == 0) {
        if (count > 4) {
          attach(words[4]);
        }
        look();
        return 0;
      }
      int acknowledged = dup(1);
      say_nothing();
      if (count > 7) {
        snprintf(text, sizeof text, "pragma page_size=%s", words[7]);
        run(text);
      }
      snprintf(text, sizeof text, "pragma journal_mode=%s; pragma synchronous=%s", words[4], words[5]);
      run(text);
      // Pages are written within a transaction, and a log is put into the database often.
      run("pragma cache_size=3; pragma wal_autocheckpoint=12");
      run("begin; create table t(a); create table n(a); insert into n values (0); commit");
      if (strcmp(words[3], "pair") == 0) {
        pair = words[6];
        attach(pair);
        snprintf(text, sizeof text, "pragma two.journal_mode=%s; pragma two.synchronous=%s", words[4], words[5]);
        run(text);
        run("pragma two.cache_size=3; begin; create table two.t(a); create table two.n(a)");
        run("insert into two.n values (0); commit");
      }
      if (strcmp(words[3], "although") == 0) {
        int size = snprintf(text, sizeof text, "%d\n", add_although(words[6]));
        check(sqlite3_close(database), "close");
        return write(acknowledged, text, size) == size ? 0 : 3;
      }
      if (strcmp(words[3], "unread") == 0) {
        // Nothing of the journal can be read when the connection is closed within a transaction.
        for (int twice = 0; twice < 2; twice++) check(add(), "add");
        run("begin; insert into t values (hex(randomblob(20000)))");
        setenv("FAIL_READS", "1", 1);
        sqlite3_close(database);
        return 0;
      }
      if (strcmp(words[3], "locked") == 0) {
        // A row has a page of its own.
        run("pragma cache_size=1000; insert into t values ('old' || hex(randomblob(1500)))");
        for (int twice = 0; twice < 7; twice++) run("insert into t select 'old' || hex(randomblob(1500)) from t");
        for (int rows = 40; rows < 128; rows += 4) lock_on_a_full_disk(words[2], words[6], rows);
        check(sqlite3_close(database), "close");
        return 0;
      }
      if (strcmp(words[3], "fork") == 0) {
        fork_away(words);
        check(sqlite3_close(database), "close");
        return 0;
      }
      if (strcmp(words[3], "fail") == 0) {
        int size = snprintf(text, sizeof text, "%d\n", fail());
        check(sqlite3_close(database), "close");
        return write(acknowledged, text, size) == size ? 0 : 3;
      }
      int rounds = strcmp(words[3], "fill") == 0 ? 1000 : 8;
      for (int number = 1; number <= rounds; number++) {
        int status = add();
        if (status == SQLITE_FULL && rounds == 1000) {
          // Somebody makes room; the connection goes on.
          sqlite3_exec(database, "rollback", NULL, NULL, NULL);
          if (unlink(words[6]) != 0) return 4;
          number--, rounds = number + 3;
          continue;
        }
        check(status, "add");
        int size = snprintf(text, sizeof text, "%d\n", number);
        if (write(acknowledged, text, size) != size) return 3;
      }
      check(sqlite3_close(database), "close");
      return 0;
    }
    """#
}
