/// What an attempt tries, and so which count it is charged to.
public enum Guess: Hashable, Sendable {
  /// A finger, for whom it was asked for.
  case touch(Origin)
  /// The device's passcode, and from where it came.
  case passcode(Origin)
  /// A password for the keybag of a device whose passcode PAM judges: it may be another than the account's.
  case keybag
  /// The application password of the item with this identifier.
  case item(UInt128)

  /// The factor that is tried.
  public var factor: Factor {
    switch self {
    case .touch: .biometry
    case .passcode, .keybag: .passcode
    case .item: .applicationPassword
    }
  }
}
