import LocalAuthCore
import LocalAuthReader
import LocalAuthUnix
import LocalAuthWire

/// The readers of fprintd as one authenticator: who may use which, one use at a time.
///
/// It belongs to the loop's thread, and lives as long as the program.
final class BusWorker {
  let options: WorkerOptions
  unowned let loop: EventLoop
  var bus: SystemBus?
  var logind: Logind?
  private var reconnecting = Backoff()
  private var claiming = Backoff()
  var answering = Backoff()
  private var isOfferingAgain = false
  /// When a reader that somebody else holds is claimed again.
  private var retry: TimerToken?
  var counter: PrintCounter
  private var readers: [FprintReader] = []
  /// Whether the readers have to be looked up before they are used.
  private var isStale = true
  private lazy var lookingUp = SingleFlight { [unowned self] answered in findReaders(answered) }
  /// The reader that holds most prints of an account.
  var chosen: [String: FprintReader] = [:]
  var use: ReaderUse?
  /// What begins once the use under way is over.
  private var next: (responder: ProgramResponder, begin: () -> Void)?
  var watchers: [ProgramResponder] = []
  var standing = ReaderStanding() {
    didSet { if standing.state != oldValue.state { tellWatchers() } }
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
    logind.onSleep = { [unowned self] isAsleep in machine(isAsleep) }
    logind.start()
    lookUp()
  }

  private func lost() {
    bus = nil
    logind = nil
    isStale = true
    readers = []
    standing = ReaderStanding()
    reconnect()
  }

  private func reconnect() {
    _ = loop.schedule(at: SystemClock.bootNow() + reconnecting.next()) { [weak self] in
      self?.connect()
    }
  }

  private func listen(on bus: SystemBus) {
    let enrolments = "interface='\(Fprint.device)',member='EnrollStatus'"
    bus.listen(to: Fprint.service, enrolments) { [unowned self] message in
      guard let word = message.text(), ScanWord(enroll: word) == .completed else { return }
      counter.increment()
      tellWatchers()
    }
    let objects = "interface='org.freedesktop.DBus.ObjectManager'"
    bus.listen(to: Fprint.service, objects) { [unowned self] message in objectsChanged(message) }
    bus.onOwner = { [unowned self] service, _, owner in
      guard service == Fprint.service else { return }
      isStale = true
      // fprintd ends when nobody needs it, and is started by the next call.
      if !owner.isEmpty { lookUp() }
    }
  }

  private func objectsChanged(_ message: BusMessage) {
    isStale = true
    if message.member == "InterfacesRemoved", let path = message.text(), use?.reader.path == path {
      use?.vanish("The fingerprint reader is gone.")
    }
    lookUp()
  }

  // MARK: The machine

  private func lid(_ isClosed: Bool) {
    standing.isLidClosed = isClosed
    if isClosed { use?.interrupt(SensorHindrance.lidClosed.sentence) }
  }

  private func machine(_ isAsleep: Bool) {
    standing.isAsleep = isAsleep
    guard isAsleep else {
      use?.resume()
      isStale = true
      return lookUp()
    }
    guard let use else { return logind?.letSleep() ?? () }
    use.suspend(SensorHindrance.suspended.sentence)
    // The machine waits for no reader longer than this.
    _ = loop.schedule(at: SystemClock.bootNow() + .seconds(1)) { [weak self] in
      guard let self, standing.isAsleep else { return }
      logind?.letSleep()
    }
  }

  // MARK: Readers

  private func lookUp(then body: @escaping () -> Void = {}) { lookingUp.run(then: body) }

  private func findReaders(_ answered: @escaping () -> Void) {
    guard let bus else { return answered() }
    Fprint(bus: bus).readers { [self] result in
      readers = ((try? result.get()) ?? []).filter { reader in
        reader.isVirtual == options.isSimulated && (options.reader ?? reader.name) == reader.name
      }
      isStale = false
      if case .failure = result { offerAgain() }
      chosen = [:]
      standing.hasReader = !readers.isEmpty
      if !readers.isEmpty { reconnecting.reset() }
      answered()
    }
  }

  /// Has whoever watches ask again in a while: fprintd ended before it answered, and is started by a
  /// call.
  func offerAgain() {
    guard !isOfferingAgain else { return }
    isOfferingAgain = true
    _ = loop.schedule(at: SystemClock.bootNow() + answering.next()) { [weak self] in
      self?.isOfferingAgain = false
      self?.lookUp { [weak self] in self?.tellWatchers() }
    }
  }

  /// Calls `body` once the readers are known.
  private func whenKnown(_ body: @escaping () -> Void) {
    if isStale { lookUp(then: body) } else { body() }
  }

  /// What fprintd calls the account: an empty name is that of the caller, who may always ask.
  func name(of user: String) -> String { user == options.account ? "" : user }

  /// The fingers of `user` at the reader that holds most of them, and what stands for those at all.
  ///
  /// Without a reader they are not known, which is not the same as none.
  func fingers(
    of user: String,
    then body: @escaping (Result<(fingers: [String], all: [String]), BusError>) -> Void
  ) {
    whenKnown { [self] in
      guard let bus, !readers.isEmpty else {
        return body(.failure(BusError(name: Fprint.errors + "NoSuchDevice", message: "")))
      }
      survey(Fprint(bus: bus), user, readers[...], []) { [self] result in
        switch result {
        case .success(let found):
          let best = found.max { $0.fingers.count < $1.fingers.count }
          chosen[user] = best?.reader
          let all = found.flatMap { [$0.reader.name, "\($0.fingers.count)"] + $0.fingers.sorted() }
          body(.success((best?.fingers ?? [], all)))
        case .failure(let error): body(.failure(error))
        }
      }
    }
  }

  private typealias Found = [(reader: FprintReader, fingers: [String])]

  private func survey(
    _ fprint: Fprint,
    _ user: String,
    _ rest: ArraySlice<FprintReader>,
    _ found: Found,
    _ body: @escaping (Result<Found, BusError>) -> Void
  ) {
    guard let reader = rest.first else { return body(.success(found)) }
    fprint.fingers(of: name(of: user), at: reader) { [self] result in
      switch result {
      case .success(let fingers):
        survey(fprint, user, rest.dropFirst(), found + [(reader, fingers)], body)
      case .failure(let error): body(.failure(error))
      }
    }
  }

  // MARK: Uses

  /// Begins to use the reader of `user`, once the use under way is over if nobody waits for that.
  func begin(
    _ purpose: ReaderRun.Purpose,
    of user: String,
    for responder: ProgramResponder,
    _ onSaying: @escaping (ReaderRun.Saying) -> Void
  ) {
    if let use {
      guard use.run.isAbandoned, next?.responder.isDone ?? true else {
        return refuse(responder, "The reader is in use for another request.")
      }
      next = (
        responder,
        { [weak self] in
          guard !responder.isDone else { return }
          self?.begin(purpose, of: user, for: responder, onSaying)
        }
      )
      return
    }
    whenChosen(for: user) { [self] in
      guard !responder.isDone else { return }
      guard use == nil else { return begin(purpose, of: user, for: responder, onSaying) }
      guard let reader = chosen[user], standing.refusal == nil,
        let use = ReaderUse(purpose, of: name(of: user), at: reader, bus: options.bus, on: loop)
      else {
        return refuse(responder, standing.refusal ?? "There is no fingerprint reader.")
      }
      self.use = use
      use.onSaying = onSaying
      use.onBusy = { [weak self] isBusy in self?.busy(isBusy) }
      use.onRest = { [weak self] in self?.logind?.letSleep() }
      use.onOver = { [weak self] in self?.over() }
      responder.onCancel = { [weak use] in use?.cancel() }
      use.begin()
    }
  }

  /// Calls `body` once the reader of `user` is known, which every change of the readers forgets.
  func whenChosen(for user: String, _ body: @escaping () -> Void) {
    guard isStale || chosen[user] == nil else { return body() }
    fingers(of: user) { _ in body() }
  }

  private func busy(_ isBusy: Bool) {
    standing.isBusy = isBusy
    if let retry { loop.cancel(retry) }
    retry = nil
    guard isBusy else { return claiming.reset() }
    retry = loop.schedule(at: SystemClock.bootNow() + claiming.next()) { [weak self] in
      self?.retry = nil
      self?.standing.isBusy = false
      self?.use?.waited()
    }
  }

  private func over() {
    use = nil
    if standing.isAsleep { logind?.letSleep() }
    let waiting = next
    next = nil
    waiting?.begin()
  }

  func refuse(_ responder: ProgramResponder, _ why: String) {
    responder.fail(AuthenticatorMessages.unavailable, why)
  }

  func tellWatchers() {
    watchers.removeAll(where: \.isDone)
    var reply = AuthenticatorMessages.WatchReply()
    reply.state = standing.word
    for watcher in watchers { watcher.reply(reply, continues: true) }
  }
}
