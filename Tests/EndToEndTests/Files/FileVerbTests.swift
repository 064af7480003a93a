import Glibc
import LocalAuthUnix
import Testing

/// `authctl file`: real files and a daemon.
@Suite struct FileVerbTests {
  private let device: SecretDevice
  private var note: String { device.scratch.file("note") }

  init() throws {
    device = try SecretDevice()
    try device.scratch.write("a note", to: "note", mode: 0o640)
  }

  private func run(_ words: String...) throws -> RunningProgram.Report {
    try device.authctl(["file"] + words)
  }

  private func status(of path: String) -> stat {
    var found = stat()
    // SAFETY: the string is a C string and the structure lives for the call.
    _ = unsafe stat(path, &found)
    return found
  }

  @Test(arguments: [0, 6, 16_384, 16_385, 1_000_000])
  func contentOfEveryLengthComesBack(_ count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try Files.write(content, to: note, mode: 0o640)
    let made = try run("protect", note)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try Files.read(note).starts(with: Array("LAF1".utf8)))
    #expect(status(of: note).st_mode & 0o777 == 0o640)
    let said = try run("status", note)
    #expect(
      said.output.contains("complete, \(count) bytes, sealed"),
      "\(said.output)\(said.errors)"
    )
    let back = try run("unprotect", note)
    #expect(back.status == 0, "\(back.errors)")
    #expect(try Files.read(note) == content)
    #expect(status(of: note).st_mode & 0o777 == 0o640)
  }

  /// Every class in every state of the device that a test can bring it to.
  @Test func fileIsReadAsItsClassSays() throws {
    for name in ["complete", "after-first-unlock", "none"] {
      try device.scratch.write("content of " + name, to: name)
      let made = try run("protect", "--class", name, device.scratch.file(name))
      #expect(made.status == 0, "\(made.errors)")
    }
    func read() throws -> [Int32?] {
      try ["complete", "after-first-unlock", "none"].map { name in
        let read = try run("cat", device.scratch.file(name))
        #expect(read.status != 0 || read.output == "content of " + name)
        return read.status
      }
    }
    #expect(try read() == [0, 0, 0])
    _ = try device.authctl(["device", "lock"])
    #expect(try read() == [0, 0, 0], "the keys stay for 10 seconds")
    let advanced = try device.authctl(["device", "clock", "advance", "11s"])
    #expect(advanced.status == 0, "\(advanced.errors)")
    #expect(try read() == [22, 0, 0])
    _ = try device.authctl(["device", "reboot"])
    #expect(try read() == [22, 22, 0])
    _ = try device.authctl(["device", "unlock", "--stdin"], input: "2468\n")
    #expect(try read() == [0, 0, 0])
  }

  @Test func lockedDeviceProtectsNothingAndTheFileStays() throws {
    _ = try device.authctl(["device", "reboot"])
    let refused = try run("protect", note)
    #expect(refused.status == 22, "\(refused.errors)")
    #expect(refused.errors.contains("'--class unless-open' does now"), "\(refused.errors)")
    #expect(try Files.text(note) == "a note")
    #expect(try run("protect", "--class", "unless-open", note).status == 0)
  }

  /// A limit on the size of files is a full disk.
  @Test func fileThatTheDiskDoesNotTakeIsNamedAndNothingIsChanged() throws {
    let content = [UInt8](repeating: 65, count: 300_000)
    try Files.write(content, to: note, mode: 0o640)
    let copy = device.scratch.file("copy")
    func expectUnwritten(_ path: String, _ consequence: String, _ words: String...) throws {
      let ran = try RunningProgram.run(
        "/bin/sh",
        ["-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\"", Machine.authctl]
          + device.words + ["file"] + words
      )
      #expect(ran.status == 70, "\(words): \(ran.errors)")
      let sentence = "\(path) cannot be written: the file would be too large. \(consequence)"
      #expect(ran.errors.contains(sentence), "\(words): \(ran.errors)")
    }
    let unchanged = "What was there is unchanged."
    try expectUnwritten(note, unchanged, "protect", note)
    #expect(try Files.read(note) == content)
    #expect(try run("protect", note).status == 0)
    let whole = try Files.read(note)
    try expectUnwritten(copy, "\(note) is unchanged.", "export", note, copy)
    try expectUnwritten(note, unchanged, "unprotect", note)
    try expectUnwritten(note, unchanged, "reclass", "--class", "none", note)
    #expect(try Files.read(note) == whole)
    #expect(!Files.exists(copy))
  }

  @Test func fileThatIsProtectedOtherwiseNamesReclass() throws {
    #expect(try run("protect", note).status == 0)
    let other = try run("protect", "--class", "none", note)
    #expect(
      other.status == 2 && other.errors.contains("as complete: 'file reclass' changes that"),
      "\(other.errors)"
    )
    let same = try run("protect", note)
    #expect(same.status == 2 && !same.errors.contains("reclass"), "\(same.errors)")
  }

  @Test func fileThatIsNotThereIsSaidWhateverStandardOutputIs() throws {
    let out = device.scratch.file("out")
    let words = [Machine.authctl] + device.words + ["file", "cat", device.scratch.file("nofile")]
    let read = try RunningProgram.run(
      "/bin/sh",
      ["-c", "umask 022; exec \"$@\" > \(out)", "sh"] + words
    )
    #expect(read.status == 2 && read.errors.contains("nofile cannot be opened"), "\(read.errors)")
    #expect(!read.errors.contains("standard output"), "\(read.errors)")
  }

  @Test func anotherDeviceReadsNothing() throws {
    #expect(try run("protect", "--class", "none", note).status == 0)
    try device.client.create("other", passcode: "2468")
    let other = try Authctl.run([
      "--home", device.daemon.home, "--device", "other", "file", "cat", note,
    ])
    #expect(other.status == 20, "\(other.errors)")
    #expect(other.output.isEmpty)
  }

  @Test func changedFileIsNotRead() throws {
    try Files.write([UInt8](repeating: 65, count: 40_000), to: note)
    #expect(try run("protect", note).status == 0)
    let whole = try Files.read(note)
    for place in [5000, 25_000, whole.count - 1] {
      var bytes = whole
      bytes[place] ^= 1
      try Files.write(bytes, to: note)
      let read = try run("cat", note)
      #expect(read.status == 24, "\(place): \(read.errors)")
      #expect(read.output.utf8.count % 16_384 == 0 && read.output.allSatisfy { $0 == "A" })
      #expect(try run("unprotect", note).status == 24)
      #expect(try Files.read(note) == bytes, "the file stays")
    }
    try Files.write(Array(whole.dropLast()), to: note)
    #expect(try run("cat", note).status == 24)
  }

  /// What is damaged is of two chunks that are neighbours, and of one further on.
  @Test func whatIsNotDamagedIsExportedWithZerosForTheRest() throws {
    let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 | 1) }
    try Files.write(content, to: note)
    #expect(try run("protect", note).status == 0)
    var bytes = try Files.read(note)
    for chunk in [1, 2, 4] { bytes[4096 + chunk * (16_384 + 28) + 100] ^= 1 }
    try Files.write(bytes, to: note)
    let copy = device.scratch.file("copy")
    let verbs = [
      ["cat", note], ["export", note, copy], ["unprotect", note], ["edit", note],
      ["reclass", "--class", "none", note],
    ]
    for verb in verbs {
      let refused = try device.authctl(["file"] + verb)
      let place = "Damaged: bytes 16384 to 49151, chunks 1 to 2, and 1 more part"
      #expect(refused.status == 24 && refused.errors.contains(place), "\(refused.errors)")
      #expect(refused.errors.contains("'file export --skip-damaged' copies the rest"))
    }
    #expect(!Files.exists(copy))
    #expect(try Files.read(note) == bytes, "the file stays")
    let run = try run("export", "--skip-damaged", note, copy)
    #expect(run.status == 24)
    for part in ["16384 to 49151", "65536 to 81919"] {
      #expect(run.errors.contains("Bytes \(part) of \(note) are damaged."), "\(run.errors)")
    }
    var expected = content
    for part in [16_384..<49_152, 65_536..<81_920] {
      expected.replaceSubrange(part, with: [UInt8](repeating: 0, count: part.count))
    }
    let found = try Files.read(copy)
    #expect(found == expected)
    #expect(status(of: copy).st_mode & 0o777 == 0o600)
  }

  @Test func wholeFileIsExportedWithoutZeros() throws {
    #expect(try run("protect", note).status == 0)
    let copy = device.scratch.file("copy")
    let run = try run("export", "--skip-damaged", note, copy)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Files.text(copy) == "a note")
  }

  /// A changed end of a chunk is of what binds all chunks together: nothing of such a file is read, and still it is named.
  @Test func damagedPartIsNamedAlsoOfAFileThatDoesNotOpen() throws {
    try Files.write([UInt8](repeating: 65, count: 40_000), to: note)
    #expect(try run("protect", note).status == 0)
    var bytes = try Files.read(note)
    bytes[4096 + 2 * (16_384 + 28) - 1] ^= 1
    try Files.write(bytes, to: note)
    for verb in [["unprotect"], ["reclass", "--class", "none"], ["edit"], ["cat"]] {
      let refused = try device.authctl(["file"] + verb + [note])
      let place = "Damaged: bytes 16384 to 32767, chunk 1."
      #expect(refused.status == 24 && refused.errors.contains(place), "\(refused.errors)")
      #expect(!refused.errors.contains("--skip-damaged"))
    }
    #expect(try Files.read(note) == bytes, "the file stays")
  }

  @Test func verifyNamesEachDamagedPartAndGoesOn() throws {
    let names = ["whole", "chunk", "header", "cut"]
    for name in names {
      try Files.write([UInt8](repeating: 65, count: 40_000), to: device.scratch.file(name))
      #expect(try run("protect", device.scratch.file(name)).status == 0)
    }
    func change(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
      var bytes = try Files.read(device.scratch.file(name))
      body(&bytes)
      try Files.write(bytes, to: device.scratch.file(name))
    }
    try change("chunk") { $0[4096 + 16_384 + 28 + 5] ^= 1 }
    try change("header") { $0[2048 + 20] ^= 1 }
    try change("cut") { $0.removeLast(100) }
    let whole = try run("verify", device.scratch.file("whole"))
    #expect(whole.status == 0 && whole.output.contains("complete, 40000 bytes, whole"))
    let all = try device.authctl(["file", "verify"] + names.map { device.scratch.file($0) })
    #expect(all.status == 24)
    for line in [
      "chunk: damaged: bytes 16384 to 32767, chunk 1", "header: damaged: header slot 1",
      "cut: damaged: bytes 39900 to 39999, which are missing",
    ] {
      #expect(all.output.contains(line), "\(all.output)")
    }
    #expect(all.errors.contains("4 files, 3 damaged."), "\(all.errors)")
    let inside = try run("verify", "--recursive", device.scratch.path)
    #expect(inside.status == 24 && inside.errors.contains("note is not protected."))
  }

  /// Nobody can say of it whether it is whole.
  @Test func lockedFileIsNotReadAndNotCalledDamaged() throws {
    #expect(try run("protect", note).status == 0)
    try device.scratch.write("open", to: "open")
    #expect(try run("protect", "--class", "none", device.scratch.file("open")).status == 0)
    _ = try device.authctl(["device", "reboot"])
    let both = try run("verify", note, device.scratch.file("open"))
    #expect(both.status == 22 && both.output.contains("note: complete, locked"), "\(both.errors)")
    #expect(both.output.contains("open: none, 4 bytes, whole"))
    #expect(both.errors.contains("2 files, 1 locked and not read."), "\(both.errors)")
    #expect(!both.errors.contains("damaged"))
  }

  /// The class in the header, which says when a file can be read, is bound to the key.
  @Test func classOfAFileCannotBeEdited() throws {
    #expect(try run("protect", note).status == 0)
    var bytes = try Files.read(note)
    for slot in [0, 2048] where bytes[slot..<slot + 4].elementsEqual("LAF1".utf8) {
      bytes[slot + 6] = 3
    }
    try Files.write(bytes, to: note)
    #expect(try run("cat", note).status == 20)
  }

  /// Of the two headers of a closed file each says that it is sealed.
  @Test func fileIsReadWithoutOneOfItsHeaders() throws {
    #expect(try run("protect", note).status == 0)
    let whole = try Files.read(note)
    for slot in [0, 2048] {
      var bytes = whole
      bytes.replaceSubrange(slot..<slot + 2048, with: [UInt8](repeating: 0, count: 2048))
      try Files.write(bytes, to: note)
      let read = try run("cat", "--sealed-only", note)
      #expect(read.status == 0 && read.output == "a note", "\(read.errors)")
    }
  }

  @Test func whatCannotBeReplacedIsRefused() throws {
    let (link, name) = (device.scratch.file("link"), device.scratch.file("name"))
    // SAFETY: the strings are C strings for the length of the calls.
    #expect(unsafe symlink(note, link) == 0)
    #expect(try run("protect", link).status == 2)
    #expect(try run("protect", device.scratch.path).status == 2)
    #expect(try run("protect", device.scratch.file("absent")).status == 2)
    #expect(unsafe Glibc.link(note, name) == 0)
    let twice = try run("protect", note)
    #expect(twice.status == 2 && twice.errors.contains("2 names"), "\(twice.errors)")
    #expect(unsafe unlink(name) == 0)
    if geteuid() == 0 {
      #expect(unsafe chown(note, 65_534, 65_534) == 0)
      #expect(try run("protect", note).status == 77)
      #expect(unsafe chown(note, 0, 0) == 0)
    }
    #expect(try Files.text(note) == "a note")
    #expect(try run("unprotect", note).status == 2)
    #expect(try run("cat", note).status == 2)
    #expect(try run("status", note).output.contains("is not protected"))
    #expect(try run("protect", note).status == 0)
    #expect(try run("protect", note).status == 2, "it is protected already")
  }

  @Test func simulatedDeviceOfTheEnvironmentDoesNotCount() throws {
    let run = try Authctl.run(
      ["--home", device.daemon.home, "file", "protect", note],
      environment: ["LOCALAUTH_DEVICE=sim"]
    )
    #expect(run.status == 77, "\(run.errors)")
    #expect(try Files.text(note) == "a note")
  }
}
