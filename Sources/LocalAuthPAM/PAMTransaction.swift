import CLocalAuthPAM
public import LocalAuthWire

/// One authentication of one user through one PAM service.
///
/// Each has a handle of its own: a handle that has authenticated once carries state into the next
/// time. The calls block, on modules and on the conversation; run it where that hurts nobody.
public struct PAMTransaction: ~Copyable {
  /// The service file that was found for the request.
  let serviceFile: PAMServiceFile
  private var handle: PAMHandle
  private let bridge: ConversationBridge
  private let request: PAMRequest

  /// Starts PAM for the request; `conversation` answers what the modules ask.
  ///
  /// The service's own file must exist. Without it PAM would use the one called `other`, which the
  /// distribution fills with whatever suits it.
  public init(
    _ request: PAMRequest,
    conversation: any PAMConversation
  ) throws(PAMError) {
    let serviceFile = try PAMServiceFile(request)
    let bridge = ConversationBridge(conversation)
    let handle = try PAMHandle(
      service: request.service,
      directory: request.configurationDirectory,
      user: request.user,
      bridge: bridge
    )
    try handle.describe(request)
    self.serviceFile = serviceFile
    self.bridge = bridge
    self.handle = handle
    self.request = request
  }

  /// Authenticates the user, checks the account, and ends the transaction.
  public consuming func judge() -> PAMJudgement {
    let verdict = verdict()
    return PAMJudgement(
      verdict: verdict,
      user: handle.user,
      message: PAMHandle.text(for: handle.status)
    )
  }

  /// No success without both steps, and none for another user than the requested one.
  ///
  /// The account is not looked at after a failed authentication, so that a stranger learns nothing
  /// about it.
  private mutating func verdict() -> PAMVerdict {
    handle.status = handle.authenticate()
    if handle.status == PAM_SUCCESS, handle.isUser(request.user) {
      handle.status = handle.checkAccount()
    }
    switch bridge.failure {
    case .aborted: return .aborted(afterAnswer: bridge.answers > 0)
    case .tooManyMessages: return .maxTries
    case nil: break
    }
    guard handle.status == PAM_SUCCESS else { return PAMVerdict(code: handle.status) }
    return handle.isUser(request.user) ? .success : .userChanged
  }
}
