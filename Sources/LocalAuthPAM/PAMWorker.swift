import Glibc
import LocalAuthCore
public import LocalAuthWire

/// Serves `io.localauth.Authenticator` for one PAM service: judges one attempt after the other.
///
/// Modules run in this process and may hang or crash it; the daemon then sees the connection close,
/// and kills a worker that exceeds its time limit. Only mapped modules outlive an attempt.
public struct PAMWorker: ~Copyable {
  private let calls: WorkerCalls
  private let service: PAMService
  private var held = HeldModules()

  /// Creates a worker that judges by `service`.
  ///
  /// - Parameters:
  ///   - listener: the listening socket.
  ///   - daemon: the only uid whose calls are read; nil if nobody else can connect.
  ///   - service: the one service that it asks.
  /// - Throws: ``WorkerFailure`` if the descriptor is no listening socket.
  public init(
    listener: Int32,
    from daemon: UInt32?,
    judgingBy service: PAMService
  ) throws(WorkerFailure) {
    calls = try WorkerCalls(listener: listener, from: daemon)
    self.service = service
  }

  /// Serves until the socket fails, and returns the reason.
  public mutating func run() -> WorkerFailure {
    do throws(WorkerFailure) {
      while true {
        switch try calls.next(during: nil) {
        case .armed(let attempt): try judge(attempt)
        // These belong to an attempt.
        case .answered, .cancelled: continue
        }
      }
    } catch {
      return error
    }
  }

  private mutating func judge(_ attempt: WorkerAttempt) throws(WorkerFailure) {
    var word = AuthenticatorMessages.ArmReply()
    word.armed = true
    guard attempt.call.reply(word, continues: true) else { return }
    let conversation = WorkerConversation(attempt, calls)
    let judgement = judge(attempt.user, conversation)
    if let failure = conversation.failure { throw failure }
    attempt.end(with: judgement)
  }

  private mutating func judge(
    _ user: String,
    _ conversation: WorkerConversation
  ) -> PAMJudgement {
    do throws(PAMError) {
      let transaction = try PAMTransaction(for: user, at: service, conversation: conversation)
      held.hold(transaction.serviceFile, for: service)
      return transaction.judge()
    } catch {
      return PAMJudgement(verdict: .authInfoUnavailable, message: error.description)
    }
  }
}

extension WorkerAttempt {
  /// Tells the daemon how it ended; if that hung up, nobody hears it.
  fileprivate func end(with judgement: PAMJudgement) {
    switch judgement.verdict {
    case .success: tell(isMatch: true)
    case .wrongCredential, .userUnknown, .permissionDenied, .maxTries, .userChanged, .other:
      tell(isMatch: false)
    case .accountExpired: refuse("The account has expired.")
    case .credentialExpired: refuse("The password has expired.")
    case .passwordChangeRequired: refuse("The password must be changed; use passwd(1).")
    case .authInfoUnavailable:
      let reason = SpokenText.sentence(judgement.message)
      call.refuse(AuthenticatorMessages.unavailable, reason ?? "no reason is known")
    // The daemon knows: it ended the attempt.
    case .aborted: break
    }
  }

  private func tell(isMatch: Bool) {
    var verdict = AuthenticatorMessages.Verdict()
    verdict.attempt = name
    verdict.match = isMatch
    var word = AuthenticatorMessages.ArmReply()
    word.verdict = verdict
    call.reply(word)
  }

  private func refuse(_ reason: String) {
    call.refuse(AuthenticatorMessages.accountRefused, reason)
  }
}
