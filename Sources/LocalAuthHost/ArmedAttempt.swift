import Glibc
import LocalAuthCore
import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// One attempt that a program judges: the calls of `Arm` and `Answer`, and their limits.
///
/// What counts of the program's words is the ``Arming``'s decision. It belongs to the loop's thread.
final class ArmedAttempt {
  /// The attempt's name.
  let name: String
  private let user: String
  private let limit: Duration
  private let connect: () throws(SystemError) -> FileDescriptor
  private unowned let loop: EventLoop
  private var onAction: ((Arming.Action) -> Void)?
  private var arming: Arming
  private var call: ProgramCall?
  private var answer: ProgramCall?
  private var timer: TimerToken?
  /// Whether the program was given an answer, which it may have judged.
  private(set) var wasAnswered = false

  /// Creates an attempt that the program has `limit` for; `connect` makes a new connection to it.
  ///
  /// Nothing is said before ``begin(within:onAction:)``.
  init(
    _ name: String,
    of user: String,
    limit: Duration,
    on loop: EventLoop,
    connect: @escaping () throws(SystemError) -> FileDescriptor
  ) {
    self.name = name
    self.user = user
    self.limit = limit
    self.loop = loop
    self.connect = connect
    arming = Arming(name)
  }

  /// Arms the program, which has to say so within `patience`.
  ///
  /// `onAction` gets what is to be done about its words, and nothing after an end.
  func begin(
    within patience: Duration = Arming.patience,
    onAction: @escaping (Arming.Action) -> Void
  ) {
    guard !arming.isOver else { return }
    self.onAction = onAction
    var parameters = AuthenticatorMessages.ArmCall()
    parameters.attempt = name
    parameters.user = user
    parameters.milliseconds = limit.components.seconds * 1000
    do throws(SystemError) {
      call = try ProgramCall(Methods.armProgram, parameters, over: connect(), on: loop) {
        [weak self] in self?.heard($0)
      }
      wait(min(patience, limit))
    } catch {
      broke(.gone)
    }
  }

  /// Answers the open question; false if the answer is none that a program takes, which ends the
  /// attempt.
  func respond(_ answer: SecretBox) -> Bool {
    guard let text = answer.take(), arming.answered() else {
      broke(.impatient)
      return true
    }
    guard Self.isText(text) else { return unsendable() }
    do throws(SystemError) {
      try send(text)
      wasAnswered = true
    } catch {
      // It is no text.
      if error.code == EINVAL { return unsendable() }
      broke(.gone)
    }
    return true
  }

  /// Whether a program can take the answer whole: one in C would cut it off at a NUL.
  private static func isText(_ answer: borrowing Secret) -> Bool {
    guard answer.count <= Arming.answerSizeMax else { return false }
    // SAFETY: the bytes are only looked at.
    return unsafe answer.withUnsafeBytes { bytes in unsafe !bytes.contains(0) }
  }

  private func unsendable() -> Bool {
    cancel()
    return false
  }

  private func send(_ text: borrowing Secret) throws(SystemError) {
    answer = try unsafe text.withUnsafeBytes { (bytes) throws(SystemError) in
      var parameters = AuthenticatorMessages.AnswerCall()
      parameters.attempt = name
      // SAFETY: the message is written before the closure ends.
      parameters.answer = unsafe WireSecret(borrowing: bytes)
      return try ProgramCall(Methods.answerProgram, parameters, over: connect(), on: loop) {
        [weak self] in self?.answered($0)
      }
    }
  }

  /// Ends the attempt: nothing that the program says counts any more.
  func cancel() {
    onAction = nil
    _ = arming.broke(.gone)
    close()
  }

  private func close() {
    if let timer { loop.cancel(timer) }
    timer = nil
    call?.cancel()
    answer?.cancel()
  }

  private func answered(
    _ result: Result<(reply: ServiceMessages.Empty, continues: Bool), ProgramFailure>
  ) {
    switch result {
    case .success: break
    // It gave up waiting meanwhile, which is no fault.
    case .failure(.refused): perform(arming.said(.failed("It no longer waits for the answer.")))
    case .failure(.malformed): broke(.malformed)
    case .failure(.gone): broke(.gone)
    }
  }

  private func heard(
    _ result: Result<(reply: AuthenticatorMessages.ArmReply, continues: Bool), ProgramFailure>
  ) {
    switch result {
    case .success(let (reply, continues)):
      guard let word = Arming.Word(reply), continues != word.isLast else {
        return broke(.malformed)
      }
      perform(arming.said(word))
    case .failure(.refused(let error, let message)):
      guard let word = Arming.Word(error: error, message: message) else {
        return broke(.malformed)
      }
      perform(arming.said(word))
    case .failure(.malformed): broke(.malformed)
    case .failure(.gone): broke(.gone)
    }
  }

  private func broke(_ fault: Arming.Fault) { perform(arming.broke(fault)) }

  private func perform(_ action: Arming.Action) {
    if arming.isArmed { wait(limit) }
    guard arming.isOver else {
      onAction?(action)
      return
    }
    let body = onAction
    onAction = nil
    close()
    body?(action)
  }

  /// Counts the program as silent if it says nothing for `duration`.
  private func wait(_ duration: Duration) {
    if let timer { loop.cancel(timer) }
    timer = loop.schedule(at: SystemClock.bootNow() + duration) { [weak self] in
      self?.broke(.silent)
    }
  }
}
