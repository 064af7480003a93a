import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// PAM through worker processes: one for each conversation that is live, and one spare kept warm.
///
/// A worker that hangs is killed with its whole process group when its time is over; one that
/// crashes takes nothing with it but its own conversation.
final class PAMWorkers: PasscodeConversing {
  private let loop: EventLoop
  private let executable: String?
  private var spare: PAMWorkerProcess?
  private var busy: [ObjectIdentifier: PAMWorkerProcess] = [:]
  private var lastConversation: UInt64 = 0

  /// The most conversations at a time.
  static let conversationsMax = 16

  /// Workers of the program at `executable`; with nil every conversation ends at once.
  init(loop: EventLoop, executable: String?) {
    self.loop = loop
    self.executable = executable
  }

  func converse(
    uid: UInt32,
    service: String,
    directory: String?,
    limit: Duration,
    onEvent: @escaping (ConversationEvent) -> Void
  ) -> any PasscodeConversation {
    lastConversation += 1
    let conversation = PAMConversation(
      id: lastConversation,
      loop: loop,
      onEvent: onEvent
    )
    do throws(ConversationFailure) {
      guard let user = UserAccount.name(of: uid) else { throw .noSuchUser }
      let request = try Self.request(service: service, user: user, directory: directory)
      let worker = try worker()
      busy[ObjectIdentifier(worker)] = worker
      conversation.start(request, on: worker, limit: limit) { [unowned self] isReusable in
        busy[ObjectIdentifier(worker)] = nil
        if isReusable, spare == nil { spare = worker } else { worker.stop() }
      }
    } catch {
      conversation.fail(error)
    }
    return conversation
  }

  /// Ends every worker.
  func shutDown() {
    spare?.stop()
    spare = nil
    for worker in busy.values { worker.stop() }
    busy.removeAll()
  }

  private func worker() throws(ConversationFailure) -> PAMWorkerProcess {
    if let spare {
      self.spare = nil
      if spare.isAlive { return spare }
      spare.stop()
    }
    guard busy.count < Self.conversationsMax else { throw .tooMany }
    guard let executable else { throw .noWorker }
    do throws(SystemError) {
      return try PAMWorkerProcess(executable: executable, loop: loop)
    } catch {
      throw .notStarted("\(error)")
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

/// Why a conversation did not even begin, or ended without PAM's word.
enum ConversationFailure: Error {
  case noSuchUser
  case badService
  case noWorker
  case tooMany
  case notStarted(String)
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
    case .workerDied: Outcome(.internalError, detail: "PAM: the worker died.")
    case .timedOut: Outcome(.timeout, detail: "PAM: no verdict in time.")
    case .aborted: Outcome(.systemCancel, detail: "PAM: the conversation was broken off.")
    case .protocolBroken: Outcome(.internalError, detail: "PAM: the worker broke the protocol.")
    }
  }
}
