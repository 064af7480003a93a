public import LocalAuthCore

/// The status of one enrolment sample: the 15 values of CTAP 2.1 (`lastEnrollSampleStatus`), with
/// their numbers.
public enum EnrolmentSample: UInt8, CaseIterable, Hashable, Sendable {
  case good = 0x00
  case tooHigh = 0x01
  case tooLow = 0x02
  case tooLeft = 0x03
  case tooRight = 0x04
  case tooFast = 0x05
  case tooSlow = 0x06
  case poorQuality = 0x07
  case tooSkewed = 0x08
  case tooShort = 0x09
  case mergeFailure = 0x0a
  case exists = 0x0b
  case databaseFull = 0x0c
  case noUserActivity = 0x0d
  case noUserPresenceTransition = 0x0e

  /// The status's word in scripts and settings.
  public var word: String {
    switch self {
    case .good: "good"
    case .tooHigh: "too-high"
    case .tooLow: "too-low"
    case .tooLeft: "too-left"
    case .tooRight: "too-right"
    case .tooFast: "too-fast"
    case .tooSlow: "too-slow"
    case .poorQuality: "poor-quality"
    case .tooSkewed: "too-skewed"
    case .tooShort: "too-short"
    case .mergeFailure: "merge-failure"
    case .exists: "exists"
    case .databaseFull: "database-full"
    case .noUserActivity: "no-user-activity"
    case .noUserPresenceTransition: "no-user-presence-transition"
    }
  }

  /// Creates the status that `word` names: a status word, or an acquisition word, which gives the
  /// nearest status.
  public init?(word: String) {
    if let status = Self.allCases.first(where: { $0.word == word }) {
      self = status
    } else if let acquisition = Acquisition(word: word) {
      self.init(acquisition)
    } else {
      return nil
    }
  }

  /// Creates the status nearest to a flaw of the sample.
  public init(_ acquisition: Acquisition) {
    switch acquisition {
    case .tooFast: self = .tooFast
    case .tooSlow: self = .tooSlow
    case .tooShort: self = .tooShort
    case .notCentered: self = .tooSkewed
    case .removeFinger: self = .noUserPresenceTransition
    case .general, .partial, .insufficient, .dirty, .tooDark, .tooBright, .immobile,
      .retryingCapture, .vendor:
      self = .poorQuality
    }
  }

  /// The consequence of the status for the enrolment.
  public var consequence: Consequence {
    switch self {
    case .good: .passed
    case .tooHigh, .tooLow, .tooLeft, .tooRight, .tooSkewed: .again(.notCentered)
    case .tooFast: .again(.tooFast)
    case .tooSlow: .again(.tooSlow)
    case .poorQuality: .again(.insufficient)
    case .tooShort: .again(.tooShort)
    case .mergeFailure: .again(.general)
    case .noUserPresenceTransition: .again(.removeFinger)
    case .exists: .failed(.duplicate)
    case .databaseFull: .failed(.storageFull)
    case .noUserActivity: .failed(.timeout)
    }
  }

  /// The consequence of a sample.
  public enum Consequence: Hashable, Sendable {
    /// The stage is passed.
    case passed
    /// The stage is repeated; the person should correct this.
    case again(Acquisition)
    /// The enrolment fails and nothing is stored.
    case failed(SensorFault)
  }
}
