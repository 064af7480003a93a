import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import LocalAuthToken
import Synchronization

/// An engine on ports that do nothing until they are told to, and that write down all they hear.
final class Rig {
  let store = HeldStore()
  let vaults = HeldVaults()
  let pam = ScriptedPAM()
  let clock = HandClock()
  let engine: Engine
  let process = HeldProcess()
  let caller: Caller

  init(
    state: StoredState = StoredState(),
    system: PolicyDirectory? = nil,
    user: PolicyDirectory? = nil,
    at moment: Moment? = nil,
    queue: Arbiter.Limits = Arbiter.Limits(),
    isEphemeral: Bool = true,
    servesEverybody: Bool = false,
    authenticators: @escaping (DeviceIdentity) -> [any Authenticator] = { _ in [] }
  ) {
    if let moment { clock.moment = moment }
    caller = Caller(uid: 1000, pid: 42, program: "test", process: process)
    var options = EngineOptions(owner: 1000)
    options.isEphemeral = isEphemeral
    options.servesEverybody = servesEverybody
    options.queue = queue
    var ports = EnginePorts(
      store: store,
      vaults: vaults,
      pam: pam,
      clock: clock,
      random: SeededGenerator(seed: 1),
      digest: PlainDigest(),
      hash: PlainHash(),
      signatures: NoSignatures(),
      wake: {}
    )
    ports.authenticators = authenticators
    engine = Engine(
      ports: ports,
      catalog: PolicyCatalog(system: system, user: user),
      state: state,
      options: options
    )
  }

  /// Lets the ports finish everything, until nothing is left to finish.
  func run() {
    while step() {}
  }

  /// Ends the commit that waits longest so, and tells the engine.
  func finishCommit(_ result: Result<Void, StorageError>) {
    _ = store.finishNext(result)
    engine.completionsArrived()
  }

  /// Lets the ports finish one thing; false when there is nothing.
  func step() -> Bool {
    guard store.finishNext(.success(())) || vaults.finishNext() || pam.turn() else { return false }
    engine.completionsArrived()
    return true
  }

  /// Makes a device called `sim`.
  func makeDevice(
    fingers: [Finger] = [.rightIndex],
    passcode: String? = "1234",
    pam service: String? = nil,
    lockout: String? = nil,
    stoppedClock: Bool = false,
    hasSensor: Bool = true
  ) {
    var description = DeviceDescription(name: "sim")
    description.fingers = fingers
    description.passcode = passcode.map { .of($0) }
    description.pam = service.map { ($0, nil) }
    description.lockout = lockout
    description.hasStoppedClock = stoppedClock
    description.hasSensor = hasSensor
    engine.create(description, caller: caller) { _ in }
    run()
    store.commits.withLock { $0.removeAll() }
  }

  /// Begins an evaluation on `sim` and says what it hears.
  func evaluate(
    _ policy: String = "biometrics",
    script: String? = nil,
    isInteractive: Bool = true,
    allowsSimulated: Bool = true,
    reuse: Duration = .zero,
    action: String? = nil,
    assertion: AssertionRequest? = nil,
    grant: GrantRequest? = nil,
    passcodeTries: UInt32? = nil,
    as caller: Caller? = nil
  ) throws -> Hearing {
    var request = EvaluationRequest(policy: policy, reason: "test", device: "sim")
    request.script = script.map { ScriptSource(text: .of($0), isArgument: true) }
    request.isInteractive = isInteractive
    request.allowsSimulated = allowsSimulated
    request.reuse = reuse
    request.action = action.flatMap { ActionText($0) }
    request.assertion = assertion
    request.grant = grant
    request.passcodeTries = passcodeTries
    let hearing = Hearing()
    hearing.id = try engine.evaluate(request, caller: caller ?? self.caller) { event in
      hearing.events.append(event)
    }
    return hearing
  }

  /// The outcome of an evaluation that a script plays to its end.
  func outcome(
    _ policy: String = "biometrics",
    script: String? = nil,
    reuse: Duration = .zero
  ) throws -> Outcome? {
    let hearing = try evaluate(policy, script: script, reuse: reuse)
    run()
    return hearing.result?.outcome
  }

  /// Unlocks `sim` with its finger.
  func unlockWithFinger() throws {
    var unlock = EvaluationRequest(
      purpose: .unlock,
      policy: "biometrics",
      reason: "test",
      device: "sim"
    )
    unlock.allowsSimulated = true
    unlock.script = ScriptSource(text: .of("match"), isArgument: true)
    _ = try engine.unlockWithFinger(unlock, caller: caller) { _ in }
    run()
  }

  func status() throws -> DeviceStatus { try engine.status(of: "sim", caller: caller) }

  func touch(_ finger: Finger) {
    engine.touch(finger, on: "sim", waitingFor: nil, caller: caller) { _ in }
  }

  func respond(_ nonce: EvaluationID, _ answer: PromptResponse, as other: Caller? = nil) -> Bool {
    (try? engine.respond(nonce: nonce, caller: other ?? caller, answer: answer)) != nil
  }
}

/// What an evaluation told its caller.
final class Hearing {
  var id = EvaluationID(high: 0, low: 0)
  var events: [SessionEvent] = []

  var result: EvaluationResult? {
    if case .finished(let result) = events.last { return result }
    return nil
  }

  var prompts: [ShownPrompt] {
    events.compactMap { if case .prompt(let state) = $0 { state } else { nil } }
  }

  var misses: Int {
    events.count { if case .miss = $0 { true } else { false } }
  }
}

extension SecretBox {
  static func of(_ text: String) -> SecretBox {
    var secret = Secret(capacity: text.utf8.count)
    for byte in text.utf8 { _ = secret.append(byte) }
    return SecretBox(secret)
  }
}

/// A store that keeps every commit waiting until the test lets it end.
final class HeldStore: ItemStoring {
  struct Commit: Sendable {
    var changes: [StateChange]
    var kind: CommitKind
    var completion: @Sendable (Result<Void, StorageError>) -> Void
  }

  let waiting = Mutex<[Commit]>([])
  let commits = Mutex<[Commit]>([])
  let devices = Mutex<[DeviceIdentity: DeviceRecord]>([:])
  let keybags = Mutex<[DeviceIdentity: [UInt8]]>([:])

  func commit(
    _ changes: [StateChange],
    items: [ItemChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    waiting.withLock {
      $0.append(Commit(changes: changes, kind: kind, completion: completion))
    }
  }

  func spool(of device: DeviceIdentity) throws(StorageError) -> any ItemSpooling {
    throw .failed("this store has no spool")
  }

  func commit(
    _ changes: [StateChange],
    spool: any ItemSpooling,
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) { commit(changes, items: [], kind, completion: completion) }

  func doubt(of device: DeviceIdentity) -> CountDoubt { .atLeast(CountHeights()) }

  func lendItem(
    _ itemClass: ItemClass,
    _ key: ItemHash,
    of device: DeviceIdentity,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError) {}

  func lendItem(
    _ identifier: ItemIdentifier,
    of device: DeviceIdentity,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError) {}

  func eachItem(
    _ lookup: ItemLookup,
    after cursor: ItemHash?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemPage { ItemPage(next: nil, damaged: 0) }

  func eachItem(
    _ itemClass: ItemClass,
    of device: DeviceIdentity,
    after cursor: ItemIdentifier?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemAgePage { ItemAgePage(next: nil, damaged: 0) }

  func syncRows(of device: DeviceIdentity) throws(StorageError) -> [SealedRow] { [] }

  /// Ends the commit that waits longest; false when none does.
  func finishNext(_ result: Result<Void, StorageError>) -> Bool {
    let next = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let next else { return false }
    if case .success = result {
      commits.withLock { $0.append(next) }
      for change in next.changes {
        if case .device(let record) = change {
          devices.withLock { $0[record.identity] = record }
        }
        if case .keybag(let device, let sealed) = change {
          keybags.withLock { $0[device] = sealed }
        }
      }
    }
    next.completion(result)
    return true
  }

  func audit(
    owner: UInt32,
    device: String?,
    before: EvaluationID?,
    limit: Int
  ) throws(StorageError) -> [AuditRecord] { auditLines }

  /// Whether the removal of a device is on its way.
  var isRemoving: Bool {
    waiting.withLock { $0.contains { $0.changes.contains(where: \.isRemoval) } }
  }

  /// Whether anything durable came after the removal of the device it is of.
  var wasWrittenAfterItsRemoval: Bool {
    let changes = commits.withLock { $0.flatMap(\.changes) }
    guard let removal = changes.lastIndex(where: \.isRemoval) else { return false }
    return changes[removal...].contains {
      if case .device = $0 { true } else { false }
    }
  }

  /// The audit as it is durable.
  var auditLines: [AuditRecord] {
    var lines: [AuditRecord] = []
    for commit in commits.withLock({ $0 }) {
      for case .audit(let record) in commit.changes {
        lines.removeAll { $0.id == record.id }
        lines.append(record)
      }
    }
    return lines
  }

  /// Everything of the device as it is durable.
  var state: StoredState {
    let identity = DeviceIdentity(owner: 1000, name: "sim")
    let keybag = keybags.withLock { $0[identity] }
    return StoredState(
      devices: device.map { [$0] } ?? [],
      keybags: keybag.map { [StoredKeybag(device: identity, sealed: $0)] } ?? []
    )
  }

  /// The user's own machine as it is durable, which counts the account's passwords.
  var account: DeviceRecord? {
    devices.withLock { $0[DeviceIdentity(owner: 1000, name: DeviceIdentity.defaultName)] }
  }

  /// The device as it is durable.
  var device: DeviceRecord? {
    devices.withLock { $0[DeviceIdentity(owner: 1000, name: "sim")] }
  }
}

extension StateChange {
  fileprivate var isRemoval: Bool {
    if case .deviceRemoved = self { true } else { false }
  }
}

/// Verifies nothing: no test of these devices has peers.
struct NoSignatures: SignatureVerifying {
  func isSignature(_ signature: [UInt8], of message: [UInt8], by signing: [UInt8]) -> Bool {
    false
  }
}

/// Vaults that hold names of keys instead of keys, and compare passcodes when the test lets them.
final class HeldVaults: KeyVaultProvider, Sendable {
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  /// Whether keybags that are sealed from now on are not, as where memory is short.
  let refusesToSeal = Atomic(false)
  /// Whether passcodes find no room in the queue of those that are judged.
  let turnsAway = Atomic(false)

  func vault(of device: DeviceIdentity) -> any KeyVault { HeldVault(self) }

  func later(_ body: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(body) } }

  func finishNext() -> Bool {
    let next = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    next?()
    return next != nil
  }

  var isAsked: Bool { waiting.withLock { !$0.isEmpty } }
}

/// A keybag in it is whether there is a passcode, how many keys there were, and the passcode.
final class HeldVault: KeyVault {
  private let vaults: HeldVaults
  private let classes = SharedClasses()
  let sync: any SyncVault = ClosedSyncVault()
  private var aside: ProtectionClassSet = []

  init(_ vaults: HeldVaults) { self.vaults = vaults }

  final class SharedClasses: Sendable {
    let held = Mutex<ProtectionClassSet>([])
  }

  final class Keys: OpenedKeys {
    let classes: ProtectionClassSet
    let vault: SharedClasses
    let vaults: HeldVaults

    init(_ classes: ProtectionClassSet, _ vault: SharedClasses, _ vaults: HeldVaults) {
      self.classes = classes
      self.vault = vault
      self.vaults = vaults
    }

    func install(_ wanted: ProtectionClassSet) {
      vault.held.withLock { $0.formUnion(classes.intersection(wanted)) }
    }

    func seal(
      _ record: KeybagRecord,
      passcode: SecretBox?,
      completion: @escaping @Sendable ([UInt8]?) -> Void
    ) {
      let bytes = [record.hasPasscode ? 1 : 0, UInt8(record.passcodeSetKeys)]
      let passcode = passcode.flatMap(HeldVault.bytes) ?? []
      vaults.later { [vaults] in
        let isRefused = vaults.refusesToSeal.load(ordering: .relaxed)
        completion(isRefused ? nil : bytes + passcode)
      }
    }
  }

  var held: ProtectionClassSet { classes.held.withLock { $0 } }

  func load(_ keybag: [UInt8]) -> KeybagRecord? {
    let record = KeybagRecord(hasPasscode: keybag[0] == 1, passcodeSetKeys: UInt64(keybag[1]))
    let opened: ProtectionClassSet = record.hasPasscode ? .always : DeviceState.noPasscode.opened
    classes.held.withLock { $0.formUnion(opened) }
    return record
  }

  func keys(creating created: ProtectionClassSet) -> any OpenedKeys {
    Keys(held.union(created), classes, vaults)
  }

  func open(
    _ keybag: [UInt8],
    with passcodes: [SecretBox],
    for charge: DurableCharge,
    completion: @escaping @Sendable (KeybagOpening) -> Void
  ) {
    if vaults.turnsAway.load(ordering: .relaxed) { return vaults.later { completion(.turnedAway) } }
    let given = passcodes.compactMap(Self.bytes)
    let keys = Keys(.all, classes, vaults)
    vaults.later {
      completion(given.contains(Array(keybag.dropFirst(2))) ? .opened(keys) : .wrong)
    }
  }

  func setAside(_ wanted: ProtectionClassSet) {
    aside.formUnion(held.intersection(wanted))
    classes.held.withLock { $0.subtract(wanted) }
  }

  func bringBack(_ wanted: ProtectionClassSet) {
    let back = aside.intersection(wanted)
    classes.held.withLock { $0.formUnion(back) }
    aside.subtract(wanted)
  }

  func wipeAside(_ wanted: ProtectionClassSet) { aside.subtract(wanted) }

  func wipe(_ wanted: ProtectionClassSet) {
    aside.subtract(wanted)
    classes.held.withLock { $0.subtract(wanted) }
  }

  func renewEnrolledSet(_ generation: UInt64?, in keybag: [UInt8]) -> [UInt8]? { keybag }

  func hash(of key: PrimaryKey) -> ItemHash {
    let bytes = (key.bytes + [UInt8](repeating: 0, count: 32)).prefix(32)
    guard let hash = ItemHash(bytes: bytes) else { preconditionFailure("32 bytes are a hash") }
    return hash
  }

  func hash(of term: SearchTerm) -> TermHash? { nil }
  func item(_ stored: borrowing StoredItem) -> Item? { nil }
  func data(of stored: borrowing StoredItem) -> Secret? { nil }

  func data(
    of stored: borrowing StoredItem,
    _ proof: consuming Proof,
    password: borrowing Secret?
  ) -> Secret? { nil }

  func seal(
    _ item: Item,
    data: borrowing Secret?,
    classKey: UInt64,
    password: borrowing Secret?
  ) -> SealedItem? { nil }

  func makeKey(_ curve: KeyCurve) -> (key: NewKey, data: SecretBox)? { nil }
  func readKey(_ curve: KeyCurve, _ data: SecretBox) -> (key: NewKey, data: SecretBox)? { nil }
  func signer(of stored: borrowing StoredItem) -> (any MessageSigning)? { nil }

  func use(
    _ stored: borrowing StoredItem,
    for use: KeyUse
  ) throws(KeychainError) -> KeyUseResult? { nil }

  func use(
    _ stored: borrowing StoredItem,
    for use: KeyUse,
    _ proof: consuming Proof,
    password: borrowing Secret?
  ) throws(KeychainError) -> KeyUseResult? { nil }

  func makeFileKey(_ protection: FileProtection) -> (key: SecretBox, wrapped: WrappedFileKey)? {
    nil
  }
  func openFileKey(_ wrapped: WrappedFileKey) -> SecretBox? { nil }
  func fileProtectionKey(_ protection: FileProtection) -> (name: String, key: SecretBox)? { nil }
  func name(of key: borrowing Secret, opening protection: FileProtection) -> String? { nil }
  func openFileKey(_ wrapped: WrappedFileKey, with key: borrowing Secret) -> SecretBox? { nil }

  func beginBackup(
    password: SecretBox?,
    at created: WallInstant,
    completion: @escaping @Sendable (BackupBeginning) -> Void
  ) { completion(.failure(.outOfMemory)) }

  func openBackup(
    _ header: [UInt8],
    password: SecretBox?,
    completion: @escaping @Sendable (BackupAccess) -> Void
  ) { completion(.failure(.outOfMemory)) }

  func stretch(
    _ password: SecretBox,
    of item: ItemIdentifier,
    for charge: DurableCharge,
    completion: @escaping @Sendable (SecretBox?) -> Void
  ) { vaults.later { completion(password) } }

  static func bytes(_ box: SecretBox) -> [UInt8]? {
    guard let secret = box.take() else { return nil }
    // SAFETY: the bytes are copied while the closure runs.
    return unsafe secret.withUnsafeBytes { unsafe Array($0) }
  }
}

/// PAM that does what the test says.
final class ScriptedPAM: PasscodeConversing {
  final class Conversation: Judgment {
    let onEvent: (AuthenticatorEvent) -> Void
    private(set) var answers = 0
    private(set) var isAborted = false
    private(set) var hasEnded = false

    init(_ onEvent: @escaping (AuthenticatorEvent) -> Void) { self.onEvent = onEvent }

    func respond(_ answer: SecretBox) { answers += 1 }
    func abort() { isAborted = true }

    func say(_ event: AuthenticatorEvent) {
      if case .ended = event { hasEnded = true }
      onEvent(event)
    }
  }

  private(set) var conversations: [Conversation] = []

  func converse(
    uid: UInt32,
    from origin: Origin,
    service: String,
    directory: String?,
    limit: Duration,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> any Judgment {
    let conversation = Conversation(onEvent)
    conversations.append(conversation)
    return conversation
  }

  /// Lets conversations that were broken off say so; false when none was.
  func turn() -> Bool {
    guard let aborted = conversations.first(where: { $0.isAborted && !$0.hasEnded }) else {
      return false
    }
    aborted.say(.ended(.unjudged(Outcome(.systemCancel))))
    return true
  }
}

/// A clock that the test moves by hand.
final class HandClock: Scheduling {
  var moment = Moment(
    boot: BootInstant(nanoseconds: 1_000_000_000_000),
    bootID: BootIdentifier(high: 1, low: 2),
    wall: WallInstant(milliseconds: 1_800_000_000_000)
  )
  private var calls: [ScheduleToken: (at: BootInstant, body: () -> Void)] = [:]
  private var last: UInt64 = 0

  func now() -> Moment { moment }

  /// Whether no call is scheduled.
  var isEmpty: Bool { calls.isEmpty }

  func schedule(at instant: BootInstant, _ body: @escaping () -> Void) -> ScheduleToken {
    last += 1
    calls[ScheduleToken(value: last)] = (instant, body)
    return ScheduleToken(value: last)
  }

  func cancel(_ token: ScheduleToken) { calls[token] = nil }

  /// Lets `duration` pass.
  func pass(_ duration: Duration) {
    moment.boot = moment.boot + duration
    while let due = calls.first(where: { $0.value.at <= moment.boot }) {
      calls[due.key] = nil
      due.value.body()
    }
  }
}

struct PlainDigest: RecordTagger {
  func tag(over message: [UInt8]) -> [UInt8] { message }
  func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool { tag == message }
}

/// Differs for texts that differ by anything but the order of their bytes.
struct PlainHash: MessageHashing {
  func sha256(of message: [UInt8]) -> [UInt8] {
    var sums = [UInt8](repeating: 0, count: 32)
    for byte in message { sums[Int(byte) % 32] &+= byte }
    return sums
  }
}
