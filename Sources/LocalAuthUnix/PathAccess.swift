import Glibc

/// What this process may do with the file at a path now.
///
/// For messages only: what is done later may still fail, or succeed.
public enum PathAccess {
  /// Whether something is there.
  public static func exists(_ path: String) -> Bool { may(F_OK, path) }

  /// Whether it may be read.
  public static func isReadable(_ path: String) -> Bool { may(R_OK, path) }

  /// Whether it may be executed.
  public static func isExecutable(_ path: String) -> Bool { may(X_OK, path) }

  private static func may(_ mode: Int32, _ path: String) -> Bool {
    // SAFETY: the path is a C string for the length of the call.
    unsafe faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0
  }
}
