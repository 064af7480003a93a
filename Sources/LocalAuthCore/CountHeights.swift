/// The counts of wrong passwords of a device, as four numbers.
public struct CountHeights: Hashable, Sendable {
  /// Wrong passcodes of the owner.
  public var passcode: UInt32
  /// Wrong passcodes of all others together.
  public var others: UInt32
  /// Wrong passwords for the keybag of a device whose passcode PAM judges.
  public var keybag: UInt32
  /// The highest count of an item's application password.
  public var items: UInt32

  /// The heights, zero by default.
  public init(passcode: UInt32 = 0, others: UInt32 = 0, keybag: UInt32 = 0, items: UInt32 = 0) {
    self.passcode = passcode
    self.others = others
    self.keybag = keybag
    self.items = items
  }

  /// The higher value of each count.
  public func highest(_ other: Self) -> Self {
    Self(
      passcode: max(passcode, other.passcode),
      others: max(others, other.others),
      keybag: max(keybag, other.keybag),
      items: max(items, other.items)
    )
  }
}

/// What is known of a device's counts if its durable state is untrusted.
public enum CountDoubt: Hashable, Sendable {
  /// They were at least this high.
  case atLeast(CountHeights)
  /// Nothing is known: they count as the highest value short of a lock for good.
  case unknown
}

extension DeviceRecord {
  /// The heights of the counts.
  public var heights: CountHeights {
    CountHeights(
      passcode: attempts.throttle.tally.failures,
      others: others.together.tally.failures,
      keybag: others.keybag.tally.failures,
      items: others.items.highest
    )
  }

  /// Raises the counts to what `doubt` says, and restarts every refusal; no count becomes lower.
  ///
  /// `lasting` are the delays of counts that never lock for good.
  public mutating func raise(
    to doubt: CountDoubt,
    under delays: PasscodeDelays,
    lasting: PasscodeDelays,
    at now: Moment
  ) {
    let heights: CountHeights
    switch doubt {
    case .atLeast(let least): heights = least
    case .unknown:
      let most = delays.delays.highestWithoutLock
      let lastingMost = lasting.delays.highestWithoutLock
      heights = CountHeights(passcode: most, others: most, keybag: lastingMost, items: lastingMost)
    }
    attempts.throttle.raise(to: heights.passcode, under: delays, at: now)
    others.raise(to: heights, under: delays, lasting: lasting, at: now)
  }
}
