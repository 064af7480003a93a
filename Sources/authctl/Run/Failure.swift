import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthTerminal
import LocalAuthUnix
import LocalAuthWire

/// Why a verb failed: an outcome and a line that says what to do.
struct Failure: Error, Equatable {
  /// The outcome, which determines the exit status.
  let outcome: OutcomeCode
  /// The exit status: that of the outcome, unless the field has another.
  let exit: Int32
  /// One line that says what to do; it contains no secret.
  var message: String
  /// The seconds until another attempt is possible.
  var retryAfterSeconds: Int64?

  init(
    _ outcome: OutcomeCode,
    _ message: String,
    retryAfterSeconds: Int64? = nil,
    exit: Int32? = nil
  ) {
    // A failure must not exit with status 0, whatever a peer reports.
    self.outcome = outcome == .success ? .internalError : outcome
    self.exit = exit ?? self.outcome.exit
    self.message = message
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// The failure as a JSON object.
  var report: Report {
    var report = Report(outcome, message) { [retryAfterSeconds] in
      $0.member("retryAfterSeconds", retryAfterSeconds)
    }
    report.exit = exit
    return report
  }
}

extension Failure {
  /// Creates a failure of an operation, with the system's text for the reason.
  ///
  /// The error number is passed in because composing the text might change errno.
  init(_ outcome: OutcomeCode, errno number: Int32, _ what: String) {
    // SAFETY: strerror returns a terminated string, valid until this thread calls it again.
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    self.init(outcome, "\(what): \(reason).")
  }

  /// Creates the failure of a file that was to be made at `path`; `consequence` says what follows.
  init(
    writing path: String,
    _ error: SystemError,
    _ consequence: String? = nil
  ) {
    guard !path.isEmpty else {
      self.init(.usage, "The name of the file to write is empty.")
      return
    }
    let end = consequence.map { " " + $0 } ?? ""
    if let why = error.refusedContent {
      self.init(.internalError, "\(path) cannot be written: \(why).\(end)")
      return
    }
    let why =
      error.code == EINVAL
      ? "it is no regular file." : Self(.usage, errno: error.code, "").message.dropFirst(2)
    self.init(.usage, "\(path) cannot be written: \(why)\(end)")
  }

  /// Creates the failure of a call to the daemon.
  ///
  /// - Parameters:
  ///   - error: The error of the client.
  ///   - typed: How to type the program so that it means the same daemon, for advice.
  init(_ error: ClientError, typed: String) {
    switch error {
    case .unreachable, .foreignServer: self.init(.unreachable, "\(error)")
    case .requestTooLong: self.init(.usage, "\(error)")
    case .protocolError: self.init(.internalError, "\(error)")
    case .remote(let name, let parameters): self.init(name, parameters, typed: typed)
    }
  }

  /// Creates the failure of a name that no policy has.
  ///
  /// - Parameters:
  ///   - policy: The name.
  ///   - typed: How to type the program so that it means the same daemon.
  init(noPolicy policy: String, typed: String = "authctl") {
    self.init(
      .badConfiguration,
      policy.hasSuffix(".json")
        ? "A policy goes by its name, and its file lies where localauth-policy(5) says. Without "
          + "'.json', see: \(typed) policy list"
        : "There is no policy '\(policy)'. Names of your own begin with user/. See: "
          + "\(typed) policy list"
    )
  }

  /// Creates the failure for a daemon error, according to the table in the manual page.
  private init(_ name: String, _ parameters: ServiceMessages.ErrorParameters, typed: String) {
    let message = parameters.message
    let word = name.split(separator: ".").last.map { String($0) } ?? name
    let isOurs = name.hasPrefix("io.localauth.")
    switch isOurs ? word : "" {
    case "PolicyNotFound":
      self.init(noPolicy: parameters.policy ?? "", typed: typed)
    case "PolicyUnusable":
      self.init(.badConfiguration, message ?? "The policy cannot be used.")
    case "DeviceNotFound":
      let device = parameters.device ?? ""
      self.init(
        .badConfiguration,
        "There is no device '\(device)'. See: \(typed) device list; 'device create' makes one."
      )
    case "DeviceExists" where parameters.device == DeviceIdentity.defaultName:
      self.init(
        .badConfiguration,
        "'\(DeviceIdentity.defaultName)' is this machine itself. Take another name."
      )
    case "DeviceExists":
      let device = parameters.device ?? ""
      self.init(
        .badConfiguration,
        "There is a device '\(device)' already. Take another name, or delete it: "
          + "\(typed) device delete \(device)"
      )
    case "InvalidArgument", "ScriptInvalid":
      self.init(.usage, message ?? "A value cannot be used.")
    case "PasscodeRequired":
      self.init(.notInteractive, "The passcode is needed. Run this in a terminal to be asked.")
    case "NotPermitted": self.init(.notPermitted, message ?? OutcomeCode.notPermitted.sentence)
    case "NoSimulatedSensor":
      self.init(
        .notPermitted,
        "The device has no simulated sensor. Name one that has: authctl --device NAME"
      )
    case "NotArmed":
      self.init(
        .sensorError,
        "No prompt was armed, so the touch was dropped. 'sensor touch --wait' waits for one."
      )
    case "EnrollmentFailed":
      self.init(.sensorError, message ?? "The enrolment failed; nothing was stored.")
    case "LimitReached": self.init(.busy, message ?? OutcomeCode.busy.sentence)
    case "PromptNotFound": self.init(.internalError, "The prompt was gone before it was answered.")
    case "Refused", "SyncFailed": self.init(refused: parameters)
    case "Internal": self.init(.internalError, message ?? OutcomeCode.internalError.sentence)
    default:
      self.init(
        .internalError,
        "The daemon answered \(name): it may be of another version; restart it."
      )
    }
  }

  private init(refused parameters: ServiceMessages.ErrorParameters) {
    let outcome = parameters.outcome.flatMap { OutcomeCode(rawValue: $0) } ?? .internalError
    let seconds = parameters.retryAfterSeconds
    var message = parameters.message ?? outcome.sentence
    if let seconds { message += " Try again in \(DurationText.words(.seconds(seconds)))." }
    self.init(outcome, message, retryAfterSeconds: seconds)
  }

  /// Creates the failure of reading a secret.
  init(_ error: SecretInputError) {
    switch error {
    case .cancelled: self.init(.userCancel, OutcomeCode.userCancel.sentence)
    case .interrupted: self.init(.appCancel, "\(error)")
    case .entriesDiffer, .endOfInput, .tooLong, .containsZeroByte, .inputIsTerminal, .unreadable:
      self.init(.usage, "\(error)")
    case .terminal(let error): self.init(error)
    }
  }

  /// Creates the failure of using the terminal.
  init(_ error: TerminalError) {
    switch error {
    case .noTerminal: self.init(.notInteractive, "\(error)")
    case .hungUp: self.init(.appCancel, "\(error)")
    case .promptIsOpen, .failed: self.init(.internalError, "\(error)")
    }
  }

  /// Creates the failure of locating the daemon.
  init(_ error: RuntimePathsError) {
    switch error {
    case .emptyPath: self.init(.usage, "\(error)")
    case .noCurrentDirectory, .relativeVariable, .noHomeDirectory, .socketPathTooLong:
      self.init(.badConfiguration, "\(error)")
    }
  }
}
