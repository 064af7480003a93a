/// Why a sample could not be judged: a finger was there, but the image was unusable.
///
/// The union of the codes of the Android virtual sensor (`AcquiredInfo`) and libfprint (`RETRY`).
/// None of these is a miss and none is charged.
public enum Acquisition: Hashable, Sendable {
  case general
  case partial
  case insufficient
  case dirty
  case tooSlow
  case tooFast
  case tooDark
  case tooBright
  case immobile
  case tooShort
  case notCentered
  case removeFinger
  case retryingCapture
  /// A vendor's own code, 1000 and up.
  case vendor(UInt16)

  /// The codes that have a fixed word.
  public static let named: [(word: String, code: Acquisition)] = [
    ("general", .general), ("partial", .partial), ("insufficient", .insufficient),
    ("dirty", .dirty), ("too-slow", .tooSlow), ("too-fast", .tooFast), ("too-dark", .tooDark),
    ("too-bright", .tooBright), ("immobile", .immobile), ("too-short", .tooShort),
    ("not-centered", .notCentered), ("remove-finger", .removeFinger),
    ("retrying-capture", .retryingCapture),
  ]

  /// The code's word in scripts, on the wire and in messages: `partial`, `vendor-1007`.
  public var word: String {
    if case .vendor(let number) = self { return "vendor-\(number)" }
    return Self.named.first { $0.code == self }?.word ?? "general"
  }

  /// The code that `word` names.
  public init?(word: String) {
    if let entry = Self.named.first(where: { $0.word == word }) {
      self = entry.code
    } else if word.hasPrefix("vendor-"), let number = UInt16(word.dropFirst(7)), number >= 1000 {
      self = .vendor(number)
    } else {
      return nil
    }
  }

  /// What the person at the sensor should do.
  public var advice: String {
    switch self {
    case .general, .retryingCapture: "Try again."
    case .partial: "Cover the whole sensor."
    case .insufficient: "Press a little longer."
    case .dirty: "Clean the sensor."
    case .tooSlow: "Move the finger faster."
    case .tooFast: "Move the finger more slowly."
    case .tooDark, .tooBright: "Adjust the light and try again."
    case .immobile: "Move the finger a little."
    case .tooShort: "Swipe the whole finger."
    case .notCentered: "Center the finger."
    case .removeFinger: "Lift the finger and try again."
    case .vendor: "Try again."
    }
  }
}

/// Why a sensor gave up: the union of the Android virtual sensor's and libfprint's errors.
public enum SensorFault: Hashable, Sendable {
  case unavailable
  case unableToProcess
  case timeout
  case storageFull
  case cancelled
  case unableToRemove
  case badCalibration
  case duplicate
  case busy
  case notSupported
  case removed
  case general
  /// A vendor's own code, 1000 and up.
  case vendor(UInt16)

  /// The faults that have a fixed word.
  public static let named: [(word: String, fault: SensorFault)] = [
    ("unavailable", .unavailable), ("unable-to-process", .unableToProcess),
    ("timeout", .timeout), ("storage-full", .storageFull), ("canceled", .cancelled),
    ("unable-to-remove", .unableToRemove), ("bad-calibration", .badCalibration),
    ("duplicate", .duplicate), ("busy", .busy), ("not-supported", .notSupported),
    ("removed", .removed), ("general", .general),
  ]

  /// The fault's word in scripts, on the wire and in messages.
  public var word: String {
    if case .vendor(let number) = self { return "vendor-\(number)" }
    return Self.named.first { $0.fault == self }?.word ?? "general"
  }

  /// The fault that `word` names.
  public init?(word: String) {
    if let entry = Self.named.first(where: { $0.word == word }) {
      self = entry.fault
    } else if word.hasPrefix("vendor-"), let number = UInt16(word.dropFirst(7)), number >= 1000 {
      self = .vendor(number)
    } else {
      return nil
    }
  }
}

/// How strong a sensor is, after Android's classes 1, 2 and 3.
public enum SensorStrength: String, CaseIterable, Comparable, Hashable, Sendable {
  case convenience
  case weak
  case strong

  /// Whether `left` is the weaker class.
  public static func < (left: Self, right: Self) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .convenience: 1
    case .weak: 2
    case .strong: 3
    }
  }
}
