import Glibc
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthService
import LocalAuthStore
import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization
import Testing

@testable import LocalAuthHost

/// An engine over a real database and real keys, on the test's thread and with the test's clock.
final class KeychainRig {
  let key: DeviceKey
  let store: Store
  /// What the engine writes to, which can be told to fail.
  let disk: FailingStore
  let clock = HandClock()
  let pam = TellingPAM()
  let caller = Caller(uid: 1000, pid: 42, program: "test", process: LivingProcess())
  private(set) var engine: Engine
  private let threads: WorkerPool
  private let completions = Completions()
  var groups = AccessGroups(["local"])
  private var nextContext: UInt64 = 1_000
  /// Every prompt with a question that a call has shown.
  private(set) var prompts: [ShownPrompt] = []
  /// What somebody types as the application password, in turn; then they cancel.
  var typed: [String] = []
  /// The prompts for application passwords.
  private(set) var asked: [ShownPrompt] = []
  /// How the lines of the audit ended, in the order in which they began.
  func auditedOutcomes() throws -> [OutcomeCode?] {
    // The lines are written one after another, so after this one all are there.
    let done = Completions()
    store.commit([], .ordinary) { _ in done.ring() }
    done.wait()
    let lines = try store.audit(owner: caller.uid, device: nil, limit: 1000)
    return lines.filter { $0.action == "keychain" }.map(\.outcome)
  }

  var questions: [String] { asked.compactMap(\.passcodePrompt) }

  init(
    fingers: [Finger] = [.rightIndex],
    passcode: String? = "1234",
    pam: Bool = false,
    _ configure: (inout EngineOptions) -> Void = { _ in }
  ) throws {
    key = DeviceKey.generate()
    store = try Store(inMemoryWith: KeyedRecordTagger(key))
    disk = FailingStore(over: store)
    threads = try WorkerPool(name: "test-kdf", threads: 1)
    self.pam.scheduler = clock
    var options = EngineOptions(owner: 1000)
    options.isEphemeral = true
    configure(&options)
    engine = Self.engine(options, key, disk, clock, self.pam, threads, completions)
    var description = DeviceDescription(name: "sim")
    description.fingers = fingers
    description.passcode = passcode.map { .of($0) }
    if pam { description.pam = ("test", nil) }
    try wait { engine.create(description, caller: caller, then: $0) }
  }

  deinit { threads.shutdown() }

  private static func engine(
    _ options: EngineOptions,
    _ key: DeviceKey,
    _ store: FailingStore,
    _ clock: HandClock,
    _ pam: TellingPAM,
    _ threads: WorkerPool,
    _ completions: Completions
  ) -> Engine {
    let generator = SeededGenerator.ofThisRun
    return Engine(
      ports: EnginePorts(
        store: store,
        vaults: KeyVaults(key, isEphemeral: true, on: threads),
        pam: pam,
        clock: clock,
        random: generator,
        digest: KeyedRecordTagger(key),
        hash: MessageHash(),
        signatures: PeerSignatures(),
        wake: { completions.ring() }
      ),
      catalog: PolicyCatalog(),
      state: StoredState(),
      options: options
    )
  }

  // MARK: Devices

  /// Turns the loop until `isDone`.
  func turn(until isDone: () -> Bool) {
    while !isDone() {
      clock.runDue()
      if isDone() { return }
      completions.wait()
      engine.completionsArrived()
    }
  }

  /// Does an act and waits for its end.
  func wait(_ body: (@escaping Engine.Completion) -> Void) throws {
    var ended: Result<Void, EngineError>?
    body { ended = $0 }
    turn { ended != nil }
    try #require(ended).get()
  }

  func lock() throws { try wait { engine.lock("sim", caller: caller, then: $0) } }

  func unlock(_ passcode: String = "1234") throws {
    try wait { engine.unlock("sim", passcode: .of(passcode), caller: caller, then: $0) }
  }

  func reboot() throws { try wait { engine.reboot("sim", caller: caller, then: $0) } }

  func setPasscode(_ new: String, old: String?) throws {
    try wait {
      engine.setPasscode(
        .of(new),
        on: "sim",
        passcode: old.map { .of($0) },
        caller: caller,
        then: $0
      )
    }
  }

  func removePasscode(_ passcode: String = "1234") throws {
    try wait {
      engine.removePasscode(on: "sim", passcode: .of(passcode), caller: caller, then: $0)
    }
  }

  func enroll(_ finger: Finger, passcode: String? = "1234") throws {
    try wait {
      engine.enroll(
        finger,
        on: "sim",
        isManual: false,
        passcode: passcode.map { .of($0) },
        caller: caller,
        onEvent: { _ in },
        then: $0
      )
    }
  }

  // MARK: Calls

  /// A context of a connection of its own.
  func newContext() -> ContextIdentity {
    nextContext += 1
    return ContextIdentity(connection: nextContext, context: 1)
  }

  /// Makes a call and waits for its end.
  func call(
    _ operation: KeychainRequest.Operation,
    script: String? = nil,
    context: ContextIdentity? = nil,
    isInteractive: Bool = true,
    hasInterface: Bool = true,
    password: String? = nil,
    bytesMax: Int? = nil,
    heldBytesMax: Int? = nil
  ) -> KeychainAnswer {
    var request = request(operation, context: context, password: password)
    request.asking.asksAgent = !hasInterface
    request.asking.script = script.map { ScriptSource(text: .of($0), isArgument: true) }
    request.asking.isInteractive = isInteractive
    if let bytesMax { request.answerBytesMax = bytesMax }
    if let heldBytesMax { request.heldBytesMax = heldBytesMax }
    let pending = begin(request)
    turn { pending.answer != nil }
    return pending.answer ?? KeychainAnswer()
  }

  /// Begins a call that a person is to answer, and waits for its prompt or its end.
  func ask(
    _ operation: KeychainRequest.Operation,
    context: ContextIdentity,
    password: String? = nil
  ) -> PendingCall {
    let shown = prompts.count
    let pending = begin(request(operation, context: context, password: password))
    turn { pending.answer != nil || prompts.count > shown }
    return pending
  }

  /// Gives the passcode to the prompt that is shown, and waits for the next one or the end of the call.
  func answerPasscode(_ pending: PendingCall, _ passcode: String = "1234") throws {
    let nonce = try #require(prompts.last).nonce
    let named = prompts.last?.items
    try engine.respond(nonce: nonce, caller: caller, answer: .passcode(.of(passcode)))
    turn { pending.answer != nil || prompts.last?.items != named }
  }

  private func request(
    _ operation: KeychainRequest.Operation,
    context: ContextIdentity?,
    password: String?,
    on device: String = "sim"
  ) -> KeychainRequest {
    var asking = EvaluationRequest(policy: "", reason: "test", device: device)
    asking.allowsSimulated = true
    var request = KeychainRequest(
      operation,
      asking: asking,
      context: context ?? newContext(),
      groups: groups
    )
    request.applicationPassword = password.map { .of($0) }
    return request
  }

  /// Begins a call of a device that asks for nothing, and goes on until it waits for the disk or has ended.
  func start(
    _ operation: KeychainRequest.Operation,
    on device: String,
    by caller: Caller? = nil
  ) -> PendingCall {
    let pending = begin(operation, on: device, by: caller)
    clock.runDue()
    return pending
  }

  /// Begins a call, and goes no further.
  func begin(
    _ operation: KeychainRequest.Operation,
    on device: String,
    by caller: Caller? = nil,
    script: String? = nil
  ) -> PendingCall {
    var request = request(operation, context: nil, password: nil, on: device)
    request.asking.script = script.map { ScriptSource(text: .of($0), isArgument: true) }
    return begin(request, by: caller)
  }

  private func begin(_ request: KeychainRequest, by other: Caller? = nil) -> PendingCall {
    let pending = PendingCall()
    do {
      pending.id = try engine.keychain(request, caller: other ?? caller) { [unowned self] event in
        switch event {
        case .asking(.prompt(let prompt)):
          if prompt.passcodePrompt != nil { prompts.append(prompt) }
          type(at: prompt)
        case .asking: break
        case .finished(let ended): pending.answer = ended
        }
      }
    } catch {
      Issue.record("\(error)")
    }
    return pending
  }

  private func type(at prompt: ShownPrompt) {
    guard prompt.live.contains(.applicationPassword) else { return }
    asked.append(prompt)
    let answer: PromptResponse = typed.isEmpty ? .cancel : .passcode(.of(typed.removeFirst()))
    _ = clock.schedule(at: clock.now().boot) { [engine, caller] in
      // A prompt that a script has answered takes nothing more.
      try? engine.respond(nonce: prompt.nonce, caller: caller, answer: answer)
    }
  }

  /// Adds a password.
  @discardableResult
  func add(
    _ account: String,
    _ secret: String? = "secret",
    accessControl: AccessControl? = nil,
    accessible: ProtectionClass? = nil,
    more: QueryDictionary = [:],
    password: String? = nil
  ) -> KeychainAnswer {
    var query: QueryDictionary = ["class": .text("genp"), "acct": .text(account)]
    if let accessControl { query["accc"] = .accessControl(accessControl) }
    if let accessible { query["pdmn"] = .text(accessible.rawValue) }
    if secret != nil { query["v_Data"] = .secret }
    for entry in more.entries { query[entry.key] = entry.value }
    return call(.add([NewItem(query, data: secret.map { .of($0) })]), password: password)
  }

  /// A search for the data of a password.
  static func query(_ account: String? = nil, _ more: QueryDictionary = [:]) -> QueryDictionary {
    var query: QueryDictionary = ["class": .text("genp"), "r_Data": .boolean(true)]
    if let account { query["acct"] = .text(account) }
    for entry in more.entries { query[entry.key] = entry.value }
    return query
  }

  /// Reads a password.
  func get(
    _ account: String,
    script: String? = nil,
    context: ContextIdentity? = nil,
    isInteractive: Bool = true,
    password: String? = nil
  ) -> Read {
    Read(
      call(
        .copy(Self.query(account), after: nil),
        script: script,
        context: context,
        isInteractive: isInteractive,
        password: password
      )
    )
  }

  /// What reading one password gave.
  enum Read: Equatable {
    case secret(String)
    case failed(KeychainError)
    case nothing

    init(_ answer: KeychainAnswer) {
      if let error = answer.error {
        self = .failed(error)
      } else if let data = answer.items.first?.data {
        self = .secret(data.text)
      } else {
        self = .nothing
      }
    }
  }
}

/// A call under way.
final class PendingCall {
  /// By which it is cancelled.
  fileprivate(set) var id: EvaluationID?
  /// Its end, once it has come.
  fileprivate(set) var answer: KeychainAnswer?
}

extension SecretBox {
  static func of(_ text: String) -> SecretBox {
    var secret = Secret(capacity: text.utf8.count)
    for byte in text.utf8 { _ = secret.append(byte) }
    return SecretBox(secret)
  }

  var text: String {
    guard let secret = take() else { return "taken" }
    // SAFETY: the bytes are copied while they are lent.
    return unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

/// Lets the test's thread wait for what other threads complete.
final class Completions: Sendable {
  private let ends: (read: Int32, write: Int32)

  init() {
    var pair: [Int32] = [-1, -1]
    let isMade = unsafe pipe(&pair) == 0
    precondition(isMade, "a pipe can be made")
    ends = (pair[0], pair[1])
  }

  deinit {
    _ = close(ends.read)
    _ = close(ends.write)
  }

  func ring() {
    var byte: UInt8 = 1
    // SAFETY: one byte is read of the variable.
    _ = unsafe write(ends.write, &byte, 1)
  }

  /// Waits as ``wait()`` does, but not for long; whether something was completed.
  func wait(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
    // SAFETY: the one entry outlives the call.
    guard unsafe poll(&request, 1, milliseconds) == 1 else { return false }
    wait()
    return true
  }

  func wait() {
    var bytes: (UInt64, UInt64) = (0, 0)
    // SAFETY: at most as many bytes are written as the variable has.
    _ = unsafe read(ends.read, &bytes, 16)
  }
}

struct LivingProcess: CallerProcess {
  var hasEnded: Bool { false }
}

/// PAM that takes one password.
final class TellingPAM: PasscodeConversing {
  var password = "1234"

  final class Conversation: Judgment {
    let password: String
    let onEvent: (AuthenticatorEvent) -> Void

    init(_ password: String, _ onEvent: @escaping (AuthenticatorEvent) -> Void) {
      self.password = password
      self.onEvent = onEvent
    }

    func respond(_ answer: SecretBox) {
      onEvent(.ended(answer.text == password ? .proven(finger: nil, generation: nil) : .miss))
    }

    func abort() { onEvent(.ended(.unjudged(Outcome(.systemCancel)))) }
  }

  var scheduler: HandClock?

  func converse(
    uid: UInt32,
    from origin: Origin,
    service: String,
    directory: String?,
    limit: Duration,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> any Judgment {
    let conversation = Conversation(password, onEvent)
    _ = scheduler?.schedule(at: BootInstant(nanoseconds: 0)) {
      onEvent(.prompt(text: "Password: ", echoes: false))
    }
    return conversation
  }
}

/// A clock that the test moves by hand.
final class HandClock: Scheduling {
  var moment = Moment(
    boot: BootInstant(nanoseconds: 1_000_000_000_000),
    bootID: BootIdentifier(high: 1, low: 2),
    wall: WallInstant(milliseconds: 1_800_000_000_000)
  )
  private var calls: [(token: ScheduleToken, at: BootInstant, body: () -> Void)] = []
  private var last: UInt64 = 0

  func now() -> Moment { moment }

  /// Whether no call is scheduled.
  var isEmpty: Bool { calls.isEmpty }

  func schedule(at instant: BootInstant, _ body: @escaping () -> Void) -> ScheduleToken {
    last += 1
    calls.append((ScheduleToken(value: last), instant, body))
    return ScheduleToken(value: last)
  }

  func cancel(_ token: ScheduleToken) { calls.removeAll { $0.token == token } }

  /// Makes the calls that are due.
  func runDue() {
    while let index = calls.firstIndex(where: { $0.at <= moment.boot }) {
      calls.remove(at: index).body()
    }
  }

  /// Whether a call is due.
  var hasDue: Bool { calls.contains { $0.at <= moment.boot } }

  /// Makes one call that is due; returns false if there is none.
  func runNext() -> Bool {
    guard let index = calls.firstIndex(where: { $0.at <= moment.boot }) else { return false }
    calls.remove(at: index).body()
    return true
  }

  /// Lets `duration` pass.
  func pass(_ duration: Duration) {
    moment.boot = moment.boot + duration
    moment.wall.milliseconds += duration.components.seconds * 1000
    runDue()
  }
}
