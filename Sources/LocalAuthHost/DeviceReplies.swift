import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthWire

extension DeviceMessages.Device {
  /// The wire form of a device.
  init(_ status: DeviceStatus) {
    self.init()
    let record = status.record
    name = record.identity.name
    simulated = record.isSimulated
    sensor = status.sensor.rawValue
    fingers = record.enrolment.fingers.map(\.rawValue)
    switch record.passcode {
    case .none: passcode = "none"
    case .device: passcode = "device"
    case .pam(let service, _):
      passcode = "pam"
      pamService = service
    }
    lockState = status.lockState.rawValue
    keychain = status.keychain.rawValue
    lockout = record.lockoutProfile
    passcodeDelays = record.passcodeDelays
    biometry = status.biometry.outcome?.code.rawValue ?? "usable"
    let hindrance = status.passcode.outcome ?? status.passcodeObstacle
    passcodeState = hindrance?.code.rawValue ?? "usable"
    passcodeObstacle = status.passcode.outcome == nil ? status.passcodeObstacle?.detail : nil
    attemptsLeft = status.attemptsLeft.map(Int64.init)
    retryAfterSeconds = status.biometry.outcome?.retryAfter?.secondsRoundedUp
    wrongPasscodes = Int64(status.wrongPasscodes)
    passcodeAttemptsLeft = status.passcodesLeft.map(Int64.init)
    passcodeRetryAfterSeconds = status.passcode.outcome?.retryAfter?.secondsRoundedUp
    domainState = status.domainState.map(String.init(hexadecimal:))
    prompting = status.isPrompting
    waiting = Int64(status.waiting)
  }
}

extension DeviceMessages.WatchReply {
  /// The wire form of what a device's lock means.
  init(_ report: LockReport) {
    self.init()
    state = report.state == .lockedInGrace ? "locking" : report.state.rawValue
    lostInMilliseconds = report.timeLeft.map { $0.wholeNanoseconds / 1_000_000 }
  }
}

extension DeviceMessages.AuditLine {
  /// The wire form of an audit line.
  init(_ record: AuditRecord) {
    self.init()
    evaluation = record.id.text
    action = record.action
    device = record.device.name
    uid = Int64(record.callerUID)
    pid = Int64(record.callerPID)
    program = record.program
    programPath = record.programPath
    terminal = record.terminal
    policy = record.policy
    reason = record.reason
    shownAction = record.shownAction
    began = record.began.milliseconds
    ended = record.ended?.milliseconds
    outcome = record.outcome?.rawValue ?? "unknown"
    method = record.method
    finger = record.finger?.rawValue
    attempts = Int64(record.attempts)
    simulated = record.isSimulated
    detail = record.detail
  }
}

extension DeviceMessages.Asked {
  /// The wire form of an evaluation that is asked for.
  init(_ asked: AskedEvaluation) {
    self.init()
    let line = asked.line
    evaluation = line.id.text
    action = line.action
    uid = Int64(line.callerUID)
    pid = Int64(line.callerPID)
    program = line.program
    programPath = line.programPath
    terminal = line.terminal
    policy = line.policy
    reason = line.reason
    shownAction = line.shownAction
    factors = asked.live.factors.map(\.rawValue)
    secondsLeft = asked.timeLeft.secondsRoundedUp
  }
}
