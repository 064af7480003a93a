public import LocalAuthCore
public import LocalAuthKeychain

/// Which of a zone's keys seals a record.
public enum ZoneKeyClass: UInt8, CaseIterable, Hashable, Sendable {
  /// Opened only while the device is unlocked.
  case whenUnlocked = 0
  /// Opened from the first unlock on.
  case afterFirstUnlock = 1

  /// The class of a record of an item of `protection`; nil for one that never leaves its device.
  public init?(_ protection: ProtectionClass) {
    switch protection {
    case .whenUnlocked: self = .whenUnlocked
    case .afterFirstUnlock, .always: self = .afterFirstUnlock
    case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
      .alwaysThisDeviceOnly, .whenPasscodeSetThisDeviceOnly:
      return nil
    }
  }
}

/// Names a record: a keyed hash of what distinguishes it.
///
/// Two devices that add the same item make the same name, so that they collide instead of doubling it.
public struct RecordName: Hashable, Comparable, Sendable {
  /// The keyed hash.
  public let digest: SyncDigest

  /// The name that is this keyed hash.
  public init(_ digest: SyncDigest) { self.digest = digest }

  /// What the keyed hash is made over.
  ///
  /// - Parameters:
  ///   - kind: What sort of record it is, such as the four letters of an item's class.
  ///   - key: What distinguishes it from others of its sort.
  /// - Returns: the bytes.
  public static func message(kind: [UInt8], key: [UInt8]) -> [UInt8] {
    var framed = FramedBytes("LocalAuth sync record name 1")
    framed.add(counted: kind)
    framed.add(counted: key)
    return framed.bytes
  }

  /// Orders names by their bytes.
  public static func < (left: Self, right: Self) -> Bool { left.digest < right.digest }
}

/// One version of a record, without its content.
public struct RecordVersion: Hashable, Sendable {
  /// The item's permanent identifier.
  public let identifier: ItemIdentifier
  /// Whether it says that the item was deleted.
  public let isTombstone: Bool
  /// When it was changed, by the clock of the device that did.
  public let modified: WallInstant
  /// Which key seals it.
  public let keyClass: ZoneKeyClass
  /// The keyed digest of its content, which stands for it.
  public let content: SyncDigest
  /// The change that made the content, whatever was merged into it since.
  public let made: VersionVector.Dot
  /// The changes that it knows.
  public internal(set) var vector: VersionVector

  /// The version with these parts.
  public init(
    identifier: ItemIdentifier,
    isTombstone: Bool,
    modified: WallInstant,
    keyClass: ZoneKeyClass,
    content: SyncDigest,
    made: VersionVector.Dot,
    vector: VersionVector
  ) {
    self.identifier = identifier
    self.isTombstone = isTombstone
    self.modified = modified
    self.keyClass = keyClass
    self.content = content
    self.made = made
    self.vector = vector
  }

  /// Whether whoever wrote this version knew the content of the other.
  func knows(contentOf other: RecordVersion) -> Bool {
    vector[other.made.peer] >= other.made.count
  }

  /// Whether both say the same of the item, whatever they know.
  public func hasContent(of other: RecordVersion) -> Bool {
    content == other.content && isTombstone == other.isTombstone
  }
}
