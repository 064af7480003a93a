import CLocalAuthFuse
import Glibc
import LocalAuthFiles
import LocalAuthUnix
import Synchronization

/// A file or directory behind the file system that the kernel knows.
///
/// It is held by a descriptor that opens nothing, so that no name that somebody exchanges leads elsewhere.
final class Node: Sendable {
  /// The number of the directory that is mounted.
  static let root: UInt64 = 1

  /// The number by which the kernel knows it.
  let number: UInt64
  let identity: FileIdentity
  let isRegular: Bool
  let content = Mutex(OpenContent())
  let pages = Mutex(KernelPages())
  private let place: FileDescriptor

  init(_ number: UInt64, _ place: consuming FileDescriptor, _ status: stat) {
    self.number = number
    self.place = place
    identity = FileIdentity(status)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  /// The descriptor, from which names go on.
  var descriptor: Int32 { place.rawValue }
  /// The path by which the kernel leads to the file itself, whatever its name is now.
  var path: String { "/proc/self/fd/\(place.rawValue)" }

  /// What `lstat` says of the file on `descriptor`.
  static func rawStatus(of descriptor: Int32) throws(Refusal) -> stat {
    var status = stat()
    // SAFETY: the structure lives for the call.
    try Refusal.checkShim(unsafe la_held_status(descriptor, &status))
    return status
  }

  /// Opens the file itself.
  func open(_ flags: Int32) throws(Refusal) -> FileDescriptor {
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    try Refusal.check(opened)
    return FileDescriptor(owning: opened)
  }

  /// Sets when it was read and changed.
  func setTimes(accessed: timespec, modified: timespec) throws(Refusal) {
    try Refusal.checkShim(la_held_set_times(descriptor, accessed, modified))
  }
}
