/// How a call is made, apart from the items it applies to.
public struct CallOptions: Hashable, Sendable {
  /// Whether it may prompt.
  public var interface: InterfaceMode = .allow
  /// The reason that the prompt shows.
  public var prompt: String?
  /// Whether it supplies an authentication context of its own.
  public var hasContext = false
  /// Whether it supplies a credential, the older mechanism.
  public var hasCredential = false
  /// Whether a deletion leaves a tombstone; nil if the call does not say.
  public var leavesTombstone: Bool?
}
