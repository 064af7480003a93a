/// The limits on what a peer may send; a test checks every default.
public struct WireLimits: Hashable, Sendable {
  /// The maximum size of a frame in bytes, without its NUL; a script of 64 KiB fits however it is
  /// escaped.
  public var frameBytesMax = 192 * 1024
  /// The maximum number of bytes that wait for a peer that does not read.
  public var outputBytesMax = 1024 * 1024
  /// The number of bytes that may wait for an agent, beyond what the kernel buffers, before it
  /// counts as gone.
  public var unreadEventBytesMax = 64 * 1024
  /// The maximum size in bytes of a reply to `Audit`: half of what may wait for a peer.
  public var auditBytesMax = 512 * 1024
  /// The maximum size of an item's data in bytes; as base64 it fits a frame.
  public var itemBytesMax = 64 * 1024
  /// The maximum number of items of one `AddAll`; sealing them delays others by about 20 ms.
  public var addedItemsMax = 1000
  /// The maximum number of searches of one `Copy`: the prompt names what each of them finds.
  public var searchesMax = 32
  /// The maximum number of connections.
  public var connectionsMax = 4096
  /// The maximum number of connections of one uid.
  public var connectionsPerUserMax = 1024
  /// The maximum number of bytes of the calls of one uid that wait for an answer.
  public var pendingBytesPerUserMax = 32 * 1024 * 1024
  /// The maximum number of bytes that are kept for one uid: calls that wait for an answer, frames in parts, and answers that
  /// were not read.
  public var keptBytesPerUserMax = 128 * 1024 * 1024
  /// The maximum number of bytes that are kept for all uids together.
  public var keptBytesMax = 256 * 1024 * 1024
  /// How long a frame may stay incomplete.
  public var partialFrameLimit = Duration.seconds(10)
  /// The maximum number of grants in one reply to `List`; at 2 KiB or less each they fit a frame.
  public var grantsListedMax = 64
  /// The maximum size of a reason in bytes.
  public var reasonBytesMax = 1024
  /// The longest timeout that a call may ask for.
  public var timeoutMax = Duration.seconds(3600)

  /// Creates the default limits.
  public init() {}

  /// The default limits of the service for all users: no user can take up all connections, or the
  /// 64 MiB that it may lock for secrets.
  public static var system: WireLimits {
    var limits = WireLimits()
    limits.connectionsPerUserMax = 128
    limits.pendingBytesPerUserMax = 4 * 1024 * 1024
    limits.keptBytesPerUserMax = 16 * 1024 * 1024
    return limits
  }
}
