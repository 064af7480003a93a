/// The durable state of a keybag, apart from its wrapped keys.
public struct KeybagRecord: Hashable, Sendable {
  /// Whether a passcode opens it.
  public var hasPasscode: Bool
  /// The number of keys so far of the class that ends with the passcode.
  ///
  /// The last one is in use while a passcode is set; an item wrapped under an earlier one is lost.
  public var passcodeSetKeys: UInt64

  /// The record of a keybag, by default of one that never had a passcode.
  public init(hasPasscode: Bool = false, passcodeSetKeys: UInt64 = 0) {
    self.hasPasscode = hasPasscode
    self.passcodeSetKeys = passcodeSetKeys
  }

  /// The number of the class key in use, which each item stores; nil if there is none.
  public func classKey(of protection: ProtectionClass) -> UInt64? {
    guard protection == .whenPasscodeSetThisDeviceOnly else { return 1 }
    return hasPasscode ? passcodeSetKeys : nil
  }

  /// Whether key number `key` of a class was destroyed with a passcode.
  ///
  /// A number that no key ever had means damage, which opening the item detects.
  public func hasDestroyed(_ protection: ProtectionClass, _ key: UInt64) -> Bool {
    protection == .whenPasscodeSetThisDeviceOnly && key >= 1 && key <= passcodeSetKeys
      && classKey(of: protection) != key
  }
}

/// A change of the passcode, as one durable commit of the keybag.
public enum PasscodeChange: Hashable, Sendable {
  /// Wrap `rewrapped`, which the device key alone opened, also under the passcode, and wrap a new
  /// key for `created`.
  case set(rewrapped: ProtectionClassSet, created: ProtectionClassSet)
  /// Wrap `rewrapped` under the new passcode instead of the old.
  case change(rewrapped: ProtectionClassSet)
  /// Wrap `rewrapped` under the device key alone, and leave no wrapping of `destroyed`.
  case remove(rewrapped: ProtectionClassSet, destroyed: ProtectionClassSet)
}
