import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// A small C program, built once a run with the compiler that builds our shims: a process that the
/// tests can make fail in the ways a daemon or another user's process can.
enum FixtureProgram {
  /// Where it was built; it stays until the test process ends.
  static let path: String = build()

  private static let directory = ScratchDirectory()

  private static func build() -> String {
    let source = directory.file("fixture.c")
    let program = directory.file("fixture")
    directory.write(text, to: "fixture.c")
    // A static value is never given back by itself.
    _ = atexit { FixtureProgram.directory.remove() }
    for compiler in ["clang", "cc", "gcc"].compactMap(findOnPath) {
      let request = SpawnRequest(
        executable: compiler,
        arguments: ["-O1", "-o", program, source],
        environment: ["PATH=\(variable("PATH"))", "TMPDIR=\(directory.path)"]
      )
      guard var child = try? ChildProcess.spawn(request) else { continue }
      if (try? child.waitForExit()) == .status(0) { return program }
    }
    Issue.record("no C compiler was found on PATH; the package itself needs one")
    return "/nonexistent"
  }

  private static func findOnPath(_ name: String) -> String? {
    variable("PATH").split(separator: ":").map { "\($0)/\(name)" }
      .first { unsafe access($0, X_OK) == 0 }
  }

  private static func variable(_ name: String) -> String { ProcessEnvironment.current[name] ?? "" }

  private static let text = #"""
    #define _GNU_SOURCE
    #include <fcntl.h>
    #include <poll.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/file.h>
    #include <sys/socket.h>
    #include <sys/stat.h>
    #include <sys/un.h>
    #include <unistd.h>

    extern char **environ;

    static const char *in(const char *directory, const char *name) {
      static char path[4096];
      snprintf(path, sizeof path, "%s/%s", directory, name);
      return path;
    }

    static int bound(const char *path) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      strncpy(address.sun_path, path, sizeof address.sun_path - 1);
      unlink(path);
      int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (bind(made, (struct sockaddr *)&address, sizeof address) < 0) exit(90);
      chmod(path, 0666);
      return made;
    }

    static void report(const char *home) {
      FILE *file = fopen(in(home, "report"), "w");
      for (char **entry = environ; *entry != NULL; entry++) fprintf(file, "env %s\n", *entry);
      for (int number = 0; number < 1024; number++)
        if (number != fileno(file) && fcntl(number, F_GETFD) >= 0) fprintf(file, "fd %d\n", number);
      char directory[4096];
      fprintf(file, "cwd %s\n", getcwd(directory, sizeof directory));
      fprintf(file, "leader %d\n", getsid(0) == getpid());
      fclose(file);
    }

    // Answers one frame a connection with itself; "quit" ends the daemon.
    static void serve(int listener) {
      for (;;) {
        int peer = accept(listener, NULL, NULL);
        char frame[4096];
        ssize_t count = 0, got;
        while ((got = read(peer, frame + count, sizeof frame - count)) > 0) {
          count += got;
          if (frame[count - 1] == 0) break;
        }
        if (count > 0 && strcmp(frame, "quit") == 0) exit(0);
        if (count > 0 && write(peer, frame, count) < 0) exit(91);
        close(peer);
      }
    }

    static void daemon_main(const char *home, const char *socket, int ready) {
      char behaviour[16] = "";
      FILE *file = fopen(in(home, "behaviour"), "r");
      if (file == NULL || fgets(behaviour, sizeof behaviour, file) == NULL) exit(92);
      fclose(file);
      int starts = open(in(home, "starts"), O_WRONLY | O_APPEND | O_CREAT, 0600);
      if (write(starts, "x", 1) != 1) exit(93);
      close(starts);
      if (strcmp(behaviour, "die") == 0) {
        fprintf(stderr, "first line\nthe \033[31mlast line\n");
        exit(1);
      }
      if (strcmp(behaviour, "hang") == 0) {
        struct pollfd gone = {.fd = ready};
        poll(&gone, 1, -1);
        exit(0);
      }
      if (strcmp(behaviour, "lie") == 0) {
        fprintf(stderr, "not listening at all\n");
        if (write(ready, "", 1) != 1) exit(94);
        exit(0);
      }
      report(home);
      int listener = bound(socket);
      listen(listener, 64);
      if (write(ready, "", 1) != 1) exit(95);
      close(ready);
      serve(listener);
    }

    // Listens as another user and says on descriptor 3 how many bytes its first caller sent.
    static void foreign_main(const char *path, int uid) {
      int listener = bound(path);
      if (setgid(uid) < 0 || setuid(uid) < 0) exit(96);
      listen(listener, 1);
      if (write(3, "", 1) != 1) exit(97);
      int peer = accept(listener, NULL, NULL);
      char bytes[64];
      unsigned char total = 0;
      ssize_t got;
      while ((got = read(peer, bytes, sizeof bytes)) > 0) total += got;
      if (write(3, &total, 1) != 1) exit(98);
    }

    int main(int count, char **words) {
      alarm(60);
      signal(SIGPIPE, SIG_IGN);
      if (count == 7 && strcmp(words[1], "--home") == 0)
        daemon_main(words[2], words[4], atoi(words[6]));
      else if (count == 4 && strcmp(words[1], "foreign") == 0)
        foreign_main(words[2], atoi(words[3]));
      else if (count == 3 && strcmp(words[1], "lock") == 0) {
        int file = open(words[2], O_RDWR | O_CREAT, 0600);
        if (flock(file, LOCK_EX | LOCK_NB) < 0) return 99;
        if (dprintf(file, "%d\n", getpid()) < 0 || write(3, "", 1) != 1) return 99;
        pause();
      }
      return 0;
    }
    """#
}
