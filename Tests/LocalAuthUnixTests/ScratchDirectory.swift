import Glibc
import LocalAuthUnix

/// A directory of a test's own under /tmp, removed with everything in it.
final class ScratchDirectory: Sendable {
  /// Where it is: mode 0700, ours.
  let path: String

  init() {
    var template = Array("/tmp/localauth-test-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    guard unsafe mkdtemp(&template) != nil else { fatalError("mkdtemp: errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove() }

  /// Removes it now, with everything in it.
  func remove() {
    let request = SpawnRequest(executable: "/bin/rm", arguments: ["-rf", "--", path])
    if var child = try? ChildProcess.spawn(request) { _ = try? child.waitForExit() }
  }

  /// The path of a file in it.
  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file, mode 0600 unless told otherwise.
  func write(_ text: String, to name: String, mode: mode_t = 0o600) {
    write(Array(text.utf8), to: name, mode: mode)
  }

  /// Writes a file, mode 0600 unless told otherwise.
  func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) {
    // SAFETY: the string and the array are valid for the calls.
    let file = unsafe open(self.file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    _ = unsafe Glibc.write(file, bytes, bytes.count)
    _ = fchmod(file, mode)
    close(file)
  }

  /// All that a file holds; nil when there is none.
  func read(_ name: String) -> [UInt8]? {
    // SAFETY: the string and the array are valid for the calls.
    let file = unsafe open(self.file(name), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: file)
    return readToEnd(of: descriptor.rawValue)
  }

  /// The permission bits of a file, or of the directory itself.
  func mode(of name: String = ".") -> mode_t {
    var status = stat()
    // SAFETY: the string and the pointer are valid for the call.
    _ = unsafe lstat(file(name), &status)
    return status.st_mode & 0o7777
  }

  /// Changes the permission bits of a file, or of the directory itself.
  func setMode(_ mode: mode_t, of name: String = ".") {
    // SAFETY: the string is a C string for the length of the call.
    _ = unsafe chmod(file(name), mode)
  }

  /// Makes a directory with exactly this mode.
  func makeDirectory(_ name: String, mode: mode_t = 0o700) {
    // SAFETY: the string is a C string for the length of the call.
    _ = unsafe mkdir(file(name), 0o700)
    setMode(mode, of: name)
  }

  /// Makes a symbolic link in it.
  func link(_ name: String, to target: String) {
    // SAFETY: the strings are C strings for the length of the call.
    _ = unsafe symlink(target, file(name))
  }
}

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
