import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// What the lock of the device takes from programs that have files open, and what an end leaves.
@Suite(.enabled(if: MountedDevice.isPossible, "/dev/fuse does not open, or a program is missing"))
struct RevocationTests {
  private let mounted: MountedDevice

  init() throws { mounted = try MountedDevice() }

  @Test func mappedPagesAndOpenFilesGoWithTheLockAndComeBack() throws {
    #expect(try mounted.shell("head -c 100000 /dev/urandom > a").status == 0)
    try expectSuccess("mapped", mounted.place + "/a", mounted.directory + "/a")
  }

  @Test func fileWhoseKeyWasGoneIsNotReplacedBehindWhoWritesIt() throws {
    #expect(try mounted.shell("head -c 100000 /dev/urandom > a").status == 0)
    try expectSuccess("replaced", mounted.place + "/a", mounted.directory + "/a")
  }

  /// Runs the program that uses mounted files, which locks and unlocks the device.
  private func expectSuccess(_ words: String...) throws {
    let run = try mounted.script(words + [Machine.authctl] + mounted.device.words)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func locksWhileProgramsWriteLoseNothingThatWasOnTheDisk() throws {
    try expectSuccess("storm", mounted.place, "10")
  }

  /// Pages are taken back while programs ask for them, on no thread that answers those.
  @Test func fileSystemAnswersWhileLockedFilesAreReadAndClosed() throws {
    try expectSuccess("crowd", mounted.place)
  }

  @Test(.disabled(if: Sanitizer.isActive, "a sanitizer keeps terabytes of memory of its own"))
  func noContentIsLeftInTheMemoryOfTheFileSystem() throws {
    let process = try #require(mounted.program?.processID)
    try expectSuccess("memory", mounted.place, "\(process)")
  }

  @Test func eachClassIsReadAsItSays() throws {
    let classes = [
      ("A", "complete"), ("B", "unless-open"), ("C", "after-first-unlock"), ("D", "none"),
    ]
    for (name, word) in classes {
      #expect(try mounted.shell("mkdir \(name)").status == 0)
      let run = try mounted.authctl("file", "default", mounted.directory + "/" + name, word)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try mounted.shell("echo \(name) > \(name)/file").status == 0)
    }
    func readable() throws -> String {
      try mounted.shell("cat A/file B/file C/file D/file 2>/dev/null || :").output
    }
    #expect(try readable() == "A\nB\nC\nD\n")
    try mounted.lockForGood(losing: "A/file")
    #expect(try readable() == "C\nD\n")
    let made = try mounted.shell(
      "! echo x 2>&- > A/new; echo x > B/new; ! cat B/new 2>&-; ls A B; stat -c %s A/file"
    )
    #expect(made.output == "A:\nfile\n\nB:\nfile\nnew\n2\n", "\(made.output)\(made.errors)")
    try mounted.unlock()
    #expect(try readable() == "A\nB\nC\nD\n")
    #expect(try mounted.shell("cat B/new").output == "x\n")
    _ = try mounted.device.authctl(["device", "reboot"])
    let deadline = Deadline.after(.seconds(60))
    while try readable() != "D\n", !deadline.hasPassed {}
    #expect(try readable() == "D\n")
  }

  /// A file of unless-open stays for whoever has it open, and for nobody else; once it is closed, it is gone.
  @Test func fileOfUnlessOpenStaysAsLongAsItIsOpen() throws {
    #expect(try mounted.authctl("file", "default", mounted.directory, "unless-open").status == 0)
    #expect(try mounted.shell("mkdir A; echo one > file; echo x > other").status == 0)
    #expect(
      try mounted.authctl("file", "default", mounted.directory + "/A", "complete").status == 0
    )
    let device = ([Machine.authctl] + mounted.device.words + ["device"]).joined(separator: " ")
    let run = try mounted.shell(
      """
      echo x > A/x; exec 4<> file; cat other; \(device) lock --quiet; \(device) clock advance 11s --quiet
      while cat A/x; do :; done > /dev/null 2>&1
      cat <&4; echo two >&4; exec 4>&-
      if cat file 2>&1; then :; fi; if cat other; then :; fi 2>&1
      """
    )
    let refused = "Operation not permitted\n"
    #expect(run.output == "x\none\ncat: file: \(refused)cat: other: \(refused)", "\(run.errors)")
    try mounted.unlock()
    #expect(try mounted.shell("cat file").output == "one\ntwo\n")
  }

  /// The mode of a file is for those who open it, and not for who has it open.
  @Test func openFileOfAnyModeComesBackWithTheUnlock() throws {
    try mounted.unmount()
    let capabilities = "-dac_override,-dac_read_search"
    try mounted.mount(through: [
      "setpriv", "--bounding-set=" + capabilities, "--inh-caps=" + capabilities,
    ])
    let device = ([Machine.authctl] + mounted.device.words + ["device"]).joined(separator: " ")
    let run = try mounted.shell(
      """
      umask 0222; exec 4> made; umask 0022; echo one >&4
      echo x > closed; exec 5<> closed; chmod 0 closed; echo x > other
      \(device) lock --quiet; \(device) clock advance 11s --quiet
      while cat other; do :; done > /dev/null 2>&1
      echo 2468 | \(device) unlock --passcode-stdin --quiet
      until cat other; do :; done 2> /dev/null
      echo two >&4; exec 4>&-; cat made; cat <&5
      """
    )
    #expect(run.status == 0 && run.output == "x\none\ntwo\nx\n", "\(run)")
  }

  /// Who makes a file that is there only to lock it writes nothing.
  @Test func fileThatWasMadeForReadingIsNoWritersAfterwards() throws {
    try mounted.unmount()
    let capabilities = "-dac_override,-dac_read_search"
    try mounted.mount(through: [
      "setpriv", "--bounding-set=" + capabilities, "--inh-caps=" + capabilities,
    ])
    let script = "import os; os.close(os.open('a', os.O_RDONLY | os.O_CREAT, 0o600))"
    let run = try mounted.shell("python3 -c \"\(script)\"; echo text > a; chmod 400 a; cat a")
    #expect(run.status == 0 && run.output == "text\n", "\(run)")
  }

  @Test func serviceThatEndsLeavesNothingReadableButWhatAlwaysIs() throws {
    #expect(try mounted.shell("echo text > a; cat a").output == "text\n")
    try mounted.device.daemon.crash()
    let again = try DaemonProcess(home: mounted.device.daemon.home)
    let deadline = Deadline.after(.seconds(60))
    while try mounted.shell("cat a").status == 0, !deadline.hasPassed {}
    let run = try mounted.shell("cat a")
    #expect(run.status == 1 && run.errors.contains("Operation not permitted"), "\(run.errors)")
    try mounted.unlock()
    #expect(try mounted.shell("cat a").output == "text\n")
    try again.stop()
  }

  // MARK: Ends

  @Test func fileSystemThatIsKilledLeavesFilesThatOpenAgain() throws {
    #expect(try mounted.shell("echo whole > whole").status == 0)
    let writer = try mounted.begin("i=0; while :; do i=$((i+1)); echo line $i; done > half")
    let deadline = Deadline.after(.seconds(60))
    let size = "stat -c %s half 2>/dev/null || :"
    while try mounted.shell(size).output.count < 7, !deadline.hasPassed {}
    try mounted.program?.end(SIGKILL)
    try writer.end(SIGKILL)
    #expect(try mounted.run(["umount", "-l", mounted.place]).status == 0)
    let before = try mounted.authctl("file", "status", mounted.directory + "/half")
    #expect(before.output.contains("not sealed"), "\(before.output)\(before.errors)")
    try mounted.mount()
    #expect(try mounted.shell("cat whole").output == "whole\n")
    let lines = try mounted.shell("cat half").output.split(separator: "\n")
    #expect(lines.count > 1000)
    for (index, line) in lines.dropLast().enumerated() { #expect(line == "line \(index + 1)") }
    #expect(try mounted.shell("echo more >> half; tail -n 1 half").output.hasSuffix("more\n"))
    try mounted.unmount()
    let sealed = try mounted.authctl("file", "cat", "--sealed-only", mounted.directory + "/half")
    #expect(sealed.status == 0, "\(sealed.errors)")
  }

  @Test func signalSealsFilesThatAreOpen() throws {
    let holder = try mounted.begin(
      "exec 4> a; printf 'to be sealed' >&4; echo > ../done; exec sleep 1000"
    )
    let deadline = Deadline.after(.seconds(60))
    while try mounted.shell("test -e ../done || echo no").output != "", !deadline.hasPassed {}
    let open = try mounted.authctl("file", "cat", mounted.directory + "/a")
    #expect(open.status == 8, "\(open.errors)")
    #expect(try mounted.program?.end(SIGTERM) == .status(0))
    #expect(holder.isRunning)
    let sealed = try mounted.authctl("file", "cat", "--sealed-only", mounted.directory + "/a")
    #expect(sealed.output == "to be sealed", "\(sealed.errors)")
  }

  /// What was written to a mapped page is in the kernel's memory until somebody asks for it.
  @Test func signalWritesMappedPagesBack() throws {
    let script = """
      import mmap, os, time
      with open('mapped', 'wb+') as file:
          file.write(b'-' * 10000)
          file.flush()
          os.fsync(file.fileno())
          pages = mmap.mmap(file.fileno(), 10000)
          pages[5000:5006] = b'mapped'
          open('../done', 'w').close()
          time.sleep(1000)
      """
    let writer = try mounted.begin("exec python3 -c \"\(script)\"")
    let deadline = Deadline.after(.seconds(60))
    while try mounted.shell("test -e ../done || echo no").output != "", !deadline.hasPassed {}
    #expect(try mounted.program?.end(SIGTERM) == .status(0))
    #expect(writer.isRunning)
    let file = mounted.directory + "/mapped"
    let sealed = try mounted.authctl("file", "cat", "--sealed-only", file)
    #expect(sealed.output.contains("-mapped-") && sealed.output.count == 10_000)
  }

  @Test func aFileIsNoDeviceAfterwards() throws {
    let script = """
      import ctypes
      open('old', 'w').write('kept')
      c = ctypes.CDLL(None, use_errno=True)
      print(c.renameat2(-100, b'old', -100, b'new', 4), ctypes.get_errno())
      """
    let tried = try mounted.shell("python3 -c \"\(script)\"; cat old; ls")
    #expect(tried.output == "-1 22\nkept" + "old\n", "\(tried)")
  }
}
