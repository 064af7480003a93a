import LocalAuthCore
import LocalAuthCrypto
import LocalAuthPolicies
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// What the accounts have enrolled at a program, and enrolling there.
extension AuthenticatorProgram {
  /// What one account has enrolled.
  struct Enrolment: Equatable {
    var labels: [String]
    var setToken: String
  }

  /// Asks what the account has enrolled, now and at each change that the program reports.
  func learn(_ user: String) {
    guard users.insert(user).inserted, isRunning else { return }
    askEnrolled(user)
  }

  func askEnrolled(_ user: String) {
    guard asked[user] == nil else {
      // What is under way may have been answered before the change.
      changedMeanwhile.insert(user)
      return
    }
    changedMeanwhile.remove(user)
    enrolment(of: user, as: user) { [self] found in
      if isRunning, changedMeanwhile.contains(user) { return askEnrolled(user) }
      // One account that it cannot read must not stop it for the others.
      note(found, of: user)
    }
  }

  /// Asks again what the account has enrolled if it could not be said before.
  func askUnknown(_ user: String) {
    guard isRunning, users.contains(user), !knows(user) else { return }
    askEnrolled(user)
  }

  /// Whether it is known what the account has enrolled, or about to be.
  func knows(_ user: String) -> Bool { enrolments[user] != nil || asked[user] != nil }

  private func enrolment(
    of user: String,
    as name: String,
    _ body: @escaping (Enrolment?) -> Void
  ) {
    var parameters = AuthenticatorMessages.EnrolledCall()
    parameters.user = user
    ask(Methods.enrolledAtProgram, parameters, as: name) { reply in
      body(reply.map { Enrolment(labels: $0.labels, setToken: $0.setToken) })
    }
  }

  /// Asks whether the account still has enrolled what is known; if not, what counts changes first.
  ///
  /// `name` is unique for each check that is under way.
  func confirmEnrolment(of user: String, as name: String, _ body: @escaping (Bool) -> Void) {
    enrolment(of: user, as: name) { [self] found in
      let isSame = found != nil && found == enrolments[user]
      if !isSame { note(found, of: user) }
      body(isSame)
    }
  }

  /// Notes what is enrolled, unless the program has stopped: it is asked anew when it is started
  /// again, which makes it no other judge.
  private func note(_ found: Enrolment?, of user: String) {
    guard isRunning else { return }
    enrolments[user] = found
    changed()
  }

  // MARK: Prints

  /// The longest that an enrolment may take, which a person goes through.
  private static let enrolmentLimit = Duration.seconds(300)
  /// The most stages and repetitions of one enrolment.
  private static let enrolmentRepliesMax = 256

  /// The prints of the account named `user`; nil while they are not known.
  func prints(of user: String) -> EnrolledPrints? {
    guard let enrolment = enrolments[user] else { return nil }
    let fingers = Finger.allCases.filter { enrolment.labels.contains($0.rawValue) }
    let parts = [manifest.name, "\(isExclusive)", enrolment.setToken] + fingers.map(\.rawValue)
    let digest = MessageHash().sha256(of: Array(parts.joined(separator: "\u{0}").utf8))
    let token = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return EnrolledPrints(fingers: fingers, token: max(token, 1))
  }

  /// Enrols a finger of the account named `user`; the result cancels.
  ///
  /// What is enrolled afterwards is known before `onEvent` hears of the end.
  func enroll(
    _ finger: Finger,
    of user: String,
    onEvent: @escaping (ReaderEnrolmentEvent) -> Void
  ) -> () -> Void {
    var parameters = AuthenticatorMessages.EnrollCall()
    parameters.user = user
    parameters.label = finger.rawValue
    let run = ProgramEnrolment(on: loop, repliesMax: Self.enrolmentRepliesMax, onEvent)
    do throws(SystemError) {
      let call = try call(Methods.enrollAtProgram, parameters) { [weak self] result in
        guard run.heard(result) else { return }
        self?.renew(user) { run.finish(nil) }
      }
      run.began(call, for: Self.enrolmentLimit)
    } catch {
      run.finish("The program cannot be reached: \(error).")
    }
    return { run.cancel() }
  }

  /// Removes prints of the account named `user`; `body` is given why it cannot.
  func remove(_ finger: Finger?, of user: String, then body: @escaping (String?) -> Void) {
    var parameters = AuthenticatorMessages.RemoveCall()
    parameters.user = user
    parameters.label = finger?.rawValue
    ask(Methods.removeAtProgram, parameters, as: "remove \(user)") { [weak self] reply in
      self?.renew(user) { body(reply == nil ? "The prints could not be removed." : nil) }
    }
  }

  private func renew(_ user: String, then body: @escaping () -> Void) {
    confirmEnrolment(of: user, as: "renew \(user)") { _ in body() }
  }
}

/// An enrolment at a program; it tells its end once.
private final class ProgramEnrolment {
  private unowned let loop: EventLoop
  private var onEvent: ((ReaderEnrolmentEvent) -> Void)?
  private var call: ProgramCall?
  private var timer: TimerToken?
  private var repliesLeft: Int

  init(
    on loop: EventLoop,
    repliesMax: Int,
    _ onEvent: @escaping (ReaderEnrolmentEvent) -> Void
  ) {
    self.loop = loop
    self.onEvent = onEvent
    repliesLeft = repliesMax
  }

  func began(_ call: ProgramCall, for limit: Duration) {
    self.call = call
    timer = loop.schedule(at: SystemClock.bootNow() + limit) { [weak self] in
      self?.finish("The enrolment took too long.")
    }
  }

  /// Handles a reply; true if everything is enrolled.
  func heard(
    _ result: Result<(reply: AuthenticatorMessages.EnrollReply, continues: Bool), ProgramFailure>
  ) -> Bool {
    repliesLeft -= 1
    switch result {
    case .success(let (reply, continues)):
      if reply.completed == true, !continues { return true }
      guard continues, repliesLeft > 0, let event = ReaderEnrolmentEvent(reply) else {
        finish("The program does not enrol as it should.")
        return false
      }
      onEvent?(event)
    case .failure(.refused(AuthenticatorMessages.unavailable, let message)):
      finish(ActionText(message)?.text ?? "The program cannot enrol now.")
    case .failure(.refused): finish("The program enrols nothing.")
    case .failure(.malformed): finish("The program does not enrol as it should.")
    case .failure(.gone): finish("The program ended.")
    }
    return false
  }

  func finish(_ refusal: String?) {
    guard let onEvent else { return }
    cancel()
    onEvent(.ended(refusal: refusal))
  }

  /// Ends it without an event.
  func cancel() {
    onEvent = nil
    call?.cancel()
    if let timer { loop.cancel(timer) }
    timer = nil
  }
}

extension ReaderEnrolmentEvent {
  fileprivate init?(_ reply: AuthenticatorMessages.EnrollReply) {
    if let stage = reply.stage, let stages = reply.stages, (1...1000).contains(stages),
      (0...stages).contains(stage), reply.retry == nil
    {
      self = .passed(Int(stage), of: Int(stages))
    } else if let retry = reply.retry.flatMap(Acquisition.init(word:)) {
      self = .again(retry)
    } else {
      return nil
    }
  }
}
