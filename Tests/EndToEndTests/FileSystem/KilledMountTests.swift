import Glibc
import LocalAuthUnix
import Testing

/// Files that were written when the file system was killed, as the first programs find them that come then.
@Suite(.enabled(if: MountedDevice.isPossible, "/dev/fuse does not open, or a program is missing"))
struct KilledMountTests {
  private let mounted: MountedDevice

  init() throws { mounted = try MountedDevice() }

  /// Runs `steps`, in Python, on a new file `log` that is open as `file`; kills the file system, and mounts it anew.
  private func leave(_ steps: String) throws {
    let script = """
      import os, time
      file = os.open('log', os.O_RDWR | os.O_CREAT, 0o600)
      \(steps)
      open('../done', 'w').close()
      time.sleep(1000)
      """
    let writer = try mounted.begin("exec python3 -c \"\(script)\"")
    let deadline = Deadline.after(.seconds(60))
    while try mounted.shell("test -e ../done || echo no").output != "", !deadline.hasPassed {}
    try mounted.program?.end(SIGKILL)
    try writer.end(SIGKILL)
    #expect(try mounted.run(["umount", "-l", mounted.place]).status == 0)
    try mounted.mount()
  }

  /// Leaves a file that keeps a chunk behind its end.
  private func leaveOverwritten() throws {
    try leave(
      "os.write(file, b'L' * 50000); os.fsync(file); os.pwrite(file, b'M' * 16384, 16384)"
    )
  }

  private func python(_ script: String) throws {
    let run = try mounted.run(["/usr/bin/env", "python3", "-c", script, mounted.place + "/log"])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func whatIsKeptBehindTheEndIsNotOfTheSizeThatIsSeen() throws {
    try leaveOverwritten()
    #expect(try mounted.shell("stat -c %s log").output == "50000\n")
    #expect(try mounted.shell("wc -c < log; stat -c %s log").output == "50000\n50000\n")
  }

  /// The kernel asks for no size between opening a file and appending to it.
  @Test func firstOneWhoAppendsGoesOnWhereTheContentEnds() throws {
    try leaveOverwritten()
    try python(
      """
      import os, sys
      file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
      os.write(file, b'hello\\n')
      os.close(file)
      found = open(sys.argv[1], 'rb').read()
      assert found == b'L' * 16384 + b'M' * 16384 + b'L' * (50000 - 32768) + b'hello\\n', len(found)
      """
    )
  }

  /// Only who opens the file knows that its last chunk is not whole; the kernel takes the end to be elsewhere.
  @Test func whatManyAppendComesOneBehindTheOtherWhateverSizeTheKernelTakesTheFileToHave() throws {
    try leave("os.write(file, b'L' * 60000)")
    let cut = try mounted.run(["truncate", "-s", "-1000", mounted.directory + "/log"])
    #expect(cut.status == 0, "\(cut.errors)")
    try python(
      """
      import os, sys
      files = []
      added = b''
      for step in range(40):
          if step < 2: files.append(os.open(sys.argv[1], os.O_RDWR | os.O_APPEND))
          for file in files:
              part = b'%d,%d\\n' % (file, step) * (1 if step % 2 else 20000)
              assert os.write(file, part) == len(part)
              added += part
          found = os.pread(files[0], 1 << 24, 0)
          kept = len(found) - len(added)
          assert kept % 16384 == 0 and found == b'L' * kept + added, (step, kept, len(found))
      assert os.fstat(files[0]).st_size == len(found)
      """
    )
  }

  /// A page is where it is, also in a file that is open for appending.
  @Test func mappedPageOfWhoAppendsStaysWhereItIs() throws {
    try leave("os.write(file, b'L' * 60000)")
    try python(
      """
      import mmap, os, sys
      file = os.open(sys.argv[1], os.O_RDWR | os.O_APPEND)
      size = os.fstat(file).st_size
      with mmap.mmap(file, 0) as pages:
          pages[5000:5006] = b'mapped'
          pages.flush()
      os.write(file, b'end')
      assert os.pread(file, 1 << 20, 0) == b'L' * 5000 + b'mapped' + b'L' * (size - 5006) + b'end'
      """
    )
  }
}
