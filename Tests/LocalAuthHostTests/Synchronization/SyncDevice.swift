import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthService
import LocalAuthStore
import LocalAuthSync
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import LocalAuthHost

/// A device with a real database and real keys, whose program reaches a model of a hub.
final class SyncDevice {
  private static let owner: UInt32 = 1000
  let clock = HandClock()
  let caller = Caller(uid: owner, pid: 42, program: "test", process: LivingProcess())
  let path: String
  /// Its passcode; nil for none.
  let passcode: String?
  private let quota: UserQuota
  private var hub: ModelHub
  private let completions = Completions()
  private(set) var store: Store
  private(set) var engine: Engine
  private let threads: WorkerPool
  private var nextContext: UInt64 = 1_000

  /// A new device, unlocked.
  init(
    _ hub: ModelHub,
    in directory: String,
    passcode: String? = "1234",
    fingers: [Finger] = [.rightIndex],
    quota: UserQuota = UserQuota()
  ) throws {
    self.hub = hub
    self.passcode = passcode
    self.quota = quota
    path = directory
    try StateRig.found(directory)
    threads = try WorkerPool(name: "sync-test", threads: 1)
    store = try Self.open(directory, quota)
    engine = try Self.engine(store, directory, hub, clock, threads, completions)
    var description = DeviceDescription(name: "sim")
    description.fingers = fingers
    description.passcode = passcode.map { .of($0) }
    try wait { engine.create(description, caller: caller, then: $0) }
    try unlock()
  }

  deinit {
    store.close()
    threads.shutdown()
  }

  private static func open(_ path: String, _ quota: UserQuota) throws -> Store {
    let directory = try StateDirectory(opening: path)
    let key = try #require(try DeviceKeyFile.read(StateFiles.key, in: directory.directory))
    return try Store(
      path: directory.path(of: StateFiles.database),
      tagger: KeyedRecordTagger(key),
      mirror: FileMirror(FileMirror.name, in: directory.directory),
      copy: FileMirror(FileMirror.copyName, in: directory.directory),
      raising: try Host.raising(by: PolicyCatalog(system: nil, user: nil)),
      quota: quota
    )
  }

  private static func engine(
    _ store: Store,
    _ path: String,
    _ hub: ModelHub,
    _ clock: HandClock,
    _ threads: WorkerPool,
    _ completions: Completions
  ) throws -> Engine {
    let directory = try StateDirectory(opening: path)
    let key = try #require(try DeviceKeyFile.read(StateFiles.key, in: directory.directory))
    var options = EngineOptions(owner: owner)
    options.isEphemeral = true
    options.checkpointInterval = hub.checkpointInterval
    var ports = EnginePorts(
      store: store,
      vaults: KeyVaults(key, isEphemeral: true, on: threads),
      pam: TellingPAM(),
      clock: clock,
      random: RandomPool(),
      digest: KeyedRecordTagger(key),
      hash: MessageHash(),
      signatures: PeerSignatures(),
      wake: { completions.ring() }
    )
    ports.hubs = hub.linking(on: clock)
    return Engine(
      ports: ports,
      catalog: PolicyCatalog(),
      state: store.state,
      options: options
    )
  }

  /// Ends the process without a word, and starts another on the same directory after `body`; from then on it reaches `other`
  /// if that is given.
  func restart(
    isUnlocked: Bool = true,
    reaching other: ModelHub? = nil,
    after body: () throws -> Void = {}
  ) throws {
    engine.shutDown()
    store.close()
    try body()
    hub = other ?? hub
    store = try Self.open(path, quota)
    engine = try Self.engine(store, path, hub, clock, threads, completions)
    if isUnlocked { try unlock() }
  }

  /// Puts older rows of its synchronization back, as whoever has the disk can.
  func putBack(_ rows: [SealedRow]) throws {
    let device = DeviceIdentity(owner: Self.owner, name: "sim")
    let old = try store.syncRows(of: device).map { SealedRow(name: $0.name, sealed: nil) }
    let completions = Completions()
    store.commit((old + rows).map { .syncRow(device, $0) }, .ordinary) { _ in completions.ring() }
    completions.wait()
  }

  // MARK: Time

  /// Turns the loop until `isDone`; where nothing is under way, time passes.
  func turn(until isDone: () -> Bool) throws {
    var idle = 0
    while !isDone() {
      clock.runDue()
      if isDone() { return }
      if completions.wait(milliseconds: 20) {
        engine.completionsArrived()
        idle = 0
      } else {
        idle += 1
        try #require(idle < 100, "nothing is under way, and it is not done")
      }
    }
  }

  func wait(_ body: (@escaping Engine.Completion) throws -> Void) throws {
    var ended: Result<Void, EngineError>?
    try body { ended = $0 }
    try turn { ended != nil }
    try #require(ended).get()
  }

  func value<Value>(
    _ body: (@escaping (Result<Value, EngineError>) -> Void) throws -> Void
  ) throws -> Value {
    var ended: Result<Value, EngineError>?
    try body { ended = $0 }
    try turn { ended != nil }
    return try #require(ended).get()
  }

  func unlock() throws {
    guard let passcode else { return }
    try wait { engine.unlock("sim", passcode: .of(passcode), caller: caller, then: $0) }
  }

  /// Locks the device, and lets the time pass for which its keys stay.
  func lock() throws {
    try wait { engine.lock("sim", caller: caller, then: $0) }
    clock.pass(.seconds(11))
  }

  // MARK: Between devices

  func beginning(
    _ name: String,
    at host: String = "/run/hub",
    under policy: String? = nil
  ) -> SyncBeginning {
    SyncBeginning(
      hub: { HubAddress(host: host, database: "hub", role: $0) },
      name: name,
      policy: policy
    )
  }

  /// What its person does who is asked: gives the passcode, and without one touches the sensor.
  var ownersProof: OwnersProof {
    var asking = EvaluationRequest(policy: "", reason: "", device: "sim")
    asking.allowsSimulated = true
    asking.script = ScriptSource(text: .of("match"), isArgument: false)
    return OwnersProof(passcode.map { .of($0) }, asking: asking)
  }

  /// What its programs ask for.
  var callerDevice: CallerDevice { CallerDevice(of: "sim", allowsSimulated: true, caller) }

  func found(
    by code: InvitationCode,
    at host: String = "/run/hub",
    as name: String = "first"
  ) throws {
    try wait { done in
      engine.foundCircle(
        beginning(name, at: host),
        code: SecretBox(code.printed),
        callerDevice,
        by: ownersProof,
        then: done
      )
    }
    try synchronize()
  }

  func invite() throws -> SecretBox {
    try value {
      engine.inviteDevice(callerDevice, then: $0)
    }
  }

  func join(_ code: SecretBox, as name: String) throws -> [String] {
    try value {
      engine.joinCircle(beginning(name), code: code, callerDevice, by: ownersProof, then: $0)
    }
  }

  func answering() throws -> SyncReport.Answering? {
    try value {
      engine.answeringDevice(callerDevice, then: $0)
    }
  }

  func approve(passcode: String? = "1234") throws {
    try wait {
      engine.approveDevice(callerDevice, by: OwnersProof(passcode.map { .of($0) }), then: $0)
    }
  }

  func remove(_ peer: PeerIdentifier) throws {
    try wait {
      engine.removePeer(peer, callerDevice, by: OwnersProof(.of("1234")), then: $0)
    }
  }

  func roll(passcode: String? = "1234") throws {
    try wait { beginRoll(passcode: passcode, then: $0) }
  }

  func beginRoll(passcode: String? = "1234", then body: @escaping Engine.Completion) {
    engine.rollKeys(callerDevice, by: OwnersProof(passcode.map { .of($0) }), then: body)
  }

  func repair() throws {
    try wait {
      engine.repairSynchronization(callerDevice, by: OwnersProof(.of("1234")), then: $0)
    }
  }

  func move(to host: String, acceptingOlder: Bool = false, passcode: String? = "1234") throws {
    try wait { done in
      engine.moveHub(
        to: { HubAddress(host: host, database: "hub", role: $0) },
        acceptingOlder: acceptingOlder,
        callerDevice,
        by: OwnersProof(passcode.map { .of($0) }),
        then: done
      )
    }
  }

  func leave() throws {
    try wait {
      engine.leaveCircle(callerDevice, by: OwnersProof(.of("1234")), then: $0)
    }
  }

  @discardableResult
  func synchronize() throws -> SyncReport {
    try value {
      engine.synchronize(callerDevice, then: $0)
    }
  }

  func report() throws -> SyncReport {
    try engine.syncReport(of: callerDevice)
  }

  // MARK: Items

  func call(_ operation: KeychainRequest.Operation) throws -> KeychainAnswer {
    nextContext += 1
    var asking = EvaluationRequest(policy: "", reason: "test", device: "sim")
    asking.allowsSimulated = true
    let request = KeychainRequest(
      operation,
      asking: asking,
      context: ContextIdentity(connection: nextContext, context: 1),
      groups: AccessGroups(["local"])
    )
    var answer: KeychainAnswer?
    _ = try engine.keychain(request, caller: caller) { event in
      if case .finished(let ended) = event { answer = ended }
    }
    try turn { answer != nil }
    return try #require(answer)
  }

  @discardableResult
  func add(
    _ account: String,
    _ secret: String = "secret",
    accessible: ProtectionClass = .whenUnlocked,
    isSynchronizable: Bool = true
  ) throws -> KeychainError? {
    let query: QueryDictionary = [
      "class": .text("genp"), "acct": .text(account), "v_Data": .secret,
      "pdmn": .text(accessible.rawValue), "sync": .boolean(isSynchronizable),
    ]
    return try call(.add([NewItem(query, data: .of(secret))])).error
  }

  func query(_ account: String) -> QueryDictionary {
    ["class": .text("genp"), "acct": .text(account), "sync": .boolean(true)]
  }

  @discardableResult
  func update(_ account: String, _ secret: String) throws -> KeychainError? {
    try call(.update(query(account), changes: ["v_Data": .secret], data: .of(secret))).error
  }

  @discardableResult
  func delete(_ account: String) throws -> KeychainError? {
    try call(.delete(query(account), onlyCounts: false)).error
  }

  /// The secret of an item; nil if there is none, or it cannot be opened.
  func get(_ account: String) throws -> String? {
    var query = query(account)
    query["r_Data"] = .boolean(true)
    return try call(.copy(query, after: nil)).items.first?.data?.text
  }
}
