import CLocalAuthLinux

/// Accounts of the machine itself, as `/etc/passwd` lists them.
///
/// The name service is not asked: it loads libraries, which a static program cannot, and an account of
/// a service is local.
public enum SystemAccount {
  /// The account that the service for all users runs as.
  public static let service = "localauth"

  /// The uid of the account `name`, or nil when there is none.
  public static func uid(of name: String) -> UInt32? {
    // SAFETY: the string is a C string for the length of the call.
    UInt32(exactly: unsafe la_account_uid(name))
  }
}
