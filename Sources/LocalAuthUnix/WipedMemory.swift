import CLocalAuthLinux
import Glibc

/// Memory for bytes that may hold a secret: locked where the kernel allows it, left out of core
/// files, and wiped when it is given back.
@safe
struct WipedMemory: ~Copyable {
  let capacity: Int
  let start: UnsafeMutableRawPointer

  /// At least `capacity` bytes, all zero.
  init(capacity: Int) throws(SystemError) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    self.capacity = max(1, (capacity + page - 1) / page) * page
    var locked = false
    // SAFETY: `locked` outlives the call. A refused lock leaves memory that works as well.
    guard let start = unsafe la_secret_map(self.capacity, &locked) else {
      throw SystemError("mmap", code: errno)
    }
    unsafe self.start = unsafe start
  }

  deinit {
    // SAFETY: the whole mapping belongs to this value, and nothing can reach it any more.
    unsafe explicit_bzero(start, capacity)
    unsafe la_secret_unmap(start, capacity)
  }
}
