import CLocalAuthLinux
import Glibc

/// The account without rights that the service for all users becomes when root starts it.
public struct ServiceAccount: Hashable, Sendable {
  /// Its uid, never root's.
  public let userID: UInt32
  /// Its group.
  public let groupID: UInt32

  /// The account called `name`, or with the uid that `name` spells; nil if there is none, or if it
  /// is root.
  ///
  /// A uid without an account has the group of the same number.
  public init?(_ name: String) {
    guard let uid = UInt32(name) ?? SystemAccount.uid(of: name), uid != 0, uid != .max else {
      return nil
    }
    userID = uid
    groupID = UInt32(exactly: la_account_group(uid)) ?? uid
  }

  /// Closes what this process inherited beyond its output, but for `kept`, and leaves the directory
  /// and the terminal of whoever started it: an account without rights could use them as root.
  public static func leaveStarter(keeping kept: (Int32?, Int32?)) throws(SystemError) {
    _ = try SystemError.check(la_keep_descriptors(kept.0 ?? -1, kept.1 ?? -1), "close_range")
    _ = try SystemError.check(la_leave_session(), "TIOCNOTTY")
  }

  /// Makes this process the account for good: no other group, no capability, no way back.
  ///
  /// Call it as root, before any other thread starts.
  public func become() throws(SystemError) {
    _ = try SystemError.check(la_become(userID, groupID), "setresuid")
  }

  /// Makes the directory at `path` with mode 0700 for the account; the one above it must be there.
  ///
  /// A directory that exists stays as it is, and must belong to the account.
  public func makeDirectory(_ path: String) throws(PrivateDirectoryError) {
    let path = withoutTrailingSlashes(path)
    // SAFETY: here and below, the path is a C string for the length of the call.
    let isNew = unsafe mkdir(path, 0o700) == 0
    guard isNew || errno == EEXIST else {
      throw .system(SystemError("mkdir", code: errno, subject: path))
    }
    let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else { throw .notDirectory(path: path) }
    let descriptor = FileDescriptor(owning: opened)
    if isNew, fchown(descriptor.rawValue, userID, groupID) != 0 {
      throw .system(SystemError("fchown", code: errno, subject: path))
    }
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    guard unsafe fstat(descriptor.rawValue, &status) == 0 else {
      throw .system(SystemError("fstat", code: errno, subject: path))
    }
    guard status.st_uid == userID else { throw .foreignOwner(path: path, uid: status.st_uid) }
  }
}
