import CLocalAuthLinux
import Glibc
import Synchronization

/// A thread of the operating system with a small stack and every signal blocked.
public final class SystemThread: Sendable {
  private let handle: Mutex<pthread_t?>

  /// Starts a thread that runs `body` and ends with it.
  ///
  /// - Parameters:
  ///   - name: What tools call the thread; at most 15 bytes are used.
  ///   - stackSize: In bytes. 256 KiB hold a deep SQLite query or a PAM exchange with room.
  ///   - body: What the thread does.
  /// - Throws: The error of pthread_create(3).
  public init(
    name: String,
    stackSize: Int = 256 * 1024,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(Body(run: body)).toOpaque()
    // SAFETY: the thread takes over the reference to the body; when none was started it is
    // released below. `thread` outlives the call.
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
  /// The process ends when the thread waits for itself.
  public func join() {
    guard let thread = takeHandle() else { return }
    precondition(pthread_equal(thread, pthread_self()) == 0, "a thread waits for its own end")
    // The handle was taken, so nobody joins or detaches the thread a second time.
    pthread_join(thread, nil)
  }

  deinit {
    // Nobody will wait any more; the system frees the stack when the body returns.
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
      // SAFETY: `init` passed one reference to a Body, which is taken over here.
      unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }
}
