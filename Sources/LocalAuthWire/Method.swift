public import LocalAuthCore

/// A method of the socket, and everything that is decided about it; nothing of that has a default.
///
/// ``Methods`` has all of them. The service's dispatch and gate, the client's calls and the table in
/// `docs/protocol.md` follow from it, and a test holds the interface descriptions against it.
public struct Method<Parameters: WireObject, Reply: WireObject>: AnyMethod {
  /// The interface's name.
  public let interface: String
  /// The full name, interface included.
  public let name: String
  /// Who may call it.
  public let access: MethodAccess
  /// How often it replies.
  public let replies: MethodReplies
  /// What a call of it may say right or wrong about.
  public let judges: Set<JudgedSecret>

  init(
    _ interface: String,
    _ word: String,
    by access: MethodAccess,
    _ replies: MethodReplies,
    judging judges: Set<JudgedSecret>
  ) {
    self.interface = interface
    name = "\(interface).\(word)"
    self.access = access
    self.replies = replies
    self.judges = judges
  }

  /// What it takes.
  public var parameters: any WireObject.Type { Parameters.self }
  /// What it answers.
  public var reply: any WireObject.Type { Reply.self }
}

/// A ``Method`` of any parameters and any reply.
public protocol AnyMethod: Sendable {
  /// The interface's name.
  var interface: String { get }
  /// The full name, interface included.
  var name: String { get }
  /// Who may call it.
  var access: MethodAccess { get }
  /// How often it replies.
  var replies: MethodReplies { get }
  /// What a call of it may say right or wrong about. Each such judgement is charged and throttled.
  var judges: Set<JudgedSecret> { get }
  /// What it takes, besides `user` and `origin` where ``access`` names a user.
  var parameters: any WireObject.Type { get }
  /// What it answers.
  var reply: any WireObject.Type { get }
}

/// Who may call a method.
///
/// The caller is whoever the kernel says is at the other end. The devices are the caller's own, or
/// those of the user whom root names.
public enum MethodAccess: Hashable, Sendable {
  /// Whoever is connected. The method is about nobody's devices, and takes neither `user` nor `origin`.
  case anybody
  /// The owner of the devices, and root. A script among the parameters is ``AdministrativeAction/drive``.
  case owner
  /// The owner and root, as far as the rules of administration leave them this.
  case administration(AdministrativeAction)
  /// Root alone, where one service serves all users; the text is what anybody else is told.
  case root(because: String)

  /// Whether a call may say whose devices it is about and where it comes from.
  public var namesUser: Bool { self != .anybody }
}

/// How often a method replies to a call.
public enum MethodReplies: Hashable, Sendable {
  /// Once.
  case once
  /// Any number of times to a caller that asks for `more`, once to any other.
  case stream
}

/// A secret that a method may say right or wrong about.
public enum JudgedSecret: String, CaseIterable, Hashable, Sendable {
  /// The device's passcode, or the account's password.
  case passcode
  /// The application password of an item.
  case applicationPassword
  /// A finger at the sensor.
  case touch
}
