import LocalAuthCore

/// The names of the settings, in listing order.
public enum SettingKey: String, CaseIterable, Hashable, Sendable {
  case strength
  case form
  case scanType = "scan-type"
  case maximumEnrolments = "max-enrollments"
  case enrolmentStages = "enroll-stages"
  case checksDuplicates = "duplicates-check"
  case latency
  case enrolmentLatency = "enroll-latency"
  case seed
  case model
  case person
  case quality
  case acquired
  case enrolmentSamples = "enroll-acquired"
  case authenticationFault = "authenticate-error"
  case authenticationFails = "authenticate-fails"
  case enrolmentFault = "enroll-error"
  case detectsInteraction = "detect-interaction"
  case noInputTimeout = "timeout"
  case cancels = "cancellation"
  case isPlugged = "plugged"
  case isBusy = "busy"
  case isLockedOut = "lockout"
  case locksOut = "lockout-enable"
  case timedLockoutMisses = "lockout-timed-threshold"
  case timedLockout = "lockout-timed-duration"
  case permanentLockoutMisses = "lockout-permanent-threshold"
  case keepsAlive = "keep-alive"
  case prints

  /// The allowed values, for messages.
  public var allowed: String { row.allowed }

  var row: SettingRow {
    switch self {
    case .strength: SettingRow(\.strength)
    case .form: SettingRow(\.form)
    case .scanType: SettingRow(\.scanType)
    case .maximumEnrolments: SettingRow(\.maximumEnrolments, in: 1...Finger.allCases.count)
    case .enrolmentStages: SettingRow(\.enrolmentStages, in: 1...100)
    case .checksDuplicates: SettingRow(\.checksDuplicates)
    case .latency: SettingRow(\.latency)
    case .enrolmentLatency: SettingRow(\.enrolmentLatency)
    case .seed: SettingRow(\.seed)
    case .model: .model
    case .person: SettingRow(\.person, in: 0...Int(UInt32.max))
    case .quality: SettingRow(\.quality, in: 0...100)
    case .acquired: SettingRow(\.acquired)
    case .enrolmentSamples: SettingRow(\.enrolmentSamples)
    case .authenticationFault: SettingRow(\.authenticationFault)
    case .authenticationFails: SettingRow(\.authenticationFails)
    case .enrolmentFault: SettingRow(\.enrolmentFault)
    case .detectsInteraction: SettingRow(\.detectsInteraction)
    case .noInputTimeout: SettingRow(\.noInputTimeout)
    case .cancels: SettingRow(\.cancels)
    case .isPlugged: SettingRow(\.isPlugged)
    case .isBusy: SettingRow(\.isBusy)
    case .isLockedOut: SettingRow(\.isLockedOut)
    case .locksOut: SettingRow(\.locksOut)
    case .timedLockoutMisses: SettingRow(\.timedLockoutMisses, in: 1...1000)
    case .timedLockout: SettingRow(\.timedLockout)
    case .permanentLockoutMisses: SettingRow(\.permanentLockoutMisses, in: 1...1000)
    case .keepsAlive: SettingRow(\.keepsAlive)
    case .prints: SettingRow(\.prints)
    }
  }
}

/// Reads and writes one setting as text.
struct SettingRow {
  let allowed: String
  let read: (SensorSettings) -> String
  let write: (inout SensorSettings, String) -> Bool

  init<Value: SettingValue>(_ path: WritableKeyPath<SensorSettings, Value>) {
    allowed = Value.allowed
    read = { $0[keyPath: path].settingText }
    write = { settings, text in
      guard let value = Value(settingText: text) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  private init(
    allowed: String,
    read: @escaping (SensorSettings) -> String,
    write: @escaping (inout SensorSettings, String) -> Bool
  ) {
    (self.allowed, self.read, self.write) = (allowed, read, write)
  }

  /// The model: the name of a profile known to these settings, or two rates.
  static var model: SettingRow {
    SettingRow(
      allowed: "none, the name of a sensor profile, "
        + "or d-prime:D,fmr:F with D above 0 and F above 0 and below 1",
      read: { $0.model?.name ?? "none" },
      write: { settings, text in
        guard text != "none" else {
          settings.model = nil
          return true
        }
        guard let profile = settings.profiles[text] ?? SensorProfile(rates: text) else {
          return false
        }
        settings.model = profile
        return true
      }
    )
  }

  init(_ path: WritableKeyPath<SensorSettings, Int>, in range: ClosedRange<Int>) {
    allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    read = { String($0[keyPath: path]) }
    write = { settings, text in
      guard let value = Int(text), range.contains(value) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }
}

/// Why a setting cannot be changed.
public enum SettingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no setting with this name.
  case unknownKey(String)
  /// The value is not allowed for this setting.
  case badValue(SettingKey)
  /// There is no sensor profile with this name; the known ones are listed.
  case unknownProfile(String, known: [String])

  /// What is wrong and what is allowed, in one sentence.
  public var description: String {
    switch self {
    case .unknownKey(let key):
      let keys = SettingKey.allCases.map(\.rawValue).joined(separator: ", ")
      return "There is no sensor setting \"\(Self.quotable(key))\"; the settings are \(keys)."
    case .badValue(let key): return "The sensor setting \(key.rawValue) takes \(key.allowed)."
    case .unknownProfile(let name, let known):
      let names = known.isEmpty ? "none" : known.joined(separator: ", ")
      return "There is no sensor profile \"\(Self.quotable(name))\"; there are: \(names)."
    }
  }

  /// Replaces characters of the key that could disturb a terminal or a log, and shortens it.
  private static func quotable(_ key: String) -> String {
    String(key.unicodeScalars.prefix(40).map { (" "..."~").contains($0) ? Character($0) : "?" })
  }
}
