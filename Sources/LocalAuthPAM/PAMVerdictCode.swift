import CLocalAuthPAM

extension PAMVerdict {
  /// The verdict for a return code of libpam; every unknown code is a refusal.
  public init(code: Int32) {
    switch code {
    case PAM_SUCCESS: self = .success
    case PAM_AUTH_ERR: self = .wrongCredential
    case PAM_USER_UNKNOWN: self = .userUnknown
    case PAM_PERM_DENIED: self = .permissionDenied
    case PAM_MAXTRIES: self = .maxTries
    case PAM_ACCT_EXPIRED: self = .accountExpired
    case PAM_AUTHTOK_EXPIRED, PAM_CRED_EXPIRED: self = .credentialExpired
    case PAM_NEW_AUTHTOK_REQD: self = .passwordChangeRequired
    case PAM_AUTHINFO_UNAVAIL, PAM_CRED_INSUFFICIENT, PAM_OPEN_ERR, PAM_SYMBOL_ERR,
      PAM_SERVICE_ERR, PAM_SYSTEM_ERR, PAM_BUF_ERR, PAM_ABORT, PAM_MODULE_UNKNOWN:
      self = .authInfoUnavailable
    default: self = .other(code: code)
    }
  }
}
