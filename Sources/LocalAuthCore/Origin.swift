/// Where a request comes from, as the kernel says, or root, which asks for others.
///
/// Attempts are counted by origin, so that other people's tries use up nobody's own.
public enum Origin: Hashable, Sendable {
  /// The device's owner, in a session at this machine.
  case owner
  /// Another user of this machine, through su(1) or a service.
  case user(UInt32)
  /// Another machine; empty where nobody knows which.
  case host(String)

  /// The longest name of a host, in bytes; what DNS allows.
  public static let hostLengthMax = 255

  /// The origin that `text` names: `owner`, `user:1001` or `host:203.0.113.5`; nil for anything else.
  public init?(_ text: String) {
    if text == "owner" {
      self = .owner
    } else if text.hasPrefix("user:"), let uid = UInt32(text.dropFirst(5)), uid != .max {
      self = .user(uid)
    } else if text.hasPrefix("host:"), text.utf8.count - 5 <= Self.hostLengthMax {
      self = .host(String(text.dropFirst(5)))
    } else {
      return nil
    }
    // One text for each origin, or one origin would have two counts.
    guard self.text == text else { return nil }
  }

  /// The words that ``init(_:)`` reads.
  public var text: String {
    switch self {
    case .owner: "owner"
    case .user(let uid): "user:\(uid)"
    case .host(let name): "host:\(name)"
    }
  }
}
