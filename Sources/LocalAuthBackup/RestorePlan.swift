public import LocalAuthCore
public import LocalAuthKeychain

/// What becomes of an item of a backup.
public enum RestoreFate: String, CaseIterable, Hashable, Sendable {
  /// It is in the keychain afterwards.
  case restored
  /// The keychain has a newer one, or the same, which stays.
  case older
  /// Only the device that it was made on opens it.
  case otherDevice
  /// It is not what was sealed.
  case damaged
  /// It is of a class or a protection that this version does not know.
  case unknownClass
  /// It may not come back: a token's, one with access control, one of another group, one that occurs twice,
  /// one in the place of an item that only a person opens, or what does not fit with what is here.
  case skipped
  /// It is no item of the backup, but one of the keychain that is deleted first and does not come back.
  case deleted
}

/// What is done with what a keychain has.
public enum RestoreMode: String, CaseIterable, Hashable, Sendable {
  /// Nothing is deleted.
  case merge
  /// Items that are not synchronizable are deleted first.
  case replace
}

/// What reading a record of a backup came to.
public enum ReadRecord: Hashable, Sendable {
  case item(Item)
  case otherDevice
  case damaged
  case unknownClass
}

/// An item of the keychain that has the primary key of one in the backup.
public enum RestoreOccupant: Hashable, Sendable {
  /// There is none, or it is being deleted.
  case none
  /// What remains of a deleted item, or of one that no key opens any more.
  case remains(ItemIdentifier)
  /// An item that can be opened, and its digest.
  case item(ItemIdentifier, modified: WallInstant, digest: [UInt8])
  /// An item that is not opened without a proof.
  case guarded(ItemIdentifier)
}

/// What is done to the keychain for one item of a backup.
public enum RestoreStep: Hashable, Sendable {
  case nothing
  /// The backup's item is added.
  case add
  /// The backup's item takes the place of this one.
  case replace(ItemIdentifier)
  /// This item stays, and gets the identifier that it has in the backup, and with it the persistent reference.
  case rename(ItemIdentifier)
}

/// Decides about the items of a backup that is restored.
///
/// The later time of change wins; of equal times the smaller digest wins. An item of the keychain that wins
/// takes the backup's identifier, so that references that are kept elsewhere find it, unless another item has
/// that. Nothing is taken that would not have been put into a backup: a crafted one is worth no more than an
/// honest one.
public struct RestorePlan: Sendable {
  /// What is done with what the keychain has.
  public let mode: RestoreMode
  /// What is to be restored.
  public var scope: BackupScope { plan.scope }
  private let plan: BackupPlan

  /// The plan of a caller with these groups.
  public init(_ mode: RestoreMode, groups: AccessGroups, _ scope: BackupScope = BackupScope()) {
    self.mode = mode
    plan = BackupPlan(groups: groups, scope)
  }

  /// Whether a record is to be restored at all; one that does not open is, if it can be of a class that is.
  public func covers(_ record: ReadRecord, sealedUnder: ProtectionClass?) -> Bool {
    guard case .item(let item) = record else {
      guard let sealedUnder else { return true }
      // Data that may not leave the keychain is sealed for its device alone.
      return scope.classes.classes.contains { $0 == sealedUnder || $0.onThisDevice == sealedUnder }
    }
    return scope.covers(item.group) && scope.covers(item.accessControl.protection)
  }

  /// Whether documents and values of a group may come back.
  public func allows(_ group: String) -> Bool { plan.groups.allows(group, writing: true) }

  /// Decides about a record by itself.
  ///
  /// That an item occurs only once is for the caller to see to: this keeps nothing.
  ///
  /// - Parameters:
  ///   - record: What was read.
  ///   - sealedUnder: The class that it was sealed under.
  /// - Returns: its fate; nil if that depends on what the keychain has.
  public func decide(_ record: ReadRecord, sealedUnder: ProtectionClass?) -> RestoreFate? {
    switch record {
    case .otherDevice: return .otherDevice
    case .damaged: return .damaged
    case .unknownClass: return .unknownClass
    case .item(let item):
      guard !item.isTombstone, plan.groups.allows(item.group, writing: true),
        item.accessControl.protection != .whenPasscodeSetThisDeviceOnly,
        case .included(let protection) = plan.decide(item), protection == sealedUnder
      else { return .skipped }
      return nil
    }
  }

  /// Decides about an item that meets `occupant`; its digest is compared if the times are equal.
  ///
  /// - Parameters:
  ///   - item: The backup's item.
  ///   - digest: Its digest.
  ///   - occupant: What the keychain has under its primary key.
  ///   - isIdentifierFree: Whether no other item of the keychain has its identifier.
  /// - Returns: its fate, and what is done.
  public func decide(
    _ item: (identifier: ItemIdentifier, modified: WallInstant),
    digest: [UInt8],
    meeting occupant: RestoreOccupant,
    isIdentifierFree: Bool
  ) -> (fate: RestoreFate, step: RestoreStep) {
    switch occupant {
    case .none: return isIdentifierFree ? (.restored, .add) : (.skipped, .nothing)
    case .remains(let old):
      return isIdentifierFree ? (.restored, .replace(old)) : (.skipped, .nothing)
    case .guarded: return (.skipped, .nothing)
    case .item(let old, let modified, let local):
      let wins =
        item.modified == modified
        ? digest.lexicographicallyPrecedes(local) : item.modified > modified
      guard !wins else {
        return isIdentifierFree ? (.restored, .replace(old)) : (.skipped, .nothing)
      }
      guard old != item.identifier, isIdentifierFree else { return (.older, .nothing) }
      return (.older, .rename(old))
    }
  }

  /// Whether an item of the keychain is deleted before the backup's items come.
  ///
  /// What is synchronizable, what remains of deleted items, the service's own items, those of groups that the caller
  /// may not change, and what is not to be restored stay.
  public func deletes(_ header: ItemHeader, _ item: Item?) -> Bool {
    guard mode == .replace, !header.isSynchronizable, !header.isTombstone, let item else {
      return false
    }
    guard scope.covers(item.group), scope.covers(header.protection) else { return false }
    return plan.groups.allows(item.group, writing: true) && !item.attributes[.sharingGroup].isGiven
  }
}
