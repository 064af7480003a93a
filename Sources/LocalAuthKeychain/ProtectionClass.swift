/// When an item can be opened, under Apple's names on the wire.
public enum ProtectionClass: String, CaseIterable, Hashable, Sendable {
  case whenUnlocked = "ak"
  case afterFirstUnlock = "ck"
  case always = "dk"
  case whenUnlockedThisDeviceOnly = "aku"
  case afterFirstUnlockThisDeviceOnly = "cku"
  case alwaysThisDeviceOnly = "dku"
  case whenPasscodeSetThisDeviceOnly = "akpu"

  /// Apple's name without its prefix: `whenUnlocked`, `whenPasscodeSetThisDeviceOnly`.
  public var name: String { String(describing: self) }

  /// The class with this name; nil if there is none.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// Whether its items never leave the device, and so cannot be synchronized.
  public var isThisDeviceOnly: Bool {
    switch self {
    case .whenUnlocked, .afterFirstUnlock, .always: false
    case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
      .whenPasscodeSetThisDeviceOnly:
      true
    }
  }

  /// The set that holds only this class.
  public var alone: ProtectionClassSet { ProtectionClassSet(rawValue: 1 << code) }

  /// Its number in stored bytes; never renumbered.
  public var code: UInt8 {
    switch self {
    case .whenUnlocked: 0
    case .afterFirstUnlock: 1
    case .always: 2
    case .whenUnlockedThisDeviceOnly: 3
    case .afterFirstUnlockThisDeviceOnly: 4
    case .alwaysThisDeviceOnly: 5
    case .whenPasscodeSetThisDeviceOnly: 6
    }
  }

  /// The class with this number; nil if there is none.
  public init?(code: UInt8) {
    switch code {
    case 0: self = .whenUnlocked
    case 1: self = .afterFirstUnlock
    case 2: self = .always
    case 3: self = .whenUnlockedThisDeviceOnly
    case 4: self = .afterFirstUnlockThisDeviceOnly
    case 5: self = .alwaysThisDeviceOnly
    case 6: self = .whenPasscodeSetThisDeviceOnly
    default: return nil
    }
  }
}

/// A set of protection classes, which selects class keys.
public struct ProtectionClassSet: OptionSet, Hashable, Sendable {
  /// One bit per class.
  public let rawValue: UInt8

  /// The set with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The classes that the device key alone opens.
  public static let always: Self = [
    ProtectionClass.always.alone, ProtectionClass.alwaysThisDeviceOnly.alone,
  ]
  /// The classes that stay open after the first unlock.
  public static let afterFirstUnlock: Self = [
    ProtectionClass.afterFirstUnlock.alone, ProtectionClass.afterFirstUnlockThisDeviceOnly.alone,
  ]
  /// The class that ends with the passcode.
  public static let passcodeSet = ProtectionClass.whenPasscodeSetThisDeviceOnly.alone
  /// The classes that are open only while the device is unlocked.
  public static let whenUnlocked: Self = [
    ProtectionClass.whenUnlocked.alone, ProtectionClass.whenUnlockedThisDeviceOnly.alone,
    passcodeSet,
  ]
  /// Every class.
  public static let all: Self = [always, afterFirstUnlock, whenUnlocked]

  /// Whether `protection` is in the set.
  public func contains(_ protection: ProtectionClass) -> Bool { contains(protection.alone) }

  /// The classes of the set, in the order of their declaration.
  public var classes: [ProtectionClass] { ProtectionClass.allCases.filter { contains($0) } }
}
