import LocalAuthCore

/// The words that begin an event.
public enum ScriptWord: String, CaseIterable, Hashable, Sendable {
  case match
  case miss
  case touch
  case retry
  case error
  case cancel
  case fallback
  case passcode
  case answer
  case sleep
  case unplug
  case plug
  case busy
  case free
  case fingerDown = "finger-down"
  case fingerUp = "finger-up"
  case lockout
  case interact
  case stage
  case set
  case insert
  case remove
  case list

  /// Whether a colon with an argument may or must follow the word.
  enum Argument: Hashable {
    case never
    case maybe(String)
    case always(String)
  }

  var argument: Argument {
    switch self {
    case .match: .maybe("the name of a finger, such as right-index")
    case .touch, .insert, .remove: .always("the name of a finger, such as right-index, or a print")
    case .retry:
      .always("one of \(Self.words(Acquisition.named.map(\.word))) or vendor-N, N >= 1000")
    case .error:
      .always("one of \(Self.words(SensorFault.named.map(\.word))) or vendor-N, N >= 1000")
    case .cancel: .maybe("one of \(Self.words(Canceler.allCases.map(\.rawValue)))")
    case .passcode: .maybe("the passcode; in quotes when it has a comma or a space")
    case .answer: .always("the answer; in quotes when it has a comma or a space")
    case .sleep: .always("a duration of at most 1h: \(DurationText.allowed)")
    case .lockout: .maybe("timed")
    case .stage: .always("one of \(Self.words(EnrolmentSample.allCases.map(\.word)))")
    case .set:
      .always("KEY=VALUE, where KEY is one of \(Self.words(SettingKey.allCases.map(\.rawValue)))")
    case .miss, .fallback, .unplug, .plug, .busy, .free, .fingerDown, .fingerUp, .interact, .list:
      .never
    }
  }

  /// Returns the event for the word alone.
  func event() -> ScriptEvent? {
    switch self {
    case .match: .present(.match)
    case .miss: .present(.miss)
    case .interact: .present(.interaction)
    case .cancel: .cancel(.user)
    case .fallback: .fallback
    case .passcode: .passcode(nil)
    case .unplug: .unplug
    case .plug: .plug
    case .busy: .busy
    case .free: .free
    case .fingerDown: .fingerDown
    case .fingerUp: .fingerUp
    case .lockout: .lockout(timed: false)
    case .list: .list
    case .touch, .retry, .error, .answer, .sleep, .stage, .set, .insert, .remove: nil
    }
  }

  /// Returns the event for the word and typed text after its colon, which stays in the source.
  func event(at range: Range<Int>) -> ScriptEvent? {
    switch self {
    case .passcode: .passcode(range)
    case .answer: .answer(range)
    case .match, .miss, .touch, .retry, .error, .cancel, .fallback, .sleep, .unplug, .plug, .busy,
      .free, .fingerDown, .fingerUp, .lockout, .interact, .stage, .set, .insert, .remove, .list:
      nil
    }
  }

  /// Returns the event for the word followed by a colon and `text`.
  func event(_ text: String) -> ScriptEvent? {
    switch self {
    case .match: Finger(named: text).map { .present(.matching($0)) }
    case .touch: PrintIdentity(word: text).map { .present(.touch($0)) }
    case .retry: Acquisition(word: text).map { .present(.retry($0)) }
    case .error: SensorFault(word: text).map { .present(.fault($0)) }
    case .stage: EnrolmentSample(word: text).map { .present(.stage($0)) }
    case .cancel: Canceler(rawValue: text).map { .cancel($0) }
    case .sleep: Self.sleep(DurationText.parse(text))
    case .lockout: text == "timed" ? .lockout(timed: true) : nil
    case .insert: PrintIdentity(word: text).map { .insert($0) }
    case .remove: PrintIdentity(word: text).map { .remove($0) }
    case .passcode, .answer, .set, .miss, .fallback, .unplug, .plug, .busy, .free, .fingerDown,
      .fingerUp, .interact, .list:
      nil
    }
  }

  static func sleep(_ duration: Duration?) -> ScriptEvent? {
    guard let duration, duration <= SensorScript.longestSleep else { return nil }
    return .sleep(duration)
  }

  private static func words(_ words: [String]) -> String { words.joined(separator: ", ") }
}
