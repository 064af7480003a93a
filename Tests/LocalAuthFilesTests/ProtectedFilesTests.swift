import Glibc
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestKit
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import LocalAuthFiles

@Suite struct ProtectedFilesTests {
  private let device: FilesDevice
  private var note: String { device.path("note") }

  init() throws { device = try FilesDevice() }

  private func put(_ bytes: [UInt8], at path: String) throws {
    // SAFETY: the string is a C string, and the bytes are the array's own, for the calls.
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    defer { close(file) }
    #expect(unsafe write(file, bytes, bytes.count) == bytes.count)
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    // SAFETY: the string and the structure are valid for the call.
    _ = unsafe stat(path, &status)
    return status.st_mode & 0o7777
  }

  @Test(arguments: FileProtection.allCases)
  func fileIsProtectedReclassedAndUnprotectedInItsPlace(_ protection: FileProtection) throws {
    try put(Array("a note".utf8), at: note)
    try device.files.protect(note, protection)
    #expect(try device.files.status(of: note)?.protection == protection)
    for other in FileProtection.allCases {
      #expect(try device.files.reclass(note, to: other))
      #expect(try device.files.status(of: note)?.protection == other)
      #expect(try device.text("note") == "a note")
    }
    #expect(try device.files.unprotect(note))
    #expect(try device.files.status(of: note) == nil)
    #expect(mode(note) == 0o640)
  }

  /// Two who edit a file at once do not overwrite each other's text.
  @Test func fileThatWasReplacedSinceItWasLookedAtStays() throws {
    try device.write("text", "note", .always)
    let stamp = try #require(FileStamp(of: note))
    let first = Secret(copying: Array("first".utf8))
    let second = Secret(copying: Array("second".utf8))
    try device.files.replace(note, with: first, .always, ifStill: stamp)
    #expect(throws: FileFailure.changed) {
      try device.files.replace(note, with: second, .always, ifStill: stamp)
    }
    #expect(try device.text("note") == "first")
  }

  @Test func copyHasZerosForWhatIsDamagedAlone() throws {
    let text = String(repeating: "x", count: 40_000)
    try device.write(text, "note", .always)
    let whole = try device.files.open(note)
    #expect(try whole.damagedParts().isEmpty)
    try whole.close()
    // SAFETY: the string is a C string, and the structures are valid for the calls.
    let file = unsafe open(note, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    #expect(unsafe pwrite(file, "damage", 6, 4096 + 16_384 + 28 + 50) == 6)
    let damaged = try device.files.open(note)
    #expect(try damaged.damagedParts() == [16_384..<32_768])
    let copy = unsafe open(device.path("copy"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(copy) }
    #expect(try damaged.copyUndamaged(to: copy) == [16_384..<32_768])
    var found = [UInt8](repeating: 1, count: 50_000)
    #expect(unsafe pread(copy, &found, found.count, 0) == 40_000)
    let isExpected = found.prefix(40_000).enumerated().allSatisfy { place, byte in
      byte == ((16_384..<32_768).contains(place) ? 0 : UInt8(ascii: "x"))
    }
    #expect(isExpected)
  }

  @Test func keyThatIsTakenIsNoDamage() throws {
    try device.write("text", "note", .complete)
    let file = try device.files.open(note)
    file.takeKey()
    #expect(throws: FileFailure.locked) { try file.damagedParts() }
  }

  /// The header that was there may be on the disk still: the new file must not open with its key.
  @Test func reclassedFileHasAnotherKey() throws {
    try device.write("text", "note", .always)
    let before = try #require(try SourceFile(note, isReplaced: false).header())
    _ = try device.files.reclass(note, to: .complete)
    let after = try #require(try SourceFile(note, isReplaced: false).header())
    #expect(before.identifier != after.identifier && before.wrappedKey != after.wrappedKey)
  }

  @Test func modeStaysWhateverTheMask() throws {
    try put([1], at: note)
    // SAFETY: the string is a C string for the call.
    #expect(unsafe chmod(note, 0o666) == 0)
    try device.files.protect(note, .complete)
    #expect(mode(note) == 0o666)
  }

  /// Who takes it for a plain file would write plain text over it.
  @Test(.enabled(if: geteuid() == 0))
  func fileInADirectoryThatCannotBeReadIsKnownToBeProtected() throws {
    try device.write("text", "note", .always)
    var template = Array("/tmp/la-files-XXXXXX".utf8CString)
    // SAFETY: the template is a C string that mkdtemp modifies in place; the others are C strings for the calls.
    #expect(unsafe mkdtemp(&template) != nil)
    let directory = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
    let moved = directory + "/note"
    defer {
      // SAFETY: as above.
      unsafe unlink(moved)
      unsafe rmdir(directory)
    }
    #expect(unsafe rename(note, moved) == 0 && chmod(moved, 0o644) == 0)
    #expect(unsafe chmod(directory, 0o311) == 0)
    // This thread alone is another user where files are concerned; Glibc's module has no name for it.
    let symbol = unsafe dlsym(nil, "setfsuid")
    // SAFETY: that is the function's type.
    let setfsuid = unsafe unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> Int32).self)
    _ = setfsuid(65_534)
    defer { _ = setfsuid(0) }
    #expect(unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0)
    #expect(try ProtectedFiles.hasHeader(moved))
  }

  @Test func whatIsNoFileOfTheCallersIsRefused() throws {
    try put([1], at: note)
    let link = device.path("link")
    // SAFETY: the strings are C strings for the calls.
    #expect(unsafe symlink(note, link) == 0)
    #expect(failure { try device.files.protect(link, .always) } == .symbolicLink)
    #expect(failure { _ = try device.files.open(link) } == .symbolicLink)
    #expect(unsafe unlink(link) == 0 && Glibc.link(note, link) == 0)
    #expect(failure { try device.files.protect(note, .always) } == .severalNames(2))
    #expect(unsafe unlink(link) == 0 && mkfifo(link, 0o600) == 0)
    #expect(failure { try device.files.protect(link, .always) } == .notRegular)
    #expect(failure { _ = try device.files.read(device.path("")) } == .notRegular)
    #expect(failure { _ = try device.files.open(note) } == .file(.notProtected))
    try device.files.protect(note, .always)
    #expect(failure { try device.files.protect(note, .always) } == .alreadyProtected)
    // SAFETY: the string is a C string for the call.
    #expect(unsafe truncate(note, 100) == 0)
    #expect(failure { _ = try device.files.status(of: note) } == .file(.damaged))
    #expect(failure { try device.files.protect(note, .always) } == .file(.damaged))
  }

  /// What it writes afterwards would stand in a file that has no name any more.
  @Test func fileThatSomebodyHasOpenForWritingStays() throws {
    try put(Array("a note".utf8), at: note)
    // SAFETY: the strings are C strings for the calls.
    let writer = unsafe open(note, O_WRONLY | O_APPEND | O_CLOEXEC)
    #expect(failure { try device.files.protect(note, .always) } == .file(.busy))
    #expect(unsafe write(writer, " more", 5) == 5)
    close(writer)
    let reader = unsafe open(note, O_RDONLY | O_CLOEXEC)
    defer { close(reader) }
    try device.files.protect(note, .always)
    #expect(try device.text("note") == "a note more")
  }

  @Test func fileThatSomebodyWantsToWriteMeanwhileStays() throws {
    try put(Array("a note".utf8), at: note)
    var source = try SourceFile(note, isReplaced: true)
    try source.watchWriters()
    try source.checkIsUnchanged()
    // SAFETY: the string is a C string for the calls.
    #expect(unsafe open(note, O_WRONLY | O_NONBLOCK | O_CLOEXEC) == -1 && errno == EWOULDBLOCK)
    do throws(FileFailure) {
      try source.checkIsUnchanged()
      Issue.record("somebody waits to write")
    } catch { #expect(error == .file(.busy)) }
    _ = consume source
    let writer = unsafe open(note, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    #expect(writer >= 0, "nobody waits for what has ended")
    close(writer)
  }

  /// A program has it open, and writes into the log next; SQLite takes both away when it closes the database.
  @Test func databaseWithAnEmptyLogIsInUse() throws {
    try put(Self.database, at: note)
    let suffix = "-wal"
    try put([], at: note + suffix)
    #expect(failure { try device.files.protect(note, .always) } == .hasJournal)
    // SAFETY: the string is a C string for the call.
    #expect(unsafe unlink(note + suffix) == 0)
    try put([], at: note + "-journal")
    try device.files.protect(note, .always)
    try put([], at: note + suffix)
    #expect(failure { _ = try device.files.reclass(note, to: .complete) } == .hasJournal)
    #expect(failure { _ = try device.files.unprotect(note) } == .hasJournal)
  }

  private static let database =
    Array("SQLite format 3\0".utf8) + [0x10, 0] + [UInt8](repeating: 0, count: 5000)

  /// What is left over of one that nobody has open keeps nobody from anything.
  @Test func indexWithoutALogCountsWhileSomebodyUsesIt() throws {
    try put(Self.database, at: note)
    try put([UInt8](repeating: 0, count: 32_768), at: note + "-shm")
    // SAFETY: the string is a C string for the call.
    let index = unsafe open(note + "-shm", O_RDWR | O_CLOEXEC)
    var lock = Glibc.flock()
    lock.l_type = Int16(F_RDLCK)
    lock.l_start = 128
    lock.l_len = 1
    // F_OFD_SETLK, which Glibc's module does not name: a lock that is not this process's, but the descriptor's.
    // SAFETY: the structure lives for the call.
    #expect(unsafe fcntl(index, 37, &lock) == 0)
    #expect(failure { try device.files.protect(note, .always) } == .hasJournal)
    close(index)
    try device.files.protect(note, .always)
    _ = try device.files.reclass(note, to: .complete)
    _ = try device.files.unprotect(note)
    #expect(try device.files.status(of: note) == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "makes a file immutable"), arguments: ["+i", "+a"])
  func immutableFileIsRefusedAtOnce(_ flag: String) throws {
    try put([1], at: note)
    func change(_ flag: String) throws -> Bool {
      let request = SpawnRequest(executable: "/usr/bin/chattr", arguments: [flag, "--", note])
      var child = try ChildProcess.spawn(request)
      return try child.waitForExit() == .status(0)
    }
    guard try change(flag) else { return }
    defer { _ = try? change("-ia") }
    #expect(failure { try device.files.protect(note, .always) } == .immutable)
    #expect(failure { try ProtectedFiles.checkIsReplaceable(note) } == .immutable)
  }

  @Test(.enabled(if: geteuid() == 0, "becomes another user where files are concerned"))
  func directoryThatCannotBeWrittenIsNamed() throws {
    try put([1], at: note)
    let directory = device.path("")
    // SAFETY: the strings are C strings for the calls.
    #expect(unsafe chmod(note, 0o644) == 0 && chmod(directory, 0o555) == 0)
    defer { _ = unsafe chmod(directory, 0o700) }
    try ProtectedFiles.checkIsReplaceable(note)
    // SAFETY: as in another test here, that is the function's type; it is called on this thread alone.
    let symbol = unsafe dlsym(nil, "setfsuid")
    let setfsuid = unsafe unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> Int32).self)
    _ = setfsuid(65_534)
    defer { _ = setfsuid(0) }
    #expect(failure { try ProtectedFiles.checkIsReplaceable(note) } == .closedDirectory)
    #expect(failure { try device.files.protect(note, .always) } == .closedDirectory)
  }

  @Test(arguments: [512, 1024, 2048])
  func databaseWithPagesThatAreTooSmallIsRefused(_ size: Int) throws {
    let start = Array("SQLite format 3\0".utf8)
    try put(
      start + [UInt8(size >> 8), UInt8(size & 255)] + [UInt8](repeating: 0, count: 5000),
      at: note
    )
    #expect(failure { try device.files.protect(note, .always) } == .smallPages(size))
    #expect(failure { _ = try device.files.open(note) } == .file(.notProtected))
    for right: [UInt8] in [[0x10, 0], [0, 1]] {
      try put(start + right + [UInt8](repeating: 0, count: 5000), at: note)
      try device.files.protect(note, .always)
    }
  }

  @Test func fileThatIsWrittenAnewHasTheAccessOfTheOneBefore() throws {
    try device.write("text", "note", .complete)
    #expect(mode(note) == 0o600)
    // SAFETY: the string is a C string for the call.
    #expect(unsafe chmod(note, 0o604) == 0)
    #expect(UserAttributes.set("user.note", "mine", of: note))
    try unsafe device.files.write(Array("another".utf8).span.bytes, to: note, mode: 0o644)
    #expect(try device.text("note") == "another")
    #expect(mode(note) == 0o604)
    #expect(UserAttributes.value("user.note", of: note) == "mine")
    try unsafe device.files.write(
      [UInt8]().span.bytes,
      to: device.path("new"),
      .complete,
      mode: 0o640
    )
    #expect(mode(device.path("new")) & ~0o640 == 0)
  }

  @Test func fileThatIsThereIsNotWrittenOverUnlessItMayBe() throws {
    func write(_ path: String) -> FileFailure? {
      failure {
        try unsafe device.files.write([UInt8]().span.bytes, to: path, .complete, replacing: false)
      }
    }
    try put([1, 2, 3], at: note)
    #expect(write(note) == .file(.system(call: "open", code: EEXIST)))
    #expect(unsafe symlink("absent", device.path("link")) == 0)
    #expect(write(device.path("link")) == .file(.system(call: "open", code: EEXIST)))
    #expect(try !ProtectedFiles.hasHeader(note))
    #expect(write(device.path("new")) == nil)
  }

  /// The device is asked for a key after it was looked whether there is one.
  @Test func fileThatComesMeanwhileIsNotWrittenOverUnlessItMayBe() async throws {
    for round in 1...50 {
      let path = device.path("new-\(round)")
      let other = Task.detached {
        // SAFETY: the string is a C string for the call.
        let made = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        return FileDescriptor(owning: made).rawValue >= 0
      }
      let failed = failure {
        try unsafe device.files.write([UInt8]().span.bytes, to: path, .always, replacing: false)
      }
      let isTheirs = await other.value
      #expect(isTheirs == (failed != nil), "in round \(round): \(String(describing: failed))")
    }
  }

  @Test func fileThatIsThereIsNotCreated() throws {
    try put([1], at: note)
    let failed = failure { _ = try device.files.create(note, .always) }
    #expect(failed == .file(.system(call: "open", code: EEXIST)))
  }

  @Test func fileThatCannotBeCreatedLeavesNoName() throws {
    try device.device.reboot()
    #expect(failure { _ = try device.files.create(note, .complete) } == .locked)
    #expect(mode(note) == 0)
  }

  @Test func anotherDeviceHasNoKey() throws {
    try device.write("text", "note", .always)
    let other = try FilesDevice()
    #expect(failure { _ = try other.files.read(note) } == .anotherDevice)
  }

  @Test func longerFileThanIsWantedIsNotRead() throws {
    try device.write("0123456789", "note", .always)
    let failed = failure { _ = try device.files.read(note, limit: 9) }
    #expect(failed == .file(.system(call: "read", code: EFBIG)))
  }

  @Test func partsOfAnyLengthAreReadAndWritten() throws {
    let file = try device.files.create(note, .complete)
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try unsafe file.write(bytes.span.bytes, at: 0)
    try file.close()
    let again = try device.files.open(note)
    for offset in [0, 1, 1_048_575, 2_999_999, 3_000_000, 4_000_000] {
      let part = try again.read(2_000_000, at: offset)
      // SAFETY: the bytes are read within the call.
      #expect(
        unsafe part.withUnsafeBytes {
          unsafe $0.elementsEqual(bytes.dropFirst(offset).prefix(2_000_000))
        }
      )
    }
  }

  @Test func closedFileSaysSo() throws {
    let file = try device.files.create(note, .always)
    try file.close()
    try file.close()
    #expect(failure { _ = try file.read(1) } == .file(.closed))
  }

  // MARK: Defaults of directories

  @Test func directorySaysHowItsFilesAreProtected() throws {
    let directory = device.path("letters")
    // SAFETY: the string is a C string for the call.
    #expect(unsafe mkdir(directory, 0o700) == 0)
    #expect(try DirectoryDefault.of(directory) == nil)
    try DirectoryDefault.set(.afterFirstUnlock, of: directory)
    #expect(try DirectoryDefault.of(directory) == .afterFirstUnlock)
    let file = try device.files.create(directory + "/a")
    #expect(file.protection == .afterFirstUnlock)
    try file.close()
    try DirectoryDefault.set(nil, of: directory)
    try DirectoryDefault.set(nil, of: directory)
    #expect(try DirectoryDefault.of(directory) == nil)
    #expect(try device.files.create(directory + "/b").protection == .complete)
    #expect(
      failure { try DirectoryDefault.set(.always, of: directory + "/a") }
        == .file(.system(call: "open", code: ENOTDIR))
    )
  }

  @Test(arguments: ["", "9", "a default that is too long"])
  func defaultThatNobodyKnowsIsAnError(_ value: String) throws {
    let directory = device.path("novel")
    // SAFETY: the string is a C string for the call.
    #expect(unsafe mkdir(directory, 0o700) == 0)
    #expect(UserAttributes.set("user.localauth.protection", value, of: directory))
    #expect(throws: FileFailure.self) { try DirectoryDefault.of(directory) }
    #expect(throws: FileFailure.self) { try device.files.create(directory + "/a") }
    try DirectoryDefault.set(nil, of: directory)
    #expect(try DirectoryDefault.of(directory) == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "changes an owner"))
  func directoryOfAnotherUserDecidesNothing() throws {
    let directory = device.path("foreign")
    // SAFETY: the string is a C string for the calls.
    #expect(unsafe mkdir(directory, 0o700) == 0)
    try DirectoryDefault.set(.always, of: directory)
    #expect(unsafe chown(directory, 65_534, 65_534) == 0)
    #expect(try DirectoryDefault.protection(for: directory + "/a") == .complete)
    #expect(throws: FileFailure.foreignOwner) { try DirectoryDefault.set(.always, of: directory) }
    try DirectoryDefault.set(nil, of: directory)
  }
}
