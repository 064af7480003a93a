/// How far one caller is taken for the same as another: what the kernel says about its process.
///
/// With a terminal it is the session that a shell was started in, as sudo(8) has it, so that one
/// command after the other is the same caller; a process can only get into a session by being started
/// in it. Without a terminal it is the one process.
public struct CallerScope: Hashable, Sendable {
  /// A process that no later one of the same number is taken for.
  public struct ProcessStamp: Hashable, Sendable {
    /// Its number.
    public var id: Int32
    /// When it began, in the kernel's ticks since boot.
    public var start: UInt64

    /// The process `id` that began at `start`.
    public init(id: Int32, start: UInt64) {
      self.id = id
      self.start = start
    }
  }

  /// Within what the caller is told from others of its user.
  public enum Bounds: Hashable, Sendable {
    /// The session with this leader, on the terminal of this device number.
    case session(ProcessStamp, terminal: UInt32)
    /// This one process.
    case process(ProcessStamp)
  }

  /// A program's file, whatever it is called.
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
  /// The program that it runs; nil only in a service that may not look at other users' programs.
  public var program: Program?

  /// The scope with these bounds.
  public init(uid: UInt32, bounds: Bounds, program: Program?) {
    self.uid = uid
    self.bounds = bounds
    self.program = program
  }
}
