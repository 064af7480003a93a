import CLocalAuthLinux

/// Two connected stream sockets: one end stays here, the other goes to a program we start.
public struct SocketPair: ~Copyable, Sendable {
  /// The end to keep.
  public let ours: FileDescriptor
  /// The end to hand to a child, as a duplicate.
  public let theirs: FileDescriptor

  /// Makes the pair; both ends are closed on exec.
  public init() throws(SystemError) {
    var first: Int32 = -1
    var second: Int32 = -1
    // SAFETY: the pointers are valid for the call.
    _ = try SystemError.check(unsafe la_socket_pair(&first, &second), "socketpair")
    let near = FileDescriptor(owning: first)
    let far = FileDescriptor(owning: second)
    // Before anything is sent, or who serves that end could not tell who sent it.
    _ = try SystemError.check(la_socket_tell_senders(second), "setsockopt SO_PASSCRED")
    ours = near
    theirs = far
  }

  /// Keeps one end and closes the other, which the child has by now.
  ///
  /// Until then a child that ends is not seen as an end of file.
  public consuming func takeOurs() -> FileDescriptor { ours }
}

/// A one-way pipe.
struct Pipe: ~Copyable, Sendable {
  let reader: FileDescriptor
  let writer: FileDescriptor

  /// Makes the pipe; both ends are closed on exec.
  init() throws(SystemError) {
    var first: Int32 = -1
    var second: Int32 = -1
    // SAFETY: the pointers are valid for the call.
    _ = try SystemError.check(unsafe la_pipe(&first, &second), "pipe2")
    reader = FileDescriptor(owning: first)
    writer = FileDescriptor(owning: second)
  }

  /// Keeps the reading end and closes the other, which the child has by now.
  consuming func takeReader() -> FileDescriptor { reader }
}
