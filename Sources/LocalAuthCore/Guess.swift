/// What an attempt tries, and so which count it is charged to.
public enum Guess: Hashable, Sendable {
  /// A finger, for whom it was asked for.
  case touch(Origin)
  /// The device's passcode, and from where it came.
  case passcode(Origin)
  /// What the person has: others' tries count with the owner's, whose passcode clears them.
  case possession
  /// A password for the keybag of a device whose passcode PAM judges: it may be another than the account's.
  case keybag
  /// The application password of the item with this identifier.
  case item(UInt128)

  /// What an evaluation for somebody from `origin` tries at `factor`.
  init(_ factor: Factor, from origin: Origin) {
    switch factor {
    case .passcode: self = .passcode(origin)
    case .possession: self = .possession
    case .biometry, .applicationPassword, .companion: self = .touch(origin)
    }
  }

  /// The factor that is tried.
  public var factor: Factor {
    switch self {
    case .touch: .biometry
    case .possession: .possession
    case .passcode, .keybag: .passcode
    case .item: .applicationPassword
    }
  }
}
