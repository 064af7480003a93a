import Glibc
import LocalAuthKeychain
import LocalAuthTestKit
import Testing

@testable import LocalAuthFiles

/// What can be done with files of each protection in each state of a device.
@Suite struct LockedDeviceTests {
  enum State: CaseIterable {
    case noPasscode, unlocked, grace, locked, beforeFirstUnlock
  }

  /// What a test does with a file: with one that is there, one that is open, and one that is new.
  enum Act: CaseIterable {
    case create, read, write, rename, copy, open
  }

  private let device: FilesDevice

  init() throws { device = try FilesDevice() }

  private func bring(_ device: FilesDevice, to state: State) async throws {
    switch state {
    case .noPasscode, .unlocked: break
    case .grace: try device.device.lock()
    case .locked:
      try device.lockForGood()
      await device.wait(for: .locked)
    case .beforeFirstUnlock:
      try device.device.reboot()
      await device.wait(for: .beforeFirstUnlock)
    }
  }

  /// What works, as Apple's table has it: an open file reads and writes, the others open again or not.
  private static func works(_ act: Act, _ protection: FileProtection, _ state: State) -> Bool {
    switch (act, protection, state) {
    case (.rename, _, _), (.copy, _, _): true
    case (_, .always, _), (_, _, .noPasscode), (_, _, .unlocked), (_, _, .grace): true
    case (_, .afterFirstUnlock, .locked): true
    case (.create, .completeUnlessOpen, _), (.read, .completeUnlessOpen, _),
      (.write, .completeUnlessOpen, _):
      true
    default: false
    }
  }

  @Test(arguments: State.allCases)
  func eachActWorksAsTheTableSays(_ state: State) async throws {
    let device = try FilesDevice(passcode: state == .noPasscode ? nil : "2468")
    var open: [FileProtection: ProtectedFile] = [:]
    for protection in FileProtection.allCases {
      try device.write("text", protection.name, protection)
      open[protection] = try device.files.open(device.path(protection.name), for: .write)
    }
    try await bring(device, to: state)
    for protection in FileProtection.allCases {
      let file = try #require(open[protection])
      for act in Act.allCases {
        let failed = failure { try perform(act, device, file) }
        let expected = Self.works(act, protection, state) ? nil : FileFailure.locked
        #expect(failed == expected, "\(act) \(protection) \(state)")
      }
      try? file.close()
    }
  }

  private func perform(_ act: Act, _ device: FilesDevice, _ file: ProtectedFile) throws {
    let name = file.protection.name
    switch act {
    case .create: try device.write("new", "new-" + name, file.protection)
    case .open:
      // The file that is open for writing keeps others out.
      try? file.close()
      #expect(try device.text(name) == "TEXT")
    case .read: #expect(try device.text(of: file) == "text")
    case .write: try unsafe file.write(Array("TEXT".utf8).span.bytes, at: 0)
    // SAFETY: the strings are C strings for the calls.
    case .rename:
      let (from, to) = (device.path(name), device.path("moved-" + name))
      #expect(unsafe Glibc.rename(from, to) == 0 && Glibc.rename(to, from) == 0)
    case .copy: #expect(unsafe link(device.path(name), device.path("copy-" + name)) == 0)
    }
  }

  @Test func whatWasMadeBeforeTheFirstUnlockIsReadAfterIt() async throws {
    try device.device.reboot()
    try device.write("from the dark", "inbox", .completeUnlessOpen)
    #expect(failure { _ = try device.text("inbox") } == .locked)
    try device.device.unlock()
    #expect(try device.text("inbox") == "from the dark")
  }

  @Test func unlockWithinTheGraceKeepsOpenFilesOpen() async throws {
    try device.write("text", "a", .complete)
    let file = try device.files.open(device.path("a"))
    try device.device.lock()
    try device.device.unlock()
    try device.device.clock.advance(by: .seconds(20))
    #expect(try device.text(of: file) == "text")
  }

  @Test func fileThatLostItsKeyStaysLostAndOpensAgain() async throws {
    try device.write("text", "a", .complete)
    let file = try device.files.open(device.path("a"))
    try device.lockForGood()
    await device.wait(for: .locked)
    #expect(failure { _ = try device.text(of: file) } == .locked)
    try device.device.unlock()
    #expect(failure { _ = try device.text(of: file) } == .locked)
    #expect(try device.text("a") == "text")
  }

  /// Another one in its place would leave what is written then in a file without a name.
  @Test func fileOfAFileSystemKeepsOthersOutWhileItsKeyIsGone() async throws {
    try device.write("text", "a", .complete)
    let path = device.path("a")
    let kept = try SourceFile.open(path, O_RDWR)
    defer { close(kept) }
    func open() throws -> ProtectedFile {
      try device.files.open(on: fcntl(kept, F_DUPFD_CLOEXEC, 0), for: .write)
    }
    func replacing() -> FileFailure? {
      failure { _ = try device.files.reclass(path, to: .completeUnlessOpen) }
    }
    let file = try open()
    #expect(replacing() == .file(.busy))
    try device.lockForGood()
    await device.wait(for: .locked)
    #expect(failure { _ = try file.length } == .locked)
    try device.device.unlock()
    await device.wait(for: .available)
    #expect(replacing() == .file(.busy), "what took the key has the lock no more")
    try open().close()
    #expect(replacing() == .file(.busy), "what closed the file let it go")
    #expect(flock(kept, LOCK_UN) == 0)
    #expect(replacing() == nil)
  }

  @Test func whatWasWrittenUntilTheLockIsSealed() async throws {
    let file = try device.files.create(device.path("a"), .complete)
    try unsafe file.write(Array("half a sentence".utf8).span.bytes, at: 0)
    try device.lockForGood()
    await device.wait(for: .locked)
    try device.device.unlock()
    let again = try device.files.open(device.path("a"), isSealedOnly: true)
    #expect(try device.text(of: again) == "half a sentence")
  }

  /// A file opened right after an unlock is not taken for one that is open on a locked device.
  @Test func fileOpenedRightAfterAnUnlockStays() throws {
    try device.write("text", "a", .complete)
    for _ in 0..<50 {
      try device.lockForGood()
      try device.device.unlock()
      let file = try device.files.open(device.path("a"))
      #expect(try device.text(of: file) == "text")
    }
  }

  @Test func passcodeThatIsSetChangedAndRemovedChangesNoFile() throws {
    let device = try FilesDevice(passcode: nil)
    for protection in FileProtection.allCases {
      try device.write("text", protection.name, protection)
    }
    func check() throws {
      for protection in FileProtection.allCases {
        #expect(try device.text(protection.name) == "text")
      }
    }
    try device.device.setPasscode("2468")
    try check()
    try device.device.setPasscode("1357")
    try check()
    try device.device.removePasscode()
    try check()
  }

  @Test func changesAreToldInTheirOrder() async throws {
    var told: [DataAvailability] = []
    let changes = device.files.changes
    try device.lockForGood()
    try device.device.unlock()
    try device.device.reboot()
    for await availability in changes {
      told.append(availability)
      if availability == .beforeFirstUnlock { break }
    }
    guard told.count == 5, case .ending = told[1] else {
      Issue.record("\(told)")
      return
    }
    #expect([told[0]] + told[2...] == [.available, .locked, .available, .beforeFirstUnlock])
  }
}
