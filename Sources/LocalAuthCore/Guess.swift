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

  /// Whether one count has both, on a device of `owner`.
  func sharesCount(with other: Guess, of owner: UInt32) -> Bool {
    switch (self, other) {
    case (.touch(let one), .touch(let another)): (one == .owner) == (another == .owner)
    case (.passcode(let one), .passcode(let another)):
      one == another || one.isAmongOthers(of: owner) && another.isAmongOthers(of: owner)
    case (.possession, .possession), (.keybag, .keybag): true
    case (.item(let one), .item(let another)): one == another
    case (.touch, _), (.passcode, _), (.possession, _), (.keybag, _), (.item, _): false
    }
  }

  /// Whether a proof of it clears the count that has `other`, on a device of `owner`, or a part of it.
  func clears(_ other: Guess, of owner: UInt32) -> Bool {
    switch (self, other) {
    case (.passcode, _), (.touch, .touch): true
    default: sharesCount(with: other, of: owner)
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
