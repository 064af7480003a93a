import Glibc
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthJSON
import LocalAuthSecret
import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization
import Testing

@testable import LocalAuthHost
@testable import LocalAuthStore

/// `kill -9` while a state directory of format 1 becomes one of the current format, and while its
/// devices get their keybags; `KILLS=1000` makes it a thousand.
@Suite struct MigrationKillTests {
  private let scratch = Scratch()
  /// Two kills may cost an attempt each; after the fourth the right passcode would have to wait.
  private static let wrongPasscodes = 1
  private static let misses = 1

  @Test(.timeLimit(.minutes(60))) func noKillLosesAnythingOfFormatOne() throws {
    let old = try formatOne()
    var generator = Settings.generator("migration kills")
    for round in 1...Settings.kills(usually: 40) {
      let context: Comment = "SEED=\(Settings.seed) kill \(round)"
      let home = scratch.file("home-\(round)")
      _ = try RunningProgram.run("/bin/cp", ["-a", old, home])
      let spins = generator.next() % 20_000
      try DaemonProcess.crashing(home: home) { for _ in 0..<spins { sched_yield() } }
      var progress = Progress()
      for _ in 0..<(generator.next() % 3) {
        progress = try work(home, progress, killAfter: Int(generator.next() % 5), &generator)
      }
      try check(home, progress, context)
      _ = try RunningProgram.run("/bin/rm", ["-rf", home])
    }
  }

  /// What a client was told.
  private struct Progress {
    /// Whether the passcode was proven, which makes the keybag of the device that has one.
    var isOpened = false
    /// Whether it may have been.
    var mayBeOpened = false
    /// Unlocks that a kill may have charged and not settled.
    var killedUnlocks = 0
    var added: Set<String> = []
    var mayBeAdded: Set<String> = []
  }

  /// Has both devices used until the daemon is killed in the middle of a call.
  private func work(
    _ home: String,
    _ before: Progress,
    killAfter replies: Int,
    _ generator: inout SeededGenerator
  ) throws -> Progress {
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    var progress = before
    let spins = generator.next() % 100_000
    let calls = ["unlock", "locked", "open", "unlock", "locked"]
    for (index, call) in calls.enumerated() {
      switch call {
      case "unlock":
        progress.mayBeOpened = true
        try client.send(Interface.devices + "Unlock", ["device": "locked", "passcode": "1234"])
      default:
        progress.mayBeAdded.insert(call)
        let item = JSONValue.password("migrated").adding(ItemVersion.attributes(1))
        let parameters = WireClient.itemCall(on: call, item, ["data": ItemVersion.data(1)])
        try client.send(Interface.keychain + "Add", parameters)
      }
      if index == replies {
        for _ in 0..<spins { sched_yield() }
        if call == "unlock" { progress.killedUnlocks += 1 }
        break
      }
      let reply = try client.receive()
      let answer = ItemAnswer(reply: reply)
      if call == "unlock" {
        #expect(reply.error == nil, "\(reply)")
        progress.isOpened = true
      } else {
        #expect(answer.isDone || answer.outcome == "duplicateItem", "\(reply)")
        progress.added.insert(call)
      }
    }
    try daemon.crash()
    return progress
  }

  /// Everything is as it was, the passcode opens, and what was acknowledged is there.
  private func check(_ home: String, _ progress: Progress, _ context: Comment) throws {
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    for name in ["locked", "open"] {
      let state = try client.status(name)
      #expect(!state.isDistrusted, "\(context): \(name)")
      // A proven passcode clears what was counted; nothing else does.
      let misses = 3 - (state.attemptsLeft ?? 0)
      let cleared = progress.mayBeOpened && name == "locked" && misses == 0
      #expect(misses == Self.misses || cleared, "\(context): \(name) has \(misses) misses")
    }
    let wrong = 10 - (try client.status("locked").passcodeAttemptsLeft ?? 10)
    let charged = 0...progress.killedUnlocks
    let uncleared = progress.isOpened ? [] : charged.map { Self.wrongPasscodes + $0 }
    let possible = Set(uncleared + (progress.mayBeOpened ? Array(charged) : []))
    #expect(possible.contains(wrong), "\(context): \(wrong) wrong passcodes")
    // One more wrong one after three would make the right one wait.
    if wrong <= Self.wrongPasscodes {
      #expect(try !client.unlock("locked", "0000"), "\(context): a wrong passcode opens")
    }
    #expect(try client.unlock("locked", "1234"), "\(context): the passcode does not open")
    for name in ["locked", "open"] {
      let query = JSONValue.password("migrated").setting(["r_Data": true, "r_Attributes": true])
      let found = try client.item("Copy", on: name, query)
      if found.outcome == "itemNotFound" {
        #expect(!progress.added.contains(name), "\(context): \(name) lost its item")
        let added = try client.item("Add", on: name, .password("new"), ["data": "AAAA"])
        #expect(added.isDone, "\(context): \(name): \(added.reply)")
      } else {
        #expect(found.items.first.flatMap(ItemVersion.of) == 1, "\(context): \(found.reply)")
        #expect(progress.mayBeAdded.contains(name), context)
      }
    }
    #expect(try daemon.stop() == .status(0))
  }

  // MARK: The old directory

  /// A directory as version 0.1 left it: a device with a passcode and one without, with strikes.
  private func formatOne() throws -> String {
    let home = try scratch.makeDirectory("format-1")
    let directory = try PrivateDirectory(opening: home)
    let key = try DeviceKeyFile.create("device.key", in: directory)
    let store = try Store(
      path: directory.path(of: "state.sqlite"),
      authenticator: RecordAuthenticator(key),
      mirror: FileMirror(FileMirror.name, in: directory),
      copy: FileMirror(FileMirror.copyName, in: directory),
      raising: { _, _ in }
    )
    for name in ["locked", "open"] {
      let identity = DeviceIdentity(owner: getuid(), name: name)
      var record = DeviceRecord(identity: identity, isSimulated: true)
      record.enrolment = EnrolmentSet(fingers: [.rightIndex], generation: 1)
      record.sensorSettings = [:]
      record.passcodeDelays = DeviceRecord.ownPasscodeDelays
      record.attempts.lockout = Lockout(tally: Tally(failures: UInt32(Self.misses)))
      if name == "locked" {
        record.passcode = .device(verifier: try verifier(of: "1234", key, identity))
        record.attempts.freshness.passcodeUsed(at: try SystemClock().now())
        let wrong = Tally(failures: UInt32(Self.wrongPasscodes))
        record.attempts.throttle = PasscodeThrottle(tally: wrong)
      }
      let outcome = Mutex<Result<Void, StorageError>?>(nil)
      store.commit([.device(record)], .guarded) { result in outcome.withLock { $0 = result } }
      while outcome.withLock({ $0 == nil }) { sched_yield() }
      try outcome.withLock { $0 }?.get()
    }
    store.close()
    let database = try Database.open(directory.path(of: "state.sqlite"), .readWrite)
    try database.execute(
      """
      DROP TABLE term; DROP TABLE item; DROP TABLE keychain; DROP TABLE keybag;
      PRAGMA user_version = 1; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)
      """
    )
    #expect(try Schema.isExact(database, format: 1))
    return home
  }

  private func verifier(
    of passcode: String,
    _ key: DeviceKey,
    _ device: DeviceIdentity
  ) throws -> [UInt8] {
    var secret = Secret(capacity: passcode.utf8.count)
    for byte in passcode.utf8 { _ = secret.append(byte) }
    return try PasscodeVerifier(key).create(passcode: secret, cost: .floor, for: device)
  }
}
