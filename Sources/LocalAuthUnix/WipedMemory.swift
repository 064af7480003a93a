import CLocalAuthLinux
import Glibc

/// Memory for bytes that may be secret.
///
/// It is locked if the kernel permits it, excluded from core files, and wiped when it is freed.
@safe
struct WipedMemory: ~Copyable {
  let capacity: Int
  let start: UnsafeMutableRawPointer

  /// Maps at least `capacity` bytes, all zero.
  init(capacity: Int) throws(SystemError) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    self.capacity = max(1, (capacity + page - 1) / page) * page
    var locked = false
    // SAFETY: `locked` outlives the call. If the lock is refused, the memory is still usable.
    guard let start = unsafe la_secret_map(self.capacity, &locked) else {
      throw SystemError("mmap", code: errno)
    }
    unsafe self.start = unsafe start
  }

  deinit {
    // SAFETY: this value owns the whole mapping, and nothing can reach it any more.
    unsafe explicit_bzero(start, capacity)
    unsafe la_secret_unmap(start, capacity)
  }
}
