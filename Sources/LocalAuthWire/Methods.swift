/// The table of the socket's methods, by interface.
///
/// Each method is listed once, with every decision about it. The service refuses to start if one of
/// them has no handler.
public enum Methods {
  /// No parameters.
  public typealias Empty = ServiceMessages.Empty

  /// Every method of every interface.
  public static let all: [any AnyMethod] = Interfaces.all.flatMap(\.methods)

  private static let service = ServiceMessages.interface
  private static let authentication = AuthenticationMessages.interface
  private static let agents = AgentMessages.interface
  private static let assertions = AssertionMessages.interface
  private static let grants = GrantMessages.interface
  private static let daemon = DaemonMessages.interface
  private static let policies = PolicyMessages.interface

  // MARK: org.varlink.service

  /// Returns the maker of the service and its interfaces.
  public static let info: Method<Empty, ServiceMessages.InfoReply> =
    .init(service, "GetInfo", by: .anybody, .once, judging: [])

  /// Returns the description of an interface.
  public static let interfaceDescription:
    Method<ServiceMessages.DescriptionCall, ServiceMessages.DescriptionReply> =
      .init(service, "GetInterfaceDescription", by: .anybody, .once, judging: [])

  static let ofService: [any AnyMethod] = [
    info, interfaceDescription,
  ]

  // MARK: io.localauth.Authentication

  /// Evaluates a policy.
  public static let evaluate:
    Method<AuthenticationMessages.EvaluateCall, AuthenticationMessages.EvaluateReply> =
      .init(authentication, "Evaluate", by: .owner, .stream, judging: [.passcode, .touch])

  /// Answers a prompt.
  public static let respond: Method<AuthenticationMessages.RespondCall, Empty> =
    .init(authentication, "Respond", by: .owner, .once, judging: [.passcode, .applicationPassword])

  /// Returns whether an evaluation could succeed now.
  public static let canEvaluate:
    Method<AuthenticationMessages.CanEvaluateCall, AuthenticationMessages.CanEvaluateReply> =
      .init(authentication, "CanEvaluate", by: .owner, .once, judging: [])

  static let ofAuthentication: [any AnyMethod] = [
    evaluate, respond, canEvaluate,
  ]

  // MARK: io.localauth.Agents

  /// Registers the process as an agent.
  public static let registerAgent: Method<Empty, AgentMessages.RegisterReply> =
    .init(agents, "Register", by: .owner, .stream, judging: [])

  static let ofAgents: [any AnyMethod] = [
    registerAgent
  ]

  // MARK: io.localauth.Assertions

  /// Returns the keys that assertions are signed with.
  public static let assertionKeys: Method<AssertionMessages.KeysCall, AssertionMessages.KeysReply> =
    .init(assertions, "Keys", by: .owner, .once, judging: [])

  /// Replaces the key that assertions are signed with.
  public static let rotateAssertionKey:
    Method<AssertionMessages.KeysCall, AssertionMessages.KeysReply> =
      .init(assertions, "Rotate", by: .owner, .once, judging: [])

  static let ofAssertions: [any AnyMethod] = [
    assertionKeys, rotateAssertionKey,
  ]

  // MARK: io.localauth.Grants

  /// Lists the grants.
  public static let listGrants: Method<GrantMessages.ListCall, GrantMessages.ListReply> =
    .init(grants, "List", by: .owner, .once, judging: [])

  /// Revokes grants.
  public static let revokeGrants: Method<GrantMessages.RevokeCall, GrantMessages.RevokeReply> =
    .init(grants, "Revoke", by: .owner, .once, judging: [])

  static let ofGrants: [any AnyMethod] = [
    listGrants, revokeGrants,
  ]

  // MARK: io.localauth.Daemon

  /// Describes the daemon.
  public static let daemonStatus: Method<Empty, DaemonMessages.StatusReply> =
    .init(daemon, "Status", by: .anybody, .once, judging: [])

  /// Reads the configuration anew.
  public static let reloadDaemon: Method<Empty, DaemonMessages.ReloadReply> =
    .init(
      daemon,
      "Reload",
      by: .root(because: "The service is of all users: only root may reload it."),
      .once,
      judging: []
    )

  /// Ends the daemon.
  public static let stopDaemon: Method<Empty, Empty> =
    .init(
      daemon,
      "Stop",
      by: .root(because: "The service is of all users: only root may stop it."),
      .once,
      judging: []
    )

  static let ofDaemon: [any AnyMethod] = [
    daemonStatus, reloadDaemon, stopDaemon,
  ]

  // MARK: io.localauth.Policies

  /// Lists the policies.
  public static let listPolicies: Method<Empty, PolicyMessages.ListReply> =
    .init(policies, "List", by: .owner, .once, judging: [])

  /// Shows one policy.
  public static let showPolicy: Method<PolicyMessages.ShowCall, PolicyMessages.ShowReply> =
    .init(policies, "Show", by: .owner, .once, judging: [])

  /// Checks the text of a policy.
  public static let checkPolicy: Method<PolicyMessages.CheckCall, PolicyMessages.CheckReply> =
    .init(policies, "Check", by: .owner, .once, judging: [])

  static let ofPolicies: [any AnyMethod] = [
    listPolicies, showPolicy, checkPolicy,
  ]
}
