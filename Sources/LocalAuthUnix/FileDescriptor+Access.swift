import CLocalAuthLinux
package import Glibc

extension FileDescriptor {
  /// Whether others than its owner and root can exchange what is in this directory, and say by attributes what holds for it.
  ///
  /// A group with the number of its owner is the owner's own, as most systems make one for each account. With an access
  /// list the permissions do not tell who is meant.
  ///
  /// - Parameter status: What the system says of it.
  /// - Returns: whether they can.
  package func isOpenToOthers(_ status: stat) -> Bool {
    guard status.st_mode & S_ISVTX == 0, status.st_mode & 0o022 != 0 else { return false }
    guard status.st_mode & 0o002 == 0, status.st_gid == status.st_uid else { return true }
    // SAFETY: without room for a value the call only says how long it is.
    return unsafe la_attribute_read(rawValue, "system.posix_acl_access", nil, 0) > 0
  }
}
