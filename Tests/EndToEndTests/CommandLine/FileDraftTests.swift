import Glibc
import LocalAuthUnix
import Testing

/// What `authctl` leaves of a file that it was writing, on a file system that knows no files without names.
@Suite(.enabled(if: Machine.compiler != nil, "needs a C compiler"))
struct FileDraftTests {
  private let scratch = Scratch()

  /// An encryption that has begun its file, and waits for more of what it reads.
  private func encryption(after more: String = "") throws -> RunningProgram {
    let input = scratch.file("input")
    // SAFETY: the string is a C string for the length of the call.
    try #require(unsafe mkfifo(input, 0o600) == 0)
    try scratch.write("a long password", to: "password")
    let library = scratch.file("no-unnamed-files.so")
    try Machine.compile(Self.source, to: library, ["-shared", "-fPIC"])
    let command = "\(more) exec \"$0\" \"$@\" 3<\(scratch.file("password"))"
    let program = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: [
          "-c", command, Machine.dynamicAuthctl, "rncrypt", "encrypt", "--in", input, "--out",
          scratch.file("directory/out"), "--password-fd", "3",
        ],
        environment: Authctl.environment + ["LD_PRELOAD=\(library)"],
        descriptors: [.null, .null, .null]
      )
    )
    // It reads once the file is begun, and this is open once it does.
    // SAFETY: the string is a C string for the length of the call.
    let writer = unsafe open(input, O_WRONLY | O_CLOEXEC)
    try #require(writer >= 0)
    return program
  }

  private func names() throws -> [String] { try Files.names(in: scratch.file("directory")) }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func signalRemovesWhatHasItsNameForTheTimeBeing(_ signal: Int32) throws {
    _ = try scratch.makeDirectory("directory")
    let program = try encryption()
    #expect(try names() == [".out.\(program.processID).new"])
    #expect(try program.end(signal) == .signal(signal))
    #expect(try names() == [])
  }

  @Test func signalThatIsIgnoredStaysSo() throws {
    _ = try scratch.makeDirectory("directory")
    let program = try encryption(after: "trap '' HUP;")
    program.signal(SIGHUP)
    #expect(try names() == [".out.\(program.processID).new"])
    #expect(try program.end(SIGTERM) == .signal(SIGTERM))
    #expect(try names() == [])
  }

  private static let source = #"""
    #define _GNU_SOURCE
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    int openat(int directory, const char *path, int flags, ...) {
      va_list more;
      va_start(more, flags);
      int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
      va_end(more);
      if ((flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1;
      return syscall(SYS_openat, directory, path, flags, mode);
    }
    """#
}
