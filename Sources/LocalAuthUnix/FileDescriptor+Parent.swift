import Glibc

extension FileDescriptor {
  /// Waits until the names in the directory of `path` are on the disk: a new file may be gone after a power cut
  /// otherwise.
  ///
  /// - Throws: the error of the call that failed.
  package static func synchronizeParent(of path: String) throws(SystemError) {
    let parent = directory(ofPath: path)
    // SAFETY: the string is a C string for the length of the call.
    let opened = unsafe Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw SystemError("open", code: errno, subject: parent) }
    let descriptor = FileDescriptor(owning: opened)
    guard fsync(descriptor.rawValue) == 0 else {
      throw SystemError("fsync", code: errno, subject: parent)
    }
  }
}
