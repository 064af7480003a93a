import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// State that somebody or something damaged: the daemon refuses it in one line and leaves it alone,
/// or its devices need their passcode; nobody gets a strike back.
@Suite struct DamagedStateTests {
  private let copy: StateCopy

  init() throws { copy = try StateCopy() }

  // MARK: Refused

  struct Refused: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var wanted: String
    var damage: @Sendable (StateCopy) throws -> Void

    init(
      _ name: String,
      says wanted: String,
      _ damage: @escaping @Sendable (StateCopy) throws -> Void
    ) {
      testDescription = name
      self.wanted = wanted
      self.damage = damage
    }
  }

  static let refused = [
    Refused("from the future", says: "newer LocalAuth") { try $0.patch([0, 0, 0, 99], at: 60) },
    Refused("another program's", says: "another program") { try $0.patch([1, 2, 3, 4], at: 68) },
    Refused("no database", says: "not a database") { try $0.patch(Array("Hello".utf8), at: 0) },
    Refused("a text file", says: "not a database") {
      try Files.write(Array("Dear diary".utf8), to: $0.database)
    },
    Refused("a broken page", says: "put a backup back") {
      try $0.patch([UInt8](repeating: 0xff, count: 4096), at: 4096)
    },
    Refused("half of it", says: "put a backup back") {
      let bytes = try Files.read($0.database)
      try Files.write(Array(bytes.prefix(bytes.count / 2)), to: $0.database)
    },
    Refused("a directory", says: "directory") {
      Files.remove($0.database)
      _ = try $0.scratch.makeDirectory("home/state.sqlite")
    },
    Refused("a short device key", says: "device.key") {
      try Files.write([1, 2, 3], to: $0.home + "/device.key")
    },
    Refused("a device key for all to read", says: "device.key") {
      try Files.write(
        try Files.read($0.home + "/device.key"),
        to: $0.home + "/device.key",
        mode: 0o644
      )
    },
    Refused("no device key", says: "device.key") { Files.remove($0.home + "/device.key") },
  ]

  @Test(arguments: refused) func refusesInOneLineAndLeavesEverything(_ refused: Refused) throws {
    try refused.damage(copy)
    let before = try Files.contents(of: copy.home)
    let error = try #require(throws: DaemonProcess.NotStarted.self) { try copy.start() }
    #expect(error.exit == .status(Int32(EX_UNAVAILABLE)))
    let lines = error.errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines[1].isEmpty, "one line: \(error.errors)")
    #expect(error.errors.contains(refused.wanted), "\(error.errors)")
    #expect(error.errors.components(of: copy.database) <= 1, "\(error.errors)")
    var after = try Files.contents(of: copy.home)
    for name in ["lock", "state.sqlite-shm"] { after[name] = before[name] }
    #expect(after == before)
  }

  @Test(.enabled(if: !Machine.isRoot, "needs an ordinary user: root writes everywhere"))
  func onlyReadsWhatItCannotWrite() throws { try expectOnlyReads() }

  @Test(.enabled(if: Machine.canRunAsOther, "needs root, to be an ordinary user"))
  func onlyReadsWhatItCannotWriteAsAnotherUser() throws { try expectOnlyReads(Machine.otherUID) }

  /// It serves, allows nothing that would have to be charged, and changes nothing.
  private func expectOnlyReads(_ uid: UInt32? = nil) throws {
    Files.setMode(0o400, of: copy.database)
    if let uid {
      Files.setMode(0o755, of: copy.scratch.path)
      _ = try RunningProgram.run("/bin/chown", ["-R", "\(uid)", copy.home])
    }
    let before = try Files.contents(of: copy.home)
    let daemon = try DaemonProcess(home: copy.home, .init(uid: uid))
    let status = try authctl(["status"], uid)
    #expect(status.status == 0, "\(status)")
    let created = try authctl(["device", "create", "another"], uid)
    #expect(created.status == 70, "\(created)")
    #expect(created.errors.contains("cannot be written"), "\(created)")
    #expect(try daemon.stop() == .status(0))
    var after = try Files.contents(of: copy.home)
    // The copy has the socket's path of the home that it was copied from.
    for name in ["lock", "listening", "state.sqlite-shm"] { after[name] = before[name] }
    #expect(after == before)
  }

  private func authctl(_ words: [String], _ uid: UInt32?) throws -> RunningProgram.Report {
    let words = ["--home", copy.home] + words
    guard let uid else { return try Authctl.run(words) }
    return try RunningProgram.run(
      "/usr/bin/setpriv",
      Machine.asOther([Machine.sharedPrograms.file("authctl")] + words, uid: uid),
      environment: Authctl.environment
    )
  }

  // MARK: Distrusted

  struct Distrusted: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var damage: @Sendable (StateCopy) throws -> Void

    init(_ name: String, _ damage: @escaping @Sendable (StateCopy) throws -> Void) {
      testDescription = name
      self.damage = damage
    }
  }

  static let distrusted = [
    Distrusted("an older database") { try Files.write($0.olderDatabase, to: $0.database) },
    Distrusted("no mirror") { Files.remove($0.home + "/sequence") },
    Distrusted("an empty mirror") { try Files.write([], to: $0.home + "/sequence") },
    Distrusted("a damaged mirror") {
      var bytes = try Files.read($0.home + "/sequence")
      bytes[10] ^= 1
      try Files.write(bytes, to: $0.home + "/sequence")
    },
  ]

  @Test(arguments: distrusted) func fingersCountOnlyAfterThePasscode(_ tampered: Distrusted) throws
  {
    try tampered.damage(copy)
    var daemon = try copy.start()
    var client = try daemon.connect()
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "biometryLockout")
    // Distrust is durable: neither a crash nor a restart ends it.
    try daemon.crash()
    daemon = try copy.start()
    client = try daemon.connect()
    #expect(try client.status("sim").isDistrusted)
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "biometryLockout")
    #expect(
      try client.evaluate("passcode", on: "sim", script: "passcode:1234").outcome == "success"
    )
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "success")
  }

  @Test(arguments: [true, false]) func lostDatabaseTakesItsDevicesWithIt(_ isEmpty: Bool) throws {
    Files.remove(copy.database)
    if isEmpty { try Files.write([], to: copy.database) }
    let client = try copy.start().connect()
    #expect(try !client.has("sim"))
  }

  @Test func strikesSurviveEveryCutOfTheLog() throws {
    let log = try Files.read(copy.crashedHome + "/state.sqlite-wal")
    // A header of 32 bytes, then frames of 24 bytes and a page: every frame, and the middle of each.
    let cuts = stride(from: 0, through: log.count, by: (4096 + 24) / 2)
    for cut in cuts {
      let cut = StateCopy(of: copy.crashedHome, length: cut)
      try cut.expectNoGain(misses: StateCopy.misses)
    }
    try StateCopy(of: copy.crashedHome, length: log.count).expectIntact()
  }
}

extension String {
  /// How often `other` is in it.
  fileprivate func components(of other: String) -> Int {
    var count = 0
    var rest = self[...]
    while let found = rest.firstRange(of: other) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
