/// The result of a conversation with PAM.
public struct PAMJudgement: Equatable, Sendable {
  /// What PAM decided, or why it could not.
  public let verdict: PAMVerdict
  /// The verdict in PAM's words, for people.
  public let message: String

  /// Creates the result of a conversation.
  public init(verdict: PAMVerdict, message: String) {
    self.verdict = verdict
    self.message = message
  }
}

/// How a conversation with PAM ended.
///
/// An attempt is charged when its answer is submitted. Whether the charge stays:
///
/// | verdict | PAM code | proof | judged miss |
/// |---|---|---|---|
/// | `success` | SUCCESS of authentication and account | yes | no |
/// | `wrongCredential` | AUTH_ERR | no | yes |
/// | `userUnknown` | USER_UNKNOWN | no | yes |
/// | `permissionDenied` | PERM_DENIED, and a stack in which no module decided | no | yes |
/// | `maxTries` | MAXTRIES, or more prompts or texts than our limits | no | yes |
/// | `accountExpired` | ACCT_EXPIRED | no | no: the credential was right |
/// | `credentialExpired` | AUTHTOK_EXPIRED, CRED_EXPIRED | no | no: it was right |
/// | `passwordChangeRequired` | NEW_AUTHTOK_REQD | no | no: it was right |
/// | `authInfoUnavailable` | AUTHINFO_UNAVAIL, CRED_INSUFFICIENT, OPEN_ERR, SYMBOL_ERR, SERVICE_ERR, SYSTEM_ERR, BUF_ERR, ABORT, MODULE_UNKNOWN, and a missing service file | no | no: nothing was judged |
/// | `aborted` | the daemon ended the conversation | no | only after an answer: a module may have judged it and asked again |
/// | `userChanged` | PAM_USER is not the one asked for | no | yes |
/// | `other` | everything else, unknown codes and IGNORE included | no | yes |
public enum PAMVerdict: Equatable, Sendable {
  /// The user is authenticated and may use the account.
  case success
  /// The credential is wrong.
  case wrongCredential
  /// There is no such user.
  case userUnknown
  /// A module refuses, whatever the credential.
  case permissionDenied
  /// No further attempt is allowed.
  case maxTries
  /// The account has expired.
  case accountExpired
  /// The credential has expired.
  case credentialExpired
  /// The password must be changed before it counts.
  case passwordChangeRequired
  /// The system cannot judge, because a part of it is missing or broken.
  case authInfoUnavailable
  /// The daemon ended the conversation, or went away.
  case aborted(afterAnswer: Bool)
  /// A module authenticated a different user.
  case userChanged
  /// PAM refused with a code that has no case here.
  case other(code: Int32)
}
