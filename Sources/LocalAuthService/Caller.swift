/// Who asks: what the kernel said when the connection was accepted.
public struct Caller: Hashable, Sendable {
  /// The caller's uid.
  public var uid: UInt32
  /// The caller's process.
  public var pid: Int32
  /// The caller's program for display, advisory only.
  public var program: String

  /// The caller with this identity.
  public init(uid: UInt32, pid: Int32, program: String) {
    self.uid = uid
    self.pid = pid
    self.program = program
  }
}
