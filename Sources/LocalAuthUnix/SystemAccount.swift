import CLocalAuthLinux

/// Local accounts, as listed in `/etc/passwd`.
///
/// The name service is not asked: it loads libraries, which a static program cannot, and a service
/// account is local.
public enum SystemAccount {
  /// The account of the service for all users.
  public static let service = "localauth"

  /// The uid of the account `name`; nil if there is none.
  public static func uid(of name: String) -> UInt32? {
    // SAFETY: the string is a C string for the length of the call.
    UInt32(exactly: unsafe la_account_uid(name))
  }
}
