import CLocalAuthLinux

/// The events that a descriptor is ready for, or that a caller is interested in.
public struct Readiness: OptionSet, Sendable {
  /// The bits, numbered as in epoll(7).
  public let rawValue: UInt32

  /// The set with these bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Data or the end of the stream can be read (EPOLLIN).
  public static let readable = Self(rawValue: UInt32(LA_READABLE))
  /// Data can be written (EPOLLOUT).
  public static let writable = Self(rawValue: UInt32(LA_WRITABLE))
  /// The peer has hung up in both directions; always reported (EPOLLHUP).
  public static let hungUp = Self(rawValue: UInt32(LA_HUNG_UP))
  /// The descriptor has an error; always reported (EPOLLERR).
  public static let failed = Self(rawValue: UInt32(LA_FAILED))
}
