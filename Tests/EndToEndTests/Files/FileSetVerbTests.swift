import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl file` for several files, directories, copies, commands and editors.
@Suite struct FileSetVerbTests {
  private let device: SecretDevice
  private var note: String { device.scratch.file("note") }

  init() throws {
    device = try SecretDevice()
    try device.scratch.write("a note", to: "note", mode: 0o640)
  }

  private func run(
    _ words: String...,
    environment: [String] = []
  ) throws -> RunningProgram.Report {
    try device.authctl(["file"] + words, environment: environment)
  }

  /// Locks the device and lets the time pass for which the keys stay.
  private func lockForGood() throws {
    #expect(try device.authctl(["device", "lock"]).status == 0)
    #expect(try device.authctl(["device", "clock", "advance", "11s"]).status == 0)
  }

  /// A directory with files at several depths, and what is no file.
  private func makeTree() throws -> (path: String, files: [String]) {
    let path = try device.scratch.makeDirectory("tree")
    _ = try device.scratch.makeDirectory("tree/below")
    let files = ["tree/a", "tree/b", "tree/below/c"]
    for name in files { try device.scratch.write("content of " + name, to: name) }
    // SAFETY: the strings are C strings for the calls.
    #expect(unsafe symlink(note, path + "/link") == 0 && mkfifo(path + "/pipe", 0o600) == 0)
    return (path, files.map { device.scratch.file($0) })
  }

  // MARK: Several files

  @Test func directoryStandsForTheFilesInItAndBelow() throws {
    let (path, files) = try makeTree()
    let made = try run("protect", "--recursive", path, note)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("4 files, 2 left alone that are no files."))
    for file in files + [note] { #expect(try Files.read(file).starts(with: Array("LAF1".utf8))) }
    let said = try run("status", "-r", path, "--json")
    let lines = said.output.split(separator: "\n")
    #expect(
      lines.count == 4 && lines[3].contains(#""files":3,"failed":0,"notEntered":0,"skipped":2"#),
      "\(lines)"
    )
    let back = try run("unprotect", "--recursive", path)
    #expect(back.status == 0, "\(back.errors)")
    for file in files { #expect(try Files.text(file).hasPrefix("content of tree/")) }
    let again = try run("unprotect", "--recursive", path)
    #expect(again.status == 0, "what is not protected is no failure: \(again.errors)")
    #expect(try run("unprotect", files[0]).status == 2)
  }

  @Test func fileThatFailsDoesNotKeepTheOthersFromBeingDone() throws {
    let (path, files) = try makeTree()
    // SAFETY: the strings are C strings for the call.
    #expect(unsafe link(files[1], device.scratch.file("another name")) == 0)
    let made = try run("protect", "--recursive", path)
    #expect(made.status == 2)
    #expect(made.errors.contains("\(files[1]) has 2 names"), "\(made.errors)")
    #expect(made.errors.contains("3 files, 1 failed"))
    for file in [files[0], files[2]] {
      #expect(try Files.read(file).starts(with: Array("LAF1".utf8)))
    }
  }

  /// The mask of an access list looks like the group's permissions to whoever sees no list.
  @Test func whoCouldReadAFileCanAfterwardsAndNobodyElse() throws {
    try device.scratch.write("content", to: "listed")
    let file = device.scratch.file("listed")
    let look = """
      import os, struct, sys
      path = sys.argv[1]
      if len(sys.argv) > 2:
          entries = [(1, 6, -1), (2, 4, 1234), (4, 0, -1), (16, 4, -1), (32, 0, -1)]
          acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *e) for e in entries)
          os.chown(path, -1, 1000)
          os.setxattr(path, 'system.posix_acl_access', acl)
          os.setxattr(path, 'user.note', b'mine')
      status = os.stat(path)
      print(status.st_gid, oct(status.st_mode), sorted((n, os.getxattr(path, n)) for n in os.listxattr(path)))
      """
    func access(_ more: String...) throws -> String {
      try RunningProgram.run("/usr/bin/python3", ["-c", look, file] + more).output
    }
    let before = try access("set")
    try #require(before.hasPrefix("1000 0o100640"), "\(before)")
    #expect(try run("protect", file).status == 0)
    #expect(try access() == before)
    #expect(try run("reclass", "--class", "none", file).status == 0)
    #expect(try access() == before)
    #expect(try run("unprotect", file).status == 0)
    #expect(try access() == before && Files.text(file) == "content")
  }

  @Test func aNameThatIsNoTextIsAFailureAndNotPassedOver() throws {
    let (path, _) = try makeTree()
    let made = try RunningProgram.run(
      "/usr/bin/python3",
      ["-c", "import os, sys; open(os.fsencode(sys.argv[1]) + b'/bad\\xff', 'w').write('x')", path]
    )
    try #require(made.status == 0, "\(made)")
    let protected = try run("protect", "--recursive", path)
    #expect(protected.status != 0 && protected.errors.contains("4 files, 1 failed"), "\(protected)")
  }

  @Test func whatIsProtectedAlreadyInADirectoryIsNoFailure() throws {
    let (path, files) = try makeTree()
    #expect(try run("protect", "--class", "none", files[1]).status == 0)
    let made = try run("protect", "--recursive", path)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("\(files[1]) is protected already: none."), "\(made.errors)")
    #expect(try run("protect", "--recursive", path).status == 0)
    #expect(try run("protect", files[1]).status == 2)
    let complete = try run("protect", "--recursive", "--class", "complete", path)
    #expect(complete.status == 2 && complete.errors.contains("3 files, 1 failed"), "\(complete)")
    #expect(complete.errors.contains("\(files[1]) is protected already, as none: 'file reclass'"))
    #expect(try run("status", files[1]).output.contains(": none, "))
  }

  @Test func aNameCannotWriteOnTheTerminal() throws {
    let path = try device.scratch.makeDirectory("escape\u{1B}[31m")
    let file = path + "/note"
    try Files.write([65], to: file)
    let shown = file.replacing("\u{1B}", with: "?")
    #expect(try run("status", file).output == "\(shown) is not protected.\n")
    #expect(try run("protect", file).status == 0)
    #expect(try run("status", file).output.hasPrefix("\(shown): complete, "))
    #expect(try run("default", path).output.contains("/escape?[31m: no default"))
  }

  @Test(arguments: ["protect", "unprotect", "status"])
  func withoutAFileNothingIsDoneAndThatIsAMistake(_ verb: String) throws {
    let run = try run(verb)
    #expect(run.status == 2 && run.errors.contains("FILE is missing"), "\(run.errors)")
  }

  /// A look at a file takes no lock of it, or programs that lock files would fail beside it.
  @Test func fileThatSomebodyHasLockedIsLookedAtAndNotReplaced() throws {
    // SAFETY: the string is a C string for the call.
    let locked = FileDescriptor(owning: unsafe open(note, O_RDWR | O_CLOEXEC))
    #expect(flock(locked.rawValue, LOCK_EX | LOCK_NB) == 0)
    #expect(try run("status", note).output.contains("is not protected"))
    let made = try run("protect", note)
    #expect(made.status == 8 && made.errors.contains("Another program has"), "\(made.errors)")
    #expect(try Files.text(note) == "a note")
  }

  @Test func directoryWithoutTheOptionIsNoFile() throws {
    let (path, _) = try makeTree()
    let made = try run("protect", path)
    #expect(
      made.status == 2 && made.errors.contains("is a directory: --recursive"),
      "\(made.errors)"
    )
  }

  /// A name that is no UTF-8 is shown as another one, which another file may have.
  @Test func nameThatIsNoTextStandsForNoOtherFile() throws {
    let path = try device.scratch.makeDirectory("names")
    for name in [[0xFF], Array("\u{FFFD}".utf8)] {
      let bytes = Array("\(path)/".utf8) + name + [0]
      // SAFETY: the bytes end with a zero, for the call.
      let file = FileDescriptor(
        owning: unsafe bytes.withUnsafeBytes {
          unsafe open(
            $0.baseAddress!.assumingMemoryBound(to: CChar.self),
            O_WRONLY | O_CREAT,
            0o600
          )
        }
      )
      #expect(file.rawValue >= 0)
    }
    let made = try run("protect", "--recursive", path)
    #expect(made.status == 2 && made.errors.contains("2 files, 2 failed"), "\(made.errors)")
    #expect(made.errors.contains("is no UTF-8: give it another one"), "\(made.errors)")
    #expect(try run("status", "--recursive", path).status == 2)
  }

  /// Whoever may exchange what is in a directory could lead its owner to other files.
  @Test func directoryInWhichOthersCanExchangeFilesIsNotEntered() throws {
    let (path, files) = try makeTree()
    // SAFETY: the strings are C strings for the calls.
    #expect(unsafe chmod(path + "/below", 0o777) == 0)
    #expect(try run("protect", path + "/below", "-r").status == 77)
    let made = try run("protect", "--recursive", path)
    #expect(made.status == 77, "\(made.errors)")
    #expect(
      made.errors.contains("2 files, 1 directory not entered, 2 left alone"),
      "\(made.errors)"
    )
    #expect(made.errors.contains("exchange what is in \(path)/below: name"), "\(made.errors)")
    if geteuid() == 0 {
      #expect(unsafe chmod(path + "/below", 0o755) == 0)
      #expect(unsafe chown(path + "/below", 65_534, 65_534) == 0)
      #expect(try run("protect", "--recursive", path).status == 77)
    }
    #expect(try Files.text(files[2]).hasPrefix("content of"))
    for file in files[..<2] { #expect(try Files.read(file).starts(with: Array("LAF1".utf8))) }
    let look = try run("status", "-r", path)
    #expect(look.status == 0, "who only looks changes nothing: \(look.errors)")
    #expect(look.output.contains("\(files[2]) is not protected."))
  }

  // MARK: Classes

  @Test func fileIsMadeWhileTheDeviceIsLockedAndReadOnceItIsUnlocked() throws {
    _ = try device.authctl(["device", "reboot"])
    let made = try run("protect", "--class", "unless-open", note)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try run("cat", note).status == 22)
    let said = try run("status", note)
    #expect(said.status == 0 && said.output == "\(note): unless-open, locked\n", "\(said.output)")
    _ = try device.authctl(["device", "unlock", "--stdin"], input: "2468\n")
    #expect(try run("cat", note).output == "a note")
    try lockForGood()
    let locked = try run("cat", note)
    #expect(locked.status == 22 && locked.errors.contains("Unlock it: "), "\(locked.errors)")
  }

  @Test func reclassedFileOpensAsItsNewClassSays() throws {
    #expect(try run("protect", note).status == 0)
    #expect(try run("reclass", "--class", "after-first-unlock", note).status == 0)
    try lockForGood()
    #expect(try run("cat", note).output == "a note")
    #expect(try run("reclass", "--class", "complete", note).status == 22)
    #expect(try run("cat", note).output == "a note", "the file stays")
    #expect(try run("reclass", note).status == 2, "the class has to be given")
  }

  @Test func directorySaysHowFilesInItAreProtected() throws {
    let (path, files) = try makeTree()
    #expect(try run("default", path).output == "\(path): no default, so complete\n")
    #expect(try run("default", path, "none").errors.hasSuffix("\(path): protected as none\n"))
    #expect(try run("protect", files[0]).status == 0)
    #expect(try run("protect", "--class", "complete", files[1]).status == 0)
    #expect(try run("status", files[0]).output.contains("none, "))
    #expect(try run("status", files[1]).output.contains("complete, "))
    #expect(try run("default", "--clear", path).status == 0)
    #expect(try run("default", "--clear", path, "none").status == 2)
    #expect(try run("default", files[0], "none").status == 2)
  }

  @Test func defaultOfADirectoryThatOthersCanWriteToDoesNotCount() throws {
    let (path, files) = try makeTree()
    #expect(try run("default", path, "none").status == 0)
    // SAFETY: the string is a C string for the call.
    #expect(unsafe chmod(path, 0o777) == 0)
    #expect(try run("default", path).output == "\(path): no default, so complete\n")
    #expect(try run("protect", files[0]).status == 0)
    #expect(try run("status", files[0]).output.contains("complete, "))
    let set = try run("default", path, "none")
    #expect(set.status == 77 && set.errors.contains("Others can write to"), "\(set.errors)")
    #expect(try run("default", "--clear", path).status == 0)
    // SAFETY: as above.
    #expect(unsafe chmod(path, 0o755) == 0)
    #expect(try run("default", path).output == "\(path): no default, so complete\n")
  }

  // MARK: Copies, commands and editors

  @Test func copyAppearsOnceAllWasVerified() throws {
    try Files.write([UInt8](repeating: 65, count: 40_000), to: note)
    let copy = device.scratch.file("copy")
    #expect(try run("protect", note).status == 0)
    #expect(try run("export", note, note).status == 2)
    let made = try run("export", note, copy)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try Files.read(copy) == [UInt8](repeating: 65, count: 40_000))
    var bytes = try Files.read(note)
    bytes[30_000] ^= 1
    try Files.write(bytes, to: note)
    try Files.write([1], to: copy)
    #expect(try run("export", note, copy).status == 24)
    #expect(try Files.read(copy) == [1])
  }

  @Test func commandGetsTheContentAndCannotChangeIt() throws {
    #expect(try run("protect", note).status == 0)
    let read = try run("run", note, "--", "/bin/cat", "{}", "{}")
    #expect(read.status == 0 && read.output == "a notea note", "\(read.errors)")
    let inside = try run("run", note, "--", "/bin/echo", "--in={}", "{}")
    #expect(inside.output.hasPrefix("--in={} /proc/self/fd/"), "\(inside.output)")
    let alone = try run("run", note, "--", "/bin/echo", "--in={}")
    #expect(alone.status == 2 && alone.errors.contains("a word of its own"), "\(alone.errors)")
    let write = try run("run", note, "--", "/bin/sh", "-c", "echo more >> $1", "sh", "{}")
    #expect(write.status != 0)
    #expect(try run("run", note, "--", "/bin/cat").status == 2, "nothing says where the file goes")
    #expect(try run("run", note, "--", "/dev/null/x", "{}").status == 127)
    try lockForGood()
    #expect(try run("run", note, "--", "/bin/cat", "{}").status == 22)
  }

  private func editor(_ script: String) throws -> [String] {
    try device.scratch.write("#!/bin/sh\n\(script)\n", to: "editor", mode: 0o755)
    return ["EDITOR=\(device.scratch.file("editor"))"]
  }

  @Test func editorThatIsNotThereIsNamedAndIsNoCancellation() throws {
    #expect(try run("protect", note).status == 0)
    for editor in ["nosucheditor", "/etc/passwd"] {
      let edited = try run("edit", note, environment: ["EDITOR=\(editor)"])
      #expect(edited.status == 78, "\(edited.errors)")
      #expect(edited.errors.contains("The editor '\(editor)' cannot be run"), "\(edited.errors)")
    }
    #expect(try run("cat", note).output == "a note")
  }

  @Test func editorChangesTheFileInMemory() throws {
    #expect(try run("protect", note).status == 0)
    let place = device.scratch.file("place")
    let edited = try run(
      "edit",
      note,
      environment: try editor(
        "echo \"$1\" > \(place); touch \"$TMPDIR/swap\"; printf ' more' >> \"$1\""
      )
    )
    #expect(edited.status == 0, "\(edited.errors)")
    #expect(try run("cat", note).output == "a note more")
    let file = try Files.text(place).split(separator: "\n")[0]
    #expect(file.hasPrefix("/dev/shm/"))
    #expect(!Files.exists(String(file)), "the copy is removed")
    #expect(!Files.exists(String(file.dropLast("/note".count))))
  }

  @Test func editorThatFailsOrChangesNothingLeavesTheFile() throws {
    #expect(try run("protect", note).status == 0)
    let before = try Files.read(note)
    #expect(try run("edit", note, environment: try editor("exit 1")).status == 3)
    #expect(try run("edit", note, environment: try editor("true")).status == 0)
    #expect(try Files.read(note) == before)
    #expect(try run("unprotect", note).status == 0)
    #expect(try run("edit", note, environment: try editor("true")).status == 2)
  }

  @Test func editorThatFailsLeavesWhatItSaved() throws {
    #expect(try run("protect", note).status == 0)
    let edited = try run("edit", note, environment: try editor("echo mine > \"$1\"; kill -9 $$"))
    #expect(edited.status == 3, "\(edited.errors)")
    let kept = try kept(edited)
    #expect(try Files.text(kept) == "mine\n")
    try removeKept(kept)
    #expect(try run("cat", note).output == "a note")
    let empty = try run("edit", note, environment: try editor("rm \"$1\"; exit 1"))
    #expect(empty.status != 0 && !empty.errors.contains("Your text"), "\(empty.errors)")
  }

  /// Where a failed edit left the text.
  private func kept(_ edited: RunningProgram.Report) throws -> String {
    let words = edited.errors.split(whereSeparator: { $0 == " " || $0 == "\n" })
    return try String(#require(words.first { $0.hasPrefix("/dev/shm/") }).dropLast())
  }

  private func removeKept(_ file: String) throws {
    // SAFETY: the strings are C strings for the calls.
    #expect(unsafe unlink(file) == 0 && rmdir(String(file.dropLast("/note".count))) == 0)
  }

  @Test func whatWasTypedWhileTheDeviceWasLockedIsNotLost() throws {
    #expect(try run("protect", note).status == 0)
    let home = device.daemon.home
    let authctl = "\(Machine.authctl) --home \(home) --device sim device"
    let edited = try run(
      "edit",
      note,
      environment: try editor(
        "\(authctl) lock; \(authctl) clock advance 11s; printf ' more' >> \"$1\""
      )
    )
    #expect(edited.status == 0 && edited.errors.contains("unless-open"), "\(edited.errors)")
    _ = try device.authctl(["device", "unlock", "--stdin"], input: "2468\n")
    #expect(try run("cat", note).output == "a note more")
  }

  @Test(arguments: ["complete", "unless-open", "after-first-unlock", "none"])
  func whatWasTypedWhileTheDeviceRestartedIsNotLost(_ word: String) throws {
    #expect(try run("protect", "--class", word, note).status == 0)
    let authctl = "\(Machine.authctl) --home \(device.daemon.home) --device sim device"
    let edited = try run(
      "edit",
      note,
      environment: try editor("\(authctl) reboot; printf ' more' >> \"$1\"")
    )
    let kept = word == "none" ? word : "unless-open"
    #expect(edited.status == 0 && edited.errors.contains(": \(kept)."), "\(edited.errors)")
    #expect(edited.errors.contains("locked meanwhile") == (kept != word), "\(edited.errors)")
    _ = try device.authctl(["device", "unlock", "--stdin"], input: "2468\n")
    #expect(try run("cat", note).output == "a note more")
  }

  @Test(.enabled(if: Files.exists("/usr/bin/vim"), "needs vim"))
  func vimKeepsNothingOfTheTextElsewhereIfItIsToldSo() throws {
    #expect(try run("protect", note).status == 0)
    let home = try device.scratch.makeDirectory("of-vim")
    let settings = ["undofile", "undodir=\(home)", "backup", "backupdir=\(home)"]
    try device.scratch.write(settings.map { "set \($0)\n" }.joined(), to: "of-vim/.vimrc")
    let edits = "-c 'normal yyp' -c wq"
    let quiet = "-n -i NONE -c 'set noundofile nobackup'"
    for (options, isKept) in [(quiet, false), ("", true)] {
      let command = "HOME=\(home) exec vim \(options) \(edits) \"$1\" < /dev/null > /dev/null 2>&1"
      let edited = try run("edit", note, environment: try editor(command))
      #expect(edited.status == 0 && edited.errors.contains("is changed"), "\(edited.errors)")
      let names = try Files.names(in: home)
      #expect((names == [".vimrc"]) != isKept, "\(names)")
    }
  }

  @Test func whatCannotBeStoredStaysWhereTheEditorHadIt() throws {
    #expect(try run("protect", note).status == 0)
    let edited = try run(
      "edit",
      note,
      environment: try editor("echo other > \(note); echo mine > \"$1\"")
    )
    #expect(edited.status == 8, "\(edited.errors)")
    let kept = try kept(edited)
    #expect(try Files.text(kept) == "mine\n")
    #expect(try run("edit", note, environment: try editor("true")).status == 2)
    #expect(Files.exists(kept), "no other edit removes it")
    try removeKept(kept)
  }

  @Test func editorThatLeavesAPipeIsNotWaitedFor() throws {
    #expect(try run("protect", note).status == 0)
    let script = "rm \"$1\"; mkfifo \"$1\""
    let edited = try run("edit", note, environment: try editor(script))
    #expect(edited.status == 2 && edited.errors.contains("is no regular file"), "\(edited.errors)")
    let linked = try run("edit", note, environment: try editor("ln -sf /etc/passwd \"$1\""))
    #expect(linked.status == 2 && linked.errors.contains("symbolic link"), "\(linked.errors)")
    #expect(try run("cat", note).output == "a note")
  }

  @Test(.enabled(if: geteuid() == 0))
  func fileIsNotEditedWhereAnotherUserCanExchangeIt() throws {
    #expect(try run("protect", note).status == 0)
    var template = Array("/dev/shm/la-place-XXXXXX".utf8CString)
    // SAFETY: the template is a C string that mkdtemp modifies in place.
    #expect(unsafe mkdtemp(&template) != nil)
    let place = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // SAFETY: the strings are C strings for the calls.
    defer { unsafe rmdir(place) }
    let shown = device.scratch.file("where")
    for (owner, mode, isUsed) in [(0, 0o700, true), (65_534, 0o700, false), (0, 0o777, false)] {
      #expect(unsafe chown(place, uid_t(owner), gid_t(owner)) == 0)
      #expect(unsafe chmod(place, mode_t(mode)) == 0)
      let edited = try run(
        "edit",
        note,
        environment: ["XDG_RUNTIME_DIR=\(place)"] + (try editor("echo \"$1\" > \(shown)"))
      )
      #expect(edited.status == 0, "\(edited.errors)")
      #expect(try Files.text(shown).hasPrefix(place + "/") == isUsed)
    }
  }

  @Test func whatAKilledEditLeavesTheNextOneRemovesOnceItsEditorHasEnded() throws {
    #expect(try run("protect", note).status == 0)
    let (place, gate) = (device.scratch.file("place"), device.scratch.file("gate"))
    // SAFETY: the string is a C string for the call.
    #expect(unsafe mkfifo(gate, 0o600) == 0)
    let script = "echo \"$$ $1\" > \(place); kill -9 $PPID; read line < \(gate)"
    try device.scratch.write("#!/bin/sh\n\(script)\n", to: "session", mode: 0o755)
    let killed = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: device.words + ["file", "edit", note],
        environment: Authctl.environment
          // The test ends what is in its process group.
          + (try editor("exec setsid \(device.scratch.file("session")) \"$1\""))
      )
    )
    #expect(try killed.waitForExit() == .signal(SIGKILL))
    let words = try Files.text(place).split(whereSeparator: { $0 == " " || $0 == "\n" })
    let (editor, file) = (try #require(Int32(words[0])), String(words[1]))
    let other = ["EDITOR=true"]
    #expect(try run("edit", note, environment: other).status == 0)
    #expect(try Files.text(file) == "a note", "its editor has it open")
    try Files.write([10], to: gate)
    #expect(try Processes.waitForEnd(of: editor))
    #expect(Files.exists(file))
    #expect(try run("edit", note, environment: other).status == 0)
    #expect(!Files.exists(String(file.dropLast("/note".count))))
  }

  // MARK: Kills

  /// A file is the old one or the new one, whenever the program is killed.
  @Test func killLeavesTheOldFileOrTheNewOne() throws {
    let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let path = device.scratch.file("long")
    var (old, new) = (0, 0)
    for round in 0..<40 {
      try Files.write(content, to: path)
      let program = try RunningProgram(
        SpawnRequest(
          executable: Machine.authctl,
          arguments: device.words + ["file", "protect", path],
          environment: Authctl.environment
        )
      )
      // The daemon's answers pass the time: a whole run takes about as long as forty of them.
      for _ in 0..<round { _ = try device.client.status("sim") }
      try program.end()
      let found = try Files.read(path)
      if found == content {
        old += 1
      } else {
        new += 1
        #expect(try run("unprotect", path).status == 0)
        #expect(try Files.read(path) == content)
      }
      // SAFETY: the string is a C string for the call.
      #expect(unsafe unlink(path) == 0)
    }
    #expect(old > 0, "\(new) files were complete before the kill")
    #expect(
      try run("protect", note).status == 0,
      "nothing is left that keeps the next from its work"
    )
  }

  // MARK: Watching

  @Test func eachChangeOfTheLockIsALine() throws {
    let output = try Captured()
    let program = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: device.words + ["device", "watch", "--json"],
        environment: Authctl.environment,
        descriptors: [.null, .duplicate(of: output.descriptor), .null]
      )
    )
    func wait(for lines: Int) throws -> [JSONValue] {
      let deadline = Deadline.after(.seconds(30))
      while output.text.split(separator: "\n").count < lines, !deadline.hasPassed {
        _ = try device.client.status("sim")
      }
      return try output.text.split(separator: "\n").map {
        try JSONValue(parsing: Array($0.utf8).span)
      }
    }
    #expect(try wait(for: 1).map { $0["state"] } == ["unlocked"])
    try lockForGood()
    _ = try device.authctl(["device", "reboot"])
    let told = try wait(for: 4)
    #expect(told.map { $0["state"] } == ["unlocked", "locking", "locked", "beforeFirstUnlock"])
    #expect((9_000...10_000).contains(told[1]["lostInMilliseconds"]?.integer ?? 0))
    try program.end()
  }
}
