import Glibc

/// The error of a system call without which a worker, or its listener, cannot go on.
public struct WorkerFailure: Error, Equatable, Sendable {
  /// The error number.
  public let code: Int32

  /// The failure with this error number.
  public init(code: Int32) { self.code = code }

  /// The exit status, by sysexits(3).
  public var exitStatus: Int32 { EX_IOERR }
}
