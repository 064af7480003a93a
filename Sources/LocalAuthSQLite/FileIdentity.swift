import Glibc
import LocalAuthFiles

/// Which file a descriptor leads to, and how others get one like it.
struct FileIdentity: Hashable {
  let device: UInt
  let number: UInt

  /// The identity of the open file, and what the system says of it.
  static func of(_ descriptor: Int32) throws(FileFailure) -> (FileIdentity, stat) {
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system("fstat") }
    return (FileIdentity(device: status.st_dev, number: status.st_ino), status)
  }
}
