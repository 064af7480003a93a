import Glibc
import LocalAuthCore
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthStore

/// Tags that notice every change of a message or key; for tests, where nobody computes collisions.
struct TestTagger: RecordTagger {
  var key: UInt64 = 1

  func tag(over message: [UInt8]) -> [UInt8] {
    var tag: [UInt8] = []
    for lane in 0..<4 {
      var mixer = SeededGenerator(seed: key &+ UInt64(lane) &+ UInt64(message.count) << 32)
      for byte in message { mixer = SeededGenerator(seed: mixer.next() ^ UInt64(byte)) }
      let word = mixer.next()
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        tag.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return tag
  }

  func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool { tag == self.tag(over: message) }
}

/// A mirror in a real file, which tells when it is about to write and when it has written.
final class FileMirror: SequenceMirroring {
  typealias Step = @Sendable () -> Void
  let path: String
  private let failure = Mutex<StorageError?>(nil)
  private let syncFailure = Mutex<StorageError?>(nil)
  private let syncing = Mutex<Step?>(nil)
  private let steps = Mutex<(before: Step, after: Step)?>(nil)

  /// The directory of the file, which stays as long as the store that holds this mirror.
  private let keeper: any Sendable

  init(_ path: String, keeping keeper: any Sendable) {
    self.path = path
    self.keeper = keeper
  }

  func read() -> [UInt8]? { Files.read(path) }

  func write(_ record: [UInt8]) throws(StorageError) {
    steps.withLock { $0 }?.before()
    if let error = failure.withLock({ $0 }) { throw error }
    Files.write(path, record)
    steps.withLock { $0 }?.after()
  }

  func sync() throws(StorageError) {
    syncing.withLock { $0 }?()
    if let error = syncFailure.withLock({ $0 }) { throw error }
  }

  func fail(with error: StorageError?) { failure.withLock { $0 = error } }

  func failToSync(with error: StorageError?) { syncFailure.withLock { $0 = error } }

  /// Runs `step` on the thread that syncs, before each sync.
  func observeSync(_ step: Step?) { syncing.withLock { $0 = step } }

  func observe(before: @escaping Step, after: @escaping Step) {
    steps.withLock { $0 = (before, after) }
  }
}

/// The files of a store as they were at one moment.
struct Snapshot: Equatable, CustomTestStringConvertible {
  var database: [UInt8]?
  var log: [UInt8]?
  var mirror: [UInt8]?
  var copy: [UInt8]?

  init(of place: Place) {
    // SQLite makes an empty log as soon as it opens a database. It is read first: should an idle
    // moment move it into the database meanwhile, the copy has its pages twice and not never.
    log = Files.read(place.database + "-wal").flatMap { $0.isEmpty ? nil : $0 }
    database = Files.read(place.database)
    mirror = Files.read(place.mirror)
    copy = Files.read(place.copy)
  }

  var testDescription: String {
    let sizes = [database, log, mirror, copy].map { $0.map { "\($0.count)" } ?? "-" }
    return "Snapshot(\(sizes.joined(separator: ", ")))"
  }

  /// The files in a directory of their own.
  func restored() -> Place {
    let place = Place()
    place.put(self)
    return place
  }
}

/// A directory with a store in it.
struct Place {
  let path: String
  private let keeper: any Sendable
  var database: String { file("state.db") }
  var mirror: String { file("sequence") }
  var copy: String { file("watermark") }

  /// A place of its own.
  init() {
    let directory = TemporaryDirectory()
    self.init(at: directory.path, keeping: directory)
  }

  /// The place at `path`, which exists as long as `keeper` does.
  init(at path: String, keeping keeper: any Sendable) {
    self.path = path
    self.keeper = keeper
  }

  /// The mirror here; the place stays as long as it.
  func openMirror() -> FileMirror { FileMirror(mirror, keeping: keeper) }

  /// The path of the file called `name`.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  func open(
    key: UInt64 = 1,
    mirror: FileMirror? = nil,
    quota: UserQuota = UserQuota()
  ) throws(StorageError) -> Store {
    try Store(
      path: database,
      tagger: TestTagger(key: key),
      mirror: mirror ?? openMirror(),
      copy: FileMirror(copy, keeping: keeper),
      raising: Sample.raising,
      quota: quota
    )
  }

  /// What a store that is opened here loads.
  func load(key: UInt64 = 1) throws(StorageError) -> StoredState {
    let store = try open(key: key)
    defer { store.close() }
    return store.state
  }

  /// Replaces the files; what the snapshot does not have is removed, and so is the log's index.
  func put(_ snapshot: Snapshot) {
    let files = [
      (database, snapshot.database), (database + "-wal", snapshot.log), (mirror, snapshot.mirror),
      (copy, snapshot.copy), (database + "-shm", nil),
    ]
    for (path, bytes) in files {
      if let bytes { Files.write(path, bytes) } else { unsafe unlink(path) }
    }
  }

  /// Changes the database behind the store's back.
  func edit(_ sql: String) throws {
    let editor = try RawDatabase(database)
    try editor.execute(sql)
    try editor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

extension Store {
  /// Commits and waits for the completion.
  func commitAndWait(
    _ changes: [StateChange],
    _ kind: CommitKind = .guarded
  ) throws(StorageError) {
    try Self.waiting { commit(changes, kind, completion: $0) }
  }
}

/// Ready-made values.
enum Sample {
  static let boot = BootIdentifier(high: 0xB007, low: 1)
  static let moment = Moment(
    boot: BootInstant(nanoseconds: 5_000_000_000),
    bootID: boot,
    wall: WallInstant(milliseconds: 1_700_000_000_000)
  )

  static func identity(_ name: String = "desk", owner: UInt32 = 1000) -> DeviceIdentity {
    DeviceIdentity(owner: owner, name: name)
  }

  /// Ten wrong passcodes lock for good, and the fifth is followed by a refusal.
  static let delays = PasscodeDelays(
    name: "test",
    delays: DelayTable(
      rows: [DelayTable.Row(from: 5, through: nil, delay: .seconds(60))],
      locksAt: 10
    )
  )
  /// Counts are raised as the engine's rules say.
  static let raising: CountRaising = { record, doubt in
    record.raise(to: doubt, under: delays, lasting: delays, at: moment)
  }

  /// A device with `failures` misses and as many wrong passcodes, which has seen its passcode.
  static func device(
    _ name: String = "desk",
    owner: UInt32 = 1000,
    failures: UInt32 = 0
  ) -> DeviceRecord {
    var record = DeviceRecord(identity: identity(name, owner: owner), isSimulated: true)
    record.enrolment = EnrolmentSet(fingers: [.rightIndex], generation: 3)
    record.passcode = .device
    record.attempts.lockout = Lockout(tally: Tally(failures: failures))
    record.attempts.throttle = PasscodeThrottle(tally: Tally(failures: failures))
    record.attempts.freshness.passcodeUsed(at: moment)
    return record
  }

  /// A device with random values everywhere.
  static func randomDevice(_ generator: inout SeededGenerator) -> DeviceRecord {
    var record = DeviceRecord(
      identity: identity(
        "r\(generator.next() % 1000)",
        owner: .random(in: 0 ... .max, using: &generator)
      ),
      isSimulated: .random(using: &generator)
    )
    if .random(using: &generator) {
      record.sensorSettings = [:]
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        record.sensorSettings?["k\(generator.next() % 9)"] = "wért \(generator.next())"
      }
    }
    record.enrolment = EnrolmentSet(
      fingers: Finger.allCases.filter { _ in .random(using: &generator) },
      generation: generator.next()
    )
    switch generator.next() % 3 {
    case 0: record.passcode = .none
    case 1: record.passcode = .device
    default:
      record.passcode = .pam(
        service: "sërvice",
        directory: .random(using: &generator) ? nil : "/dïr"
      )
    }
    record.attempts.lockout = Lockout(tally: tally(&generator))
    record.attempts.throttle = PasscodeThrottle(tally: tally(&generator))
    record.attempts.freshness = Freshness(passcode: stamp(&generator), match: stamp(&generator))
    record.clockOffset = .nanoseconds(Int64.random(in: .min ... .max, using: &generator))
    record.reboots = .random(in: 0 ... .max, using: &generator)
    record.others = randomOthers(&generator)
    let count = Int(generator.next() % UInt64(Grants.countMax + 1))
    record.grants = Grants((0..<count).map { _ in randomGrant(&generator) })
    return record
  }

  static func randomOthers(_ generator: inout SeededGenerator) -> OtherAttempts {
    guard Bool.random(using: &generator) else { return OtherAttempts() }
    var origins: [Origin: PasscodeThrottle] = [:]
    for number in 0..<UInt32(generator.next() % 17) {
      let origin = number % 2 == 0 ? Origin.user(number) : .host("hôst\(number)")
      origins[origin] = PasscodeThrottle(tally: tally(&generator))
    }
    var items: [UInt128: PasscodeThrottle] = [:]
    for _ in 0..<(generator.next() % 33) {
      let item = UInt128(generator.next()) << 64 | UInt128(generator.next())
      items[item] = PasscodeThrottle(tally: tally(&generator))
    }
    return OtherAttempts(
      touches: Lockout(tally: tally(&generator)),
      together: PasscodeThrottle(tally: tally(&generator)),
      origins: GuessCounts(
        capacity: OtherAttempts.originsMax,
        own: origins,
        floor: PasscodeThrottle(tally: tally(&generator))
      ),
      keybag: PasscodeThrottle(tally: tally(&generator)),
      possession: Bool.random(using: &generator) ? Lockout() : Lockout(tally: tally(&generator)),
      items: GuessCounts(capacity: OtherAttempts.itemsMax, own: items)
    )
  }

  static func randomGrant(_ generator: inout SeededGenerator) -> Grant {
    let stamp = CallerScope.ProcessStamp(
      id: .random(in: .min ... .max, using: &generator),
      start: generator.next()
    )
    let digest = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let scope = Grant.Scope(
      caller: CallerScope(
        uid: .random(in: 0 ... .max, using: &generator),
        bounds: .random(using: &generator)
          ? .process(stamp)
          : .session(stamp, terminal: .random(in: 1 ... .max, using: &generator)),
        program: .random(using: &generator)
          ? nil : .init(device: generator.next(), inode: generator.next())
      ),
      policy: digest,
      action: .random(using: &generator) ? nil : digest,
      audience: .random(using: &generator) ? nil : "https://pay.example"
    )
    return Grant(
      id: EvaluationID(using: &generator),
      scope: .random(using: &generator) ? nil : scope,
      rule: GrantRule(
        maxAge: .seconds(Int64.random(in: 1...43_200, using: &generator)),
        idle: .random(using: &generator) ? nil : .seconds(9),
        uses: .random(using: &generator) ? nil : .random(in: 0 ... .max, using: &generator)
      ),
      proven: Proven(
        factors: FactorSet(rawValue: .random(in: 0...15, using: &generator)),
        biometryGeneration: .random(using: &generator) ? nil : generator.next()
      ),
      provenAt: Moment(
        boot: BootInstant(nanoseconds: .random(in: .min ... .max, using: &generator)),
        bootID: BootIdentifier(high: generator.next(), low: generator.next(), generation: 3),
        wall: WallInstant(milliseconds: .random(in: .min ... .max, using: &generator))
      ),
      origin: Grant.Origin(
        policy: "device-owner",
        action: .random(using: &generator) ? nil : "päy 10",
        callerPID: .random(in: .min ... .max, using: &generator),
        program: "prögram"
      ),
      usedAt: BootInstant(nanoseconds: .random(in: .min ... .max, using: &generator)),
      usesLeft: .random(using: &generator) ? nil : .random(in: 0 ... .max, using: &generator)
    )
  }

  static func line(
    _ number: UInt64,
    owner: UInt32 = 1000,
    device: String = "desk",
    outcome: OutcomeCode? = nil
  ) -> AuditRecord {
    var record = AuditRecord(
      id: EvaluationID(high: number, low: ~number),
      action: "evaluate",
      device: identity(device, owner: owner),
      callerUID: owner,
      callerPID: 42,
      policy: "biometrics",
      reason: "réason",
      isSimulated: true,
      began: WallInstant(milliseconds: Int64(number))
    )
    record.program = "prögram"
    record.programPath = "/bin/prögram"
    record.terminal = "pts/3"
    record.shownAction = "päy 10"
    record.outcome = outcome
    if outcome != nil {
      record.ended = WallInstant(milliseconds: Int64(number) + 7)
      record.method = "fingerprint"
      record.finger = .leftThumb
      record.attempts = 2
      record.detail = "détail"
    }
    return record
  }

  private static func boot(_ generator: inout SeededGenerator) -> BootIdentifier {
    BootIdentifier(
      high: generator.next(),
      low: generator.next(),
      generation: .random(in: 0 ... .max, using: &generator)
    )
  }

  private static func stamp(_ generator: inout SeededGenerator) -> Freshness.Stamp? {
    guard .random(using: &generator) else { return nil }
    return Freshness.Stamp(
      at: BootInstant(nanoseconds: Int64(truncatingIfNeeded: generator.next())),
      boot: boot(&generator)
    )
  }

  private static func tally(_ generator: inout SeededGenerator) -> Tally {
    var tally = Tally(failures: .random(in: 0 ... .max, using: &generator))
    if .random(using: &generator) {
      tally.refusal = RefusalPeriod(
        length: .nanoseconds(Int64.random(in: 0 ... .max, using: &generator)),
        start: BootInstant(nanoseconds: Int64(truncatingIfNeeded: generator.next())),
        boot: boot(&generator)
      )
    }
    return tally
  }
}
