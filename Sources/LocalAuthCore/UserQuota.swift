/// How much one user may have in a store that others use too; every limit has a default that a test keeps.
public struct UserQuota: Hashable, Sendable {
  /// Items of all devices; nil for no limit.
  public var itemsMax: Int64?
  /// Bytes of these items, as they are stored; nil for no limit.
  public var itemBytesMax: Int64?
  /// Audit lines that are kept, the newest.
  public var auditLinesKept: Int64 = 100_000

  /// What a user may have in a store of their own: any number of items.
  public init() {}

  /// The defaults of the service for all users: some 100 MB of disk for each, indexes included.
  public static var system: UserQuota {
    var quota = UserQuota()
    quota.itemsMax = 10_000
    quota.itemBytesMax = 64 << 20
    quota.auditLinesKept = 20_000
    return quota
  }
}
