public import LocalAuthCore

/// The party that cancels.
public enum Canceler: String, CaseIterable, Hashable, Sendable {
  case user
  case system
  case app

  /// The outcome of an evaluation cancelled by this party.
  public var outcome: OutcomeCode {
    switch self {
    case .user: .userCancel
    case .system: .systemCancel
    case .app: .appCancel
    }
  }
}

/// One event of a script.
public enum ScriptEvent: Hashable, Sendable {
  /// An event at the sensor.
  case present(Presentation)
  /// Nothing happens for this duration.
  case sleep(Duration)
  /// The evaluation is cancelled.
  case cancel(Canceler)
  /// The person chooses the fallback.
  case fallback
  /// The person enters a passcode: the bytes of the source in this range, or if nil the passcode
  /// that was passed separately from the script.
  case passcode(Range<Int>?)
  /// The person answers an open question from PAM with the bytes of the source in this range.
  case answer(Range<Int>)
  /// The sensor is unplugged.
  case unplug
  /// The sensor is plugged in again.
  case plug
  /// Another program takes the sensor.
  case busy
  /// The other program releases the sensor.
  case free
  /// A finger is placed on the sensor and stays there.
  case fingerDown
  /// The finger is lifted.
  case fingerUp
  /// The sensor locks: for the configured time, or until the passcode.
  case lockout(timed: Bool)
  /// A setting changes.
  case set(SettingKey, String)
  /// A finger is enrolled without a touch.
  case insert(PrintIdentity)
  /// A finger is removed.
  case remove(PrintIdentity)
  /// The enrolled fingers are listed.
  case list
}

extension ScriptEvent {
  /// Whether the event controls the sensor, which only a simulated device allows.
  public var drivesSensor: Bool {
    switch self {
    case .present, .unplug, .plug, .busy, .free, .fingerDown, .fingerUp, .lockout, .set, .insert,
      .remove, .list:
      true
    case .sleep, .cancel, .fallback, .passcode, .answer: false
    }
  }

  /// Whether the event changes the enrolled fingers, which requires the passcode if one is set.
  public var changesEnrolment: Bool {
    switch self {
    case .insert, .remove: true
    case .present, .sleep, .cancel, .fallback, .passcode, .answer, .unplug, .plug, .busy, .free,
      .fingerDown, .fingerUp, .lockout, .set, .list:
      false
    }
  }
}

extension ScriptEvent: CustomStringConvertible {
  /// The event as written in a script, without what a person would type, so it can be logged.
  public var description: String {
    switch self {
    case .present(let presentation): presentation.scriptText
    case .sleep(let duration): "sleep:\(DurationText.format(duration))"
    case .cancel(let canceler): canceler == .user ? "cancel" : "cancel:\(canceler.rawValue)"
    case .fallback: "fallback"
    case .passcode(let range): range == nil ? "passcode" : "passcode:(hidden)"
    case .answer: "answer:(hidden)"
    case .unplug: "unplug"
    case .plug: "plug"
    case .busy: "busy"
    case .free: "free"
    case .fingerDown: "finger-down"
    case .fingerUp: "finger-up"
    case .lockout(let timed): timed ? "lockout:timed" : "lockout"
    case .set(let key, let value): "set:\(key.rawValue)=\"\(value)\""
    case .insert(let identity): "insert:\(identity.word)"
    case .remove(let identity): "remove:\(identity.word)"
    case .list: "list"
    }
  }
}

extension Presentation {
  fileprivate var scriptText: String {
    switch self {
    case .match: "match"
    case .matching(let finger): "match:\(finger.rawValue)"
    case .miss: "miss"
    case .touch(let identity): "touch:\(identity.word)"
    case .retry(let acquisition): "retry:\(acquisition.word)"
    case .interaction: "interact"
    case .stage(let status): "stage:\(status.word)"
    case .fault(let fault): "error:\(fault.word)"
    }
  }
}
