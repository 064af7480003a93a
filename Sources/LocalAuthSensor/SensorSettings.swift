public import LocalAuthCore

/// How a simulated sensor behaves; every value can be set by its key, see ``SettingKey``.
public struct SensorSettings: Hashable, Sendable {
  /// The class of the sensor.
  public var strength = SensorStrength.strong
  /// Where it sits.
  public var form = SensorForm.rear
  /// Press or swipe.
  public var scanType = ScanType.press
  /// How many fingers it stores.
  public var maximumEnrolments = 5
  /// Good samples that an enrolment takes.
  public var enrolmentStages = 5
  /// Whether a finger that is enrolled already is refused.
  public var checksDuplicates = true
  /// From a touch to its sample.
  public var latency = Latency.none
  /// From a touch to its sample while enrolling.
  public var enrolmentLatency = Latency.none
  /// Fixes the random latencies, or nil for a fresh source each time; a model draws by 0 then.
  public var seed: UInt64?
  /// The statistics that say what comes of a touch, or nil where each is what it is.
  public var model: SensorProfile?
  /// The number of the person whom the fingers belong to, with a model.
  public var person = 0
  /// The quality of samples, NFIQ 2's 0 to 100, with a model.
  public var quality = 50
  /// What the person has done so far, with a model.
  public internal(set) var history = TouchHistory()
  /// What the sensor says during each touch.
  public var acquired = AcquiredSequence.good
  /// What becomes of the first, second … sample of an enrolment; those after them are good.
  public var enrolmentSamples: [EnrolmentSample] = []
  /// A fault in place of the next or every sample.
  public var authenticationFault = FaultInjection.none
  /// Whether every judged sample is a miss.
  public var authenticationFails = false
  /// A fault in place of the next or every sample of an enrolment.
  public var enrolmentFault = FaultInjection.none
  /// Whether it can report a touch that is not judged.
  public var detectsInteraction = false
  /// How long it waits for a finger, or nil for as long as it is asked to.
  public var noInputTimeout: Duration?
  /// Whether it stops when told to.
  public var cancels = true
  /// Whether it is connected.
  public var isPlugged = true
  /// Whether another program holds it.
  public var isBusy = false
  /// Whether it is locked until the passcode.
  public var isLockedOut = false
  /// Whether its own lockout counts misses.
  public var locksOut = false
  /// Misses from which each one locks for ``timedLockout``.
  public var timedLockoutMisses = 5
  /// How long a timed lock lasts.
  public var timedLockout = Duration.seconds(10)
  /// Misses that lock until the passcode.
  public var permanentLockoutMisses = 20
  /// Whether events that an evaluation left over stay for the next one.
  public var keepsAlive = false
  /// Which fingers the labelled prints belong to.
  public var prints = PrintTable()

  /// The profiles that ``model`` can name; no setting themselves.
  let profiles: SensorProfiles

  /// The settings of a new sensor; the lockout numbers are those of Android's virtual sensor.
  public init(profiles: SensorProfiles = SensorProfiles()) { self.profiles = profiles }

  /// The settings that were stored as ``changed``.
  public init(
    stored: [String: String],
    profiles: SensorProfiles = SensorProfiles()
  ) throws(SettingError) {
    self.init(profiles: profiles)
    for (key, value) in stored where key != TouchHistory.key { try set(key, value) }
    guard let text = stored[TouchHistory.key] else { return }
    guard let past = TouchHistory(text: text) else { throw .unknownKey(TouchHistory.key) }
    history = past
  }

  /// Sets what `key` names to what `value` says; on an error nothing changes.
  public mutating func set(_ key: String, _ value: String) throws(SettingError) {
    guard let known = SettingKey(rawValue: key) else { throw .unknownKey(key) }
    try set(known, value)
  }

  /// Sets `key` to what `value` says; on an error nothing changes.
  ///
  /// Another seed, model or person, or the same again, has no past.
  public mutating func set(_ key: SettingKey, _ value: String) throws(SettingError) {
    guard key.row.write(&self, value) else { throw refusal(of: key, value) }
    if [.seed, .model, .person].contains(key) { history = TouchHistory() }
  }

  private func refusal(of key: SettingKey, _ value: String) -> SettingError {
    guard key == .model, SensorProfile.isName(value) else { return .badValue(key) }
    return .unknownProfile(value, known: profiles.names)
  }

  /// What `key` is set to, in the words that set it.
  public subscript(key: SettingKey) -> String { key.row.read(self) }

  /// Every key and its value, in the order of ``SettingKey``.
  public var all: [(key: String, value: String)] {
    SettingKey.allCases.map { ($0.rawValue, self[$0]) }
  }

  /// The keys whose values are not the defaults, and the past; what is stored.
  public var changed: [String: String] {
    let defaults = SensorSettings()
    var changed: [String: String] = [:]
    for key in SettingKey.allCases where self[key] != defaults[key] {
      changed[key.rawValue] = self[key]
    }
    if history != defaults.history { changed[TouchHistory.key] = history.text }
    return changed
  }
}
