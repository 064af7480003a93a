/// What an attempt tries, which decides the count it is charged to.
public enum Guess: Hashable, Sendable {
  /// A finger, and the origin that asked for it.
  case touch(Origin)
  /// The device's passcode, and the origin it came from.
  case passcode(Origin)
  /// A possession factor: others' attempts share the owner's count, which the owner's passcode
  /// clears.
  case possession
  /// A password for the keybag of a device whose passcode PAM judges, which may differ from the
  /// account's.
  case keybag
  /// The application password of the item with this identifier.
  case item(UInt128)

  /// The guess that an evaluation from `origin` makes at `factor`.
  init(_ factor: Factor, from origin: Origin) {
    switch factor {
    case .passcode: self = .passcode(origin)
    case .possession: self = .possession
    case .biometry, .applicationPassword, .companion: self = .touch(origin)
    }
  }

  /// Whether one is the owner's guess at the passcode and the other somebody else's: no count has both.
  func isApart(from other: Guess) -> Bool {
    guard case (.passcode(let one), .passcode(let another)) = (self, other) else { return false }
    return (one == .owner) != (another == .owner)
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
