import Glibc
import LocalAuthUnix
import Testing

/// What becomes of a file of a mount that has its name when its making fails.
@Suite(
  .enabled(
    if: MountedDevice.isPossible && Machine.compiler != nil,
    "/dev/fuse does not open, or a program is missing"
  )
)
struct FailedCreationTests {
  /// A file system whose `create` waits once the file has its name, and fails then.
  private let mounted: MountedDevice
  private let gate: String

  init() throws {
    mounted = try MountedDevice(isMounted: false)
    let scratch = mounted.device.scratch
    gate = scratch.file("gate")
    // SAFETY: the string is a C string for the length of the call.
    try #require(unsafe mkfifo(gate, 0o600) == 0)
    let library = scratch.file("fail.so")
    try Machine.compile(Self.source, to: library, ["-shared", "-fPIC"])
    let words = ["LD_PRELOAD=\(library)", "GATE=\(gate)"]
    try mounted.mount(through: ["/usr/bin/env"] + words)
  }

  /// The program that wanted it has no handle, and so closes nothing.
  @Test func aFileWhoseMakingFailsIsOpenForNobody() throws {
    #expect(try mounted.shell("mkdir other").status == 0)
    let making = try mounted.begin(": > new")
    // It is open once the file has its name.
    // SAFETY: the string is a C string for the length of the call.
    let opened = unsafe open(gate, O_WRONLY | O_CLOEXEC)
    try #require(opened >= 0)
    let gate = FileDescriptor(owning: opened)
    // The kernel knows the file by another name by then, and so does not forget it.
    let (name, other) = (mounted.directory + "/new", mounted.directory + "/other/new")
    // SAFETY: the strings are C strings for the length of the call.
    try #require(unsafe link(name, other) == 0)
    #expect(try mounted.shell("stat other/new > /dev/null").status == 0)
    var byte: UInt8 = 1
    // SAFETY: the byte lives for the call.
    #expect(unsafe write(gate.rawValue, &byte, 1) == 1)
    #expect(try making.waitForExit() != .status(0))
    Files.remove(other)
    let run = try mounted.authctl("file", "unprotect", name)
    #expect(run.status == 0, "nobody writes it: \(run.errors)")
  }

  private static let source = #"""
    #define _GNU_SOURCE
    #include <errno.h>
    #include <fcntl.h>
    #include <stdlib.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    // The status of the file behind the call that says where it is, and then the one that fails.
    static __thread int left;

    int linkat(int from, const char *old, int to, const char *new, int flags) {
      int outcome = syscall(SYS_linkat, from, old, to, new, flags);
      const char *path = getenv("GATE");
      if (outcome != 0 || path == NULL) return outcome;
      int gate = open(path, O_RDONLY | O_CLOEXEC);
      char byte;
      if (gate >= 0 && read(gate, &byte, 1) == 1) left = 2;
      if (gate >= 0) close(gate);
      return outcome;
    }

    static int status(int directory, const char *path, struct stat *status, int flags) {
      if (flags & AT_EMPTY_PATH && left > 0 && --left == 0) return errno = EIO, -1;
      return syscall(SYS_newfstatat, directory, path, status, flags);
    }

    int fstatat(int directory, const char *path, struct stat *out, int flags) {
      return status(directory, path, out, flags);
    }

    int fstatat64(int directory, const char *path, struct stat64 *out, int flags) {
      return status(directory, path, (struct stat *)out, flags);
    }
    """#
}
