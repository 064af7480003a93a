/// The cost of one guess at a backup's password: Argon2id's passes and memory, with one lane.
public struct BackupCost: Hashable, Sendable {
  /// The number of passes over the memory.
  public let passes: UInt32
  /// The memory in KiB.
  public let kibibytes: UInt32

  /// The most that a reader accepts of all passes together, in KiB: four times the cost of new backups.
  ///
  /// A derivation that was begun cannot be ended, so a backup that somebody made up must not keep a machine busy for long.
  static let kibibytesInAll: UInt64 = 4_194_304

  /// Makes a cost; nil outside of what a reader accepts, which is at most 16 passes, and 4 GiB in all of them together.
  public init?(passes: UInt32, kibibytes: UInt32) {
    guard (1...16).contains(passes), kibibytes >= 8,
      UInt64(passes) * UInt64(kibibytes) <= Self.kibibytesInAll
    else { return nil }
    self.init(unchecked: passes, kibibytes)
  }

  private init(unchecked passes: UInt32, _ kibibytes: UInt32) {
    self.passes = passes
    self.kibibytes = kibibytes
  }

  /// The cost of new backups: 4 passes over 256 MiB.
  public static let standard = BackupCost(unchecked: 4, 262_144)
  /// The least cost of a backup of a device that outlives its process: 3 passes over 64 MiB.
  public static let floor = BackupCost(unchecked: 3, 65_536)
  /// The least possible cost, for devices that live only as long as a test.
  public static let minimum = BackupCost(unchecked: 1, 8)

  /// Whether neither number is below that of `other`.
  public func isAtLeast(_ other: BackupCost) -> Bool {
    passes >= other.passes && kibibytes >= other.kibibytes
  }
}
