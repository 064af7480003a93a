import LocalAuthCore
import LocalAuthUnix

extension CallerScope {
  /// The scope of the process at the other end of a connection, from what the kernel reports now;
  /// nil if it does not report everything, so that nothing is remembered for that caller.
  ///
  /// A service for all users cannot inspect their programs, because only a process's owner may read
  /// `/proc/PID/exe`. It distinguishes callers by session or process alone.
  init?(of peer: PeerIdentity, looksAtProgram: Bool) {
    guard let program = try? PeerProgram(of: peer), let place = try? program.place() else {
      return nil
    }
    let process = ProcessStamp(id: place.processID, start: place.start)
    self.init(
      uid: peer.userID,
      bounds: place.terminal == 0
        ? .process(process) : .session(process, terminal: place.terminal),
      program: nil
    )
    guard looksAtProgram else { return }
    guard let file = try? program.executable() else { return nil }
    self.program = Program(device: file.device, inode: file.inode)
  }
}
