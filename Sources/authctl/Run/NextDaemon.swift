import Glibc
import LocalAuthClient
import LocalAuthCore

/// Waiting for the daemon that follows one that ended.
extension VerbContext {
  /// Says that the daemon ended, waits for the next one and connects to it; starts none, because
  /// somebody may have ended the last one on purpose.
  func connectToNextDaemon() throws(Failure) -> DaemonConnection {
    if !output.isQuiet { output.say("The daemon ended; waiting for the next.") }
    let address = try address()
    while true {
      do throws(ClientError) {
        return try address.connectToRunning()
      } catch {
        guard case .unreachable = error else { throw Failure(error, typed: typed()) }
      }
      try Self.pause()
    }
  }

  /// Waits for a second; throws if nobody reads standard output any more.
  private static func pause() throws(Failure) {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    // SAFETY: the one entry outlives the call.
    guard unsafe poll(&output, 1, 1000) > 0 else { return }
    throw .unwritableOutput
  }
}

extension Failure {
  /// Nobody reads what is written.
  static let unwritableOutput = Failure(
    .internalError,
    "Standard output cannot be written to."
  )
}
