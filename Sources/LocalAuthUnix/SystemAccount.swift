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

  /// The name of the account with `uid`; nil if there is none.
  public static func name(of uid: UInt32) -> String? {
    // SAFETY: the shim gets the size of the buffer, and leaves a C string in it if it returns 0.
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, unsafe la_account_name(uid, start, buffer.count) == 0
      else { return nil }
      return unsafe String(cString: start)
    }
  }
}
