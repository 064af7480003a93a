import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl doc` as somebody types it.
@Suite struct DocumentVerbTests {
  private let device: SecretDevice
  private let scratch = Scratch()

  init() throws { device = try SecretDevice() }

  private func doc(_ words: String..., input: String = "") throws -> RunningProgram.Report {
    try device.authctl(["doc"] + words, input: input)
  }

  private func json(_ words: String...) throws -> JSONValue {
    let run = try device.authctl(["--json", "doc"] + words)
    return try JSONValue(parsing: Array(run.output.utf8).span)
  }

  @Test func aDocumentIsPutListedGotAndRemoved() throws {
    let put = try doc("put", "notes/today.txt", input: "milk")
    #expect(
      put.status == 0 && put.errors.contains("notes/today.txt was written: 4 bytes"),
      "\(put)"
    )
    let again = try doc("put", "notes/today.txt", input: "milk")
    #expect(again.status == 0 && again.errors.contains("had these 4 bytes already"), "\(again)")
    #expect(try doc("get", "notes/today.txt").output == "milk")
    #expect(try doc("list").output.contains("notes/today.txt  4 bytes  "))
    #expect(try doc("list", "notes/").output.contains("today"))
    #expect(try doc("list", "other/").output.isEmpty)
    let removed = try doc("remove", "notes/today.txt")
    #expect(removed.status == 0 && removed.errors.contains("was removed"), "\(removed)")
    let gone = try doc("get", "notes/today.txt")
    #expect(gone.status == 20 && gone.errors.contains("There is no document"), "\(gone)")
  }

  @Test func aHyphenIsStandardInputAndOutput() throws {
    #expect(try doc("put", "a", "-", input: "milk").status == 0)
    #expect(try doc("get", "a", "-").output == "milk")
  }

  /// A limit on the size of files is a full disk.
  @Test func aCopyThatTheDiskDoesNotTakeIsNoMistakeOfTheCommandLine() throws {
    #expect(try doc("put", "a", input: "milk").status == 0)
    let copy = scratch.file("copy")
    let limited = try RunningProgram.run(
      "/bin/sh",
      ["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", Machine.authctl] + device.words
        + ["doc", "get", "a", copy]
    )
    #expect(limited.status == 70, "\(limited.errors)")
    #expect(!Files.exists(copy))
  }

  @Test func whoNamesNoDeviceIsToldOfOne() throws {
    let run = try Authctl.run(["--home", device.daemon.home, "doc", "list"])
    #expect(run.status == 14 && run.errors.contains("Or name a device: "), "\(run)")
  }

  @Test func whoSaysOverWhatOverwritesNothingElse() throws {
    #expect(try doc("put", "a", "--over", "none", input: "milk").status == 0)
    let again = try doc("put", "a", "--over", "none", input: "eggs")
    #expect(again.status == 8 && again.errors.contains("not the version that you gave"), "\(again)")
    let listed = try json("versions", "a")["items"]?.elements.first?["content"]?.string
    let version = try #require(listed)
    #expect(try doc("put", "a", "--over", version, input: "bread").status == 0)
    #expect(try doc("put", "a", "--over", version, input: "eggs").status == 8)
    #expect(try doc("get", "a").output == "bread")
  }

  @Test func aFileGoesInAndComesOutAsItWas() throws {
    let (source, copy) = (scratch.file("source"), scratch.file("copy"))
    var bytes = [UInt8](repeating: 0, count: 700_001)
    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31 >> 3) }
    try Files.write(bytes, to: source)
    #expect(try doc("put", "film", source).status == 0)
    let got = try doc("get", "film", copy)
    #expect(got.status == 0 && got.errors.contains("683 KiB"), "\(got)")
    #expect(try Files.read(copy) == bytes)
    var status = stat()
    // SAFETY: the structure lives for the call.
    #expect(unsafe stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func whatCannotBeDoneSaysWhy() throws {
    let name = try doc("put", "../x", input: "x")
    #expect(name.status == 2 && name.errors.contains("notes/today.txt"), "\(name)")
    let file = try doc("put", "x", "/nonexistent")
    #expect(file.status == 2 && file.errors.contains("/nonexistent"), "\(file)")
    #expect(try doc("get", "x").status == 20, "nothing was written")
    let folder = try doc("put", "x", "/etc")
    #expect(folder.status == 2 && folder.errors.contains("/etc"), "\(folder)")
    let other = try doc("list", "--container", "somebody.else")
    #expect(other.status == 23 && other.errors.contains("somebody.else"), "\(other)")
    #expect(try doc("remove").status == 2)
    _ = try doc("put", "one", input: "1")
    let some = try doc("remove", "none", "one")
    #expect(some.status == 20 && some.errors.contains("'none'. one was removed"), "\(some)")
    #expect(try doc("get", "one").status == 20)
    let link = scratch.file("link")
    let linked = try RunningProgram.run("/bin/ln", ["-s", "/etc/hostname", link])
    #expect(linked.status == 0)
    #expect(try doc("put", "linked", link).status == 0, "a name of a file is as good as another")
    _ = try doc("put", "x", input: "x")
    let copy = scratch.file("missing/copy")
    let unwritable = try doc("get", "x", copy)
    #expect(
      unwritable.status != 0 && unwritable.errors.contains("There is no copy"),
      "\(unwritable)"
    )
    _ = try device.authctl(["device", "reboot"])
    let locked = try doc("list")
    #expect(locked.status == 22 && locked.errors.contains("device unlock"), "\(locked)")
  }

  @Test func aDocumentWithoutConflictHasOneVersion() throws {
    _ = try doc("put", "a", input: "milk")
    let versions = try json("versions", "a")["items"]?.elements ?? []
    #expect(versions.count == 1 && versions.first?["current"]?.boolean == true)
    let version = try #require(versions.first?["content"]?.string)
    #expect(try doc("get", "a", "--content", version).output == "milk")
    let begin = String(version.prefix(8))
    #expect(try doc("get", "a", "--content", begin).output == "milk")
    #expect(try doc("put", "a", "--over", begin, input: "bread").status == 0)
    let stale = try doc("put", "a", "--over", begin, input: "butter")
    #expect(stale.status == 8, "what was seen is no longer there: \(stale)")
    #expect(try doc("put", "a", "--over", "none", input: "butter").status == 8)
    #expect(try doc("put", "b", "--over", begin, input: "butter").status == 8)
    #expect(try doc("get", "a").output == "bread")
    let settled = try doc("settle", "a")
    #expect(settled.status == 0 && settled.errors.contains("has no conflict"), "\(settled)")
    let unknown = try doc("settle", "a", version)
    #expect(unknown.status == 20 && unknown.errors.contains("in conflict"), "\(unknown)")
    let old = try doc("get", "a", "--content", String(version.reversed()))
    #expect(old.status == 20 && old.errors.contains("no such version"), "\(old)")
  }

  @Test func aWatchTellsEachDocumentOnceAsText() throws {
    let watch = try WatchingProgram(device.words + ["doc", "watch"]) { number in
      _ = try doc("put", "first", input: "\(number)")
    }
    let before = watch.lines.count
    _ = try doc("put", "second", input: "milk")
    _ = try doc("put", "second", input: "milk")
    _ = try doc("remove", "second")
    try watch.wait(for: "removed: second\n")
    let told = watch.lines.dropFirst(before).filter { $0.contains("second") }
    #expect(told.count == 2, "the same bytes once more are not told: \(told)")
    #expect(told.first?.hasPrefix("changed: second, 4 bytes, 2") == true)
    try watch.end()
  }

  @Test func aWatchSaysThatItMayHaveMissedSomethingWhileThereWasNoDaemon() throws {
    let watch = try WatchingProgram(device.words + ["--json", "doc", "watch"]) { number in
      _ = try doc("put", "first", input: "\(number)")
    }
    #expect(
      watch.lines.first?.contains(#""change":"all""#) == true,
      "from now on nothing is missed"
    )
    _ = try doc("put", "second", input: "milk")
    try watch.wait(for: #""name":"second""#)
    let last = try #require(watch.lines.last { $0.contains("second") })
    let line = try JSONValue(parsing: Array(last.utf8).span)
    #expect(line["change"]?.string == "changed" && line["bytes"]?.integer == 4)
    #expect(line["conflicts"]?.integer == 0 && line["complete"]?.boolean == true)
    let count = watch.lines.count
    _ = try device.authctl(["daemon", "stop"])
    let locked = try doc("put", "missed", input: "milk")
    #expect(locked.status == 22, "this has started another daemon: \(locked)")
    #expect(try device.authctl(["device", "unlock", "--stdin"], input: "2468\n").status == 0)
    #expect(try doc("put", "missed", input: "milk").status == 0)
    try watch.wait(for: 2, #""change":"all""#)
    #expect(watch.lines.count > count)
    try watch.end()
    _ = try device.authctl(["daemon", "stop"])
  }

  @Test func aBackupBringsDocumentsAndValuesToAnotherDevice() throws {
    let (film, copy) = (scratch.file("film"), scratch.file("copy"))
    try Files.write((0..<600_000).map { UInt8(truncatingIfNeeded: $0 >> 4) }, to: film)
    _ = try doc("put", "film", film)
    _ = try doc("put", "notes/today.txt", input: "milk")
    _ = try device.authctl(["kv", "set", "theme", "dark"])
    let backup = scratch.file("a.backup")
    let password = "a password of twelve\n"
    let made = try device.authctl(
      ["backup", "create", backup, "--password-stdin"],
      input: password
    )
    #expect(made.status == 0, "\(made)")
    try device.client.create("new", passcode: "2468")
    func new(_ words: [String], _ input: String = "") throws -> RunningProgram.Report {
      try Authctl.run(["--home", device.daemon.home, "--device", "new"] + words, input: input)
    }
    let restored = try new(
      ["backup", "restore", backup, "--merge", "--password-stdin"],
      password
    )
    #expect(restored.status == 0, "\(restored)")
    #expect(try new(["doc", "get", "film", copy]).status == 0)
    #expect(try Files.read(copy) == Files.read(film))
    #expect(try new(["doc", "get", "notes/today.txt"]).output == "milk")
    #expect(try new(["kv", "get", "theme"]).output.contains("dark"))
    let dry = try new(
      ["backup", "restore", backup, "--merge", "--dry-run", "--password-stdin"],
      password
    )
    #expect(dry.status == 0 && dry.output.contains("film"), "\(dry)")
  }
}
