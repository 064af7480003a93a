import CLocalAuthLinux
import Glibc
import Synchronization

/// An operating system thread with a small stack and all signals blocked.
public final class SystemThread: Sendable {
  private let handle: Mutex<pthread_t?>

  /// Starts a thread that runs `body` and ends with it.
  ///
  /// - Parameters:
  ///   - name: The thread's name in tools; at most 15 bytes are used.
  ///   - stackSize: The stack size in bytes; 256 KiB leave room for a deep SQLite query or a PAM
  ///     exchange.
  ///   - body: The code to run.
  /// - Throws: The error of pthread_create(3).
  public init(
    name: String,
    stackSize: Int = 256 * 1024,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(Body(run: body)).toOpaque()
    // SAFETY: the thread takes over the reference to the body; if none was started, the reference
    // is released below. `thread` outlives the call.
    let status = unsafe la_thread_start(
      &thread,
      String(decoding: name.utf8.prefix(15), as: UTF8.self),
      stackSize,
      Self.enter,
      context
    )
    if status != 0 { unsafe Unmanaged<Body>.fromOpaque(context).release() }
    _ = try SystemError.check(status, "pthread_create")
    handle = Mutex(thread)
  }

  /// Waits until the body has returned; a second call returns at once.
  ///
  /// Calling it from the thread itself is a precondition failure.
  public func join() {
    guard let thread = takeHandle() else { return }
    precondition(pthread_equal(thread, pthread_self()) == 0, "a thread waits for its own end")
    // Taking the handle keeps the thread from being joined or detached a second time.
    pthread_join(thread, nil)
  }

  deinit {
    // The thread will not be joined; the system frees its stack when the body returns.
    if let thread = takeHandle() { pthread_detach(thread) }
  }

  private func takeHandle() -> pthread_t? {
    handle.withLock { handle in
      defer { handle = nil }
      return handle
    }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static let enter: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
    {
      context in
      guard let context = unsafe context else { return nil }
      // SAFETY: `init` passed one retained reference to a Body, which is taken over here.
      unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }
}
