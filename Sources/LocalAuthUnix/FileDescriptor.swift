import Glibc

/// A descriptor with one owner; dropping the value closes it.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The descriptor number, valid while this value lives.
  public let rawValue: Int32

  /// Takes ownership of `rawValue`: nothing else may close it from now on.
  public init(owning rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    // close is not retried: after EINTR the descriptor is closed all the same.
    close(rawValue)
  }

  /// Gives up ownership of the number; the new owner must close it.
  public consuming func release() -> Int32 {
    let number = rawValue
    discard self
    return number
  }
}
