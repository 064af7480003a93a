import CLocalAuthFuse
import Glibc
import LocalAuthUnix

/// What mounts tell one another whose directories are one in the other: each would keep sizes that the other changes.
///
/// A mount marks its directory and those above it, and only then looks for the marks of others: of two that begin at
/// once at least one sees the other. The marks go with the process.
final class MountMarks {
  private enum Place: Int32 {
    /// The directory is mounted.
    case mounted = 0
    /// A directory in it is.
    case above = 1
  }

  private let directory: FileDescriptor
  /// Those above it.
  private let next: MountMarks?

  /// Marks `directory`, which is at `path` and of which no link is a part; nil if no mount of the caller's may be beside it.
  convenience init?(of directory: borrowing FileDescriptor, at path: String) {
    let copy = FileDescriptor(owning: fcntl(directory.rawValue, F_DUPFD_CLOEXEC, 3))
    self.init(copy, .mounted, above: path)
    guard !isTaken(.above) else { return nil }
    var above = next
    while let marks = above {
      guard !marks.isTaken(.mounted) else { return nil }
      above = marks.next
    }
  }

  private init(_ directory: consuming FileDescriptor, _ place: Place, above path: String) {
    // A file system without locks has no marks.
    la_held_mark(directory.rawValue, place.rawValue)
    self.directory = directory
    next = Self.above(path)
  }

  /// Marks the directories above `path` that the caller could mount.
  private static func above(_ path: String) -> MountMarks? {
    var path = path
    while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      path = String(path[..<slash])
      if let directory = own(path) { return MountMarks(directory, .above, above: path) }
    }
    return nil
  }

  private static func own(_ path: String) -> FileDescriptor? {
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    let directory = FileDescriptor(owning: opened)
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(opened, &status) == 0, status.st_uid == geteuid() else { return nil }
    return directory
  }

  private func isTaken(_ place: Place) -> Bool {
    la_held_is_marked(directory.rawValue, place.rawValue) == 1
  }
}
