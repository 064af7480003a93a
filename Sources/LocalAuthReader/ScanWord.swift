public import LocalAuthCore

/// What fprintd says of a scan, in a `VerifyStatus` or `EnrollStatus`.
public enum ScanWord: Hashable, Sendable {
  case match
  case noMatch
  /// The scan cannot be judged; the person tries again.
  case retry(Acquisition)
  /// One stage of an enrolment is passed.
  case stagePassed
  /// The enrolment is complete.
  case completed
  /// The reader gave up, for this reason.
  case failed(String)

  /// The word of a `VerifyStatus`.
  public init(verify word: String) { self = Self.read(word, "verify-", Self.ofVerify) }

  /// The word of an `EnrollStatus`.
  public init(enroll word: String) { self = Self.read(word, "enroll-", Self.ofEnroll) }

  private static let ofBoth: [String: Self] = [
    "retry-scan": .retry(.general),
    "swipe-too-short": .retry(.tooShort),
    "finger-not-centered": .retry(.notCentered),
    "remove-and-retry": .retry(.removeFinger),
    "too-fast": .retry(.tooFast),
    "disconnected": .failed("The fingerprint reader is gone."),
    "unknown-error": .failed("The fingerprint reader failed."),
  ]
  private static let ofVerify: [String: Self] = ["match": .match, "no-match": .noMatch]
  private static let ofEnroll: [String: Self] = [
    "stage-passed": .stagePassed,
    "completed": .completed,
    "failed": .failed("The reader could not enrol the finger."),
    "data-full": .failed("The reader has no room for another finger."),
    "duplicate": .failed("The reader knows that finger already."),
  ]

  private static func read(_ word: String, _ prefix: String, _ own: [String: Self]) -> Self {
    let name = word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : ""
    // A word that a later fprintd says proves nothing.
    return own[name] ?? ofBoth[name] ?? .failed("The reader said something unknown.")
  }
}
