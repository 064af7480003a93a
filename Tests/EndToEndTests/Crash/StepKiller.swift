import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// A library that is loaded into the daemon, counts what it does to its files and ends it at the
/// n-th step, as a kill or a power cut would.
final class StepKiller: Sendable {
  /// How a step ends the daemon.
  enum Mode: Int, CaseIterable, Sendable {
    /// A kill: everything before the step is there.
    case killed
    /// A kill in the middle of a write that is longer than a sector; disks write sectors whole.
    case torn
    /// A power cut: nothing is there that was not synchronized.
    case powerCut
    /// A power cut after which some of what was not synchronized is there, and some is not.
    case scattered
  }

  private let scratch: Scratch
  private let library: String

  init(in scratch: Scratch) throws {
    self.scratch = scratch
    library = scratch.file("step-killer.so")
    try Machine.compile(Self.source, to: library, ["-shared", "-fPIC"])
  }

  /// The environment of a daemon that is to be killed at a step, 0 for none.
  ///
  /// - Parameters:
  ///   - mode: how it is killed.
  ///   - step: when.
  ///   - others: libraries to load as well.
  ///   - file: a file; steps count as long as it is there, and it grows by a byte for each; nil to count from the start.
  /// - Returns: variables, each as `name=value`.
  func environment(
    _ mode: Mode,
    killedAt step: Int,
    with others: [String] = [],
    countingIn file: String? = nil
  ) -> [String] {
    let libraries = ([library] + others).joined(separator: ":")
    let counted = file.map { ["COUNTED=\($0)"] } ?? []
    return ["LD_PRELOAD=\(libraries)", "STEP=\(step)", "MODE=\(mode.rawValue)"] + counted
  }

  /// The environment of a program of which one write fails: that of the number that it puts into `FAIL`; and all reads
  /// of journals, once it sets `FAIL_READS`.
  var environmentForFailures: [String] { ["LD_PRELOAD=\(library)"] }

  /// Runs a scenario once for each step, killing the daemon there, until it runs to its end.
  ///
  /// - Parameters:
  ///   - mode: how it is killed.
  ///   - stride: how far a step is from the next that is looked at; the seed says which is the first.
  ///   - model: the home that each run begins with a copy of; nil for none.
  ///   - book: what the client knows when it begins.
  ///   - scenario: what it asks for; it ends when the connection does.
  ///   - check: holds what is left in the home against what the client knows.
  /// - Returns: the steps of the whole scenario, less than a stride too few.
  /// - Throws: what scenario and check throw, but for the end of the connection.
  func killAtEveryStep<Book>(
    _ mode: Mode,
    stride: Int = 1,
    from model: String?,
    _ book: Book,
    _ scenario: (WireClient, inout Book) throws -> Void,
    _ check: (_ home: String, _ book: Book, _ context: Comment) throws -> Void
  ) throws -> Int {
    var step = 1 + Int(Settings.seed % UInt64(stride))
    while true {
      let home = scratch.file("home-\(mode)-\(step)")
      if let model { _ = try RunningProgram.run("/bin/cp", ["-a", model, home]) }
      var known = book
      let isKilled = try run(home, killedAt: step, mode) { try scenario($0, &known) }
      try check(home, known, "\(mode) step \(step) SEED=\(Settings.seed)")
      _ = try RunningProgram.run("/bin/rm", ["-rf", home])
      guard isKilled else { return step - stride }
      step += stride
    }
  }

  /// Whether the daemon was killed before scenario and end were through.
  private func run(
    _ home: String,
    killedAt step: Int,
    _ mode: Mode,
    _ scenario: (WireClient) throws -> Void
  ) throws -> Bool {
    let environment = environment(mode, killedAt: step)
    do {
      let daemon = try DaemonProcess(
        home: home,
        DaemonProcess.Options(environment: environment)
      )
      let exit: ChildProcess.Exit
      do {
        try scenario(try daemon.connect())
        exit = try daemon.stop()
      } catch is WireClient.Failure {
        exit = try daemon.program.waitForExit()
      }
      #expect(exit == .signal(SIGKILL) || exit == .status(0), "\(mode) step \(step): \(exit)")
      return exit == .signal(SIGKILL)
    } catch let error as DaemonProcess.NotStarted {
      #expect(error.exit == .signal(SIGKILL), "\(mode) step \(step): \(error)")
      return true
    }
  }

  private static let source = #"""
    #define _GNU_SOURCE
    #include <errno.h>
    #include <fcntl.h>
    #include <pthread.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    enum { KILLED, TORN, POWER_CUT, SCATTERED };

    // What a write that is not synchronized yet has replaced.
    struct replaced {
      struct replaced *older;
      ino_t inode;
      int file;
      off_t offset, size;
      ssize_t count;
      char bytes[];
    };

    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    static struct replaced *newest;
    static int steps;

    static int number(const char *name) {
      const char *text = getenv(name);
      return text == NULL ? 0 : atoi(text);
    }

    static void die(void) {
      int mode = number("MODE");
      unsigned chance = 2654435761u * (unsigned)steps;
      for (struct replaced *one = newest; one != NULL && mode >= POWER_CUT; one = one->older) {
        chance = chance * 1103515245u + 12345u;
        if (mode == SCATTERED && (chance >> 16 & 1)) continue;
        syscall(SYS_pwrite64, one->file, one->bytes, one->count, one->offset);
        syscall(SYS_ftruncate, one->file, one->size);
      }
      kill(getpid(), SIGKILL);
      for (;;) pause();
    }

    static int is_counted(void) {
      const char *path = getenv("COUNTED");
      if (path == NULL) return 1;
      int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC);
      if (file < 0) return 0;
      syscall(SYS_write, file, "", 1);
      syscall(SYS_close, file);
      return 1;
    }

    static int is_last(void) { return is_counted() && ++steps == number("STEP"); }

    static void step(void) {
      pthread_mutex_lock(&turn);
      if (number("MODE") != TORN && is_last()) die();
      pthread_mutex_unlock(&turn);
    }

    // A descriptor of our own, which is never closed: closing one drops the process's locks.
    static int own(int file, ino_t inode) {
      for (struct replaced *one = newest; one != NULL; one = one->older)
        if (one->inode == inode) return one->file;
      return fcntl(file, F_DUPFD_CLOEXEC, 400);
    }

    // SQLite's shared memory: no start after a power cut believes it, and taking back its size would
    // be a bus error for a thread that has it mapped.
    static int is_shared_memory(int file) {
      char link[64], path[4096];
      snprintf(link, sizeof link, "/proc/self/fd/%d", file);
      ssize_t size = readlink(link, path, sizeof path);
      return size >= 4 && memcmp(path + size - 4, "-shm", 4) == 0;
    }

    static void remember(int file, const struct stat *status, size_t count, off_t offset) {
      if (number("MODE") < POWER_CUT || fcntl(file, F_GETFL) & O_DSYNC || is_shared_memory(file))
        return;
      struct replaced *one = malloc(sizeof *one + count);
      *one = (struct replaced){
        newest, status->st_ino, own(file, status->st_ino), offset, status->st_size};
      one->count = count == 0 ? 0 : pread(file, one->bytes, count, offset);
      if (one->count < 0) one->count = 0;
      newest = one;
    }

    static void forget(int file) {
      struct stat status;
      if (fstat(file, &status) != 0) return;
      pthread_mutex_lock(&turn);
      for (struct replaced **link = &newest; *link != NULL;)
        if ((*link)->inode == status.st_ino)
          *link = (*link)->older;
        else
          link = &(*link)->older;
      pthread_mutex_unlock(&turn);
    }

    static int fails(void) {
      static int writes;
      int failing = number("FAIL");
      if (failing == 0 || ++writes != failing) return 0;
      errno = ENOSPC;
      return 1;
    }

    static ssize_t put(int file, const void *bytes, size_t count, off_t offset) {
      struct stat status;
      if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        if (fails()) return -1;
        pthread_mutex_lock(&turn);
        int torn = number("MODE") == TORN;
        if ((!torn || count > 512) && is_last()) {
          if (torn) syscall(SYS_pwrite64, file, bytes, (count / 2 + 511) / 512 * 512, offset);
          die();
        }
        remember(file, &status, count, offset);
        pthread_mutex_unlock(&turn);
      }
      return syscall(SYS_pwrite64, file, bytes, count, offset);
    }

    static ssize_t get(int file, void *bytes, size_t count, off_t offset) {
      char link[64], path[4096] = {0};
      if (getenv("FAIL_READS")) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        if (readlink(link, path, sizeof path - 1) > 0 && (strstr(path, "-wal") || strstr(path, "-journal"))) {
          errno = EIO;
          return -1;
        }
      }
      return syscall(SYS_pread64, file, bytes, count, offset);
    }

    static int cut(int file, off_t size) {
      struct stat status;
      step();
      if (fstat(file, &status) == 0) {
        pthread_mutex_lock(&turn);
        remember(file, &status, status.st_size > size ? status.st_size - size : 0, size);
        pthread_mutex_unlock(&turn);
      }
      return syscall(SYS_ftruncate, file, size);
    }

    static int synchronize(long call, int file) {
      step();
      int outcome = syscall(call, file);
      forget(file);
      return outcome;
    }

    ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
      return put(file, bytes, count, offset);
    }
    ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
      return put(file, bytes, count, offset);
    }
    ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
      return get(file, bytes, count, offset);
    }
    ssize_t pread64(int file, void *bytes, size_t count, off_t offset) {
      return get(file, bytes, count, offset);
    }
    int fsync(int file) { return synchronize(SYS_fsync, file); }
    int fdatasync(int file) { return synchronize(SYS_fdatasync, file); }
    int ftruncate(int file, off_t size) { return cut(file, size); }
    int ftruncate64(int file, off_t size) { return cut(file, size); }
    int unlink(const char *path) { return step(), syscall(SYS_unlink, path); }
    int unlinkat(int at, const char *path, int flags) {
      return step(), syscall(SYS_unlinkat, at, path, flags);
    }
    int linkat(int from, const char *path, int to, const char *other, int flags) {
      return step(), syscall(SYS_linkat, from, path, to, other, flags);
    }
    int renameat(int from, const char *path, int to, const char *other) {
      return step(), syscall(SYS_renameat, from, path, to, other);
    }
    int mkdir(const char *path, mode_t mode) { return step(), syscall(SYS_mkdir, path, mode); }
    """#
}
