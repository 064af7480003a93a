/// Where a request comes from, as reported by the kernel, or by root on behalf of others.
///
/// Attempts are counted by origin, so that other people's attempts use up none of the owner's.
public enum Origin: Hashable, Sendable {
  /// The device's owner, in a session at this machine.
  case owner
  /// Another user of this machine, through su(1) or a service.
  case user(UInt32)
  /// Another machine; empty if it is unknown.
  case host(String)

  /// The longest name of a host in bytes, which is the limit of DNS.
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
    // Only one text is accepted for each origin, or one origin would have two counts.
    guard self.text == text else { return nil }
  }

  /// Whether it is of the user `owner` as far as this machine knows: in a session here or elsewhere, or
  /// in one of which nobody knows where it is.
  func isOf(_ owner: UInt32) -> Bool {
    switch self {
    case .owner: true
    case .user(let uid): uid == owner
    case .host(let name): name.isEmpty
    }
  }

  /// Whether its guesses count among those of all others together: all but those of whom the kernel knows
  /// to be the user `owner`.
  ///
  /// Anybody may be behind a host without a name.
  package func isAmongOthers(of owner: UInt32) -> Bool { self != .owner && self != .user(owner) }

  /// The text that ``init(_:)`` reads.
  public var text: String {
    switch self {
    case .owner: "owner"
    case .user(let uid): "user:\(uid)"
    case .host(let name): "host:\(name)"
    }
  }
}
