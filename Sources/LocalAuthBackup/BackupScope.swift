public import LocalAuthKeychain

/// The part of a keychain that a backup is made of, or that is restored from one.
///
/// Documents, stores and rows have the access group of their programs, and the class
/// ``ProtectionClass/afterFirstUnlock``.
public struct BackupScope: Hashable, Sendable {
  /// The access groups that are meant; nil for all.
  public var groups: AccessGroups?
  /// The classes that are meant.
  public var classes = ProtectionClassSet.all

  /// All of a keychain.
  public init() {}

  /// Whether items of `group` are meant.
  public func covers(_ group: String) -> Bool { groups?.allows(group, writing: false) ?? true }

  /// Whether items of a class are meant.
  public func covers(_ protection: ProtectionClass) -> Bool { classes.contains(protection) }
}
