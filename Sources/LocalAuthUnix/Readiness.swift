import CLocalAuthLinux

/// What a descriptor is ready for, or what somebody wants to hear about it.
public struct Readiness: OptionSet, Sendable {
  /// The bits as epoll(7) numbers them.
  public let rawValue: UInt32

  /// The set with these bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// There is something to read, or the end (EPOLLIN).
  public static let readable = Self(rawValue: UInt32(LA_READABLE))
  /// There is room to write (EPOLLOUT).
  public static let writable = Self(rawValue: UInt32(LA_WRITABLE))
  /// The other side is gone in both directions; reported without asking (EPOLLHUP).
  public static let hungUp = Self(rawValue: UInt32(LA_HUNG_UP))
  /// The descriptor has an error; reported without asking (EPOLLERR).
  public static let failed = Self(rawValue: UInt32(LA_FAILED))
}
