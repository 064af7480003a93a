import CLocalAuthFuse
import LocalAuthUnix
import Synchronization

/// A mounted file system, and the threads that answer the kernel.
@safe
final class MountSession: @unchecked Sendable {
  // SAFETY: the library serves several threads, and the session lives as long as the process.
  private let fuse: OpaquePointer
  private let running: Mutex<Int>
  /// Rings when the file system is unmounted.
  let ended: WakeUp

  /// How many requests are answered at a time.
  private static let threads = 4

  /// Why there is no session.
  struct Failure: Error {
    let reason: String
  }

  /// Mounts `tree` at `mountpoint`; `source` is what tools show as the device.
  init(_ tree: FileTree, from source: String, at mountpoint: String) throws {
    ended = try WakeUp()
    running = Mutex(Self.threads)
    var calls = Calls.table
    // The tree lives as long as the process.
    let context = unsafe Unmanaged.passRetained(tree).toOpaque()
    // SAFETY: the calls are copied, and the strings are C strings for the duration of the call.
    guard let fuse = unsafe la_fuse_mount(&calls, context, source, mountpoint) else {
      let complaint = unsafe String(cString: la_fuse_complaint())
      throw Failure(reason: complaint.isEmpty ? "fusermount3 refused it" : complaint)
    }
    unsafe self.fuse = fuse
  }

  /// Begins to answer.
  func start() throws(SystemError) {
    for _ in 0..<Self.threads {
      _ = try SystemThread(name: "localauth-fuse", stackSize: 1 << 20) { [self] in
        unsafe la_fuse_serve(fuse)
        let isLast = running.withLock { running in
          running -= 1
          return running == 0
        }
        if isLast { ended.ring() }
      }
    }
  }

  /// Has the kernel forget the content of a file.
  func forgetPages(of number: UInt64) { unsafe la_fuse_forget_pages(fuse, number) }

  /// Has the kernel ask for the status of a file again.
  func forgetStatus(of number: UInt64) { unsafe la_fuse_forget_status(fuse, number) }

  /// Unmounts the file system if it is still mounted.
  func unmount() { unsafe la_fuse_unmount(fuse) }
}
