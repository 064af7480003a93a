import CLocalAuthLinux
import Glibc

/// A running child program and the session it leads.
///
/// The pidfd becomes readable when the program ends, so an event loop can watch it. The kernel does
/// not reuse the process id before ``reap()``. Dropping the value kills and reaps the program.
public struct ChildProcess: ~Copyable, Sendable {
  /// How a program ended.
  public enum Exit: Sendable, Equatable {
    /// It exited with a status.
    case status(Int32)
    /// A signal killed it.
    case signal(Int32)
    /// Other code in this process reaped it.
    case unknown
  }

  /// The process id, which is also the id of its session and process group.
  public let processID: Int32
  private let handle: FileDescriptor
  private var isReaped = false

  /// The descriptor for an event loop to watch: it becomes readable when the program ends.
  public var pidfd: Int32 { handle.rawValue }

  /// Starts a program in a new session.
  ///
  /// - Throws: the error of the call that failed, execve included; nothing runs then.
  public static func spawn(_ request: SpawnRequest) throws(SystemError) -> ChildProcess {
    let started = try request.start(detached: false)
    return ChildProcess(
      processID: started.processID,
      handle: FileDescriptor(owning: started.pidfd)
    )
  }

  /// Starts a program as a child of init, so that it outlives this process.
  ///
  /// - Returns: its process id, for messages only: the kernel may have reused it already.
  @discardableResult
  public static func spawnDetached(_ request: SpawnRequest) throws(SystemError) -> Int32 {
    try request.start(detached: true).processID
  }

  /// Kills the program and its whole process group.
  public borrowing func killGroup() { signalGroup(SIGKILL) }

  /// Sends a signal to the program and its whole process group.
  public borrowing func signalGroup(_ signal: Int32) {
    // Once the program is reaped, the id may belong to another process.
    guard !isReaped else { return }
    _ = Glibc.kill(-processID, signal)
  }

  /// Reaps the program and returns how it ended, or nil while it runs; never waits.
  ///
  /// Kills what is left in its process group. The process id may be reused afterwards.
  /// - Throws: the error of `waitid`, also when the program has been reaped already.
  public mutating func reap() throws(SystemError) -> Exit? {
    guard !isReaped else { throw SystemError("waitid", code: ECHILD) }
    return try end(waiting: false)
  }

  /// Waits for the program to end and reaps it.
  public mutating func waitForExit() throws(SystemError) -> Exit {
    guard !isReaped else { throw SystemError("waitid", code: ECHILD) }
    return try end(waiting: true) ?? .unknown
  }

  private init(processID: Int32, handle: consuming FileDescriptor) {
    self.processID = processID
    self.handle = handle
  }

  private mutating func end(waiting: Bool) throws(SystemError) -> Exit? {
    guard let exit = try exit(waiting: waiting, reaping: false) else { return nil }
    // Kill before reaping: until then the id cannot belong to another group.
    killGroup()
    isReaped = true
    guard exit != .unknown else { return exit }
    return try self.exit(waiting: true, reaping: true)
  }

  private func exit(waiting: Bool, reaping: Bool) throws(SystemError) -> Exit? {
    var result = la_exit()
    // SAFETY: the pointer is valid for the call.
    let outcome = unsafe la_child_exit(handle.rawValue, waiting, reaping, &result)
    if outcome == -ECHILD { return .unknown }
    _ = try SystemError.check(outcome, "waitid")
    switch result.kind {
    case LA_EXIT_STATUS: return .status(result.value)
    case LA_EXIT_SIGNAL: return .signal(result.value)
    default: return nil
    }
  }

  deinit {
    guard !isReaped else { return }
    _ = Glibc.kill(-processID, SIGKILL)
    var result = la_exit()
    // SAFETY: the pointer is valid for the call. The program was killed, so the wait ends.
    _ = unsafe la_child_exit(handle.rawValue, true, true, &result)
  }
}
