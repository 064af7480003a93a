package import Glibc

/// What makes two names, or two descriptors, the same file.
package struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let inode: ino_t

  /// The identity of what the system said this of.
  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
  }
}
