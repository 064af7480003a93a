import Glibc

/// A thread of the operating system that runs one body.
final class TestThread: @unchecked Sendable {
  private var handle = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    unsafe pthread_create(
      &handle,
      nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      },
      context
    )
  }

  func join() { pthread_join(handle, nil) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
