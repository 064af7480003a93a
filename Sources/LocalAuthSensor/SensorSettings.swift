public import LocalAuthCore

/// The behaviour of a simulated sensor; every value can be set by its key, see ``SettingKey``.
public struct SensorSettings: Hashable, Sendable {
  /// The class of the sensor.
  public var strength = SensorStrength.strong
  /// The location and type of the sensor.
  public var form = SensorForm.rear
  /// The type of scan: press or swipe.
  public var scanType = ScanType.press
  /// The number of fingers it can store.
  public var maximumEnrolments = 5
  /// The number of good samples for an enrolment.
  public var enrolmentStages = 5
  /// Whether it refuses a finger that is already enrolled.
  public var checksDuplicates = true
  /// The time from a touch to its sample.
  public var latency = Latency.none
  /// The time from a touch to its sample during enrolment.
  public var enrolmentLatency = Latency.none
  /// The seed of random draws; if nil, latencies use a new source each time and a model uses 0.
  public var seed: UInt64?
  /// The statistics that decide the outcome of a touch; nil if touches are taken literally.
  public var model: SensorProfile?
  /// With a model, the number of the person whose fingers are enrolled.
  public var person = 0
  /// With a model, the quality of samples, 0 to 100 as in NFIQ 2.
  public var quality = 50
  /// With a model, what the person has done so far.
  public internal(set) var history = TouchHistory()
  /// What the sensor reports during each touch.
  public var acquired = AcquiredSequence.good
  /// The statuses of the first samples of an enrolment, in order; later samples are good.
  public var enrolmentSamples: [EnrolmentSample] = []
  /// A fault instead of the next or every sample.
  public var authenticationFault = FaultInjection.none
  /// Whether every judged sample is a miss.
  public var authenticationFails = false
  /// A fault instead of the next or every sample of an enrolment.
  public var enrolmentFault = FaultInjection.none
  /// Whether it can report a touch without judging it.
  public var detectsInteraction = false
  /// How long it waits for a finger; nil for as long as requested.
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
  /// The number of misses from which each miss locks for ``timedLockout``.
  public var timedLockoutMisses = 5
  /// How long a timed lock lasts.
  public var timedLockout = Duration.seconds(10)
  /// The number of misses that lock until the passcode.
  public var permanentLockoutMisses = 20
  /// Whether events left over by an evaluation are kept for the next one.
  public var keepsAlive = false
  /// The fingers of the labelled prints.
  public var prints = PrintTable()

  /// The profiles that ``model`` can name; not a setting.
  let profiles: SensorProfiles

  /// Creates the settings of a new sensor; the lockout numbers are those of Android's virtual
  /// sensor.
  public init(profiles: SensorProfiles = SensorProfiles()) { self.profiles = profiles }

  /// Creates settings from those stored as ``changed``.
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

  /// Sets the setting named `key`; on an error nothing changes.
  public mutating func set(_ key: String, _ value: String) throws(SettingError) {
    guard let known = SettingKey(rawValue: key) else { throw .unknownKey(key) }
    try set(known, value)
  }

  /// Sets `key` to the parsed `value`; on an error nothing changes.
  ///
  /// Setting the seed, model or person clears the history, even if the value stays the same.
  public mutating func set(_ key: SettingKey, _ value: String) throws(SettingError) {
    guard key.row.write(&self, value) else { throw refusal(of: key, value) }
    if [.seed, .model, .person].contains(key) { history = TouchHistory() }
  }

  private func refusal(of key: SettingKey, _ value: String) -> SettingError {
    guard key == .model, SensorProfile.isName(value) else { return .badValue(key) }
    return .unknownProfile(value, known: profiles.names)
  }

  /// Returns the value of `key`, as text that sets it.
  public subscript(key: SettingKey) -> String { key.row.read(self) }

  /// All keys and values, in the order of ``SettingKey``.
  public var all: [(key: String, value: String)] {
    SettingKey.allCases.map { ($0.rawValue, self[$0]) }
  }

  /// The settings that differ from the defaults, and the history; this is what is stored.
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
