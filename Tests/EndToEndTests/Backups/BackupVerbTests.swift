import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl backup`: real files and two daemons, each a device of its own.
@Suite struct BackupVerbTests {
  private static let unit = Repository.path + "/Examples/Backup/localauth-backup.service"
  /// Whether a test may have a file system of its own.
  private let device: SecretDevice
  private let password = "correct horse battery\n"
  private var file: String { device.scratch.file("my.backup") }

  init() throws {
    device = try SecretDevice()
    try device.add("site", "ann", "of ann")
    try device.add("site", "bob", "of bob")
  }

  private func run(_ words: String..., input: String = "") throws -> RunningProgram.Report {
    try device.authctl(["backup"] + words, input: input)
  }

  private func create(_ more: String...) throws {
    let made = try device.authctl(
      ["backup", "create", file] + more,
      input: more.contains("--password-stdin") ? password : ""
    )
    try #require(made.status == 0, "\(made.errors)")
  }

  private func delete(_ account: String) throws {
    let gone = try device.authctl(["keychain", "delete", "--account", account])
    try #require(gone.status == 0, "\(gone.errors)")
  }

  private func secret(_ account: String, of device: SecretDevice) throws -> String {
    try device.authctl(["keychain", "get", "--service", "site", "--account", account]).output
  }

  // MARK: There and back

  @Test(arguments: ["--password-stdin", "--device-only"])
  func itemsComeBack(_ option: String) throws {
    try create(option)
    #expect(try mode(of: file) == 0o600)
    let input = option == "--device-only" ? [] : ["--password-stdin"]
    for account in ["ann", "bob"] { try delete(account) }
    let back = try device.authctl(["backup", "restore", file] + input, input: password)
    #expect(back.status == 0 && back.errors.contains("2 items restored"), "\(back.errors)")
    #expect(try secret("ann", of: device) == "of ann")
    #expect(try secret("bob", of: device) == "of bob")
  }

  @Test func partsAreBackedUpAndRestored() throws {
    let always = ["keychain", "add", "--service", "site", "--account", "cleo"]
    let added = try device.authctl(
      always + ["--accessible", "always", "--stdin"],
      input: "of cleo"
    )
    try #require(added.status == 0, "\(added.errors)")
    let part = device.scratch.file("part")
    let made = try run("create", part, "--device-only", "--only", "always", "--only", "local")
    #expect(made.status == 0 && made.errors.contains("has 1 item."), "\(made.errors)")
    try create("--device-only")
    for account in ["ann", "bob", "cleo"] { try delete(account) }
    let back = try run("restore", file, "--only", "whenUnlocked")
    #expect(back.errors.contains("2 items restored, 1 not newer"), "\(back.errors)")
    let rest = try run("restore", part, "--only", "local")
    #expect(rest.errors.contains("1 item restored."), "\(rest.errors)")
    #expect(try secret("cleo", of: device) == "of cleo")
    for words in [["create", part, "--device-only"], ["restore", file]] {
      let refused = try device.authctl(["backup"] + words + ["--only", "whenunlocked"])
      #expect(refused.status == 77, "\(refused.errors)")
      #expect(refused.errors.contains("'whenunlocked' is no access group of"), "\(refused.errors)")
    }
  }

  @Test func aPartWithNothingInItTakesNoPlace() throws {
    try create("--device-only")
    let before = try Files.read(file)
    let made = try run("create", file, "--device-only", "--only", "alwaysThisDeviceOnly")
    #expect(made.status == 20, "\(made)")
    #expect(made.errors.contains("Nothing is of --only alwaysThisDeviceOnly; the classes are when"))
    #expect(try Files.read(file) == before)
  }

  @Test func aBackupOfANewerVersionIsSaidToBeOne() throws {
    try create("--device-only")
    #expect(try !run("list", file).output.contains("newer"))
    var bytes = try Files.read(file)
    bytes[4] = 2
    try Files.write(bytes, to: file)
    #expect(try run("list", file).output.contains("A newer LocalAuth wrote it"))
  }

  @Test func aPasswordOpensItOnAnotherDeviceAndTheDeviceAloneDoesNot() throws {
    try create("--password-stdin")
    let other = try SecretDevice()
    let back = try other.authctl(["backup", "restore", file, "--password-stdin"], input: password)
    #expect(back.status == 0, "\(back.errors)")
    #expect(try secret("ann", of: other) == "of ann")
    try create("--device-only")
    let refused = try other.authctl(["backup", "restore", file])
    #expect(refused.status == 24 && refused.errors.contains("device"), "\(refused.errors)")
  }

  @Test func protectedFilesOpenOnAnotherDeviceAfterABackupWithTheirKeys() throws {
    let text = device.scratch.file("plan.txt")
    try Files.write(Array("the plan".utf8), to: text)
    let protected = try device.authctl(["file", "protect", text])
    try #require(protected.status == 0, "\(protected.errors)")
    let other = try SecretDevice()
    let copy = other.scratch.file("plan.txt")
    try Files.write(try Files.read(text), to: copy)
    try create("--password-stdin")
    _ = try other.authctl(["backup", "restore", file, "--password-stdin"], input: password)
    #expect(try other.authctl(["file", "cat", copy]).status == 20)
    let unproven = try run("create", file, "--device-only", "--with-file-keys")
    #expect(unproven.status != 0 && unproven.errors.contains("passcode"), "\(unproven)")
    #expect(try run("create", file, "--passcode-stdin", "--device-only").status == 2)
    let made = try device.authctl(
      ["backup", "create", file, "--generate", "--with-file-keys", "--passcode-stdin"],
      input: "2468\n"
    )
    try #require(made.status == 0, "\(made.errors)")
    #expect(try run("list", file).output.contains("4 of them open protected files"))
    let back = try other.authctl(
      ["backup", "restore", file, "--password-stdin"],
      input: made.output
    )
    #expect(back.status == 0, "\(back.errors)")
    #expect(try other.authctl(["file", "cat", copy]).output == "the plan")
    let edited = try other.authctl(["file", "reclass", "--class", "none", copy])
    #expect(edited.status == 0, "\(edited.errors)")
    #expect(try other.authctl(["file", "cat", copy]).output == "the plan")
  }

  @Test func aPasswordThatIsMadeIsPrintedAndOpens() throws {
    let made = try run("create", file, "--generate")
    #expect(made.status == 0, "\(made.errors)")
    let password = made.output.split(separator: "\n").first.map { String($0) } ?? ""
    #expect(password.utf8.count == 24)
    #expect(try run("verify", file, "--password-stdin", input: password + "\n").status == 0)
    #expect(try !Files.read(file).contains(Array(password.utf8)))
    #expect(try run("create", file, "--generate", "--json").status == 2)
  }

  /// What the unit of `Examples/Backup` does each day.
  @Test func theExampleForSystemdMakesABackup() throws {
    let unit = try Files.text(Self.unit)
    let start = "ExecStart=/bin/sh -c '"
    let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix(start) })
    let script = line.dropFirst(start.utf8.count).dropLast()
      .split(separator: "%%", omittingEmptySubsequences: false).joined(separator: "%")
      .split(separator: "authctl", maxSplits: 1).joined(
        separator: ([Machine.authctl] + device.words).joined(separator: " ")
      )
    let ran = try RunningProgram.run(
      "/bin/sh",
      ["-c", script],
      environment: Authctl.environment + ["STATE_DIRECTORY=\(device.scratch.path)"]
    )
    #expect(ran.status == 0, "\(ran.errors)")
    let made = try Files.names(in: device.scratch.path).filter { $0.hasSuffix(".backup") }
    #expect(made.count == 1)
    #expect(try run("verify", device.scratch.file(made[0])).status == 0)
  }

  // MARK: Looking at it

  @Test func aListSaysWhatStayedBehindAndWhy() throws {
    try create("--device-only")
    let list = try run("list", file)
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.output.contains("3 items: 3 whenUnlocked"), "\(list.output)")
    #expect(list.output.contains("left out: 3 that ask for something"), "\(list.output)")
    for name in ["ann", "site", "first secret"] { #expect(!list.output.contains(name)) }
  }

  /// Nothing of a header is verified.
  @Test func whatAListSaysMovesNoCursor() throws {
    try create("--device-only")
    var bytes = try Files.read(file)
    let label = Array("\u{1B}]0;x\u{7}\u{1B}[2J\nfake".utf8)
    bytes[7] = UInt8(label.count)
    bytes.replaceSubrange(56..<56 + label.count, with: label)
    try Files.write(bytes, to: file)
    let list = try run("list", file)
    #expect(!list.output.contains("\u{1B}") && !list.output.contains("\nfake"), "\(list)")
    let added = try device.authctl(
      [
        "keychain", "add", "--service", "ev\u{1B}]0;T\u{7}il", "--account", "a\nrestored\tf",
        "--stdin",
      ],
      input: "x"
    )
    try #require(added.status == 0, "\(added.errors)")
    try create("--device-only")
    let preview = try run("restore", file, "--dry-run")
    #expect(preview.status == 0 && !preview.output.contains("\u{1B}"), "\(preview)")
    #expect(!preview.output.contains("\nrestored\tf"), "\(preview)")
  }

  @Test func aListAsksNoDaemon() throws {
    try create("--device-only")
    let nowhere = device.scratch.file("nowhere")
    let list = try Authctl.run(["--home", nowhere, "backup", "list", file])
    #expect(list.status == 0, "\(list.errors)")
    #expect(!Files.exists(nowhere))
  }

  @Test func aDryRunSaysWhatBecomesOfEachItemAndChangesNothing() throws {
    try create("--device-only")
    try delete("ann")
    let preview = try run("restore", file, "--dry-run")
    #expect(preview.status == 0, "\(preview.errors)")
    let lines = preview.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("restored\t") && $0.contains("ann") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("older\t") && $0.contains("bob") }, "\(lines)")
    #expect(try device.authctl(["keychain", "get", "--account", "ann"]).status == 20)
  }

  /// Who confirms a number of items can see which.
  @Test func aDryRunOfAReplacementNamesWhatItDeletes() throws {
    try create("--device-only")
    try device.add("site", "late", "of late")
    let preview = try run("restore", file, "--replace", "--dry-run")
    #expect(preview.status == 0, "\(preview.errors)")
    let lines = preview.output.split(separator: "\n").filter { $0.hasPrefix("deleted\t") }
    // Items that ask for something are in no backup.
    for name in ["mail", "app/main", "late"] {
      #expect(lines.contains { $0.contains(name) }, "\(preview.output)")
    }
    #expect(preview.output.contains("\(lines.count) deleted for good"), "\(preview.output)")
    let merge = try run("restore", file, "--dry-run")
    #expect(!merge.output.contains("deleted"), "\(merge.output)")
    #expect(try secret("late", of: device) == "of late")
  }

  // MARK: Refusals

  /// The header says what the password costs, and nothing in it is verified before.
  @Test func aHostileCostIsRefusedAtOnce() throws {
    try create("--password-stdin")
    var bytes = try Files.read(file)
    // 16 passes over 4 GiB, of which each would be accepted alone.
    bytes.replaceSubrange(40..<48, with: [16, 0, 0, 0, 0, 0, 64, 0])
    try Files.write(bytes, to: file)
    for verb in [["verify"], ["restore"], ["restore", "--dry-run"]] {
      let refused = try device.authctl(
        ["backup"] + verb + [file, "--password-stdin"],
        input: password
      )
      #expect(refused.status == 24, "\(refused.errors)")
      #expect(refused.errors.contains("a cost that is not accepted"), "\(refused.errors)")
    }
    let list = try run("list", file)
    #expect(list.status == 24, "\(list.errors)")
  }

  @Test func aWrongPasswordIsOneErrorAndCostsNoAttempt() throws {
    try create("--password-stdin")
    for _ in 0..<6 {
      let refused = try run("verify", file, "--password-stdin", input: "wrong horse battery\n")
      #expect(refused.status == 1, "\(refused.errors)")
    }
    #expect(try device.client.status("sim").wrongPasscodes == 0)
    let short = try run("create", file, "--password-stdin", input: "too short\n")
    #expect(short.status == 2, "\(short.errors)")
    #expect(try run("verify", file, "--password-stdin", input: password).status == 0)
  }

  @Test func aPasswordThatIsTooShortIsNotAskedForTwice() throws {
    let terminal = try device.terminal(["backup", "create", file])
    try terminal.wait(for: "New password of the backup")
    terminal.type("too short\r")
    #expect(try terminal.waitForExit() == .status(2), "\(terminal.screen)")
    #expect(terminal.screen.contains("12 characters or more"), "\(terminal.screen)")
    #expect(!terminal.screen.contains("The same again"), "\(terminal.screen)")
    #expect(!Files.exists(file))
  }

  @Test func aBackupForOneDeviceTakesNoPassword() throws {
    try create("--device-only")
    for verb in ["verify", "restore"] {
      let refused = try run(verb, file, "--password-stdin", input: password)
      #expect(refused.status == 2, "\(refused.errors)")
      #expect(refused.errors.contains("\(file) has no password"), "\(refused.errors)")
    }
  }

  @Test func aWordThatIsNoClassNamesThoseThatThereAre() throws {
    let refused = try run("create", file, "--device-only", "--only", "whenUnlockd")
    #expect(refused.status == 77, "\(refused.errors)")
    #expect(refused.errors.contains("the classes are whenUnlocked, "), "\(refused.errors)")
  }

  @Test func aChangedOrCutFileIsRefusedAndNothingIsChanged() throws {
    try create("--device-only")
    let whole = try Files.read(file)
    try delete("ann")
    for place in [3, 5, 20, 130, 700, 1000, 1100, whole.count - 1] {
      var bytes = whole
      bytes[place] ^= 1
      try Files.write(bytes, to: file)
      for verb in ["verify", "restore"] {
        let refused = try run(verb, file)
        #expect(refused.status != 0, "\(verb) with byte \(place)")
        #expect(refused.output.isEmpty)
      }
    }
    var changed = whole
    changed[1100] ^= 1
    try Files.write(changed, to: file)
    for verb in ["verify", "restore"] {
      let refused = try run(verb, file)
      #expect(refused.errors.contains("\(file) was changed or cut"), "\(refused.errors)")
    }
    for size in [0, 4, 1023, 1024, 1100, whole.count - 1] {
      try Files.write(Array(whole.prefix(size)), to: file)
      #expect(try run("restore", file).status != 0, "\(size) bytes")
      #expect(try run("verify", file, "--quick").status != 0, "\(size) bytes")
    }
    #expect(try device.authctl(["keychain", "get", "--account", "ann"]).status == 20)
    try Files.write(whole, to: file)
    #expect(try run("verify", file, "--quick").status == 0)
  }

  @Test func aLockedDeviceIsRefusedUnlessInPart() throws {
    _ = try device.authctl(["device", "reboot"])
    let refused = try run("create", file, "--device-only")
    #expect(refused.status == 22, "\(refused.errors)")
    #expect(!Files.exists(file))
    let partial = try run("create", file, "--device-only", "--partial")
    #expect(partial.status == 0, "\(partial.errors)")
    #expect(try run("list", file).output.contains("that are locked"))
  }

  @Test func replacingWantsTheNumberAndThePasscode() throws {
    try create("--device-only")
    try device.add("site", "new", "of new")
    let asked = try run("restore", file, "--replace", "--passcode-stdin", input: "2468\n")
    #expect(asked.status == 5 && asked.errors.contains("--deletes 4"), "\(asked.errors)")
    let wrong = try run(
      "restore",
      file,
      "--replace",
      "--deletes",
      "4",
      "--passcode-stdin",
      input: "1111\n"
    )
    #expect(wrong.status == 1, "\(wrong.errors)")
    let other = try run(
      "restore",
      file,
      "--replace",
      "--deletes",
      "1",
      "--passcode-stdin",
      input: "2468\n"
    )
    #expect(other.status == 2 && other.errors.contains("is 4, not 1"), "\(other.errors)")
    let audit = try device.authctl(["audit"]).output
    #expect(!audit.contains("under way or cut off"), "\(audit)")
    #expect(try secret("new", of: device) == "of new")
    let done = try run(
      "restore",
      file,
      "--replace",
      "--deletes",
      "4",
      "--passcode-stdin",
      input: "2468\n"
    )
    #expect(done.status == 0, "\(done.errors)")
    #expect(try device.authctl(["keychain", "get", "--account", "new"]).status == 20)
    #expect(try secret("ann", of: device) == "of ann")
  }

  @Test func whatIsNoBackupSaysSo() throws {
    try device.scratch.write("a note", to: "note")
    for verb in ["list", "verify", "restore"] {
      let refused = try run(verb, device.scratch.file("note"))
      #expect(refused.status == 2 && refused.errors.contains("no backup"), "\(refused.errors)")
    }
  }

  // MARK: No file or a whole one

  @Test func aFileThatCannotGrowLeavesTheOneThatWasThere() throws {
    try create("--device-only")
    let whole = try Files.read(file)
    for number in 0..<4 {
      try device.add("large", "\(number)", String(repeating: "x", count: 60_000))
    }
    let words = device.words + ["backup", "create", file, "--device-only"]
    let limited = try RunningProgram.run(
      "/bin/sh",
      ["-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\"", Machine.authctl] + words
    )
    #expect(limited.status == 70, "\(limited.errors)")
    #expect(try Files.read(file) == whole)
    #expect(try Files.names(in: device.scratch.path).filter { $0.contains("new") }.isEmpty)
  }

  @Test(.enabled(if: Machine.canMount, "needs mount namespaces")) func aFullDiskGetsNoFile() throws
  {
    for number in 0..<4 {
      try device.add("large", "\(number)", String(repeating: "x", count: 60_000))
    }
    let disk = device.scratch.file("disk")
    let script = """
      mkdir "$0" && mount -t tmpfs -o size=128k none "$0" && echo old > "$0/my.backup" || exit 99
      "$@"; status=$?
      ls -A "$0"; cat "$0/my.backup"; exit $status
      """
    let words = device.words + ["backup", "create", disk + "/my.backup", "--device-only"]
    let ran = try RunningProgram.run(
      "/usr/bin/unshare",
      ["--mount", "/bin/sh", "-c", script, disk, Machine.authctl] + words
    )
    #expect(ran.status == 70 && ran.errors.contains("the disk is full"), "\(ran.errors)")
    #expect(ran.output == "my.backup\nold\n")
  }

  private func mode(of path: String) throws -> UInt32 {
    var found = stat()
    // SAFETY: the string is a C string and the structure lives for the call.
    try #require(unsafe stat(path, &found) == 0)
    return found.st_mode & 0o777
  }
}
