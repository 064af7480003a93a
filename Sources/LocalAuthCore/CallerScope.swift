/// The bounds within which two callers count as the same, as the kernel reports their processes.
///
/// With a terminal it is the session that a shell was started in, as in sudo(8), so that one
/// command after another is the same caller; a process enters a session only by being started in
/// it. Without a terminal it is the single process.
public struct CallerScope: Hashable, Sendable {
  /// A process, identified so that no later one with the same number is taken for it.
  public struct ProcessStamp: Hashable, Sendable {
    /// Its number.
    public var id: Int32
    /// When it began, in kernel ticks since boot.
    public var start: UInt64

    /// The process `id` that began at `start`.
    public init(id: Int32, start: UInt64) {
      self.id = id
      self.start = start
    }
  }

  /// What tells the caller from others of the same user.
  public enum Bounds: Hashable, Sendable {
    /// The session with this leader, on the terminal of this device number.
    case session(ProcessStamp, terminal: UInt32)
    /// This one process.
    case process(ProcessStamp)
  }

  /// A program's file, independent of its name.
  public struct Program: Hashable, Sendable {
    /// The file system's device number.
    public var device: UInt64
    /// The file's number there.
    public var inode: UInt64

    /// The file with these numbers.
    public init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }
  }

  /// The caller's uid.
  public var uid: UInt32
  /// Its session or process.
  public var bounds: Bounds
  /// The program it runs; nil only in a service that may not inspect other users' programs.
  public var program: Program?

  /// The scope with these bounds.
  public init(uid: UInt32, bounds: Bounds, program: Program?) {
    self.uid = uid
    self.bounds = bounds
    self.program = program
  }
}
