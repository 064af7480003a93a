import Glibc
import LocalAuthWire

/// A PAM service file, as it is on disk now.
struct PAMServiceFile: Equatable {
  /// The path at which libpam finds it.
  let path: String
  private let device: UInt
  private let inode: UInt
  private let modified: Int
  private let modifiedNanoseconds: Int

  /// Finds the file that libpam will read for the service, in libpam's order.
  ///
  /// It must be readable: libpam treats a file that it cannot open as missing.
  init(_ service: PAMService) throws(PAMError) {
    for path in service.files {
      // SAFETY: the path lives for the call.
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var facts = stat()
      // SAFETY: `facts` outlives the call, which fills it.
      guard unsafe fstat(descriptor, &facts) == 0 else { continue }
      self.path = path
      device = facts.st_dev
      inode = facts.st_ino
      modified = facts.st_mtim.tv_sec
      modifiedNanoseconds = facts.st_mtim.tv_nsec
      return
    }
    throw .serviceMissing(path: service.files[0])
  }
}
