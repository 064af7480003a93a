import LocalAuthCore
import LocalAuthCrypto
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// PAM through worker processes: one for each live conversation, and one spare kept warm.
///
/// A worker that exceeds its time limit is killed with its process group. One that crashes ends
/// only its own conversation. ``PAMPlaces`` says how many there may be.
final class PAMWorkers: PasscodeConversing {
  private let loop: EventLoop
  private let source: PAMSource
  private let places: PAMPlaces
  /// In which the sockets of workers have a name for a moment; nil for a host in memory.
  private let home: StateDirectoryHolder?
  private var random = RandomPool()
  private var spare: PAMWorkerProcess?
  /// In the order in which they began.
  private var conversations: [Conversation] = []

  private struct Conversation {
    let asker: PAMAsker
    let began: BootInstant
    let worker: PAMWorkerProcess
    let judgment: PAMJudgment
  }

  /// Creates workers from `source`; without a source every conversation fails at once.
  init(loop: EventLoop, source: PAMSource, places: PAMPlaces, home: StateDirectoryHolder?) {
    self.loop = loop
    self.home = home
    self.source = source
    self.places = places
  }

  func converse(
    uid: UInt32,
    from origin: Origin,
    service: String,
    directory: String?,
    limit: Duration,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> any Judgment {
    let judgment = PAMJudgment(loop: loop, onEvent: onEvent)
    do throws(ConversationFailure) {
      guard let user = UserAccount.name(of: uid) else { throw .noSuchUser }
      guard PAMService.isUser(user), let service = PAMService(service, in: directory) else {
        throw .badService
      }
      let asker = PAMAsker(origin, of: uid)
      try makeRoom(for: asker)
      let worker = try worker(for: service)
      conversations.append(
        Conversation(
          asker: asker,
          began: SystemClock.bootNow(),
          worker: worker,
          judgment: judgment
        )
      )
      let name = EvaluationID(high: random.next(), low: random.next()).text
      let attempt = ArmedAttempt(name, of: user, limit: limit, on: loop, connect: worker.connect)
      judgment.start(attempt, limit: limit) { [weak self] state in
        guard let self else { return worker.stop() }
        release(worker, state)
      }
    } catch {
      judgment.fail(toBegin: error)
    }
    return judgment
  }

  /// How long a question that nobody has answered is nobody else's.
  private static let timeToType = Duration.seconds(10)

  /// Makes room for one more conversation, for which another may have to end.
  private func makeRoom(for asker: PAMAsker) throws(ConversationFailure) {
    let now = SystemClock.bootNow()
    let holders = conversations.map {
      PAMPlaces.Holder(
        asker: $0.asker,
        yields: !$0.judgment.hasAnswer,
        isOld: now - $0.began > Self.timeToType
      )
    }
    switch places.room(for: asker, beside: holders) {
    case .free: break
    case .behind(let index):
      let other = conversations[index]
      other.judgment.giveWay()
      release(other.worker, .broken)
    case .none: throw .tooMany
    }
  }

  private func release(_ worker: PAMWorkerProcess, _ state: PAMJudgment.WorkerState) {
    let index = conversations.firstIndex { $0.worker === worker }
    // One that gave way meanwhile.
    guard let index else { return worker.stop() }
    if state == .interrupted {
      // A module may go on for a while; until then the worker counts as busy.
      return worker.whenIdle { [weak self] isIdle in
        self?.release(worker, isIdle ? .ready : .broken)
      }
    }
    conversations.remove(at: index)
    if state == .ready, hasSpare, spare == nil { spare = worker } else { worker.stop() }
  }

  /// The worker or the service file that is missing.
  ///
  /// Root's workers choose the service themselves, so only their socket is looked for.
  func obstacle(service: String, directory: String?) -> Outcome? {
    switch source {
    case .none: return ConversationFailure.noWorker.outcome
    case .program(let executable):
      guard PathAccess.isExecutable(executable) else { return ConversationFailure.noWorker.outcome }
      guard let service = PAMService(service, in: directory) else {
        return ConversationFailure.badService.outcome
      }
      guard !service.files.contains(where: PathAccess.isReadable) else { return nil }
      return Outcome(
        .badConfiguration,
        detail: "PAM cannot judge: \(PAMService.missing(service.files[0]))."
      )
    case .socket(let path):
      guard !PathAccess.exists(path) else { return nil }
      return ConversationFailure.unreachable(path, .notRunning).outcome
    }
  }

  /// Ends every worker.
  func shutDown() {
    spare?.stop()
    spare = nil
    let workers = conversations.map(\.worker)
    conversations.removeAll()
    for worker in workers { worker.stop() }
  }

  /// Whether a worker is kept after its conversation.
  ///
  /// One that root started is not, because it has handled a user's password.
  private var hasSpare: Bool {
    switch source {
    case .none, .program: true
    case .socket: false
    }
  }

  private func worker(
    for service: PAMService
  ) throws(ConversationFailure) -> PAMWorkerProcess {
    if let spare {
      self.spare = nil
      if spare.isAlive, spare.service == service { return spare }
      spare.stop()
    }
    switch source {
    case .none: throw .noWorker
    case .program(let executable):
      do throws(SystemError) {
        return try PAMWorkerProcess(executable: executable, for: service, listener(), loop: loop)
      } catch {
        throw .notStarted("\(error)")
      }
    case .socket(let path):
      do throws(ConnectError) {
        return try PAMWorkerProcess(rootsAt: path, for: service, roots(), loop: loop)
      } catch {
        throw .unreachable(path, error)
      }
    }
  }

  private func roots() throws(ConnectError) -> NamelessListener {
    do throws(SystemError) {
      return try listener()
    } catch {
      throw .system(error)
    }
  }

  private func listener() throws(SystemError) -> NamelessListener {
    if let home { return try NamelessListener(in: home.directory.directory) }
    return try PrivateDirectory.withTemporary { (directory) throws(SystemError) in
      try NamelessListener(in: directory)
    }
  }
}

/// Why a conversation did not begin, or ended without a judgement by PAM.
enum ConversationFailure: Error {
  case noSuchUser
  case badService
  case noWorker
  case tooMany
  case gaveWay
  case notStarted(String)
  case unreachable(String, ConnectError)
  case workerDied
  case timedOut
  case aborted
  case protocolBroken

  var outcome: Outcome {
    switch self {
    case .noSuchUser: Outcome(.internalError, detail: "The caller's uid has no account.")
    case .badService: Outcome(.badConfiguration, detail: "PAM: the service's name is not valid.")
    case .noWorker:
      Outcome(.badConfiguration, detail: "PAM: localauth-pam-worker is not installed.")
    case .tooMany: Outcome(.busy, detail: "PAM: too many conversations at a time.")
    case .gaveWay:
      Outcome(.systemCancel, detail: "PAM: somebody who comes first asks for something.")
    case .notStarted(let why): Outcome(.internalError, detail: "PAM: no worker started: \(why)")
    case .unreachable(let path, .notRunning):
      Outcome(.badConfiguration, detail: "PAM: nobody listens at \(path).")
    case .unreachable(let path, .foreignServer(let uid)):
      Outcome(.badConfiguration, detail: "PAM: \(path) is user \(uid)'s and not root's.")
    case .unreachable(let path, let error):
      Outcome(.internalError, detail: "PAM: \(path): \(error)")
    case .workerDied: Outcome(.internalError, detail: "PAM: the worker died.")
    case .timedOut: Outcome(.timeout, detail: "PAM: no verdict in time.")
    case .aborted: Outcome(.systemCancel, detail: "PAM: the conversation was broken off.")
    case .protocolBroken: Outcome(.internalError, detail: "PAM: the worker broke the protocol.")
    }
  }
}
