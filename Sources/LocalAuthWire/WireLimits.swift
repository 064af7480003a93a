/// How much a peer may send; every limit has a default that a test keeps.
public struct WireLimits: Hashable, Sendable {
  /// Bytes of one frame, without its NUL: a script of 64 KiB fits however it is escaped.
  public var frameBytesMax = 192 * 1024
  /// Bytes that wait for a peer that does not read.
  public var outputBytesMax = 1024 * 1024
  /// Bytes that wait for an agent, beyond what the kernel holds for it, before it counts as gone.
  public var agentUnreadBytesMax = 64 * 1024
  /// Bytes of a reply to `Audit`: half of what may wait for a peer.
  public var auditBytesMax = 512 * 1024
  /// Bytes of an item's data, so that it fits a frame as base64.
  public var itemBytesMax = 64 * 1024
  /// Items of one `AddAll`: sealing these keeps others waiting for some 20 ms.
  public var addedItemsMax = 1000
  /// Connections in all.
  public var connectionsMax = 4096
  /// Connections of one uid.
  public var connectionsPerUserMax = 1024
  /// How long a frame may stay incomplete.
  public var partialFrameLimit = Duration.seconds(10)
  /// Grants in one reply to `List`: 2 KiB each at most fit a frame.
  public var grantsListedMax = 64
  /// Bytes of a reason.
  public var reasonBytesMax = 1024
  /// The longest time-out that can be asked for.
  public var timeoutMax = Duration.seconds(3600)

  /// The defaults.
  public init() {}

  /// The defaults of the service for all users: no user can take the connections of the others.
  public static var system: WireLimits {
    var limits = WireLimits()
    limits.connectionsPerUserMax = 128
    return limits
  }
}
