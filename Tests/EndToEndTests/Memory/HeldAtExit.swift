import Glibc
import LocalAuthUnix

/// A program that is stopped at its very end, when it has given back all it will ever give back and its
/// memory is still there to be searched.
final class HeldAtExit: Sendable {
  /// The program itself.
  let processID: Int32
  private let holder: RunningProgram
  private let output: Captured
  private let errors: Captured

  /// What was written to standard output.
  var text: String { output.text }
  var errorText: String { errors.text }

  /// Runs a program up to its end; `password` is what it reads from descriptor 3.
  init(_ command: [String], input: String, password: String = "") throws {
    let program = try Self.program.get()
    (output, errors) = (try Captured(), try Captured())
    let (input, password) = (try Captured(input), try Captured(password))
    let process = try Captured()
    let readiness = BytePipe()
    holder = try RunningProgram(
      SpawnRequest(
        executable: program.file("hold"),
        arguments: command,
        environment: Authctl.environment,
        descriptors: [input, output, errors, password, process].map {
          .duplicate(of: $0.descriptor)
        } + [.duplicate(of: readiness.writingEnd)]
      )
    )
    readiness.closeWriter()
    withExtendedLifetime((input, password)) {}
    guard readiness.read(within: .seconds(60)), let number = Int32(process.text) else {
      throw Machine.Missing(what: "a program that can be held: \(errors.text)")
    }
    processID = number
  }

  /// Made once: it takes a compiler.
  private static let program = Result { () throws -> Scratch in
    let scratch = Scratch.ofWholeRun()
    try Machine.compile(source, to: scratch.file("hold"))
    return scratch
  }

  /// Descriptor 4 gets the number of the process, and 5 a byte once it has come to its end.
  private static let source = """
    #define _GNU_SOURCE
    #include <signal.h>
    #include <stdio.h>
    #include <sys/ptrace.h>
    #include <sys/wait.h>
    #include <unistd.h>

    int main(int argc, char **argv) {
      pid_t child = fork();
      if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        close(4);
        close(5);
        execv(argv[1], argv + 1);
        _exit(127);
      }
      int status;
      if (argc < 2 || child < 0 || waitpid(child, &status, 0) != child) return 1;
      if (ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL)) return 1;
      int number = 0;
      for (;;) {
        if (ptrace(PTRACE_CONT, child, 0, number)) return 1;
        if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return 1;
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) break;
        number = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
      }
      dprintf(4, "%d", (int)child);
      if (write(5, "x", 1) != 1) return 1;
      for (;;) pause();
    }
    """
}
