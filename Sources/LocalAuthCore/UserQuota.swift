/// How much one user may keep in a store shared with others; a test keeps each default.
public struct UserQuota: Hashable, Sendable {
  /// Items of all devices; nil for no limit.
  public var itemsMax: Int64?
  /// Bytes of these items as stored; nil for no limit.
  public var itemBytesMax: Int64?
  /// How many of the newest audit lines are kept.
  public var auditLinesKept: Int64 = 100_000

  /// The quota of a user with a store of their own: any number of items.
  public init() {}

  /// The service's default for every user: about 100 MB of disk each, indexes included.
  public static var system: UserQuota {
    var quota = UserQuota()
    quota.itemsMax = 10_000
    quota.itemBytesMax = 64 << 20
    quota.auditLinesKept = 20_000
    return quota
  }
}
