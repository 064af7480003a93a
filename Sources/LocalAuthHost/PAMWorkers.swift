import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// PAM through worker processes: one for each live conversation, and one spare kept warm.
///
/// A worker that exceeds its time limit is killed with its process group. One that crashes ends
/// only its own conversation.
final class PAMWorkers: PasscodeConversing {
  private let loop: EventLoop
  private let source: PAMSource
  private let perUserMax: Int
  private var spare: PAMWorkerProcess?
  private var busy: [ObjectIdentifier: (worker: PAMWorkerProcess, user: UInt32)] = [:]
  private var lastConversation: UInt64 = 0

  /// The maximum number of concurrent conversations.
  static let conversationsMax = 16

  /// Creates workers from `source`; without a source every conversation fails at once.
  init(loop: EventLoop, source: PAMSource, perUserMax: Int) {
    self.loop = loop
    self.source = source
    self.perUserMax = perUserMax
  }

  func converse(
    uid: UInt32,
    service: String,
    directory: String?,
    limit: Duration,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> any Judgment {
    lastConversation += 1
    let conversation = PAMWorkerConversation(
      id: lastConversation,
      loop: loop,
      onEvent: onEvent
    )
    do throws(ConversationFailure) {
      guard let user = UserAccount.name(of: uid) else { throw .noSuchUser }
      let request = try Self.request(service: service, user: user, directory: directory)
      let worker = try worker(for: uid)
      busy[ObjectIdentifier(worker)] = (worker, uid)
      conversation.start(request, on: worker, limit: limit) { [weak self] isReusable in
        guard let self else { return worker.stop() }
        busy[ObjectIdentifier(worker)] = nil
        if isReusable, hasSpare, spare == nil { spare = worker } else { worker.stop() }
      }
    } catch {
      conversation.fail(error)
    }
    return conversation
  }

  /// The worker or the service file that is missing.
  ///
  /// Root's workers choose the service themselves, so only their socket is looked for.
  func obstacle(service: String, directory: String?) -> Outcome? {
    switch source {
    case .none: return ConversationFailure.noWorker.outcome
    case .program(let executable):
      guard PathAccess.isExecutable(executable) else { return ConversationFailure.noWorker.outcome }
      let folders = directory.map { [$0] } ?? PAMRequest.standardDirectories
      guard !folders.contains(where: { PathAccess.isReadable("\($0)/\(service)") }) else {
        return nil
      }
      return Outcome(
        .badConfiguration,
        detail: "PAM cannot judge: \(PAMRequest.missing("\(folders[0])/\(service)"))."
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
    for (worker, _) in busy.values { worker.stop() }
    busy.removeAll()
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

  private func worker(for user: UInt32) throws(ConversationFailure) -> PAMWorkerProcess {
    guard busy.values.count(where: { $0.user == user }) < perUserMax else { throw .tooMany }
    if let spare {
      self.spare = nil
      if spare.isAlive { return spare }
      spare.stop()
    }
    guard busy.count < Self.conversationsMax else { throw .tooMany }
    switch source {
    case .none: throw .noWorker
    case .program(let executable):
      do throws(SystemError) {
        return try PAMWorkerProcess(executable: executable, loop: loop)
      } catch {
        throw .notStarted("\(error)")
      }
    case .socket(let path):
      do throws(ConnectError) {
        return try PAMWorkerProcess(connectingTo: path, loop: loop)
      } catch {
        throw .unreachable(path, error)
      }
    }
  }

  private static func request(
    service: String,
    user: String,
    directory: String?
  ) throws(ConversationFailure) -> PAMRequest {
    do throws(WorkerMessageError) {
      return try PAMRequest(service: service, user: user, configurationDirectory: directory)
    } catch {
      throw .badService
    }
  }
}

/// Why a conversation did not begin, or ended without a judgement by PAM.
enum ConversationFailure: Error {
  case noSuchUser
  case badService
  case noWorker
  case tooMany
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
