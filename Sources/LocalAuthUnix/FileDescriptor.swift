import Glibc

/// A descriptor that has one owner and is closed with it.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for calls made while this value lives.
  public let rawValue: Int32

  /// Takes over `rawValue`, which nobody else may close from now on.
  public init(owning rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    // After EINTR the descriptor is closed all the same, so nothing is tried twice.
    close(rawValue)
  }

  /// Gives the number to a new owner, who has to close it.
  public consuming func release() -> Int32 {
    let number = rawValue
    discard self
    return number
  }
}
