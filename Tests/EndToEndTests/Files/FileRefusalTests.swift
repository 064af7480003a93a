import Glibc
import LocalAuthUnix
import Testing

/// `authctl file` on what must not be replaced: nothing is lost, and one sentence says why.
@Suite struct FileRefusalTests {
  private let device: SecretDevice
  private var note: String { device.scratch.file("note") }

  init() throws {
    device = try SecretDevice()
    try device.scratch.write("a note", to: "note")
  }

  private func run(
    _ words: String...,
    environment: [String] = []
  ) throws -> RunningProgram.Report {
    try device.authctl(["file"] + words, environment: environment)
  }

  private func isProtected(_ path: String) throws -> Bool {
    try Files.read(path).starts(with: Array("LAF1".utf8))
  }

  // MARK: The daemon's own state

  /// The key that opens protected files lies in it.
  @Test func stateOfTheDaemonStaysAsItIsAndTheDaemonStartsAgain() throws {
    let home = device.daemon.home
    let key = try Files.read(home + "/device.key")
    for verb in [["protect"], ["unprotect"], ["reclass", "--class", "none"]] {
      let made = try device.authctl(["file"] + verb + ["--recursive", device.scratch.path])
      #expect(made.status == 77, "\(verb): \(made.errors)")
      #expect(made.errors.contains("\(home) is among LocalAuth's own state"), "\(made.errors)")
      #expect(made.errors.contains("1 directory not entered"), "\(made.errors)")
    }
    #expect(try run("protect", "--recursive", device.scratch.path).status == 77)
    #expect(try isProtected(note))
    for name in ["device.key", "state.sqlite", "state.sqlite-wal", "sequence", "watermark"] {
      #expect(try !isProtected("\(home)/\(name)"))
    }
    #expect(try Files.read(home + "/device.key") == key)
    try device.daemon.stop()
    let again = try DaemonProcess(home: home)
    #expect(try run("cat", note).status == 22, "the device is locked, and nothing worse")
    try again.stop()
  }

  @Test(arguments: ["device.key", "state.sqlite", "sequence", "watermark", "lock"])
  func fileOfTheStateIsRefusedUnderWhateverHome(_ name: String) throws {
    let file = "\(device.daemon.home)/\(name)"
    let made = try run("protect", file)
    #expect(made.status == 77 && made.errors.contains("own state"), "\(made.errors)")
    let other = try SecretDevice()
    #expect(try other.authctl(["file", "protect", "--class", "none", file]).status == 77)
    // The daemon writes to it meanwhile.
    #expect(try !isProtected(file))
    let status = try run("status", file)
    #expect(status.status == 0 && status.output.contains("is not protected"), "\(status.errors)")
  }

  /// What is written by name takes the place of what was there, and whoever protected a file wants it back.
  @Test func noVerbWritesOverAProtectedFileOrAmongTheState() throws {
    #expect(try run("protect", note).status == 0)
    let content = try Files.read(note)
    let key = "\(device.daemon.home)/device.key"
    let before = try Files.read(key)
    let plain = device.scratch.file("plain")
    try device.scratch.write("plain", to: "plain")
    func expectRefusal(_ words: [String], input: String = "") throws {
      for (place, status) in [(note, Int32(2)), (key, 77), (device.daemon.home + "/new", 77)] {
        let made = try device.authctl(
          words.map { $0 == "OUT" ? place : $0 },
          input: input
        )
        #expect(made.status == status, "\(words): \(made.errors)")
        let why =
          status == 2
          ? "is a protected file, whose content would be lost: name another file"
          : "would lie among LocalAuth's own state: name a file in another directory"
        #expect(made.errors.contains("\(place) \(why)"), "\(words): \(made.errors)")
      }
    }
    try expectRefusal(["backup", "create", "OUT", "--device-only"])
    try expectRefusal(["keychain", "export", "--out", "OUT", "--yes"])
    try expectRefusal(["inject", "--in", plain, "--out", "OUT"])
    let password = ["--password-stdin", "--in", plain, "--out", "OUT"]
    try expectRefusal(["rncrypt", "encrypt"] + password, input: "a\n")
    try expectRefusal(["rncrypt", "decrypt"] + password, input: "a\n")
    try expectRefusal(["file", "export", note, "OUT"].map { $0 == note ? plain : $0 })
    try expectRefusal(["policy", "report", "passcode", "--days", "1", "--out", "OUT"])
    #expect(try Files.read(note) == content && Files.read(key) == before)
    #expect(!Files.exists(device.daemon.home + "/new"))
  }

  @Test func copyIsNotPutAmongTheState() throws {
    #expect(try run("protect", note).status == 0)
    let key = "\(device.daemon.home)/device.key"
    let before = try Files.read(key)
    for copy in [key, device.daemon.home + "/new"] {
      #expect(try run("export", note, copy).status == 77)
    }
    #expect(try Files.read(key) == before && !Files.exists(device.daemon.home + "/new"))
  }

  @Test func copyTakesThePlaceOfNoProtectedFile() throws {
    let other = device.scratch.file("other")
    try device.scratch.write("another", to: "other")
    #expect(try run("protect", note, other).status == 0)
    let before = try Files.read(other)
    let made = try run("export", note, other)
    #expect(made.status == 2 && made.errors.contains("is a protected file"), "\(made.errors)")
    #expect(try Files.read(other) == before)
    #expect(try run("unprotect", other).status == 0)
    #expect(try run("export", note, other).status == 0)
    #expect(try Files.text(other) == "a note")
  }

  // MARK: Writers

  @Test func fileThatAProgramWritesIsRefusedAndNothingIsLost() throws {
    let script = """
      exec 7>>"$1"; file=$1; shift
      "$@" file protect "$file"; echo $?
      echo ' and more' >&7
      """
    let words = ["-c", script, "sh", note, Machine.authctl] + device.words
    let made = try RunningProgram.run("/bin/sh", words)
    #expect(made.output == "8\n" && made.errors.contains("has \(note) open"), "\(made)")
    #expect(try Files.text(note) == "a note and more\n")
    #expect(try run("protect", note).status == 0)
    #expect(try run("cat", note).output == "a note and more\n")
  }

  @Test func databaseThatAProgramHasOpenIsRefusedAlsoWithAnEmptyLog() throws {
    let script = """
      import sqlite3, subprocess, sys
      path = sys.argv[1]
      database = sqlite3.connect(path, isolation_level=None)
      database.execute('pragma journal_mode=wal')
      database.execute('create table t(a)')
      database.execute('pragma wal_checkpoint(truncate)')
      print(subprocess.run(sys.argv[2:] + ['file', 'protect', path]).returncode)
      database.execute('insert into t values (7)')
      database.close()
      database = sqlite3.connect(path)
      print(database.execute('select a from t').fetchall())
      database.close()
      # Left over of a program that was killed, as far as anybody can tell.
      open(path + '-shm', 'wb').write(bytes(32768))
      print(subprocess.run(sys.argv[2:] + ['file', 'protect', path]).returncode)
      """
    let path = device.scratch.file("w.db")
    let words = ["-u", "-c", script, path, Machine.authctl] + device.words
    let made = try RunningProgram.run("/usr/bin/python3", words)
    #expect(made.output == "8\n[(7,)]\n0\n", "\(made)")
    #expect(made.errors.contains("\(path) is a database with a journal beside it, or in use"))
  }

  @Test(.enabled(if: geteuid() == 0, "makes a file immutable"))
  func immutableFileIsSaidToBeSo() throws {
    guard let chattr = Machine.find("chattr"),
      try RunningProgram.run(chattr, ["+i", note]).status == 0
    else { return }
    let made = try run("protect", note)
    #expect(made.status == 77 && made.errors.contains("is immutable"), "\(made.errors)")
    #expect(try RunningProgram.run(chattr, ["-i", note]).status == 0)
    #expect(try run("protect", note).status == 0)
  }

  // MARK: Editing

  private func editor(_ script: String) throws -> [String] {
    try device.scratch.write("#!/bin/sh\n\(script)\n", to: "editor", mode: 0o755)
    return ["EDITOR=\(device.scratch.file("editor"))"]
  }

  @Test func whatCannotBeStoredIsSaidBeforeAnybodyTypes() throws {
    #expect(try run("protect", note).status == 0)
    // SAFETY: the strings are C strings for the call.
    #expect(unsafe link(note, device.scratch.file("name")) == 0)
    let edited = try run("edit", note, environment: try editor(": > \(device.marker)"))
    #expect(edited.status == 2 && edited.errors.contains("2 names"), "\(edited.errors)")
    #expect(!Files.exists(device.marker) && !edited.errors.contains("Your text"))
  }

  @Test(arguments: [
    ("rm \"$1\"", "removed the copy"), ("ln -sf /etc/passwd \"$1\"", "put a symbolic link"),
    ("rm \"$1\"; mkdir \"$1\"", "no regular file"),
  ])
  func editorThatLeavesNoFileIsSaidToAndTheFileIsUnchanged(
    _ script: String,
    _ sentence: String
  ) throws {
    #expect(try run("protect", note).status == 0)
    let edited = try run("edit", note, environment: try editor(script))
    #expect(edited.status == 2, "\(edited.errors)")
    #expect(edited.errors.contains(sentence), "\(edited.errors)")
    #expect(edited.errors.contains("\(note) is unchanged."), "\(edited.errors)")
    #expect(!edited.errors.contains("/dev/shm"), "\(edited.errors)")
    #expect(try run("cat", note).output == "a note")
  }
}
