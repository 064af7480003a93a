import LocalAuthCore

/// An attempt under way and what it is about.
struct Run: Hashable {
  enum Evidence: Hashable {
    /// A touch, of an enrolled finger or another.
    case finger(isRight: Bool)
    /// A passcode that the device judges.
    case passcode(isRight: Bool)
    /// A conversation of PAM's; the answer it was given, once it was.
    case conversation(isRight: Bool?)
  }

  var machine: Attempt
  var evidence: Evidence
  /// Whether there was anything to judge.
  var wasSubmitted: Bool
  /// Whether the conversation was broken off.
  var isAborted = false
  /// Whether PAM waits for an answer.
  var isAsking = false
  /// Whether the disk has the charge: the environment's word, not the machine's.
  var isChargeDurable = false
  /// Whether a success since the charge has cleared what it was counted into.
  var isCleared = false
  /// Nanoseconds since the charge, or since a reboot after it.
  var age: Int64 = 0
  /// Whether nothing was counted or cleared since its charge, so that it can be given back.
  var isLastCount = false
  /// Whether the device forgot its grants since it began.
  var isForgotten = false
  /// The count that it was charged as.
  var count: UInt32 = 0

  init(at factor: Factor, _ evidence: Evidence) {
    machine = Attempt(at: factor)
    self.evidence = evidence
    switch evidence {
    case .finger, .passcode: wasSubmitted = true
    case .conversation: wasSubmitted = false
    }
  }
}

/// One evaluation in progress, or one that has ended and whose attempts are still under way.
struct Session: Hashable {
  enum Phase: Hashable {
    /// Waits for the storage to work again.
    case opening
    case running
    /// Has its outcome; the audit line is on its way to the disk.
    case closing(Outcome)
  }

  let slot: UInt8
  let client: Client
  let request: Request
  var machine: EvaluationMachine
  var phase: Phase = .running
  var isAnswered = false
  var finger: Run?
  var passcode: Run?
  /// The outcome that the audit line already has.
  var auditedOutcome: Outcome?
  /// When the first factor was proven.
  var provenAt: Moment?
  /// Whether the device forgot its grants since the attempt that proved it began.
  var isForgotten = false
  /// The grant whose use is being counted, or that answered.
  var redeemed: EvaluationID?
  /// Wrong touches and passcodes that were judged for it.
  var wrongTouches: UInt32 = 0
  var wrongPasscodes: UInt32 = 0
  /// What was really proven by attempts of this evaluation.
  var witnessed = Proven()
  /// Whether the last that was sent to the disk for it is there.
  var isRecorded = false
  /// Whether its prompt was shown.
  var isShown = false
  /// Whether a grant that was in force stood in for the person.
  var isStoodFor = false

  init(slot: UInt8, client: Client, request: Request, rules: EvaluationMachine.Rules) {
    self.slot = slot
    self.client = client
    self.request = request
    machine = EvaluationMachine(rules: rules)
  }

  var id: EvaluationID { EvaluationID(high: 0, low: UInt64(slot)) }
  var isOver: Bool { isAnswered && finger == nil && passcode == nil }
}
