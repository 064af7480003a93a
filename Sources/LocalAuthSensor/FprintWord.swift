import LocalAuthCore

/// The commands of libfprint's virtual device, translated to events.
public enum FprintWord: String, CaseIterable, Hashable, Sendable {
  case scan = "SCAN"
  case retry = "RETRY"
  case error = "ERROR"
  case finger = "FINGER"
  case sleep = "SLEEP"
  case unplug = "UNPLUG"
  case insert = "INSERT"
  case remove = "REMOVE"
  case list = "LIST"
  case setEnrollStages = "SET_ENROLL_STAGES"
  case setScanType = "SET_SCAN_TYPE"
  case setCancellationEnabled = "SET_CANCELLATION_ENABLED"
  case setKeepAlive = "SET_KEEP_ALIVE"

  /// What must follow the word; nil if nothing may.
  var argument: String? {
    switch self {
    case .scan, .insert, .remove: "the name of a finger or a print: letters, digits, '.', '_', '-'"
    case .retry: "a number from 0 to 4"
    case .error: "a number from 0 to 9, 256 (0x100) or 257 (0x101)"
    case .finger, .setCancellationEnabled, .setKeepAlive: "0 or 1"
    case .sleep: "a number of milliseconds of at most 3600000"
    case .setEnrollStages: SettingKey.enrolmentStages.allowed
    case .setScanType: "press or swipe"
    case .unplug, .list: nil
    }
  }

  /// Returns the event for the word followed by `text`, which is empty if nothing follows.
  func event(_ text: String) -> ScriptEvent? {
    switch self {
    case .scan: PrintIdentity(word: text).map { .present(.touch($0)) }
    case .retry: Self.number(text).flatMap(Self.acquisition).map { .present(.retry($0)) }
    case .error: Self.number(text).flatMap(Self.fault).map { .present(.fault($0)) }
    case .finger: Self.flag(text).map { $0 ? .fingerDown : .fingerUp }
    case .sleep: Self.number(text).flatMap { ScriptWord.sleep(.milliseconds($0)) }
    case .unplug: text.isEmpty ? .unplug : nil
    case .insert: PrintIdentity(word: text).map { .insert($0) }
    case .remove: PrintIdentity(word: text).map { .remove($0) }
    case .list: text.isEmpty ? .list : nil
    case .setEnrollStages: Self.setting(.enrolmentStages, text)
    case .setScanType: Self.setting(.scanType, text)
    case .setCancellationEnabled: Self.flag(text).map { .set(.cancels, String($0)) }
    case .setKeepAlive: Self.flag(text).map { .set(.keepsAlive, String($0)) }
    }
  }

  /// Translates an `FpDeviceRetry`; 4 exists since libfprint 1.94.9.
  private static func acquisition(_ number: UInt32) -> Acquisition? {
    switch number {
    case 0: .general
    case 1: .tooShort
    case 2: .notCentered
    case 3: .removeFinger
    case 4: .tooFast
    default: nil
    }
  }

  /// Translates an `FpDeviceError`.
  private static func fault(_ number: UInt32) -> SensorFault? {
    switch number {
    case 0: .general
    case 1: .notSupported
    case 2: .unavailable
    case 3, 4: .busy
    case 5, 6: .unableToProcess
    case 7: .unableToRemove
    case 8: .storageFull
    case 9: .duplicate
    case 0x100: .removed
    case 0x101: .unavailable
    default: nil
    }
  }

  private static func number(_ text: String) -> UInt32? {
    text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
  }

  private static func flag(_ text: String) -> Bool? {
    switch text {
    case "0": false
    case "1": true
    default: nil
    }
  }

  private static func setting(_ key: SettingKey, _ text: String) -> ScriptEvent? {
    ScriptEvent.setting(key, text)
  }
}

extension ScriptEvent {
  /// Returns the event that sets `key` to `value`; nil if the value is invalid.
  ///
  /// The name of a profile is checked only when the script is played.
  static func setting(_ key: SettingKey, _ value: String) -> ScriptEvent? {
    if key == .model, SensorProfile.isName(value) { return .set(key, value) }
    var trial = SensorSettings()
    guard (try? trial.set(key, value)) != nil else { return nil }
    return .set(key, value)
  }
}
