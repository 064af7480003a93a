/// The properties proven, each stated in one sentence.
public enum Property: UInt8, CaseIterable, Hashable, Sendable {
  case successIsProven
  case successIsDurable
  case oneAnswer
  case chargedFirst
  case boundedAttempts
  case refusalHolds
  case successClears
  case freshnessHolds
  case distrustHolds
  case grantEnds
  case grantUsedOnce
  case onePrompt
  case promptIsSeen
  case passcodeIsSet
  case sensorIsStrong
  case unansweredIsFree
  case othersUseNothingUp

  /// The name of the property, as reports have it.
  public var name: String {
    switch self {
    case .successIsProven: "success-is-proven"
    case .successIsDurable: "success-is-durable"
    case .oneAnswer: "one-answer"
    case .chargedFirst: "charged-first"
    case .boundedAttempts: "bounded-attempts"
    case .refusalHolds: "refusal-holds"
    case .successClears: "success-clears"
    case .freshnessHolds: "freshness-holds"
    case .distrustHolds: "distrust-holds"
    case .grantEnds: "grant-ends"
    case .grantUsedOnce: "grant-used-once"
    case .onePrompt: "one-prompt"
    case .promptIsSeen: "prompt-is-seen"
    case .passcodeIsSet: "passcode-is-set"
    case .sensorIsStrong: "sensor-is-strong"
    case .unansweredIsFree: "unanswered-is-free"
    case .othersUseNothingUp: "others-use-nothing-up"
    }
  }

  /// The property in one sentence.
  public var sentence: String {
    switch self {
    case .successIsProven:
      "A success was proven by attempts of its own evaluation, or by an unlock or a grant in force."
    case .successIsDurable:
      "A success is told only after the disk has what it changed, or its audit line."
    case .oneAnswer:
      "An evaluation is answered once, and nothing that comes after its end is an answer."
    case .chargedFirst: "Nothing is judged before its charge is on the disk."
    case .boundedAttempts:
      "Between two successes no more is judged than profile and delays allow, whatever happens."
    case .refusalHolds:
      "A refusal passes in full, from its beginning or from a reboot, unless a success ends it."
    case .successClears:
      "A success that is reported leaves no refusal, and no count but what was charged since."
    case .freshnessHolds:
      "No finger is judged when the policy's freshness wants the passcode first."
    case .distrustHolds:
      "No finger is judged on state that cannot be trusted before the passcode was proven."
    case .grantEnds:
      "A grant answers in its scope, age and pause, and not after a lock, reboot, change or revocation."
    case .grantUsedOnce:
      "A grant answers no more often than its rule allows, over crashes and races."
    case .onePrompt:
      "At most one evaluation has the prompt, and one that waits gets it when that one and its judges end."
    case .promptIsSeen: "Nothing is charged for a prompt that its agent does not show."
    case .passcodeIsSet:
      "Without a passcode nothing succeeds, and no finger is judged, where policy or profile wants one."
    case .sensorIsStrong: "No finger is judged by a sensor that is weaker than the policy wants."
    case .unansweredIsFree: "A prompt that ends unanswered leaves the count as it was before it."
    case .othersUseNothingUp: "What other users try adds nothing to what is counted for the owner."
    }
  }
}
