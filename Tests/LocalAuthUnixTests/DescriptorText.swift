import Glibc
import LocalAuthUnix

/// What can be read until the last writer is gone.
func readToEnd(of descriptor: Int32) -> [UInt8] {
  var all: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while true {
    // SAFETY: the array's storage is valid for the call and `count` bytes long.
    let count = unsafe read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return all }
    all += chunk[..<count]
  }
}

/// The same, as text.
func text(of descriptor: Int32) -> String {
  String(decoding: readToEnd(of: descriptor), as: UTF8.self)
}

/// Runs `body` on `count` threads at once and returns when all are done.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { index in
    startThread { body(index) }
  }
  for thread in threads { pthread_join(thread, nil) }
}

private final class ThreadBody {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func startThread(_ run: @escaping @Sendable () -> Void) -> pthread_t {
  var thread = pthread_t()
  let body = unsafe Unmanaged.passRetained(ThreadBody(run)).toOpaque()
  // SAFETY: the retained body is taken back exactly once, in the thread.
  let error = unsafe pthread_create(
    &thread,
    nil,
    { argument in
      guard let argument = unsafe argument else { return nil }
      unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    },
    body
  )
  precondition(error == 0, "pthread_create: \(error)")
  return thread
}

extension ClientSocket {
  /// Sends `text` as a frame.
  func send(_ text: String) throws(ClientSocketError) {
    var frame = Array(text.utf8)
    frame.append(0)
    try send(bytes: frame)
  }

  /// Sends bytes as they are.
  func send(bytes: [UInt8]) throws(ClientSocketError) {
    var failure: ClientSocketError?
    // SAFETY: the buffer is the array's own, valid inside the closure.
    unsafe bytes.withUnsafeBytes { buffer in
      do throws(ClientSocketError) { try unsafe send(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Receives a frame as text.
  mutating func receiveText(until deadline: Deadline? = nil) throws(ClientSocketError) -> String {
    try unsafe receiveFrame(until: deadline) { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
