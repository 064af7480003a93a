/// How a call is made, apart from what it is about.
public struct CallOptions: Hashable, Sendable {
  /// Whether it may ask somebody.
  public var interface: InterfaceMode = .allow
  /// What it tells them that it is for.
  public var prompt: String?
  /// Whether it brings an authentication context of its own.
  public var hasContext = false
  /// Whether it brings a credential, the older way.
  public var hasCredential = false
  /// Whether a deletion leaves a trace, where it says so.
  public var leavesTombstone: Bool?
}
