import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// The file system as ordinary programs use it, on a device that is unlocked.
@Suite(.enabled(if: MountedDevice.isPossible, "/dev/fuse does not open, or a program is missing"))
struct MountedFilesTests {
  private let mounted: MountedDevice

  init() throws { mounted = try MountedDevice() }

  private func expect(_ script: String, _ output: String) throws {
    let run = try mounted.shell(script)
    #expect(run.status == 0 && run.output == output, "\(run.output)\(run.errors)")
  }

  @Test func whatProgramsWriteIsProtectedOnTheDisk() throws {
    try expect("echo a secret > note; cat note; stat -c %s note", "a secret\n9\n")
    let file = mounted.directory + "/note"
    #expect(try Files.read(file).starts(with: Array("LAF1".utf8)))
    #expect(try !Files.text(file).contains("secret"))
    try mounted.unmount()
    let read = try mounted.authctl("file", "cat", "--sealed-only", file)
    #expect(read.output == "a secret\n", "\(read.errors)")
  }

  @Test func ordinaryProgramsWorkOnFiles() throws {
    try expect(
      """
      printf 'one\\n' > a; sed -i s/one/two/ a; cp -p a b; mv b c; cat c
      mkdir d; tar cf d/t.tar a c; mkdir e; tar xf d/t.tar -C e; cmp a e/a; cmp c e/c
      dd if=/dev/zero of=z bs=1 count=1 seek=100000 status=none; stat -c %s z
      tr -d '\\0' < z | wc -c; echo three >> a; cat a; rm -r d e; ls
      """,
      "two\n100001\n0\ntwo\nthree\na\nc\nz\n"
    )
  }

  /// There are no files without names there, and no links.
  @Test func whatReplacesNothingIsMadeOnce() throws {
    func choose() throws -> RunningProgram.Report {
      let file = mounted.place + "/chosen.json"
      return try mounted.authctl(
        "policy",
        "choose",
        "--rule",
        "apple",
        "--max-cost",
        "60",
        "--out",
        file
      )
    }
    let first = try choose()
    #expect(first.status == 0, "\(first.errors)")
    try expect("echo mine > chosen.json; ls -A", "chosen.json\n")
    #expect(try choose().status != 0)
    try expect("cat chosen.json", "mine\n")
  }

  @Test(.enabled(if: Machine.find("git") != nil, "git is missing"))
  func gitKeepsARepository() throws {
    let git = "git -c user.name=a -c user.email=a@example.org"
    try expect(
      """
      git init -q .; echo text > file; git add file; \(git) commit -q -m first
      echo more >> file; \(git) commit -q -a -m second; git fsck --strict 2>&1
      git log --format=%s; git status --short; git clone -q . copy; cat copy/file
      """,
      "second\nfirst\ntext\nmore\n"
    )
  }

  @Test(
    .enabled(if: Machine.find("sqlite3") != nil, "sqlite3 is missing"),
    arguments: ["delete", "wal"]
  )
  func sqliteKeepsADatabase(_ journal: String) throws {
    try expect(
      """
      sqlite3 db "pragma journal_mode=\(journal); create table t(a); begin;
        with recursive n(x) as (select 1 union all select x+1 from n where x < 5000)
        insert into t select randomblob(50) || x from n; commit; vacuum"
      sqlite3 db "select count(*) from t; pragma integrity_check"
      """,
      "\(journal)\n5000\nok\n"
    )
  }

  @Test func singleCallsDoWhatTheyPromise() throws {
    let run = try mounted.script(["whole", mounted.place, mounted.directory])
    #expect(run.status == 0, "\(run.errors)")
  }

  /// Random operations end as on a plain directory: in files that are open, mapped, renamed and removed, too.
  @Test func randomOperationsDoWhatTheyDoOnAPlainDirectory() throws {
    var generator = SeededGenerator.ofThisRun
    let plain = try mounted.device.scratch.makeDirectory("plain")
    let run = try mounted.script(
      ["random", "\(generator.next())", "1500", mounted.place, plain]
    )
    #expect(run.status == 0, "SEED=\(generator.seed): \(run.errors)")
    try mounted.unmount()
    for name in try Files.names(in: plain) where name != "d" {
      let content = try mounted.device.authctl([
        "file", "export", mounted.directory + "/" + name, plain + "/copy",
      ])
      #expect(content.status == 0, "SEED=\(generator.seed): \(content.errors)")
      #expect(try Files.read(plain + "/copy") == Files.read(plain + "/" + name))
    }
  }

  /// A kernel before 6.9 knows no `RWF_NOAPPEND`, on a plain directory neither.
  @Test func whoAppendsWritesElsewhereWhereItAsksForThat() throws {
    let plain = try mounted.device.scratch.makeDirectory("plain")
    let run = try mounted.run([
      "/usr/bin/env", "python3", "-c",
      """
      import ctypes, os, sys
      class Part(ctypes.Structure):
          _fields_ = [("bytes", ctypes.c_char_p), ("count", ctypes.c_size_t)]
      NOAPPEND = 0x20
      def steps(path):
          file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
          def put(text, offset, flags):
              part = Part(text, len(text))
              return ctypes.CDLL(None).pwritev2(
                  file, ctypes.byref(part), 1, ctypes.c_long(offset), flags)
          told = [os.write(file, b"0123456789"), put(b"AB", 2, NOAPPEND), os.write(file, b"end")]
          told += [put(b"C", 1, 0), put(b"D" * 40000, 12, NOAPPEND), os.write(file, b"more")]
          os.ftruncate(file, 20)
          told += [put(b"E", 19, NOAPPEND), os.write(file, b"last")]
          found = os.pread(file, 1 << 20, 0)
          os.close(file)
          assert open(path, "rb").read() == found
          return told, found
      mounted, plain = steps(sys.argv[1] + "/a"), steps(sys.argv[2] + "/a")
      assert mounted == plain, (mounted, plain)
      """,
      mounted.place, plain,
    ])
    #expect(run.status == 0, "\(run.errors)")
  }

  /// The kernel divides what is written past its pages, and could send the parts all at once.
  @Test func partsOfWhatIsAppendedPastThePagesComeOneBehindTheOther() throws {
    try expect(
      """
      seq 9000000 | head -c 33554432 > "$1/../part"
      for try in 1 2 3; do
        dd if="$1/../part" of=a bs=32M oflag=append,direct conv=notrunc status=none
        cat "$1/../part" >> "$1/../whole"
      done
      cmp a "$1/../whole"
      """,
      ""
    )
  }

  @Test func nobodyElseSeesTheFiles() throws {
    try expect("echo text > a; chmod 755 .; chmod 644 a", "")
    Files.setMode(0o755, of: mounted.device.scratch.path)
    let command = Machine.asOther(["/bin/cat", mounted.place + "/a"])
    let run = try mounted.run(["/usr/bin/setpriv"] + command)
    #expect(run.status == 1 && run.errors.contains("Permission denied"), "\(run.errors)")
  }

  // MARK: What is in the directory otherwise

  @Test func fileThatIsNotProtectedIsSeenAndNeitherReadNorWritten() throws {
    try Files.write(Array("plain".utf8), to: mounted.directory + "/plain")
    try expect(
      "ls; cat plain 2>&1 || :; (echo more >> plain) 2>&1 || :; mv plain moved; rm moved",
      "plain\ncat: plain: Input/output error\nsh: 1: cannot create plain: Input/output error\n"
    )
  }

  /// Writing takes reading, which a mode may forbid the owner.
  @Test func fileThatItsOwnerMayNotReadHasItsSizeOnTheDiskAndIsNotWritten() throws {
    try mounted.unmount()
    let capabilities = "-dac_override,-dac_read_search"
    try mounted.mount(through: [
      "setpriv", "--bounding-set=" + capabilities, "--inh-caps=" + capabilities,
    ])
    let run = try mounted.shell(
      "umask 0577; echo text > a; [ $(stat -c %s a) = $(stat -c %s \"$1/a\") ]; echo more >> a"
    )
    #expect(run.status != 0 && run.errors.contains("Permission denied"), "\(run)")
  }

  /// What takes a file's place behind the file system is what programs have from then on, at once.
  @Test func fileThatAnotherOneReplacedIsNotWritten() throws {
    let authctl = ([Machine.authctl] + mounted.device.words).joined(separator: " ")
    try expect(
      """
      echo one > a; cat a; \(authctl) file reclass --quiet --class unless-open "$1/a"
      echo two >> a; cat a
      echo three > b; cat b; mv "$1/b" "$1/a"; echo four >> a; truncate -s 4 a; cat a
      """,
      "one\none\ntwo\nthree\nthre"
    )
    let read = try mounted.authctl("file", "cat", "--sealed-only", mounted.directory + "/a")
    #expect(read.output == "thre", "\(read.errors)")
  }

  @Test func fileThatWasChangedOnTheDiskIsNotRead() throws {
    try expect("head -c 40000 /dev/zero > a", "")
    let path = mounted.directory + "/a"
    var bytes = try Files.read(path)
    bytes[20_000] ^= 1
    try Files.write(bytes, to: path)
    let run = try mounted.shell("cat a > /dev/null")
    #expect(run.status == 1 && run.errors.contains("Input/output error"), "\(run.errors)")
  }

  /// Where descriptors run out, nothing is made by half, and no size is that on the disk.
  @Test func fileSystemWithoutDescriptorsSaysSo() throws {
    try mounted.unmount()
    try mounted.mount(through: ["/bin/sh", "-c", "ulimit -n 80; exec \"$@\"", "sh"])
    try expect(
      """
      i=0; while [ $i -lt 200 ] && (echo text > f$i) 2> /dev/null; do i=$((i+1)); done
      [ $i -lt 200 ]; [ $i -gt 9 ]; [ $(ls "$1" | wc -l) -eq $i ]
      stat -c %s f* 2> /dev/null | sort -u
      """,
      "5\n"
    )
  }

  @Test func fullDiskIsToldAndLeavesWhatThereWas() throws {
    let full = try MountedDevice(isMounted: false)
    #expect(
      try full.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", full.directory]).status == 0
    )
    _ = try full.run(["chmod", "700", full.directory])
    try full.mount()
    let run = try full.shell(
      """
      head -c 500000 /dev/urandom > kept; cp kept /tmp/la-kept-$$
      if head -c 4000000 /dev/zero > big 2>/dev/null; then echo no failure; fi
      cmp kept /tmp/la-kept-$$; rm big; cp kept again; cmp again kept; rm /tmp/la-kept-$$
      """
    )
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.errors)")
    try full.unmount()
  }
}
