import CLocalAuthPAM
public import LocalAuthWire

/// One authentication of one user through one PAM service.
///
/// Each transaction has its own handle, because a handle carries state from one authentication to
/// the next. The calls block, on modules and on the conversation; run them on a thread that may
/// wait.
public struct PAMTransaction: ~Copyable {
  /// The service file found for the service.
  let serviceFile: PAMServiceFile
  private var handle: PAMHandle
  private let bridge: ConversationBridge
  private let user: String

  /// Starts PAM for the account named `user`; `conversation` answers the modules' questions.
  ///
  /// The service's own file must exist. Without it PAM would use the one called `other`, whose
  /// contents depend on the distribution.
  public init(
    for user: String,
    at service: PAMService,
    conversation: any PAMConversation
  ) throws(PAMError) {
    let serviceFile = try PAMServiceFile(service)
    let bridge = ConversationBridge(conversation)
    let handle = try PAMHandle(
      service: service.name,
      directory: service.directory,
      user: user,
      bridge: bridge
    )
    try handle.forbidDelays()
    self.serviceFile = serviceFile
    self.bridge = bridge
    self.handle = handle
    self.user = user
  }

  /// Authenticates the user, checks the account, and ends the transaction.
  public consuming func judge() -> PAMJudgement {
    let verdict = verdict()
    return PAMJudgement(verdict: verdict, message: PAMHandle.text(for: handle.status))
  }

  /// Authenticates and checks the account; success requires both, for the requested user.
  ///
  /// The account is not checked after a failed authentication, so that a stranger learns nothing
  /// about it.
  private mutating func verdict() -> PAMVerdict {
    handle.status = handle.authenticate()
    if handle.status == PAM_SUCCESS, handle.isUser(user) {
      handle.status = handle.checkAccount()
    }
    switch bridge.failure {
    case .aborted: return .aborted(afterAnswer: bridge.answers > 0)
    case .tooManyMessages: return .maxTries
    case nil: break
    }
    guard handle.status == PAM_SUCCESS else { return PAMVerdict(code: handle.status) }
    return handle.isUser(user) ? .success : .userChanged
  }
}
