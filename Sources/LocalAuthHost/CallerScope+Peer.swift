import LocalAuthCore
import LocalAuthUnix

extension CallerScope {
  /// The scope of the process at the other end of a connection, by what the kernel says of it now; nil
  /// where it does not say all of it: then nothing is remembered for that caller.
  ///
  /// A service for all users may not look at their programs (`/proc/PID/exe` is its owner's), and tells
  /// callers by session or process alone.
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
