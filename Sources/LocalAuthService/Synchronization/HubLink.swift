public import LocalAuthSecret
public import LocalAuthSync

/// A conversation with a hub, by way of the program that is connected to it.
///
/// For the engine's thread. Requests are answered in their order, each once; after ``close()`` none is.
public protocol HubLink: AnyObject {
  /// Asks, and calls `body` with the reply, never before this returns.
  func ask(_ request: HubRequest, _ body: @escaping (HubReply) -> Void)
  /// Ends the conversation.
  func close()
}

/// The port to the program that is connected to hubs.
public protocol HubLinking: AnyObject {
  /// Begins a conversation.
  ///
  /// - Parameters:
  ///   - owner: The user whose share of such conversations it is of.
  ///   - address: The hub, and the device's role there.
  ///   - password: The role's password.
  ///   - onNotice: Called with what the program says by itself; news also when the hub can be reached again.
  /// - Returns: the conversation; what goes wrong is said in its replies.
  func link(
    for owner: UInt32,
    to address: HubAddress,
    password: SecretBox,
    onNotice: @escaping (HubNotice) -> Void
  ) -> any HubLink
}

/// No such program: every request fails.
public final class NoHub: HubLinking {
  /// Makes it.
  public init() {}

  private final class Link: HubLink {
    func ask(_ request: HubRequest, _ body: @escaping (HubReply) -> Void) {
      body(.failed(.unreachable("this service has no program that is connected to hubs")))
    }

    func close() {}
  }

  /// A conversation with nobody.
  public func link(
    for owner: UInt32,
    to address: HubAddress,
    password: SecretBox,
    onNotice: @escaping (HubNotice) -> Void
  ) -> any HubLink { Link() }
}
