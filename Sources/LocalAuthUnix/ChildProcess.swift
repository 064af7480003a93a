import CLocalAuthLinux
import Glibc

/// A program of ours that runs, with the whole session it leads.
///
/// The kernel's handle (a pidfd) becomes readable when the program ends, so an event loop can watch
/// it; the process id is not reused before ``reap()``. Dropping the value kills and reaps the program.
public struct ChildProcess: ~Copyable, Sendable {
  /// How a program ended.
  public enum Exit: Sendable, Equatable {
    /// It exited with a status.
    case status(Int32)
    /// A signal killed it.
    case signal(Int32)
    /// Somebody else in this process reaped it.
    case unknown
  }

  /// The process id, which is the id of its session and process group too.
  public let processID: Int32
  private let handle: FileDescriptor
  private var isReaped = false

  /// What an event loop watches for reading: it becomes readable when the program ends.
  public var pidfd: Int32 { handle.rawValue }

  /// Starts a program in a session of its own.
  ///
  /// - Throws: what the system says, also when the program cannot be executed; nothing runs then.
  public static func spawn(_ request: SpawnRequest) throws(SystemError) -> ChildProcess {
    let started = try request.start(detached: false)
    return ChildProcess(
      processID: started.processID,
      handle: FileDescriptor(owning: started.pidfd)
    )
  }

  /// Starts a program that is no child of this process: init is its parent, and it outlives us.
  ///
  /// - Returns: its process id, for a message: it may be somebody else's before it is read.
  @discardableResult
  public static func spawnDetached(_ request: SpawnRequest) throws(SystemError) -> Int32 {
    try request.start(detached: true).processID
  }

  /// Kills the program and everything in its process group, now.
  public borrowing func killGroup() { signalGroup(SIGKILL) }

  /// Sends a signal to the program and to everything in its process group.
  public borrowing func signalGroup(_ signal: Int32) {
    // Once reaped, the number may belong to somebody else.
    guard !isReaped else { return }
    _ = Glibc.kill(-processID, signal)
  }

  /// How the program ended, or nil while it runs; never waits.
  ///
  /// What it left running in its process group is killed, and its process id is free from then on.
  /// - Throws: what the system says, also when it has been reaped already.
  public mutating func reap() throws(SystemError) -> Exit? {
    guard !isReaped else { throw SystemError("waitid", code: ECHILD) }
    return try end(waiting: false)
  }

  /// Waits until the program has ended, and reaps it.
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
    // Before reaping, while the number is certainly still the group's.
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
    // SAFETY: the pointer is valid for the call. A killed program ends, so the wait does.
    _ = unsafe la_child_exit(handle.rawValue, true, true, &result)
  }
}
