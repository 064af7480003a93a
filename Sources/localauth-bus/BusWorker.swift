import LocalAuthCore
import LocalAuthCrypto
import LocalAuthReader
import LocalAuthUnix
import LocalAuthWire

/// The readers of fprintd as one authenticator: who may use which, one use at a time.
///
/// It belongs to the loop's thread, and lives as long as the program.
final class BusWorker {
  private let options: WorkerOptions
  private unowned let loop: EventLoop
  private var bus: SystemBus?
  private var logind: Logind?
  private var reconnecting = Backoff()
  private var counter: PrintCounter
  private var readers: [FprintReader] = []
  /// Whether the readers have to be looked up before they are used.
  private var isStale = true
  /// The reader that holds most prints of an account.
  private var chosen: [String: FprintReader] = [:]
  private var use: ReaderUse?
  /// What begins once the use under way is over.
  private var next: (() -> Void)?
  private var watchers: [ObjectIdentifier: ProgramResponder] = [:]
  private var standing = ReaderStanding() {
    didSet { if standing.word != oldValue.word { tellWatchers() } }
  }

  init(_ options: WorkerOptions, on loop: EventLoop) {
    self.options = options
    self.loop = loop
    counter = PrintCounter(in: options.directory)
  }

  // MARK: The bus

  /// Connects to the bus; without one there is no reader, until there is.
  func connect() {
    guard let bus = try? SystemBus(at: options.bus, on: loop) else { return reconnect() }
    self.bus = bus
    bus.onGone = { [unowned self] in lost() }
    listen(on: bus)
    let logind = Logind(on: bus)
    self.logind = logind
    logind.onLid = { [unowned self] isClosed in lid(isClosed) }
    logind.onSleep = { [unowned self] isAsleep in sleep(isAsleep) }
    logind.start()
    lookUp()
  }

  private func lost() {
    bus = nil
    logind = nil
    isStale = true
    readers = []
    standing = ReaderStanding()
    use?.vanish("The system's message bus is gone.")
    reconnect()
  }

  private func reconnect() {
    _ = loop.schedule(at: SystemClock.bootNow() + reconnecting.next()) { [weak self] in
      self?.connect()
    }
  }

  private func listen(on bus: SystemBus) {
    let fromReader = "type='signal',sender='\(Fprint.service)'"
    bus.listen("\(fromReader),interface='\(Fprint.device)'") { [unowned self] in signal($0) }
    bus.listen(
      "\(fromReader),interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [unowned self] in propertiesChanged($0) }
    bus.listen("\(fromReader),interface='org.freedesktop.DBus.ObjectManager'") {
      [unowned self] message in objectsChanged(message)
    }
    bus.listen(
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
        + "member='NameOwnerChanged',arg0='\(Fprint.service)'"
    ) { [unowned self] message in
      guard message.text() != nil, let old = message.text(), let new = message.text() else {
        return
      }
      ownerChanged(from: old, to: new)
    }
  }

  private func signal(_ message: BusMessage) {
    guard let member = message.member, ["VerifyStatus", "EnrollStatus"].contains(member),
      let word = message.text(), let isDone = message.flag()
    else { return }
    let isVerdict = member == "VerifyStatus"
    let said = isVerdict ? ScanWord(verify: word) : ScanWord(enroll: word)
    if said == .completed {
      counter.increment()
      tellWatchers()
    }
    guard let use, use.concerns(message) else { return }
    use.heard(said, isDone: isDone)
  }

  private func propertiesChanged(_ message: BusMessage) {
    guard let use, use.concerns(message), message.text() == Fprint.device else { return }
    message.properties { key, value in
      guard key == "finger-present", let lies = value.variant("b", { $0.flag() }) else { return }
      use.finger(lies: lies)
    }
  }

  private func objectsChanged(_ message: BusMessage) {
    isStale = true
    if message.member == "InterfacesRemoved", let path = message.text(), use?.reader.path == path {
      use?.vanish("The fingerprint reader is gone.")
    }
    lookUp()
  }

  private func ownerChanged(from old: String, to new: String) {
    isStale = true
    if let use, use.owner == old { use.vanish("The fingerprint service ended.") }
    // fprintd ends when nobody needs it, and is started by the next call.
    if !new.isEmpty { lookUp() }
  }

  // MARK: The machine

  private func lid(_ isClosed: Bool) {
    standing.isLidClosed = isClosed
    if isClosed { use?.interrupt(SensorHindrance.lidClosed.sentence) }
  }

  private func sleep(_ isAsleep: Bool) {
    standing.isAsleep = isAsleep
    guard isAsleep else {
      isStale = true
      return lookUp()
    }
    guard let use else { return logind?.letSleep() ?? () }
    use.interrupt(SensorHindrance.suspended.sentence)
    // The machine waits for no reader longer than this.
    _ = loop.schedule(at: SystemClock.bootNow() + .seconds(1)) { [weak self] in
      guard let self, standing.isAsleep else { return }
      logind?.letSleep()
    }
  }

  // MARK: Readers

  private func lookUp(then body: @escaping () -> Void = {}) {
    guard let bus else { return body() }
    Fprint(bus: bus).readers { [self] found in
      readers = found.filter { reader in
        reader.isVirtual == options.isSimulated && (options.reader ?? reader.name) == reader.name
      }
      isStale = false
      chosen = [:]
      standing.hasReader = !readers.isEmpty
      if !readers.isEmpty { reconnecting.reset() }
      body()
    }
  }

  /// Calls `body` once the readers are known.
  private func whenKnown(_ body: @escaping () -> Void) {
    if isStale { lookUp(then: body) } else { body() }
  }

  /// What fprintd calls the account: an empty name is that of the caller, who may always ask.
  private func name(of user: String) -> String { user == options.account ? "" : user }

  /// The fingers of `user` at the reader that holds most of them; nil if they cannot be asked for.
  private func fingers(
    of user: String,
    then body: @escaping (Result<[String], BusError>) -> Void
  ) {
    whenKnown { [self] in
      guard let bus, !readers.isEmpty else { return body(.success([])) }
      survey(Fprint(bus: bus), user, readers[...], nil) { [self] best in
        switch best {
        case .success(let (reader, fingers)):
          chosen[user] = reader
          body(.success(fingers))
        case .failure(let error): body(.failure(error))
        }
      }
    }
  }

  private typealias Best = Result<(FprintReader, [String]), BusError>

  private func survey(
    _ fprint: Fprint,
    _ user: String,
    _ rest: ArraySlice<FprintReader>,
    _ best: Best?,
    _ body: @escaping (Best) -> Void
  ) {
    guard let reader = rest.first else {
      return body(best ?? .failure(BusError(name: "", message: "")))
    }
    fprint.fingers(of: name(of: user), at: reader) { [self] result in
      var better = best
      switch (best, result) {
      case (.success(let (_, known))?, .success(let fingers)) where fingers.count <= known.count:
        break
      case (_, .success(let fingers)): better = .success((reader, fingers))
      case (nil, .failure(let error)): better = .failure(error)
      case (_, .failure): break
      }
      survey(fprint, user, rest.dropFirst(), better, body)
    }
  }

  // MARK: Uses

  /// Begins to use the reader of `user`, once the use under way is over if nobody waits for that.
  private func begin(
    _ purpose: ReaderRun.Purpose,
    of user: String,
    for responder: ProgramResponder,
    _ onSaying: @escaping (ReaderRun.Saying) -> Void
  ) {
    if let use {
      guard use.run.isAbandoned, next == nil else {
        return refuse(responder, "The reader is in use for another request.")
      }
      next = { [weak self] in
        guard !responder.isDone else { return }
        self?.begin(purpose, of: user, for: responder, onSaying)
      }
      return
    }
    whenKnown { [self] in
      guard !responder.isDone else { return }
      guard use == nil else { return begin(purpose, of: user, for: responder, onSaying) }
      guard let bus, let reader = chosen[user] ?? readers.first, standing.refusal == nil else {
        return refuse(responder, standing.refusal ?? "There is no fingerprint reader.")
      }
      let use = ReaderUse(purpose, of: name(of: user), at: reader, by: Fprint(bus: bus), on: loop)
      self.use = use
      use.onSaying = onSaying
      use.onBusy = { [weak self] isBusy in self?.standing.isBusy = isBusy }
      use.onOver = { [weak self] in self?.over() }
      responder.onCancel = { [weak use] in use?.cancel() }
      use.begin()
    }
  }

  private func over() {
    use = nil
    standing.isBusy = false
    if standing.isAsleep { logind?.letSleep() }
    let body = next
    next = nil
    body?()
  }

  private func refuse(_ responder: ProgramResponder, _ why: String) {
    responder.fail(AuthenticatorMessages.unavailable, why)
  }

  private func tellWatchers() {
    watchers = watchers.filter { !$0.value.isDone }
    var reply = AuthenticatorMessages.WatchReply()
    reply.state = standing.word
    for watcher in watchers.values { watcher.reply(reply, continues: true) }
  }
}

// MARK: - Methods

extension BusWorker {
  /// What answers `io.localauth.Authenticator`.
  var handlers: [ProgramHandler] {
    [
      ProgramHandler(Methods.describeProgram) { [unowned self] _, responder in
        var reply = AuthenticatorMessages.DescribeReply()
        reply.version = workerVersion
        reply.kind = AuthenticatorKind.fingerprint.name
        reply.asks = AuthenticatorDescription.Asking.touch.rawValue
        reply.reportsPresence = options.reportsPresence
        reply.simulated = options.isSimulated
        reply.exclusive = options.isExclusive
        responder.reply(reply)
      },
      ProgramHandler(Methods.watchProgram) { [unowned self] _, responder in
        watchers[ObjectIdentifier(responder)] = responder
        var reply = AuthenticatorMessages.WatchReply()
        reply.state = standing.word
        responder.reply(reply, continues: true)
      },
      ProgramHandler(Methods.enrolledAtProgram) { [unowned self] call, responder in
        enrolled(call.user, responder)
      },
      ProgramHandler(Methods.armProgram) { [unowned self] call, responder in arm(call, responder) },
      ProgramHandler(Methods.answerProgram) { _, responder in
        responder.fail("\(AuthenticatorMessages.interface).NoSuchAttempt", "")
      },
      ProgramHandler(Methods.enrollAtProgram) { [unowned self] call, responder in
        enroll(call, responder)
      },
      ProgramHandler(Methods.removeAtProgram) { [unowned self] call, responder in
        remove(call, responder)
      },
    ]
  }

  private func enrolled(_ user: String, _ responder: ProgramResponder) {
    let answer = { [self] in
      fingers(of: user) { [self] result in
        switch result {
        case .success(let fingers):
          var reply = AuthenticatorMessages.EnrolledReply()
          reply.labels = fingers.sorted()
          reply.setToken = token(of: fingers, at: chosen[user])
          responder.reply(reply)
        case .failure(let error): refuse(responder, Fprint.sentence(error))
        }
      }
    }
    // An attempt follows: by then it must be known whether the lid is closed.
    if let logind { logind.lookAtLid(then: answer) } else { answer() }
  }

  private func token(of fingers: [String], at reader: FprintReader?) -> String {
    let parts = [reader?.name ?? "", "\(counter.count)"] + fingers.sorted()
    return String(
      hexadecimal: MessageHash().sha256(of: Array(parts.joined(separator: "\u{0}").utf8))
    )
  }

  private func arm(_ call: AuthenticatorMessages.ArmCall, _ responder: ProgramResponder) {
    begin(.verify, of: call.user, for: responder) { [self] saying in
      var reply = AuthenticatorMessages.ArmReply()
      switch saying {
      case .armed: reply.armed = true
      case .touched:
        guard options.reportsPresence else { return }
        reply.touched = true
      case .retry(let acquisition): reply.retry = acquisition.word
      case .verdict(let isMatch):
        var verdict = AuthenticatorMessages.Verdict()
        verdict.attempt = call.attempt
        verdict.match = isMatch
        reply.verdict = verdict
        return responder.reply(reply)
      case .failed(let why): return refuse(responder, why)
      case .passed, .completed: return
      }
      responder.reply(reply, continues: true)
    }
  }

  private func enroll(_ call: AuthenticatorMessages.EnrollCall, _ responder: ProgramResponder) {
    guard let finger = Finger(rawValue: call.label) else {
      return refuse(responder, "The reader knows no such finger.")
    }
    begin(.enroll(finger), of: call.user, for: responder) { [self] saying in
      var reply = AuthenticatorMessages.EnrollReply()
      switch saying {
      case .passed(let stage, let stages):
        reply.stage = Int64(stage)
        reply.stages = Int64(stages)
      case .retry(let acquisition): reply.retry = acquisition.word
      case .completed:
        reply.completed = true
        return responder.reply(reply)
      case .failed(let why): return refuse(responder, why)
      case .armed, .touched, .verdict: return
      }
      responder.reply(reply, continues: true)
    }
  }

  private func remove(_ call: AuthenticatorMessages.RemoveCall, _ responder: ProgramResponder) {
    whenKnown { [self] in
      guard let bus, let reader = chosen[call.user] ?? readers.first, use == nil else {
        return refuse(responder, standing.refusal ?? SensorHindrance.busy.sentence)
      }
      Removal(at: reader, by: Fprint(bus: bus)).run(call.label, of: name(of: call.user)) {
        [self] refusal in
        counter.increment()
        tellWatchers()
        if let refusal { refuse(responder, refusal) } else { responder.reply(ServiceMessages.Empty()) }
      }
    }
  }
}
