public import LocalAuthKeychain

/// What becomes of an item when a backup is made.
public enum BackupDecision: Hashable, Sendable {
  /// It is in the backup, sealed under the backup's key of this class.
  case included(under: ProtectionClass)
  /// It is not, and is counted.
  case leftOut(LeftOut)
  /// It is no item of the user's, as what remains of a deleted one or one of the service's own, or was not asked for.
  case passedOver
}

/// Which items go into a backup.
///
/// | what the item is                                | decision              |
/// |-------------------------------------------------|-----------------------|
/// | a tombstone, or in the service's own group      | passed over           |
/// | not in the scope that was asked for             | passed over           |
/// | only while a passcode is set                    | left out: passcodeSet |
/// | its class is locked                             | left out: locked      |
/// | it does not open                                | left out: otherDevice |
/// | in a group that the caller may not use          | left out: otherGroup  |
/// | a token's                                       | left out: token       |
/// | with access control                             | left out: accessControl |
/// | with data that may not leave the keychain       | included, for this device |
/// | any other                                       | included, as it is    |
public struct BackupPlan: Hashable, Sendable {
  /// The groups of the caller.
  public let groups: AccessGroups
  /// What was asked for.
  public let scope: BackupScope

  /// The plan of a caller with these groups.
  public init(groups: AccessGroups, _ scope: BackupScope = BackupScope()) {
    self.groups = groups
    self.scope = scope
  }

  /// Whether documents, stores and rows of a group go into the backup.
  public func allows(_ group: String) -> Bool {
    groups.allows(group, writing: false) && scope.covers(group)
  }

  /// Decides about an item by what its row says.
  ///
  /// - Parameters:
  ///   - header: The row's part that is in the clear.
  ///   - access: Whether the state of the device opens its class.
  /// - Returns: the decision; nil if the item has to be opened first.
  public func decide(_ header: ItemHeader, _ access: ClassAccess) -> BackupDecision? {
    if header.isTombstone || !scope.covers(header.protection) { return .passedOver }
    if header.protection == .whenPasscodeSetThisDeviceOnly { return .leftOut(.passcodeSet) }
    return access == .available ? nil : .leftOut(.locked)
  }

  /// Decides about an item that was opened; nil stands for one that does not open.
  public func decide(_ item: Item?) -> BackupDecision {
    guard let item else { return .leftOut(.otherDevice) }
    if item.group == AccessGroups.internalGroup || !scope.covers(item.group) { return .passedOver }
    if item.group == AccessGroups.token || item.attributes[.tokenID].isGiven {
      return .leftOut(.token)
    }
    guard groups.allows(item.group, writing: false) else { return .leftOut(.otherGroup) }
    guard item.accessControl.isTrivial else { return .leftOut(.accessControl) }
    let protection = item.accessControl.protection
    return .included(under: item.isExtractable ? protection : protection.onThisDevice)
  }
}

extension AttributeValue? {
  /// Whether there is a value, and not an empty one.
  var isGiven: Bool { self.map { !$0.canonicalBytes.isEmpty } ?? false }
}

extension ProtectionClass {
  /// The class that is open at the same times, on this device alone.
  public var onThisDevice: ProtectionClass {
    switch self {
    case .whenUnlocked, .whenUnlockedThisDeviceOnly: .whenUnlockedThisDeviceOnly
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: .afterFirstUnlockThisDeviceOnly
    case .always, .alwaysThisDeviceOnly: .alwaysThisDeviceOnly
    case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSetThisDeviceOnly
    }
  }
}
