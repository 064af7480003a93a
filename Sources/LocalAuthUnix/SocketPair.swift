import CLocalAuthLinux

/// Two connected stream sockets: one end for this process, the other for a program it starts.
public struct SocketPair: ~Copyable, Sendable {
  /// The end to keep.
  public let ours: FileDescriptor
  /// The end to pass to a child, as a duplicate.
  public let theirs: FileDescriptor

  /// Creates the pair; both ends are closed on exec.
  public init() throws(SystemError) {
    var first: Int32 = -1
    var second: Int32 = -1
    // SAFETY: the pointers are valid for the call.
    _ = try SystemError.check(unsafe la_socket_pair(&first, &second), "socketpair")
    let near = FileDescriptor(owning: first)
    let far = FileDescriptor(owning: second)
    // Enable this before anything is sent; otherwise the server of that end could not identify
    // senders.
    _ = try SystemError.check(la_socket_tell_senders(second), "setsockopt SO_PASSCRED")
    ours = near
    theirs = far
  }

  /// Keeps our end and closes the other, once the child has its duplicate.
  ///
  /// Until then the end of the child does not show as an end of file.
  public consuming func takeOurs() -> FileDescriptor { ours }
}

/// A one-way pipe.
struct Pipe: ~Copyable, Sendable {
  let reader: FileDescriptor
  let writer: FileDescriptor

  /// Creates the pipe; both ends are closed on exec.
  init() throws(SystemError) {
    var first: Int32 = -1
    var second: Int32 = -1
    // SAFETY: the pointers are valid for the call.
    _ = try SystemError.check(unsafe la_pipe(&first, &second), "pipe2")
    reader = FileDescriptor(owning: first)
    writer = FileDescriptor(owning: second)
  }

  /// Keeps the reading end and closes the other, once the child has its duplicate.
  consuming func takeReader() -> FileDescriptor { reader }
}
