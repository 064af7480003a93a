import LocalAuthCore

/// What attempts are counted as: each has a count of its own.
enum Counted: CaseIterable, Hashable, Sendable {
  case finger
  case passcode
  case possession
  /// Touches that other users asked for.
  case othersFinger
  /// Passcodes that other users' programs asked for, all of them together.
  case othersPasscode

  /// The count of attempts at `factor` for the owner, or for others.
  init(_ factor: Factor, forOthers isOthers: Bool = false) {
    switch factor {
    case .passcode: self = isOthers ? .othersPasscode : .passcode
    case .possession: self = .possession
    case .biometry, .applicationPassword, .companion: self = isOthers ? .othersFinger : .finger
    }
  }

  /// What is tried.
  var factor: Factor {
    switch self {
    case .finger, .othersFinger: .biometry
    case .passcode, .othersPasscode: .passcode
    case .possession: .possession
    }
  }

  var isOfPasscode: Bool { self == .passcode || self == .othersPasscode }
  var isOfFinger: Bool { self == .finger || self == .othersFinger }
  var isOfOthers: Bool { self == .othersFinger || self == .othersPasscode }

  /// The counts whose refusals are refusals of this one, too: a finger that is refused to the owner is
  /// refused to everybody.
  var refusing: [Self] { self == .othersFinger ? [.finger, .othersFinger] : [self] }

  /// The counts that lock this one: what is locked for the owner is locked for everybody.
  var locking: [Self] {
    switch self {
    case .finger, .passcode, .possession: [self]
    case .othersFinger: [.finger, self]
    case .othersPasscode: [.passcode, self]
    }
  }

  /// The counts that a success of this one clears.
  ///
  /// Another user's clears what is counted for the owner, because it was right; of the passcodes of others it clears
  /// those of that user alone.
  var cleared: [Self] {
    switch self {
    case .passcode: Self.allCases
    case .finger, .othersFinger: [.finger, .othersFinger]
    case .possession: [.possession]
    case .othersPasscode: [.finger, .passcode]
    }
  }
}

extension DeviceRecord {
  /// What is counted as `count`.
  func tally(of count: Counted) -> Tally {
    switch count {
    case .passcode: attempts.throttle.tally
    case .finger: attempts.lockout.tally
    case .possession: others.possession.tally
    case .othersFinger: others.touches.tally
    case .othersPasscode: others.together.tally
    }
  }
}
