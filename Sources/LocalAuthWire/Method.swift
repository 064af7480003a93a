public import LocalAuthCore

/// A method of the socket, with every decision about it; none has a default.
///
/// ``Methods`` lists all of them. The service's dispatch and gate, the client's calls and the table
/// in `docs/protocol.md` are derived from it, and a test compares the interface descriptions with
/// it.
public struct Method<Parameters: WireObject, Reply: WireObject>: AnyMethod {
  /// The interface's name.
  public let interface: String
  /// The full name, interface included.
  public let name: String
  /// Who may call it.
  public let access: MethodAccess
  /// How often it replies to a call.
  public let replies: MethodReplies
  /// The secrets that a call of it may judge.
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

  /// The type of its parameters.
  public var parameters: any WireObject.Type { Parameters.self }
  /// The type of its reply.
  public var reply: any WireObject.Type { Reply.self }
}

/// A ``Method`` with any types of parameters and reply.
public protocol AnyMethod: Sendable {
  /// The interface's name.
  var interface: String { get }
  /// The full name, interface included.
  var name: String { get }
  /// Who may call it.
  var access: MethodAccess { get }
  /// How often it replies to a call.
  var replies: MethodReplies { get }
  /// The secrets that a call of it may judge; each judgement is charged and throttled.
  var judges: Set<JudgedSecret> { get }
  /// The type of its parameters, besides `user` and `origin` if ``access`` lets a call name them.
  var parameters: any WireObject.Type { get }
  /// The type of its reply.
  var reply: any WireObject.Type { get }
}

/// Who may call a method.
///
/// The kernel identifies the caller. The devices are the caller's own, or those of the user that
/// root names.
public enum MethodAccess: Hashable, Sendable {
  /// Any peer; the method is about no one's devices and takes neither `user` nor `origin`.
  case anybody
  /// The owner of the devices, and root; a script among the parameters also needs
  /// ``AdministrativeAction/drive``.
  case owner
  /// The owner and root, as far as the administration rules allow them this action.
  case administration(AdministrativeAction)
  /// Only root, if one service serves all users; the text is the refusal that others get.
  case root(because: String)

  /// Whether a call may say whose devices it is about and where it comes from.
  public var namesUser: Bool { self != .anybody }
}

/// How often a method replies to a call.
public enum MethodReplies: Hashable, Sendable {
  /// Once.
  case once
  /// Any number of times if the caller asks for `more`, otherwise once.
  case stream
}

/// A secret that a method may judge.
public enum JudgedSecret: String, CaseIterable, Hashable, Sendable {
  /// The device's passcode, or the account's password.
  case passcode
  /// The application password of an item.
  case applicationPassword
  /// A finger at the sensor.
  case touch
}
